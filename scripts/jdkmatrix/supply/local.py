# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a JDK used that lies unpacked on this machine?

It runs where it is, and is never copied or changed; that it starts is all that is verified.
"""

from pathlib import Path

from jdkmatrix.config.jdks import BuildEntry
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.facts import class_library, measure
from jdkmatrix.supply.hashing import sha256_of
from jdkmatrix.supply.identity import build_id, check_identity, vendor_of, version_of
from jdkmatrix.supply.source import SourceError

KIND = "local"


def local_build(path: Path, entry: BuildEntry | None = None) -> Build:
    """The JDK at `path`: its home, its `bin/java`, or a link to either.

    Raises SourceError, also if it is not what `entry` says.
    """
    home = _home(path.expanduser())
    library = class_library(home)
    if library is None:
        raise SourceError("no JDK: no lib/modules and no rt.jar")
    facts = measure(home)
    if entry is not None:
        check_identity(entry, facts)
    name = build_id(facts)
    return Build(
        id=name,
        entry_id=entry.id if entry else name,
        version=version_of(facts),
        vendor=vendor_of(facts.vendor),
        train=version_of(facts).train,
        source=KIND,
        sha256=sha256_of(library),
        artifacts=(),
        home=home,
        facts=facts,
    )


def _home(path: Path) -> Path:
    if not path.exists():
        raise SourceError("no such folder")
    real = path.resolve()
    if real.is_file() and real.name == "java" and real.parent.name == "bin":
        real = real.parent.parent
    if real.name == "jre" and (real.parent / "bin" / "java").exists():
        real = real.parent  # JDK 8's bin/java may be a link into its jre
    for home in (real, real / "Contents" / "Home"):
        if (home / "bin" / "java").is_file():
            return home
    raise SourceError("no JDK: no bin/java")

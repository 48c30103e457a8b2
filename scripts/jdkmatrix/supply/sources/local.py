# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a JDK used that already lies unpacked on this machine?

It runs where it is, and is never copied or changed. No lock vouches for its bytes.
"""

from dataclasses import replace
from pathlib import Path

from jdkmatrix.config.jdks import BuildEntry
from jdkmatrix.supply.alteration import alteration, content_of, sha256_of_content
from jdkmatrix.supply.build import Build, SourceError, expand_home
from jdkmatrix.supply.cache.jdk_cache import Cache
from jdkmatrix.supply.identity import build_of, check_identity, check_runs_here
from jdkmatrix.supply.jdk_facts import check_configuration, class_library, measure
from jdkmatrix.supply.platform import Platform

KIND = "local"


def local_build(path: Path, cache: Cache | None = None, entry: BuildEntry | None = None) -> Build:
    """The JDK at `path`, whatever it is: its home, its `bin/java`, or a link to either.

    A debug build is accepted too, as the user named this very folder. With a `cache` it is compared
    with the release that it says it is, if that is cached. Raises SourceError, OSError.
    """
    home = home_at(path)
    if class_library(home) is None:
        raise SourceError("not a JDK: no lib/modules and no rt.jar")
    facts = measure(home)
    check_configuration(home)
    content = content_of(home)
    build = build_of(facts, home, KIND, sha256_of_content(content), entry)
    return replace(build, altered=alteration(home, facts, content, cache)) if cache else build


def local_build_of(entry: BuildEntry, path: Path, platform: Platform) -> Build:
    """The JDK at `path` as the build of `entry`. Raises SourceError if it is not what that says."""
    build = local_build(path, entry=entry)
    check_identity(entry, build.facts)
    check_runs_here(platform, build.facts, entry.target)
    return build


def home_at(path: Path) -> Path:
    """The home of the JDK that `path` means. Raises SourceError if there is none."""
    path = expand_home(path)
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
    raise SourceError("not a JDK: no bin/java")

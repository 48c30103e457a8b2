# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a user's own JDK the release that it says it is, or an altered copy of it?

Its configuration and libraries are compared file by file, if the cache has that release in the same
kind of image. Trust anchors (`cacerts`) that a distribution or company put in the place of the
release's own make it another JDK, too: it trusts other servers. What a machine makes for itself is
ignored: `cacerts` where the release has none, as in Debian's packages, class data archives, and
programs, which the kit itself binds to another C library if the machine's is too old.
"""

import hashlib
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from jdkmatrix.machine.files import sha256_of
from jdkmatrix.machine.trees import linked_files
from jdkmatrix.supply.build import BuildFacts
from jdkmatrix.supply.cache.jdk_cache import Cache, InstallRecord
from jdkmatrix.supply.identity import build_id
from jdkmatrix.supply.jdk_facts import c_library, listed_modules
from jdkmatrix.supply.unpack.bound_program import is_started_by_a_loader

_PARTS = ("bin", "conf", "lib", "jre/bin", "jre/lib")
_TRUST_ANCHORS = "cacerts"
_IGNORED_NAMES = ("*.jsa", "src.zip", "*.debuginfo", "*.diz")
# Where a file that the release lacks is an alteration; elsewhere it may come from a package that
# was not asked for (Debian splits off the desktop's libraries).
_NOTHING_MORE = ("bin/*", "conf/security/*", "lib/security/*", "lib/ext/*", "lib/endorsed/*")

Content = Mapping[str, str]


def content_of(home: Path) -> Content:
    """The SHA-256 of each file to compare, by its path below `home`. Raises OSError."""
    return {name: sha256_of(path) for name, path in sorted(_files(home))}


def sha256_of_content(content: Content) -> str:
    """One SHA-256 over the whole content."""
    lines = (f"{sha256}  {name}\n" for name, sha256 in content.items())
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def alteration(home: Path, facts: BuildFacts, content: Content, cache: Cache) -> str | None:
    """How the JDK at `home` differs from the release that it says it is, in one sentence.

    None if it is that release, byte for byte, or if the cache has none to compare it with.
    """
    difference = None
    for folder, record in _comparable(home, facts, cache):
        differing = _list_differences(content, _release_content(folder, record))
        if not differing:
            return None
        difference = difference or _sentence(facts, differing)
    return difference


def is_comparable(home: Path, facts: BuildFacts, cache: Cache) -> bool:
    """Whether the cache has the release that the JDK at `home` says it is."""
    return any(True for _ in _comparable(home, facts, cache))


def _sentence(facts: BuildFacts, differing: list[str]) -> str:
    count = len(differing) - 1
    rest = f" (and {count} more {'file' if count == 1 else 'files'})" if count else ""
    return f"altered: differs from {build_id(facts)} in {differing[0]}{rest}"


def _comparable(
    home: Path, own_facts: BuildFacts, cache: Cache
) -> Iterator[tuple[Path, InstallRecord]]:
    """The same release in the same kind of image: a jlinked one has other modules on purpose, one
    for another C library has other libraries.
    """
    for folder, record in cache.jdks(lambda facts: _release(facts) == _release(own_facts)):
        if _image(home) == _image(folder / record.home):
            yield folder, record


def _image(home: Path) -> tuple[object, ...]:
    return (listed_modules(home), c_library(home))


def _release(facts: BuildFacts) -> tuple[object, ...]:
    return (facts.version, facts.vendor, facts.arch, facts.debug_level, facts.has_javac)


def _release_content(folder: Path, record: InstallRecord) -> Content:
    """The content of a cached release, from what was recorded when it was installed."""
    real, home = folder.resolve(), folder / record.home
    files = record.manifest.files
    content = {}
    for name, path in sorted(_files(home)):
        target = path.resolve()
        key = target.relative_to(real).as_posix() if target.is_relative_to(real) else ""
        content[name] = files[key].sha256 if key in files else sha256_of(path)
    return content


def _list_differences(content: Content, release: Content) -> list[str]:
    """The files changed or removed, and those added where that matters; configuration first."""
    changed_names = [name for name, sha256 in release.items() if content.get(name) != sha256]
    added_names = [name for name in content if name not in release and _matters(name)]
    return sorted({*changed_names, *added_names}, key=lambda name: ("conf" not in name, name))


def _matters(name: str) -> bool:
    short_name = name.removeprefix("jre/")
    if PurePosixPath(name).name == _TRUST_ANCHORS:
        return False
    return any(fnmatchcase(short_name, pattern) for pattern in _NOTHING_MORE)


def _files(home: Path) -> Iterator[tuple[str, Path]]:
    """The files to compare. Links are followed, as Debian's configuration lies elsewhere."""
    for part in _PARTS:
        for path in linked_files(home / part):
            is_ignored = any(fnmatchcase(path.name, pattern) for pattern in _IGNORED_NAMES)
            if not is_ignored and not is_started_by_a_loader(path):
                yield path.relative_to(home).as_posix(), path

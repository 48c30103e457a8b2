# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where are the sources of a JDK's classes, and which of them does a path in a diff mean?"""

import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from jdkmatrix.config.jdks import BuildEntry, DebianSource
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.errors import MachineError, UsageError, one_line, translate_os_errors
from jdkmatrix.machine.files import text_of
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.catalog import Catalog
from jdkmatrix.supply.platform import machine_platform
from jdkmatrix.supply.sources.debian import Debian
from jdkmatrix.supply.sources.local import KIND as LOCAL_KIND
from jdkmatrix.supply.supplier import Supplier

_OS = machine_platform().os.removeprefix("alpine-")
# As the folders of the JDK's sources name this system.
SYSTEM = {"mac": "macosx"}.get(_OS, _OS)
_SYSTEMS = ("share", "unix", SYSTEM)
_SYSTEMS_OF_8 = ("share", "solaris", "linux", "macosx")
_PLACES = ("lib/src.zip", "src.zip")
# What a damaged zip raises; not all of it is a BadZipFile.
_DAMAGED = (OSError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError, ValueError)


@dataclass(frozen=True)
class SourcePlace:
    """A source file's place: its module ("" on 8), and its package folders and name as a path."""

    module: str
    path: PurePosixPath


class Sources(ABC):
    """Source files of a JDK, wherever they are.

    `label` says whose they are; `is_own` is true only if they are surely the build's own;
    `is_named` if the user names them, so that they count though the build's code is another.
    """

    label: str
    is_own: bool
    is_named: bool

    def find(self, diff_path: str) -> SourcePlace | None:
        """The file that a path in a diff means: `a/src/java.base/share/classes/java/net/URL.java`.

        It is the one with whose path the diff's path ends.
        """
        return _first_place(diff_path, self._module_of)

    def place_for_new(self, diff_path: str) -> SourcePlace | None:
        """The place of a new file: in the module that has its package; None if none has it."""
        # The folder of a module-info.java is no package.
        return _first_place(
            diff_path, lambda end: self._module_with(end.rpartition("/")[0]) if "/" in end else None
        )

    @abstractmethod
    def read(self, place: SourcePlace) -> str:
        """The text of a file. Raises MachineError."""

    @abstractmethod
    def _module_of(self, path: str) -> str | None:
        """The module that has a file at that path; None if none has."""

    @abstractmethod
    def _module_with(self, package: str) -> str | None:
        """The module that has sources in that folder of a package; None if none has."""


def _first_place(diff_path: str, module_of: Callable[[str], str | None]) -> SourcePlace | None:
    """The place of the longest end of a path for which there is a module."""
    parts = PurePosixPath(diff_path).parts
    for end in ("/".join(parts[n:]) for n in range(len(parts))):
        if (module := module_of(end)) is not None:
            return SourcePlace(module, PurePosixPath(end))
    return None


class SourceZip(Sources):
    """A JDK's `src.zip`: packages at the top on 8, modules from 9 on.

    Raises MachineError if it is damaged.
    """

    is_named = False

    def __init__(self, path: Path, label: str, *, is_own: bool) -> None:
        self.label = label
        self.is_own = is_own
        self._path = path
        try:
            with zipfile.ZipFile(path) as archive:
                names = [name for name in archive.namelist() if name.endswith(".java")]
        except _DAMAGED as error:
            raise MachineError(f"{path}: damaged: {error}") from None
        has_modules = any("." in name.partition("/")[0] for name in names)
        # Strings: there are 20,000 of them, and a Path costs ten times as much.
        pairs = [_module_and_path(name, has_modules=has_modules) for name in names]
        self._modules = {path: module for module, path in pairs}
        self._packages = {path.rpartition("/")[0]: module for module, path in pairs}

    def _module_of(self, path: str) -> str | None:
        return self._modules.get(path)

    def _module_with(self, package: str) -> str | None:
        return self._packages.get(package)

    def read(self, place: SourcePlace) -> str:
        """The text of a file. Raises MachineError."""
        name = PurePosixPath(place.module) / place.path
        try:
            with zipfile.ZipFile(self._path) as archive:
                return archive.read(str(name)).decode("utf-8")
        except _DAMAGED as error:
            fault = one_line(f"{name}: damaged: {error}")
            raise MachineError(f"{self._path}: {fault}") from None


class SourceTree(Sources):
    """Sources in a folder of the user's: a checkout of the JDK, or of some of its modules.

    A module is below `src/java.base/share/classes` and its like for this system, or, as src.zip
    has it, below `java.base`; on 8 packages are below `jdk/src/share/classes`, or at the top.
    Raises UsageError if there are none.
    """

    is_own, is_named = False, True

    def __init__(self, folder: Path, train: int) -> None:
        self.label = f"the sources in {folder}"
        self._roots = tuple(_roots(folder, has_modules=train != 8))
        if not self._roots:
            layout = "src/java.base/share/classes" if train != 8 else "jdk/src/share/classes"
            raise UsageError(
                f"--sources {folder}: no sources of a JDK {train}; accepted: a checkout, with "
                f"{layout}, or what src.zip holds"
            )

    def _module_of(self, path: str) -> str | None:
        return next((module for module, root in self._roots if _is_file(root / path)), None)

    def _module_with(self, package: str) -> str | None:
        roots = self._roots
        return next((module for module, root in roots if _has_sources(root / package)), None)

    def read(self, place: SourcePlace) -> str:
        """As `Sources`."""
        for module, root in self._roots:
            if module == place.module and _is_file(root / place.path):
                with translate_os_errors(MachineError, f"{root / place.path}: cannot be read"):
                    return text_of(root / place.path)
        raise MachineError(f"{place.path}: not in {self.label}")


def _is_file(path: Path) -> bool:
    """Whether it is one; a path of a diff may be too long for that."""
    with suppress(OSError):
        return path.is_file()
    return False


def _has_sources(folder: Path) -> bool:
    with suppress(OSError):
        return any(folder.glob("*.java"))
    return False


def _roots(folder: Path, *, has_modules: bool) -> Iterator[tuple[str, Path]]:
    """Each folder that holds packages, with its module; those for all systems first."""
    if not has_modules:
        for top in (folder / "jdk" / "src", folder / "src", folder):
            roots = [top / system / "classes" for system in _SYSTEMS_OF_8]
            roots = [root for root in roots if (root / "java").is_dir() or (root / "sun").is_dir()]
            yield from (("", root) for root in roots)
            if roots:
                return
        if (folder / "java").is_dir() or (folder / "sun").is_dir():
            yield "", folder
        return
    for top in (folder / "src", folder):
        for module in sorted(path for path in top.glob("*.*") if path.is_dir()):
            roots = [module / system / "classes" for system in _SYSTEMS]
            roots = [root for root in roots if root.is_dir()]
            if not roots and any((module / part).is_dir() for part in ("java", "sun", "jdk")):
                roots = [module]
            yield from ((module.name, root) for root in roots)


def sources_for(
    build: Build, supplier: Supplier, catalog: Catalog
) -> Iterator[SourceZip | MachineError]:
    """The sources that may be a build's, best first, each fetched when it is asked for.

    The build's own `src.zip`; its Debian source package; then, as a runtime image has none, those
    of the nearest newer and older Debian builds of its train that are available. For sources
    that are not available, the reason is yielded.
    """
    for name in _PLACES:
        if (build.home / name).is_file():
            # In the user's own folder the classes may be newer than the zip beside them.
            is_own = build.source != LOCAL_KIND
            try:
                yield SourceZip(build.home / name, "its own src.zip", is_own=is_own)
            except MachineError as error:
                yield error
            return
    if build.source == Debian.kind:
        own_entry = catalog.jdks.entry(build.entry_id)
        try:
            path = supplier.java_sources(own_entry, build.artifacts[0].version)
            yield SourceZip(path, "its Debian source package", is_own=True)
            return
        except MachineError as error:
            yield error
    for side in _neighbours(build, catalog):
        for neighbour, entry in side:
            try:
                path = supplier.java_sources(entry, None)
                yield SourceZip(path, f"sources of {entry.vendor}-{neighbour}", is_own=False)
            except MachineError as error:  # such as those that Debian's mirrors no longer have
                yield error
            else:
                break


def _neighbours(build: Build, catalog: Catalog) -> tuple[list[tuple[JdkVersion, BuildEntry]], ...]:
    """The Debian builds of the train, newer ones and older ones, each nearest in version first."""
    pairs = sorted(
        (
            (catalog.last_builds[entry.id].version, entry)
            for entry in catalog.jdks.builds
            if entry.version.train == build.train
            and entry.id in catalog.last_builds
            and any(isinstance(source, DebianSource) for source in entry.sources)
        ),
        key=lambda pair: pair[0],
    )
    newer = [pair for pair in pairs if pair[0] >= build.version]
    return newer, [pair for pair in pairs if pair[0] < build.version][::-1]


def _module_and_path(name: str, *, has_modules: bool) -> tuple[str, str]:
    if not has_modules:
        return "", name
    module, _, path = name.partition("/")
    return module, path

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a diff against the JDK's own sources become classes for one build?"""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from unidiff.patch import PatchedFile

from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.java_program import JavaProgram
from jdkmatrix.overlay.class_files import find_classes, package_of
from jdkmatrix.overlay.javac import CompileError, compile_sources, differing_class
from jdkmatrix.overlay.patch import PatchError, parse_patch, patched
from jdkmatrix.overlay.sources import SourceZip, compiler_for, sources_for
from jdkmatrix.overlay.target import copy_packages
from jdkmatrix.overlay.wish import Wish
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.fetch import Supplier


class Patching:
    """Compiles patched sources. `reader` runs on `java`, of the tool JDK."""

    def __init__(
        self,
        supplier: Supplier,
        jdks: JdksFile,
        build_ids: Mapping[str, str],
        reader: JavaProgram,
        java: Path,
    ) -> None:
        self._supplier = supplier
        self._jdks = jdks
        self._build_ids = build_ids
        self._reader = reader
        self._java = java

    def compile(self, build: Build, wish: Wish, classes: Path) -> str:
        """Put the classes of the patched files into `classes`; say what they were made from.

        Raises UsageError, MachineError.
        """
        what = f"{wish} over {build.id}"
        try:
            files = parse_patch(wish.path.read_text(encoding="utf-8", errors="replace"))
            files = tuple(file for file in files if not _is_a_test(file))
            compiler = compiler_for(build, self._supplier, self._jdks)
            with tempfile.TemporaryDirectory(prefix="overlay-") as scratch:
                sources = self._sources(build, compiler, files, Path(scratch))
                _write_patched(files, sources, Path(scratch) / "patched")
                compile_sources(compiler, build, Path(scratch) / "patched", classes)
        except (PatchError, CompileError) as error:
            raise UsageError(f"{what}: {error}") from None
        return f"{sources.label}, compiled by {compiler.id}"

    def _sources(
        self, build: Build, compiler: Build, files: tuple[PatchedFile, ...], scratch: Path
    ) -> SourceZip:
        """The build's sources: its own, or such as compile to the code that it has.

        Raises PatchError: no sources, or only such as differ in the files to be patched.
        """
        reasons: list[str] = []
        for n, sources in enumerate(
            sources_for(build, self._supplier, self._jdks, self._build_ids)
        ):
            if isinstance(sources, MachineError):
                reasons.append(str(sources))
                continue
            if sources.is_own:
                return sources
            differs = self._difference(build, compiler, files, sources, scratch / str(n))
            if differs is None:
                return sources
            reasons.append(f"{sources.label}: another {differs}")
        told = "; ".join(reasons) or "none for its train in jdks.yaml"
        raise PatchError(f"no sources of it: {told}; accepted: a build with its own (Debian's)")

    def _difference(
        self,
        build: Build,
        compiler: Build,
        files: tuple[PatchedFile, ...],
        sources: SourceZip,
        scratch: Path,
    ) -> str | None:
        """The first class that these sources do not give as the build has it, if any."""
        plain, ours, theirs = scratch / "plain", scratch / "ours", scratch / "theirs"
        for file in files:
            place = sources.find(_path_of(file))
            if place is None and not file.is_added_file:
                return _path_of(file)
            if place is not None:
                _write(plain / place.module / place.path, sources.read(place))
        if not plain.is_dir():  # new files only
            return None
        try:
            compile_sources(compiler, build, plain, ours)
        except CompileError as error:
            return f"library ({error})"
        names = find_classes(ours)
        packages = {package_of(Path(*name.parts[1:])) for name in names}
        if build.train == 8:
            packages = {package_of(name) for name in names}
        copy_packages(build, packages, theirs, self._reader, self._java)
        differs = differing_class(compiler.home, ours, theirs, names)
        return None if differs is None else differs.stem


def _write_patched(files: tuple[PatchedFile, ...], sources: SourceZip, folder: Path) -> None:
    for file in files:
        path = _path_of(file)
        if file.is_removed_file or file.is_rename or file.is_binary_file:
            raise PatchError(f"{path}: accepted: changed and new text files")
        place = sources.find(path)
        if file.is_added_file:
            place = sources.place_for_new(path)
        if place is None:
            raise PatchError(f"{path}: no such file in {sources.label}")
        original = "" if file.is_added_file else sources.read(place)
        try:
            _write(folder / place.module / place.path, patched(original, file))
        except PatchError as error:
            raise PatchError(f"{path}: {error} to {sources.label}") from None


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _path_of(file: PatchedFile) -> str:
    return str(file.path)


def _is_a_test(file: PatchedFile) -> bool:
    """A change of the JDK brings its tests along: `test/jdk/...`, in 8u `jdk/test/...`."""
    return _path_of(file).startswith(("test/", "jdk/test/"))

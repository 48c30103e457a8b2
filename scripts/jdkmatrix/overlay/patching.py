# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a diff against the JDK's own sources become classes for one build?"""

import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from unidiff.patch import PatchedFile

from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.machine.files import text_of
from jdkmatrix.machine.java_program import JavaTool
from jdkmatrix.machine.trees import scratch_folder
from jdkmatrix.overlay.class_files import find_classes, package_of, within_module
from jdkmatrix.overlay.javac import CodeDifference, CompileError, compile_sources, differing
from jdkmatrix.overlay.jdk_sources import (
    SYSTEM,
    SourcePlace,
    Sources,
    SourceTree,
    sources_for,
)
from jdkmatrix.overlay.overlay_request import OverlayRequest
from jdkmatrix.overlay.patch import HAS_CHANGE, PatchError, apply, changes_code, parse_patch
from jdkmatrix.overlay.target import copy_packages
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.catalog import Catalog
from jdkmatrix.supply.compiler import compiler_for
from jdkmatrix.supply.supplier import Supplier

# Folders of a trial: sources and classes without and with the patch.
_PLAIN, _PATCHED = "plain", "patched"
_PLAIN_CLASSES, _PATCHED_CLASSES = "plain-classes", "patched-classes"
_OF_SYSTEM = re.compile(r"(?:^|/)src/(?:[^/]+/)?(?P<system>aix|linux|macosx|windows)/")


@dataclass(frozen=True)
class Patching:
    """Compiles patched sources, and compares the classes with those that `tool` reads."""

    supplier: Supplier
    catalog: Catalog
    tool: JavaTool

    def compile(self, build: Build, request: OverlayRequest, classes: Path) -> str:
        """Put the classes that the patch changes into `classes`; return what they were made from.

        Raises UsageError, MachineError.
        """
        try:
            changes = _changes_of(request)
            compiler = compiler_for(build, self.supplier, self.catalog.jdks)
            reasons: list[str] = []
            for sources in self._sources(build, request):
                if isinstance(sources, MachineError):
                    reasons.append(str(sources))
                    continue
                with scratch_folder() as scratch:
                    trial = _Trial(build, compiler, changes.files, sources, scratch)
                    try:
                        notes = trial.compile_into(classes, self.tool)
                    except (_UnfitError, PatchError, CompileError) as error:
                        reasons.append(f"{sources.label}: {error}")
                        continue
                    origin = f"{sources.label}, compiled by {compiler.id}"
                    return "; ".join((origin, *changes.notes, *notes))
            reason_text = "; ".join(reasons) or "none for its train in jdks.yaml"
            remedy = f"accepted: the sources of {build.version}, in a folder named by --sources"
            if request.sources:
                remedy += ", and before the diff, in its file, those that it rests on"
            raise PatchError(f"no matching sources: {reason_text}; {remedy}")
        except PatchError as error:
            raise UsageError(f"{request} over {build.id}: {error}") from None

    def touched_sources(self, build: Build, request: OverlayRequest) -> Iterator[bytes]:
        """The files in the folder of `--sources` that the diff changes, as they are now.

        Raises UsageError, MachineError.
        """
        if request.sources:
            tree = SourceTree(request.sources, build.train)
            try:
                places = [tree.find(str(file.path)) for file in _changes_of(request).files]
            except PatchError as error:
                raise UsageError(f"{request} over {build.id}: {error}") from None
            yield from (tree.read(place).encode() for place in places if place)

    def _sources(self, build: Build, request: OverlayRequest) -> Iterator[Sources | MachineError]:
        """The sources to try: those that the user names, then those that the kit can get."""
        if request.sources:
            yield SourceTree(request.sources, build.train)
        yield from sources_for(build, self.supplier, self.catalog)


class _UnfitError(Exception):
    """These sources are not the build's; the text says where that shows."""


@dataclass(frozen=True)
class _Trial:
    """A trial of the patch on some sources, in the scratch folder `root`: it has sources and
    classes without and with the patch, and the build's classes.
    """

    build: Build
    compiler: Build
    files: tuple[PatchedFile, ...]
    sources: Sources
    root: Path

    def compile_into(self, classes: Path, tool: JavaTool) -> list[str]:
        """Put the classes that change into `classes`; return the notes on how they were made.

        Raises _UnfitError, PatchError, CompileError, MachineError.
        """
        notes = self._write_sources()
        differences = self._changed_classes()
        if not self.sources.is_own:
            differing_names = self._other_classes(differences, tool)
            if differing_names and not self.sources.is_named:
                raise _UnfitError(f"the build's class {differing_names[0]} has other code")
            if differing_names:
                names = ", ".join(differing_names)
                notes.append(f"the build's own code differs from these sources in {names}")
        for name in differences:
            (classes / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.root / _PATCHED_CLASSES / name, classes / name)
        return [*notes, *_notes_on_constants(differences)]

    def _other_classes(self, names: Iterable[Path], tool: JavaTool) -> list[str]:
        """The classes whose code in the build is not what the unpatched sources compile to."""
        plain_classes, target_classes = self.root / _PLAIN_CLASSES, self.root / "target-classes"
        plain_names = [name for name in names if (plain_classes / name).is_file()]
        packages = {package_of(within_module(name, self.build.train)) for name in plain_names}
        copy_packages(self.build, packages, target_classes, tool)
        differences = differing(self.compiler.home, plain_classes, target_classes, plain_names)
        return [name.stem for name in differences]

    def _changed_classes(self) -> dict[Path, CodeDifference]:
        """Compile with and without the patch; return the classes whose code differs, or is new.

        The others, which only share a source file with one of these, stay the build's own.
        """
        plain_classes, patched_classes = self.root / _PLAIN_CLASSES, self.root / _PATCHED_CLASSES
        if (self.root / _PLAIN).is_dir():  # otherwise the patch only adds files
            try:
                compile_sources(self.compiler, self.build, self.root / _PLAIN, plain_classes)
            except CompileError as error:
                raise _UnfitError(f"cannot be compiled even unpatched: {error}") from None
        compile_sources(self.compiler, self.build, self.root / _PATCHED, patched_classes)
        names = find_classes(patched_classes)
        differences = differing(self.compiler.home, patched_classes, plain_classes, names)
        if all(difference.alone for difference in differences.values()):
            raise PatchError("; ".join(["it changes no code", *_notes_on_constants(differences)]))
        return differences

    def _write_sources(self) -> list[str]:
        """Write the files, unpatched and patched; parts that change the same file apply in order.

        Returns what was not taken word for word.
        """
        places: dict[str, SourcePlace] = {}
        notes: list[str] = []
        for file in self.files:
            path = str(file.path)
            earlier_place = places.get(path)
            place = earlier_place or _place_of(file, path, self.sources)
            relative = Path(place.module) / place.path
            _check_alone(path, place, places)
            places[path] = place
            if earlier_place:
                original = text_of(self.root / _PATCHED / relative)
            elif file.is_added_file:
                original = ""
            else:
                original = self.sources.read(place)
                _write(self.root / _PLAIN / relative, original)
            try:
                source_text = apply(original, file)
            except PatchError as error:
                raise PatchError(f"{path}: {error}") from None
            _write(self.root / _PATCHED / relative, source_text.text)
            notes += (f"{path.rpartition('/')[2]}: {note}" for note in source_text.notes)
        return notes


class _Changes(NamedTuple):
    """The files of a diff that are compiled, and what else it changes."""

    files: tuple[PatchedFile, ...]
    notes: tuple[str, ...]


def _changes_of(request: OverlayRequest) -> _Changes:
    """The Java sources that a diff changes: neither tests, nor for other systems, nor changed in
    comments alone. Raises PatchError, UsageError.
    """
    sources = [
        file for file in parse_patch(request.text()) if not (_is_a_test(file) or _is_foreign(file))
    ]
    for file in sources:
        if file.is_removed_file or file.is_rename or file.is_binary_file:
            raise PatchError(f"{file.path}: accepted: changed and new text files")
    files = [file for file in sources if str(file.path).endswith(".java")]
    if not files:
        scope = "no Java sources" if sources else "only tests and sources of other systems"
        raise PatchError(f"it changes {scope}; accepted: a diff of the JDK's sources")
    paths = dict.fromkeys(str(file.path) for file in sources if file not in files)
    notes = tuple(f"{path.rpartition('/')[2]} is left out, as no Java source" for path in paths)
    code_files = tuple(file for file in files if file.is_added_file or changes_code(file))
    if not code_files:
        raise PatchError("it changes no code: only comments")
    return _Changes(code_files, notes)


def _notes_on_constants(differences: Mapping[Path, CodeDifference]) -> list[str]:
    """A note on changed constants: each class that uses one has its value, and not its origin."""
    constants = [
        constant for difference in differences.values() for constant in difference.constants
    ]
    text = ", ".join(constants)
    return [f"classes whose source the diff does not change keep the old {text}"] * bool(text)


def _check_alone(path: str, place: SourcePlace, places: Mapping[str, SourcePlace]) -> None:
    """Raise PatchError if another path of the diff means the same place in the sources."""
    first_path = next((name for name in places if places[name] == place), path)
    if first_path != path:
        clash = f"{path} and {first_path}: both are {Path(place.module) / place.path} there"
        raise PatchError(f"{clash}; accepted: one of them")


def _place_of(file: PatchedFile, path: str, sources: Sources) -> SourcePlace:
    if file.is_added_file:
        place = sources.place_for_new(path)
        if place and sources.find(path):
            raise PatchError(f"{path}: {HAS_CHANGE}")
        if place is None:
            raise PatchError(
                f"{path}: a new package; accepted: new files in packages that are there"
            )
        return place
    place = sources.find(path)
    if place is None:
        raise PatchError(f"{path}: no such file there")
    return place


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _is_a_test(file: PatchedFile) -> bool:
    """Whether it is a test that comes with a change: `test/jdk/...`, in 8u `jdk/test/...`."""
    return str(file.path).startswith(("test/", "jdk/test/"))


def _is_foreign(file: PatchedFile) -> bool:
    """Whether it is a source of another system: `src/java.base/windows/...`, in 8u
    `jdk/src/windows/...`. This system's may be beside it under the same name.
    """
    match = _OF_SYSTEM.search(file.path)
    return match is not None and match["system"] != SYSTEM

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a plain program made ready to run: a Java file, a folder of them, a jar?

Sources are compiled once, by the tool JDK, for the oldest release for which they compile: so one
set of classes runs on each build, and no build needs a compiler.
"""

import re
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.run_lines import RunLine, read_header
from jdkmatrix.config.suite import has_test_tag
from jdkmatrix.errors import UsageError, one_line, translate_os_errors
from jdkmatrix.machine.files import text_of
from jdkmatrix.machine.java_program import JavaProgram, SourcesError
from jdkmatrix.machine.trees import exceeds, scratch_folder, walk
from jdkmatrix.overlay.class_files import class_content, class_train, find_classes, has_main
from jdkmatrix.supply.unpack.archive import DAMAGE

# Each is the first release of a train that builds are of; others add nothing to them.
_RELEASES = (8, 11, 17, 21, 25)
# Of a folder that is searched for the sources that a file needs, or that is compiled whole.
_MOST_SOURCES = 5_000
_MOST_SOURCE_BYTES = 256 << 20
_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
_MAIN_CLASS = re.compile(r"^Main-Class:\s*(\S+)", re.MULTILINE)
_NAME = re.compile(r"\$\{([\w.]+)\}")
_ROOT = "TEST.ROOT"
_OTHER_ROOTS = re.compile(r"^external\.lib\.roots\s*[=:](.*)$", re.MULTILINE)
_INNER_PACKAGES = re.compile(r"^[ \t]*\*[ \t]*@modules\b[^@]*\w/\w", re.MULTILINE)
_BY_JTREG = (
    "its @modules want packages that only jtreg opens: run --suite DIR, the folder above it that "
    "has a TEST.ROOT"
)
_MANIFEST = "META-INF/MANIFEST.MF"
_MOST_MANIFEST_BYTES = 1 << 20


@dataclass(frozen=True)
class CompiledProgram:
    """A program that `java` can run from `since_train` on: its class path and its JVMs, one after
    the other. `folder` is where it lies.
    """

    class_path: tuple[Path, ...]
    runs: tuple[RunLine, ...]
    since_train: int
    folder: Path


def program_of(
    path: Path, tool_jdk: Path, train: int, class_path: Sequence[Path]
) -> CompiledProgram:
    """The program at `path`, compiled by the tool JDK, which is of `train`. Raises UsageError for
    what is none, with javac's first line if it does not compile.
    """
    if path.suffix == ".jar":
        return _of_jar(path, class_path)
    compiler = _ProgramCompiler(tool_jdk, train, tuple(class_path))
    return compiler.of_folder(path) if path.is_dir() else compiler.of_file(path)


def _of_jar(path: Path, class_path: Sequence[Path]) -> CompiledProgram:
    try:
        with ZipFile(path) as jar:
            with jar.open(_MANIFEST) as manifest:
                text = manifest.read(_MOST_MANIFEST_BYTES).decode("utf-8", errors="replace")
            match = _MAIN_CLASS.search(text.replace("\r\n", "\n").replace("\n ", ""))
            if match is None:
                raise UsageError(
                    f"{path}: its manifest names no Main-Class; accepted: "
                    f"try -- {{java}} -cp {path.name} CLASS"
                )
            with jar.open(f"{match[1].replace('.', '/')}.class") as main_class:
                train = class_train(main_class.read(8))
    except (BadZipFile, OSError, *DAMAGE) as error:
        raise UsageError(f"{path}: not a jar that can be run: {one_line(str(error))}") from None
    return CompiledProgram((path, *class_path), (RunLine(match[1]),), train, path.parent)


@dataclass(frozen=True)
class _ProgramCompiler:
    tool_jdk: Path
    train: int
    class_path: tuple[Path, ...]

    def of_file(self, path: Path) -> CompiledProgram:
        """The program of one Java file, with those that it needs from its folder."""
        text = _source(path)
        package = _PACKAGE.search(text)
        root = path.parent
        if package and root.parts[-package[1].count(".") - 1 :] == tuple(package[1].split(".")):
            root = root.parents[package[1].count(".")]
        header = read_header(path, is_alone=True) if has_test_tag(text) else None
        names = header.libraries if header else ()
        libraries = {name: _libraries(path, [name]) for name in names}
        try:
            classes, release = self._compile(path, root, [path], sum(libraries.values(), ()))
        except UsageError as error:
            lacks = [name for name, folders in libraries.items() if not folders]
            texts = [f"@library {' '.join(lacks)} is not there"] if lacks else []
            texts += [_BY_JTREG] if header and _INNER_PACKAGES.search(text) else []
            raise UsageError("; ".join((str(error), *texts))) from None
        runs = header.runs if header else ()
        if runs in ((), (RunLine(path.stem),)):
            prefix = f"{package[1]}." if package else ""
            runs = (RunLine(self._main_of(path, classes, f"{prefix}{path.stem}")),)
        since_train = release
        if header:
            runs = tuple(_with_properties(line, path.parent, classes) for line in runs)
            since_train = max(release, header.since_train)
        return CompiledProgram((classes, *self.class_path), runs, since_train, path.parent)

    def of_folder(self, path: Path) -> CompiledProgram:
        """The program of all Java files of a folder, of which one has a main method."""
        if exceeds(path, _MOST_SOURCES, _MOST_SOURCE_BYTES):
            raise UsageError(f"{path}: accepted: a folder of {_MOST_SOURCES:,} files at most")
        files = [Path(entry.path) for entry in walk(path) if entry.name.endswith(".java")]
        if not files:
            raise UsageError(f"{path}: no Java files; accepted: a Java file, a jar, or a folder")
        classes, release = self._compile(path, path, files, ())
        main_class = self._main_of(path, classes, None)
        return CompiledProgram(
            (classes, path, *self.class_path), (RunLine(main_class),), release, path
        )

    def _compile(
        self, path: Path, root: Path, files: Sequence[Path], libraries: Sequence[Path]
    ) -> tuple[Path, int]:
        """The classes, and the release that they are for."""
        if exceeds(root, _MOST_SOURCES, _MOST_SOURCE_BYTES):  # a home folder, perhaps
            with scratch_folder("program") as alone:
                copied_files = [Path(shutil.copy2(file, alone)) for file in files]
                return self._compile_in(path, alone, copied_files, libraries)
        return self._compile_in(path, root, files, libraries)

    def _compile_in(
        self, path: Path, root: Path, files: Sequence[Path], libraries: Sequence[Path]
    ) -> tuple[Path, int]:
        error: SourcesError | None = None
        for release in (release for release in _RELEASES if release <= self.train):
            program = JavaProgram(
                "program",
                root,
                self.tool_jdk,
                cache_root() / "programs",
                self.class_path,
                options=("--release", str(release), "-Xlint:-options"),
                main_files=files,
                libraries=libraries,
            )
            try:
                return program.compile(), release
            except SourcesError as newest_error:
                error = newest_error
        reason = str(error).partition("; ")[0].partition("exit code 1: ")[2] or str(error)
        text = reason if reason.startswith(str(path)) else f"{path}: {reason}"
        raise UsageError(f"{one_line(text)}; it compiles for no release up to {self.train}")

    def _main_of(self, path: Path, classes: Path, name: str | None) -> str:
        """The class to run: `name` if it has a main method, or the only one that has."""
        mains = [
            ".".join(file.with_suffix("").parts)
            for file in find_classes(classes)
            if has_main(class_content(classes, file, str(path)))
        ]
        if name in mains:
            return name
        if len(mains) == 1:
            return mains[0]
        if not mains:
            raise UsageError(f"{path}: no main method; accepted: public static void main(String[])")
        raise UsageError(f"{path}: which main? accepted: one file of {', '.join(mains[:8])}")


def _source(path: Path) -> str:
    with translate_os_errors(UsageError, f"{path}: cannot be read"):
        return text_of(path, errors="replace")


def _with_properties(line: RunLine, folder: Path, classes: Path) -> RunLine:
    """With what jtreg says of a test: where its source and its classes are."""
    places = {"test.src": str(folder), "test.classes": str(classes)}

    def replace_names(words: Iterable[str]) -> tuple[str, ...]:
        return tuple(
            _NAME.sub(lambda match: places.get(match[1], match[0]), word) for word in words
        )

    options = (*(f"-D{name}={place}" for name, place in places.items()), *line.options)
    return replace(line, options=replace_names(options), arguments=replace_names(line.arguments))


def _libraries(path: Path, names: Sequence[str]) -> tuple[Path, ...]:
    """The folders of `@library`, below the `TEST.ROOT` above the file or what that names, or beside
    the file.
    """
    root = next((home for home in path.parents if (home / _ROOT).is_file()), path.parent)
    match = _OTHER_ROOTS.search(_source(root / _ROOT)) if (root / _ROOT).is_file() else None
    roots = (root, *(root / place for place in (match[1].split() if match else ())))
    folders = [home / name for name in names for home in roots]
    return tuple(folder.resolve() for folder in folders if folder.is_dir())

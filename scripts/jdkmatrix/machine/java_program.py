# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a small Java program of the kit compiled without a build step by the user?

It is compiled when its sources or the tool JDK change, and then found in the cache.
"""

import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.errors import MachineError, translate_os_errors
from jdkmatrix.machine.endings import compile_error_in, told_lines
from jdkmatrix.machine.files import content_of
from jdkmatrix.machine.processes import run_jvm
from jdkmatrix.machine.sealed_folder import is_intact, made_once
from jdkmatrix.machine.trees import scratch_folder
from jdkmatrix.paths import Checkout

_COMPILE_TIMEOUT_S = 120
# Stands before the arguments of each, for `jtreg/tool/together`.
_NEXT_PROGRAM = "--"
# Goes into every folder's name: raised when the layout of these folders changes.
_LAYOUT = 2
# The optimizing compiler does not pay off in a JVM that lives for seconds. Options of `java`, and
# the same for tools such as javac.
SHORT_LIVED = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
TOOL_SHORT_LIVED = tuple(f"-J{option}" for option in SHORT_LIVED)
# Likewise for a JVM under test: it keeps its collector, and one without that compiler still starts.
WITHOUT_C2 = ("-XX:+IgnoreUnrecognizedVMOptions", "-XX:TieredStopAtLevel=1")
MAIN_CLASS = "tls13kit.Tool"
# The folder of the kit's cache with its classes, and with what it made or was told once.
CACHE = "tool"
# 8 is the oldest JDK that is asked; newer tool JDKs warn that support for 8 will be removed.
_FOR_JAVA_8 = ("--release", "8", "-Xlint:-options")


class SourcesError(MachineError):
    """javac ran, and did not accept the sources."""


@dataclass(frozen=True)
class JavaProgram:
    """A program in `sources`, compiled by the JDK at `java_home` (17+).

    Safe for several threads and processes at once on the same `cache`. `name` is its name in
    errors, `class_path` what it needs to compile, `options` are javac's. With `main_files`, only
    these and what they need are compiled, from `sources` and `libraries`.
    """

    name: str
    sources: Path
    java_home: Path
    cache: Path
    class_path: Sequence[Path] = ()
    options: Sequence[str] = ()
    main_files: Sequence[Path] = ()
    libraries: Sequence[Path] = ()

    def compile(self) -> Path:
        """The folder with the program's classes, compiled now if need be.

        Raises SourcesError for a compilation error, MachineError if it can't be compiled here.
        """
        files = self._files()
        return self._make_once(self._place(files), partial(self._compile, files))

    def is_compiled(self) -> bool:
        """Whether its classes are in the cache. Raises MachineError if sources are missing."""
        return is_intact(self._place(self._files()))

    def arguments(self, out: Path) -> list[str]:
        """Those of javac, to compile it into `out`. Raises MachineError if sources are missing."""
        return self._arguments(self._files(), out)

    def adopt(self, classes: Path) -> None:
        """Move a folder with its classes into the cache. Raises MachineError."""
        self._make_once(self._place(self._files()), classes.replace)

    def _place(self, files: Sequence[Path]) -> Path:
        return self.cache / f"{self.name.replace(' ', '-')}-{self._key(files)}"

    def _make_once(self, classes: Path, make: Callable[[Path], object]) -> Path:
        try:
            return made_once(classes, make)
        except OSError as error:
            place, reason = error.filename or classes, error.strerror or error
            raise MachineError(f"compiling the {self.name}: {place}: {reason}") from error

    def _files(self) -> list[Path]:
        """The sources of the program and its libraries. Raises MachineError if some are missing."""
        roots = (self.sources, *self.libraries)
        files = [file for root in roots for file in sorted(root.rglob("*.java"))]
        missing = [file for file in self.main_files if file not in files]
        if not files or missing:
            lacks = missing[0] if missing else self.sources
            raise MachineError(f"{lacks}: Java sources of the {self.name} are missing")
        return files

    def _compile(self, files: Sequence[Path], out: Path) -> None:
        command = [str(self.java_home / "bin" / "javac"), *self._arguments(files, out)]
        command += TOOL_SHORT_LIVED
        run_java(command, f"compiling the {self.name}", _COMPILE_TIMEOUT_S)

    def _arguments(self, files: Sequence[Path], out: Path) -> list[str]:
        arguments = ["-proc:none", "-encoding", "UTF-8", "-d", str(out), *self.options]
        if self.main_files:
            roots = (self.sources, *self.libraries)
            arguments += ["-sourcepath", os.pathsep.join(map(str, roots))]
        if self.class_path:
            arguments += ["-classpath", os.pathsep.join(map(str, self.class_path))]
        return [*arguments, *map(str, self.main_files or files)]

    def _key(self, files: Sequence[Path]) -> str:
        key = hashlib.sha256(b"%d" % _LAYOUT)
        release = self.java_home / "release"
        key.update(content_of(release) if release.is_file() else str(self.java_home).encode())
        for jar in self.class_path:
            key.update(f"\0{jar}\0{jar.stat().st_size}".encode())
        for argument in (*self.options, *(file.name for file in self.main_files)):
            key.update(f"\0{argument}".encode())
        return key_of(key, files)


def compile_together(programs: Sequence[JavaProgram]) -> None:
    """Compile those that are not in the cache, in one JVM, of a JDK that all have in common.

    javac spends 1 CPU s on its own start. What is not compiled so is left to `compile`, which says
    why.
    """
    with suppress(MachineError, OSError):
        missing = [program for program in programs if not program.is_compiled()]
        if len(missing) > 1:
            _compile_in_one_jvm(missing)


def _compile_in_one_jvm(programs: Sequence[JavaProgram]) -> None:
    programs[0].cache.mkdir(parents=True, exist_ok=True)
    with scratch_folder("classes", programs[0].cache) as scratch:
        folders = [scratch / str(number) for number in range(len(programs))]
        java = str(programs[0].java_home / "bin" / "java")
        command = [java, *SHORT_LIVED, str(Checkout.current().compile_each)]
        for program, folder in zip(programs, folders, strict=True):
            command += [_NEXT_PROGRAM, *program.arguments(folder)]
        timeout_s = _COMPILE_TIMEOUT_S * len(programs)
        codes = run_java(command, "compiling", timeout_s).split()
        if len(codes) != len(programs):
            raise MachineError(f"compiling: {len(codes)} exit codes of {len(programs)}")
        for program, folder, code in zip(programs, folders, codes, strict=True):
            if code == "0":
                program.adopt(folder)


def key_of(key: "hashlib._Hash", files: Iterable[Path]) -> str:
    """The name in a cache of what is made from `files` and from what `key` has already."""
    for file in files:
        key.update(f"\0{file.parent.name}/{file.name}\0".encode())
        key.update(content_of(file))
    return key.hexdigest()[:16]


def run_java(
    command: Sequence[str], subject: str, timeout_s: int, *, stdin: Path = Path(os.devnull)
) -> str:
    """Run a tool of the tool JDK, without the user's Java options; return its standard output.

    Errors begin with `subject`. Raises SourcesError for a compilation error, MachineError if the
    tool is missing, fails or is late.
    """
    if shutil.which(command[0]) is None:
        raise MachineError(f"{subject}: the tool JDK has no {command[0]}")
    with translate_os_errors(MachineError, f"{subject}: {command[0]}"):
        process = run_jvm(command, stdin=stdin, timeout_s=timeout_s)
    if process.is_late:
        raise MachineError(f"{subject}: not done after {timeout_s} s")
    if process.code != 0:
        # A JVM that cannot start says so on standard output.
        text = process.errors.strip() or process.output.strip()
        lines = told_lines(text)[:2] or ["no message"]
        kind = SourcesError if compile_error_in(text) else MachineError
        raise kind(f"{subject}: exit code {process.code}: {'; '.join(lines)}")
    return process.output


class JavaTool:
    """The program in `home`, compiled by the JDK at `java_home` (17+) into `cache`, and run on it.

    Each level is compiled when it is first needed: any command asks a JDK, few need the rest.
    Safe for several threads and processes at once on the same `cache`.
    """

    def __init__(self, home: Path, java_home: Path, cache: Path) -> None:
        self.home = home
        self.java_home = java_home
        self.cache = cache
        options = _FOR_JAVA_8
        self.for_any_jdk = JavaProgram("facts", home / "java8", java_home, cache, options=options)
        self._java17 = JavaProgram("Java tool", home / "java17", java_home, cache)

    @classmethod
    def of_checkout(cls, checkout: Checkout, java_home: Path) -> "JavaTool":
        """The checkout's, in the kit's cache."""
        return cls(checkout.java_tool, java_home, cache_root() / CACHE)

    def compile_for_any_jdk(self) -> Path:
        """The folder with the classes that a JDK of 8 or later runs, compiled now if need be.

        Raises MachineError.
        """
        return self.for_any_jdk.compile()

    def compile(self) -> tuple[Path, Path]:
        """The class path of all subcommands, compiled now if need be. Raises MachineError."""
        return self.for_any_jdk.compile(), self._java17.compile()

    def run(
        self,
        subcommand: str,
        arguments: Sequence[str],
        subject: str,
        timeout_s: int,
        *,
        options: Sequence[str] = SHORT_LIVED,
        stdin: Path = Path(os.devnull),
    ) -> str:
        """Run a subcommand on the tool JDK with these `options` of the JVM; return what it prints.

        Errors begin with `subject`. Raises MachineError if it cannot be compiled, fails or is late.
        """
        class_path = os.pathsep.join(map(str, self.compile()))
        command = [str(self.java_home / "bin" / "java"), *options, "-cp", class_path, MAIN_CLASS]
        return run_java([*command, subcommand, *arguments], subject, timeout_s, stdin=stdin)


def record_into(folder: Path, settings: Path) -> list[str]:
    """The options for each JVM to leave a recording in `folder`, which is made."""
    folder.mkdir(exist_ok=True)
    return recording_options(settings, f"{folder}/")


def recording_options(settings: Path, target: str, delay_s: int = 0) -> list[str]:
    """The options for a JVM to leave a recording at `target`: a file, or a folder with a slash.

    In a folder each JVM has a file of its own, named by its pid. `settings` is a `.jfc` file,
    `delay_s` how long after the start of the JVM the recording begins.
    """
    recording = f"settings={settings},filename={target},dumponexit=true"
    if delay_s:
        recording += f",delay={delay_s}s"
    return [
        f"-XX:StartFlightRecording={recording}",
        "-XX:FlightRecorderOptions=stackdepth=96",
    ]

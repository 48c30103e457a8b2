# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a program run of which nothing is known: a user's own file, jar or command?

It gets an empty input and a folder of its own, a copy of the one that it lies in; all that it
started ends with it.
"""

import os
import re
import shutil
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.config.patterns import compile_pattern
from jdkmatrix.errors import UsageError, one_line
from jdkmatrix.machine.children import ChildEnd, Children, ChildRun, clean_environment
from jdkmatrix.machine.endings import check_jdk, refusal_in
from jdkmatrix.machine.files import open_plain, start_of
from jdkmatrix.machine.java_program import record_into
from jdkmatrix.machine.trees import exceeds, keep_files, plain_files
from jdkmatrix.machine.withheld import MOST_STRETCH
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.records.request import ProgramRequest
from jdkmatrix.records.store import OUTPUT_FILE
from jdkmatrix.run.cells.compiled_programs import CompiledProgram
from jdkmatrix.run.cells.execution import CellTask, Execution
from jdkmatrix.run.cells.hang_dumps import take_dumps
from jdkmatrix.vocabulary import NOT_SELECTED, Status

# Of the folder that a program finds a copy of, so that it can read what lies beside it.
MOST_COPIED_FILES = 2_000
MOST_COPIED_BYTES = 64 << 20
# Of what it printed.
MOST_KEPT_BYTES = 1 << 20
PLACEHOLDERS = ("{java}", "{javac}", "{home}")
_NO_COMMAND = 127
_COMPILE_JDK = "-compilejdk:"
# What the launcher says of classes that are too new, of options that it does not know, and of a
# class of the JDK that an image lacks.
_TOO_NEW = re.compile(r"UnsupportedClassVersionError: .*class file version [\d.]+\)")
_BAD_OPTION = re.compile(r"^(?:Unrecognized|Unknown|Invalid|Conflicting) .*option.*$", re.MULTILINE)
_LACKS_CLASS = re.compile(
    r"NoClassDefFoundError: ((?:java|javax|jdk|sun|com[/.]sun)[/.][\w/.$]+)$",
    re.MULTILINE,
)
_LACKS_MODULE = re.compile(r"(?:FindException: )?Module ((?:java|jdk)\.[\w.]+) not found")
_KEPT = ("*.jfr", "hs_err_pid*.log", "core*.dump")


@dataclass(frozen=True)
class Programs:
    """Runs the compiled `programs` by their names, or the command of the `request`.

    `files` of the `folder` are those that each finds a copy of; `tool_java_home` has jcmd.
    """

    request: ProgramRequest
    programs: Mapping[str, CompiledProgram | str]
    folder: Path
    files: Mapping[str, tuple[Path, ...]]
    tool_java_home: Path
    recording_settings: Path
    timeout_s: float

    def run(self, task: CellTask, folder: Path, children: Children) -> Execution:
        """Run a program once; what it printed is in `output.txt`, what it wrote is removed.

        Raises OSError if the disk is full, MachineError if the JDK was removed.
        """
        build, program = task.build, self.programs.get(task.cell.test)
        if isinstance(program, str):
            text = f"Not run. Compilation failed: {program}"
            return Execution.without_process(Status.NOT_RUN, text)
        if program and build.train < program.since_train:
            need = f"it needs Java {program.since_train}"
            return Execution.without_process(Status.SKIPPED, f"{NOT_SELECTED} {need}")
        scratch = folder / "scratch"
        scratch.mkdir()
        start_s = time.monotonic()
        try:
            place = self._place(task.cell.test, scratch)
            commands = list(self._commands(program, task, folder))
            process, limit_s = self._run_all(commands, build, folder, place, children)
        finally:
            keep_files(scratch, folder, _KEPT)
        _truncate(folder / OUTPUT_FILE)
        status, text = _status(process, folder / OUTPUT_FILE, limit_s)
        return Execution(
            process.end, status, text, round(time.monotonic() - start_s, 3), process.resources
        )

    def _place(self, test: str, scratch: Path) -> Path:
        """The folder that it runs in. Raises OSError."""
        if self.request.in_place:
            return self.folder
        for path in self.files.get(test, ()):
            place = scratch / path.relative_to(self.folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileNotFoundError):  # removed meanwhile
                shutil.copy2(path, place)
        return scratch

    def _commands(
        self, program: CompiledProgram | None, task: CellTask, folder: Path
    ) -> Iterator[tuple[list[str], float]]:
        """Each of its commands, and how many seconds that may take."""
        build = task.build
        java = str(Path(build.home) / "bin" / "java")
        options = [*build.test_options]
        if task.is_recorded and build.facts.get("has_jfr"):
            options += record_into(folder / "jfr", self.recording_settings)
        if program is None:
            yield [self._replace(word, build) for word in self.request.command], self.timeout_s
            return
        class_path = os.pathsep.join(map(str, program.class_path))
        for line in program.runs:
            command = [
                java,
                *options,
                *line.options,
                *self.request.java_options,
                "-cp",
                class_path,
                line.main_class,
                *(self.request.arguments or line.arguments),
            ]
            own_s = line.timeout_s or 0.0 if self.request.has_usual_timeout else 0.0
            yield command, max(self.timeout_s, own_s)

    def _replace(self, word: str, build: BuildRecord) -> str:
        home = Path(build.home)
        javac = home / "bin" / "javac"
        for option in build.compile_options:  # an image without one: that of its release line
            if option.startswith(_COMPILE_JDK):
                javac = Path(option.removeprefix(_COMPILE_JDK)) / "bin" / "javac"
        words = (str(home / "bin" / "java"), str(javac), str(home))
        for placeholder, text in zip(PLACEHOLDERS, words, strict=True):
            word = word.replace(placeholder, text)
        return word

    def _run_all(
        self,
        commands: Sequence[tuple[Sequence[str], float]],
        build: BuildRecord,
        folder: Path,
        place: Path,
        children: Children,
    ) -> tuple[ChildRun, float]:
        """Run the JVMs of a program up to the first that fails; all print to one file. Also how
        many seconds the last was given.
        """
        environment = {**clean_environment(), "JAVA_HOME": build.home}
        output = folder / OUTPUT_FILE
        for number, (command, limit_s) in enumerate(commands):
            log = output if not number else folder / f"output-{number + 1}.txt"
            process = children.run_watched(
                command,
                log,
                environment,
                limit_s,
                limit_s * MOST_STRETCH,
                at_timeout=lambda pids: take_dumps(self.tool_java_home, pids, folder),
                cwd=place,
            )
            if number:
                with output.open("ab") as whole, open_plain(log) as part:
                    shutil.copyfileobj(part, whole)
                log.unlink()
            if process.end is not ChildEnd.FINISHED or process.code:
                check_jdk(Path(build.home))
                break
        return process, limit_s


def files_beside(folder: Path) -> tuple[Path, ...] | None:
    """The files that a program finds a copy of; None if the folder has too many. They are listed
    before the run: its own folder may lie in there.
    """
    if exceeds(folder, MOST_COPIED_FILES, MOST_COPIED_BYTES):
        return None
    return tuple(plain_files(folder))


def check_pattern(option: str, pattern: str | None) -> None:
    """Raises UsageError for a pattern that is no regular expression, or that all output has."""
    if pattern == "":
        raise UsageError(f"{option}: an empty pattern says nothing; accepted: Python's `re`")
    try:
        compile_pattern(pattern or "")
    except ValueError as error:
        raise UsageError(f"{option} {error}") from None


def _status(process: ChildRun, output: Path, limit_s: float) -> tuple[Status, str]:
    if process.excess:
        return Status.ERROR, f"Error. printed {process.excess}"
    if process.end is ChildEnd.TIMEOUT:
        return Status.ERROR, f"Error. did not end within {limit_s:g} s"
    if process.code == 0:
        return Status.PASSED, "Passed. exit code 0"
    text = start_of(output)
    if reason := _why_unable(text, process.code):
        return Status.NOT_RUN, f"{NOT_SELECTED} {reason}"
    if process.code < 0:
        with suppress(ValueError):
            return Status.FAILED, f"Failed. killed by {signal.Signals(-process.code).name}"
    return Status.FAILED, f"Failed. exit code {process.code}"


def _why_unable(text: str, code: int) -> str | None:
    """Why a build could not run a program at all; None if it could."""
    if refusal := refusal_in(text):
        return refusal
    if code == _NO_COMMAND and " cannot be run: " in text:
        return one_line(text.strip().splitlines()[-1])
    for pattern, words in (
        (_TOO_NEW, "{}"),
        (_BAD_OPTION, "{}"),
        (_LACKS_MODULE, "this image lacks module {}"),
        (_LACKS_CLASS, "this image lacks {}"),
    ):
        if match := pattern.search(text):
            name = match[1] if match.groups() else match[0]
            return words.format(one_line(name.replace("/", ".")))
    return None


def _truncate(output: Path) -> None:
    """Keep the beginning of what a program printed: nobody reads, or compares, more."""
    if output.stat().st_size > MOST_KEPT_BYTES:
        os.truncate(output, MOST_KEPT_BYTES)

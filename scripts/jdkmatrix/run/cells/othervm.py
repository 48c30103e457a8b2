# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a test of the kit's own suite run? Each `@run` line in a JVM of its own.

They run as under jtreg, but without it: for each test jtreg starts a JVM of its own, asks the JDK
six times and compiles. A cell cost 7.3 s of CPU time that way, and now costs 2.6 s (304 cells on
eight builds, two cores, November 2026; C1 alone is part of it). `run --suite test` has jtreg run
them all the same.
"""

import os
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from jdkmatrix.config.run_lines import Header, RunLine
from jdkmatrix.machine.children import ChildEnd, Children, ChildRun, clean_environment
from jdkmatrix.machine.endings import check_jdk, early_end
from jdkmatrix.machine.files import check_free, is_plain, start_of
from jdkmatrix.machine.java_program import WITHOUT_C2, record_into
from jdkmatrix.machine.trees import keep_files, plain_files
from jdkmatrix.machine.withheld import MOST_STRETCH, CpuShare, deadline_text
from jdkmatrix.records.store import CONTROL_FILES, OBSERVATIONS_FILE, OUTCOME_FILE, ROWS_FILE
from jdkmatrix.run.cells.class_archives import ClassArchives
from jdkmatrix.run.cells.execution import CellTask, Execution, status_of
from jdkmatrix.run.cells.hang_dumps import Sampler, take_dumps
from jdkmatrix.vocabulary import ENDED_EARLY, MACHINE_LACKS, NOT_SELECTED, SUBJECT, Status

# jtreg's default for a test. A reproducer ends itself after 60 s a JVM, or, where CPU is withheld,
# after 180 s at the latest. Withheld CPU lengthens this time-out, too.
JVM_TIMEOUT_S = 120
RUN_MAIN = "tls13kit.othervm.RunMain"
_RUN_TESTNG = "tls13kit.othervm.RunTestNg"
_STATUS_FILE = "status.txt"
# The files of a test that are read or tell how it ended; it cannot plant a record of the kit.
_KEPT = (
    OUTCOME_FILE,
    CONTROL_FILES,
    ROWS_FILE,
    OBSERVATIONS_FILE,
    "peer.log",
    "*.jfr",
    "hs_err_pid*.log",
    "core*.dump",
)


@dataclass(frozen=True)
class CompiledTest:
    """A test's header and the folder with its classes, or what javac said instead, or what this
    machine `lacks` for it.

    A TestNG test has the `jars` that it needs, and `properties` that say where its peers are.
    """

    header: Header
    classes: Path | None
    error: str = ""
    lacks: str = ""
    jars: tuple[Path, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class OtherVm:
    """Runs the compiled `tests` of the `suite`.

    `tool_java_home` has jcmd, `recording_settings` is a `.jfc` file. Without `archives` each JVM
    reads the JDK's classes itself.
    """

    suite: Path
    tests: Mapping[str, CompiledTest]
    tool_java_home: Path
    recording_settings: Path
    timeout_factor: float = 1.0
    archives: ClassArchives | None = None

    def run(self, task: CellTask, folder: Path, children: Children) -> Execution:
        """Run one test up to the first JVM that does not pass; what it leaves lies in `folder`.

        The rows of a task are ids or globs. A test that is recorded leaves a recording of its
        subject, or samples of it (`samples-PID.txt`) if the build has no JFR. Raises OSError if the
        disk is full, MachineError if the JDK was removed: what a test says is worthless then.
        """
        build, compiled_test = task.build, self.tests[task.cell.test]
        header = compiled_test.header
        if compiled_test.lacks:
            text = f"{MACHINE_LACKS} {compiled_test.lacks}"
            return Execution.without_process(Status.SKIPPED, text)
        if compiled_test.classes is None:
            text = f"Not run. Compilation failed: {compiled_test.error}"
            return Execution.without_process(Status.NOT_RUN, text)
        if not header.is_for(build.train):
            text = f"{NOT_SELECTED} its @requires leaves it out here: {header.requires}"
            return Execution.without_process(Status.SKIPPED, text)
        scratch = folder / "scratch"
        scratch.mkdir(parents=True)
        archive_options: tuple[str, ...] = ()
        # An archive is made for the options that a JVM has by default.
        has_archive = not (header.measures_memory or build.java_options)
        if self.archives and has_archive:
            archive_options = self.archives.options(build, children)
        start_s = time.monotonic()
        rans: list[ChildRun] = []
        status = ""
        try:
            for number, line in enumerate(header.runs, 1):
                jvm = _Jvm(self, task, line, compiled_test, folder, archive_options)
                name = "-".join(["jvm", str(number), *line.arguments[:1]])
                process, status = jvm.run(folder / f"{name}.log", children)
                rans.append(process)
                if process.end is not ChildEnd.FINISHED or not status.startswith("Passed."):
                    check_jdk(Path(build.home))
                    break
        finally:
            keep_files(scratch, folder, _KEPT)
        check_free(folder)
        return Execution(
            end=rans[-1].end,
            status=status_of(status),
            status_text=status,
            test_seconds=round(time.monotonic() - start_s, 3),
            resources=_sum([process.resources for process in rans]),
        )


@dataclass(frozen=True)
class _Jvm:
    """One JVM of a cell."""

    runner: OtherVm
    task: CellTask
    line: RunLine
    compiled_test: CompiledTest
    folder: Path
    archive_options: tuple[str, ...]

    def run(self, log: Path, children: Children) -> tuple[ChildRun, str]:
        """Run it; return how it ended, and its status."""
        runner = self.runner
        is_recorded = self.task.is_recorded and self.line.arguments == (SUBJECT,)
        has_jfr = bool(self.task.build.facts.get("has_jfr"))
        options: list[str] = []
        sampler: AbstractContextManager[object] = nullcontext()
        if is_recorded and has_jfr:
            options = record_into(self.folder / "jfr", runner.recording_settings)
        elif is_recorded:
            sampler = Sampler(runner.tool_java_home / "bin" / "jcmd", self.folder)
        timeout_s = (self.line.timeout_s or JVM_TIMEOUT_S) * runner.timeout_factor
        scratch = self.folder / "scratch"
        with sampler:
            process = children.run_watched(
                self._command(options),
                log,
                clean_environment(),
                timeout_s,
                timeout_s * MOST_STRETCH,
                at_timeout=lambda pids: take_dumps(runner.tool_java_home, pids, self.folder),
                cwd=scratch,
            )
        return process, self._status(process, log, timeout_s)

    def _command(self, options: Sequence[str]) -> list[str]:
        task, build = self.task, self.task.build
        properties = {
            "test.src": (self.runner.suite / task.cell.test).parent,
            "test.classes": self.compiled_test.classes,
            "test.class.path": self.compiled_test.classes,
            "test.jdk": build.home,
            "test.timeout.factor": self.runner.timeout_factor,
            **self.compiled_test.properties,
        }
        if rows := (task.debugged_row,) if task.debugged_row else task.rows:
            properties["rows.only"] = "|".join(map(_pattern_of, rows))
        if task.debugged_row:
            properties["javax.net.debug"] = "ssl:handshake"
        class_path = (self.compiled_test.classes, *self.compiled_test.jars)
        return [
            str(Path(build.home) / "bin" / "java"),
            # No reproducer needs C2; without, half the CPU time (17.0.9 and 8u504, November 2026).
            *WITHOUT_C2,
            *self.archive_options,
            *options,
            *build.test_options,
            *self.line.options,
            *(f"-D{name}={text}" for name, text in properties.items()),
            "-cp",
            os.pathsep.join(map(str, class_path)),
            RUN_MAIN,
            str(self._status_file),
            *([_RUN_TESTNG] if self.line.is_testng else []),
            self.line.main_class,
            *self.line.arguments,
        ]

    @property
    def _status_file(self) -> Path:
        return self.folder / "scratch" / _STATUS_FILE

    def _status(self, process: ChildRun, log: Path, timeout_s: float) -> str:
        words = " ".join((self.line.main_class, *self.line.arguments))
        if process.excess:
            return f"Error. {words} left too much, and was ended: {process.excess}"
        if process.end is ChildEnd.TIMEOUT:
            withheld = f"{process.resources.withheld_s:.0f} s that the machine withheld"
            return f"Error. {words} timed out after {timeout_s:g} s and {withheld}"
        file = self._status_file
        if is_plain(file):
            status = start_of(file)
            file.unlink()
            return status
        files = plain_files(file.parent)
        crash_logs = (path for path in files if fnmatchcase(path.name, "hs_err_pid*.log"))
        word, ending = early_end(process.code, map(start_of, [log, *crash_logs]))
        return f"{word}. {ENDED_EARLY} [exit code: {process.code}]{ending}"


def _pattern_of(glob: str) -> str:
    """The regular expression of Java for the rows whose ids match; `*` is any text."""
    return rf"^\Q{glob}\E$".replace("*", r"\E.*\Q")


def deadline_words(timeout_factor: float) -> str:
    """`120 s per JVM, up to 480 s if the machine withholds CPU`."""
    return deadline_text(JVM_TIMEOUT_S * timeout_factor, " per JVM")


def _sum(parts: Sequence[CpuShare]) -> CpuShare:
    waits_s = [part.waited_s for part in parts if part.waited_s is not None]
    return CpuShare(
        cpu_s=round(sum(part.cpu_s for part in parts), 3),
        waited_s=round(sum(waits_s), 3) if waits_s else None,
        withheld_s=round(sum(part.withheld_s for part in parts), 3),
    )

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is jtreg called for one test of a suite that is not the kit's own?"""

import os
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from zipfile import ZipFile

from jdkmatrix.errors import UsageError
from jdkmatrix.machine.children import ChildEnd, Children, clean_environment
from jdkmatrix.machine.cores import usable_cores
from jdkmatrix.machine.endings import (
    check_jdk,
    compile_error_in,
    early_end,
    exit_code_in,
    told_lines,
)
from jdkmatrix.machine.files import check_free, start_of, text_of
from jdkmatrix.machine.trees import keep_files, plain_files, remove_quietly
from jdkmatrix.machine.withheld import MOST_STRETCH, deadline_text, stretch_at_start
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.run.cells.execution import CellTask, Execution, status_of
from jdkmatrix.vocabulary import ENDED_EARLY, NOT_SELECTED, Status

# jtreg kills a test at its time-out; if it has not ended long after that, jtreg itself is stuck.
_GRACE_S = 60
# At least the longest /timeout= of the JDK's own tests; jtreg enforces each test's own.
_TEST_TIMEOUT_S = 3600
# As the JDK's own `make test` calls jtreg: tests that need a person or are @ignore are not run.
_SUITE_OPTIONS = ("-automatic", "-ignore:quiet")
# `requiredVersion=7.3.1+1`; of several, each for a major version, the first is the oldest.
_REQUIRED = re.compile(r"^requiredVersion\s*[=:]\s*(\S+)", re.MULTILINE)
_KEPT = ("*.json", "*.jfr", "*.jtr", "hs_err_pid*.log", "*.txt", "core*.dump")
# What jtreg 7.5.2 prints, on a line of its own, where no test was left to run.
_NONE_SELECTED = "Test results: no tests selected"
# What it prints around each run, which says nothing of how the run went, and the parts that a
# suite lacks: of the JDK's groups there may be hundreds, before the error itself.
_CHATTER = re.compile(
    r'Directory ".*" not found: creating|Results written to |Test results: |'
    r".*: group [\w.-]+: file not found: "
)
# Of a time in ms: a year has eleven.
_MOST_DIGITS = 12
_LONGEST = 400
# jtreg itself keeps 100,000 characters of what a test prints, by default.
_MOST_BYTES = 16 << 20
_NOT_COMPILED = "Compilation failed"
# A package of the JDK's own, which is in a module that the image was made without.
_LACKS_PACKAGE = re.compile(r"error: package ((?:javax?|com\.sun)\.[\w.]+) does not exist")

# Of several tests in one file the last of these counts, which says most about the build.
_BY_GRAVITY = (
    Status.SKIPPED,
    Status.PASSED,
    Status.NOT_RUN,
    Status.ERROR,
    Status.FAILED,
)


@dataclass(frozen=True)
class Jtreg:
    """An installed jtreg for the tests of `suite`, and the tool JDK that it runs on.

    `home` has `lib/jtreg.jar`. A test is compiled by the JDK under test, unless the build's
    `compile_options` say otherwise.
    """

    home: Path
    tool_java_home: Path
    suite: Path
    timeout_factor: float = 1.0

    def command(self, build: BuildRecord, test: str, work: Path, stretch: float) -> list[str]:
        """The command line of one test, jtreg's time-outs `stretch` times as long."""
        return [
            str(self.tool_java_home / "bin" / "java"),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-jar",
            str(self.home / "lib" / "jtreg.jar"),
            f"-jdk:{build.home}",
            *build.compile_options,  # no --release: javac refuses @modules java.base/... with it
            *_SUITE_OPTIONS,
            "-noreport",
            "-retain:all",
            f"-timeoutFactor:{self.timeout_factor * stretch:g}",
            *(f"-javaoption:{option}" for option in build.test_options),
            f"-w:{work}",
            f"-r:{work / 'report'}",
            str(self.suite / test),
        ]

    def run(self, task: CellTask, folder: Path, children: Children) -> Execution:
        """Run one test; its result file, scratch files and log end up in `folder`. It has no rows,
        and is run as it is, never recorded.

        If a file has several tests, the worst result counts. Deadlines move by what the machine
        withholds, to MOST_STRETCH times as long at most: jtreg's own with the load at its start,
        that of the whole call with how long its processes wait for a core. Raises OSError if the
        disk is full, MachineError if the JDK was removed: what jtreg and the test say is worthless
        then.
        """
        work = folder / "work"
        log = folder / "jtreg.log"
        stretch = stretch_at_start(os.getloadavg()[0], usable_cores())
        usual_s = _deadline_s(self.timeout_factor)
        process = children.run_watched(
            self.command(task.build, task.cell.test, work, stretch),
            log,
            clean_environment(),
            usual_s * stretch,
            usual_s * MOST_STRETCH,
        )
        check_free(folder)
        if process.excess:
            text = f"Error. It left too much, and was ended: {process.excess}"
            execution = Execution(process.end, Status.ERROR, text, None)
        else:
            execution = read_result(work, log, process.end, process.code)
        if execution.status not in (Status.PASSED, Status.SKIPPED):
            check_jdk(Path(task.build.home))
        execution = replace(execution, resources=process.resources)
        remove_quietly(work / "jtData")
        keep_files(work, folder, _KEPT)
        return execution

    def version(self) -> str:
        """`jtreg 7.5.2`, from the jar's own manifest."""
        with ZipFile(self.home / "lib" / "jtreg.jar") as jar:
            manifest = jar.read("META-INF/MANIFEST.MF").decode()
        match = re.search(r"^jtreg-VersionString: (\S+)", manifest, re.MULTILINE)
        return f"jtreg {match[1] if match else 'of unknown version'}"

    def check_suite(self) -> None:
        """Raises UsageError for a suite that wants another jtreg: it would refuse each test."""
        version = self.version()
        with suppress(OSError):
            requirement = _REQUIRED.search(text_of(self.suite / "TEST.ROOT", errors="replace"))
            if requirement and _numbers(requirement[1]) > _numbers(version):
                raise UsageError(
                    f"{self.suite / 'TEST.ROOT'}: it requires jtreg {requirement[1]}, and this is "
                    f"{version}; accepted: a suite for that, or a lower requiredVersion in the file"
                )


def _numbers(version: str) -> tuple[int, ...]:
    """`jtreg 7.5.2-src+1`: 7, 5, 2."""
    match = re.search(r"\d+(?:\.\d+)*", version)
    return tuple(int(number) for number in match[0].split(".")) if match else ()


def deadline_words(timeout_factor: float) -> str:
    """`3660 s per test, up to 14640 s if the machine withholds CPU`."""
    return deadline_text(_deadline_s(timeout_factor), " per test")


def _deadline_s(timeout_factor: float) -> float:
    return (_TEST_TIMEOUT_S + _GRACE_S) * max(timeout_factor, 1.0)


def read_result(work: Path, log: Path, end: ChildEnd, exit_code: int) -> Execution:
    """What the work folder and the output (`log`) of one call of jtreg say."""
    text = _gravest_text(work)
    status_text = _property(text, "execStatus")
    status = status_of(status_text or "")
    if status_text is None:
        status, status_text = _without_file(log, exit_code)
    # Only if it ended early does the output say whether it started.
    elif ENDED_EARLY in status_text:
        word, ending = early_end(exit_code_in(status_text), [text])
        if (status := status_of(f"{word}.")) is not Status.FAILED:
            status_text += ending
    elif _NOT_COMPILED in status_text and (complaint := compile_error_in(text)):
        status_text = f"Failed. {_NOT_COMPILED}: {complaint}"
        if lack := _LACKS_PACKAGE.search(complaint):  # a test without @modules that needs some
            status, status_text = Status.SKIPPED, f"{NOT_SELECTED} this image lacks {lack[1]}"
    elapsed_ms = (_property(text, "elapsed") or "").partition(" ")[0][:_MOST_DIGITS]
    return Execution(
        end=end,
        status=status,
        status_text=status_text,
        test_seconds=int(elapsed_ms) / 1000 if elapsed_ms.isdigit() else None,
    )


def _gravest_text(work: Path) -> str:
    """The result file that says the worst; '' if there is none."""
    files = (path for path in plain_files(work) if path.suffix == ".jtr")
    texts = [start_of(path, _MOST_BYTES) for path in files]
    return max(texts, key=_gravity, default="")


def _without_file(log: Path, exit_code: int) -> tuple[Status, str]:
    lines = told_lines(start_of(log))
    if _NONE_SELECTED in lines:
        left_out = "its @requires, @modules or keywords (@ignore, manual) leave it out here"
        return Status.SKIPPED, f"{NOT_SELECTED} {left_out} ({_NONE_SELECTED})"
    rest = "; ".join(line for line in lines if not _CHATTER.match(line))
    text = f"no result file; jtreg exit code {exit_code}"
    return Status.NOT_RUN, f"{text}: {rest[:_LONGEST]}" if rest else text


def _property(text: str, name: str) -> str | None:
    match = re.search(rf"^{name}=(.*)$", text, re.MULTILINE)
    return re.sub(r"\\(.)", r"\1", match[1]).strip() if match else None


def _gravity(text: str) -> int:
    return _BY_GRAVITY.index(status_of(_property(text, "execStatus") or ""))

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
from jdkmatrix.machine.bounded import text_of
from jdkmatrix.machine.children import Children, clean_environment
from jdkmatrix.machine.cores import usable_cores
from jdkmatrix.machine.endings import check_jdk
from jdkmatrix.machine.files import check_free
from jdkmatrix.machine.trees import keep_files, remove_quietly
from jdkmatrix.machine.withheld import MOST_STRETCH, deadline_text, stretch_at_start
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.run.cells.execution import CellTask, Execution
from jdkmatrix.run.cells.jtreg_result import read_result
from jdkmatrix.vocabulary import Status

# jtreg kills a test at its time-out; if it has not ended long after that, jtreg itself is stuck.
_GRACE_S = 60
# At least the longest /timeout= of the JDK's own tests; jtreg enforces each test's own.
_TEST_TIMEOUT_S = 3600
# As the JDK's own `make test` calls jtreg: tests that need a person or are @ignore are not run.
_SUITE_OPTIONS = ("-automatic", "-ignore:quiet")
# `requiredVersion=7.3.1+1`; of several, each for a major version, the first is the oldest.
_REQUIRED = re.compile(r"^requiredVersion\s*[=:]\s*(\S+)", re.MULTILINE)
_KEPT = ("*.json", "*.jfr", "*.jtr", "hs_err_pid*.log", "*.txt", "core*.dump")


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

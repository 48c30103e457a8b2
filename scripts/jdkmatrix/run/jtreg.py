# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is jtreg called for one cell?"""

import errno
import os
import re
import shutil
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from zipfile import ZipFile

from jdkmatrix.cores import usable_cores
from jdkmatrix.run.compiled import keep_classes, lend_classes
from jdkmatrix.run.jtreg_result import JtregResult, read_result
from jdkmatrix.run.process import Children, clean_environment
from jdkmatrix.run.recording import jtreg_recording_options
from jdkmatrix.run.sampler import Sampler
from jdkmatrix.run.withheld import MOST_STRETCH, stretch_at_start

# What jtreg gives a test by default; every reproducer ends itself well before (60 s a JVM).
TEST_TIMEOUT_S = 120
# jtreg kills a test at its time-out; a jtreg that has not ended long after that hangs itself.
GRACE_S = 60
# The longest /timeout= of the JDK's own tests, at most; jtreg keeps each test's own.
SUITE_TIMEOUT_S = 3600
# The handler's own waits end before this; it must not outlast the grace above.
HANDLER_TIMEOUT_S = 45
_HANDLER_CLASS = "tls13kit.timeout.HangHandler"
# Less than one recording needs.
_LEAST_FREE_BYTES = 2**20
# As the JDK's own `make test` calls jtreg: what needs a person, or is @ignore, is not run.
_SUITE_OPTIONS = ("-automatic", "-ignore:quiet")
# A compiler that lives for a second is not worth the optimizing compiler: 1.0 s of CPU, not 1.9.
_QUICK_JAVAC = "-J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC"
_KEPT = ("*.json", "*.jfr", "*.jtr", "hs_err_pid*.log", "*.txt", "core*.dump")


@dataclass(frozen=True)
class Jtreg:
    """An installed jtreg, the tool JDK it runs and compiles on, and the JFR settings.

    `home` has `lib/jtreg.jar`; `recording_settings` is a `.jfc` file; `timeout_handler` is the
    folder with the classes of `jtreg/timeout`, None to let jtreg kill a hung test unasked. Not
    `watched` is a suite of the user's: it runs as it is, with no recording and no thread dumps, and
    is compiled by the JDK under test, unless its `compile_options` say otherwise.
    """

    home: Path
    tool_java_home: Path
    recording_settings: Path
    timeout_handler: Path | None = None
    watched: bool = True
    compile_options: tuple[str, ...] = ()

    def command(
        self,
        java_home: Path,
        test: Path,
        work: Path,
        recording: Sequence[str],
        timeout_factor: float,
        java_options: Sequence[str] = (),
    ) -> list[str]:
        """The command line of one test on the JDK at `java_home`, its JVMs with `java_options`.

        `recording` is how jtreg is made to record them.
        """
        return [
            str(self.tool_java_home / "bin" / "java"),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-jar",
            str(self.jar),
            f"-jdk:{java_home}",
            *self._compile_options(),
            "-noreport",
            "-retain:all",
            f"-timeoutFactor:{timeout_factor:g}",
            *self._timeout_options(),
            *recording,
            *(f"-javaoption:{option}" for option in java_options),
            f"-w:{work}",
            f"-r:{work / 'report'}",
            str(test),
        ]

    @property
    def jar(self) -> Path:
        """jtreg itself, which the timeout handler is compiled against."""
        return self.home / "lib" / "jtreg.jar"

    def version(self) -> str:
        """`jtreg 7.5.2`, from the jar's own manifest."""
        with ZipFile(self.jar) as jar:
            manifest = jar.read("META-INF/MANIFEST.MF").decode()
        match = re.search(r"^jtreg-VersionString: (\S+)", manifest, re.MULTILINE)
        return f"jtreg {match[1] if match else 'of unknown version'}"

    def _compile_options(self) -> tuple[str, ...]:
        if not self.watched:  # no --release: javac refuses @modules java.base/... with it
            return (*self.compile_options, *_SUITE_OPTIONS)
        # Java 8 on every build, so by the tool JDK, as a runtime image has no javac.
        quick = f"-javacoptions:--release 8 -Xlint:-options {_QUICK_JAVAC}"
        return (f"-compilejdk:{self.tool_java_home}", quick, "-othervm")

    def _timeout_options(self) -> list[str]:
        if self.timeout_handler is None:
            return []
        return [
            f"-timeoutHandler:{_HANDLER_CLASS}",
            f"-timeoutHandlerDir:{self.timeout_handler}",
            f"-timeoutHandlerTimeout:{HANDLER_TIMEOUT_S}",
        ]


def deadlines_s(timeout_factor: float, *, watched: bool) -> tuple[float, float]:
    """How long jtreg may take for a test: on a machine that withholds nothing, and at the most."""
    test_s = TEST_TIMEOUT_S if watched else SUITE_TIMEOUT_S
    usual_s = (test_s + GRACE_S) * max(timeout_factor, 1.0)
    return usual_s, usual_s * MOST_STRETCH


def deadline_words(timeout_factor: float, *, watched: bool) -> str:
    """`180 s a cell, to 720 s by what the machine withholds`."""
    usual_s, longest_s = deadlines_s(timeout_factor, watched=watched)
    return f"{usual_s:.0f} s a cell, to {longest_s:.0f} s by what the machine withholds"


def run_test(
    jtreg: Jtreg,
    java_home: Path,
    test: Path,
    folder: Path,
    *,
    train: int,
    has_jfr: bool,
    recorded: bool,
    timeout_factor: float,
    children: Children,
    java_options: Sequence[str] = (),
    kept_classes: Path | None = None,
) -> JtregResult:
    """Run one test; its result file, scratch files, recordings and log end up in `folder`.

    It leaves recordings if it is `recorded`; without JFR its JVMs are sampled: `samples-PID.txt`.
    Of a file with several tests, the worst counts. `kept_classes` is where those of this test stay
    between cells. Its deadlines move by what the machine withholds: jtreg's own with the load when
    it starts, that of the whole with what its processes wait for a core, to MOST_STRETCH times as
    long. Raises OSError if the disk is full: then what jtreg and the test say is worth nothing.
    """
    work = folder / "work"
    recording: list[str] = []
    recorded = recorded and jtreg.watched
    if has_jfr and recorded:
        recordings = folder / "jfr"
        recordings.mkdir(parents=True)
        settings = jtreg.recording_settings
        recording = jtreg_recording_options(settings, recordings, work, train)
    if kept_classes:
        lend_classes(kept_classes, work)
    log = folder / "jtreg.log"
    stretch = stretch_at_start(os.getloadavg()[0], usable_cores())
    command = jtreg.command(
        java_home, test, work, recording, timeout_factor * stretch, java_options
    )
    usual_s, longest_s = deadlines_s(timeout_factor, watched=jtreg.watched)
    sampler: AbstractContextManager[object] = nullcontext()
    if recorded and not has_jfr:
        sampler = Sampler(jtreg.tool_java_home / "bin" / "jcmd", folder)
    with sampler:
        ran = children.run_watched(
            command,
            log,
            clean_environment(),
            usual_s * stretch,
            longest_s,
        )
    if shutil.disk_usage(folder).free < _LEAST_FREE_BYTES:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    result = replace(read_result(work, log, ran.ended, ran.code), given=ran.given)
    if kept_classes and result.compiled_all:
        keep_classes(work, kept_classes)
    _keep(work, folder)
    return result


def _keep(work: Path, folder: Path) -> None:
    """Move what a reader wants out of jtreg's work folder, and remove the rest of it."""
    for pattern in _KEPT:
        for path in sorted(work.rglob(pattern)):
            if "jtData" not in path.parts and path.is_file():
                path.replace(folder / path.name)
    shutil.rmtree(work, ignore_errors=True)

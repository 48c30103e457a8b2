# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do the threads of a test's JVMs do? Dumps of those that have timed out, and samples.

A JVM that has timed out is asked, before it is killed, for Flight Recorder's recording, if there is
one, and for three thread dumps a second apart: a thread that does not move between them is stuck.
One that does not answer jcmd is sent SIGQUIT, which makes it print a dump on its standard output.

On a JDK without Flight Recorder there are dumps twice a second: each test JVM of a cell gets a file
`samples-PID.txt`. `jcmd` is the tool JDK's.
"""

import os
import signal
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

from jdkmatrix.machine.files import content_of
from jdkmatrix.machine.java_program import TOOL_SHORT_LIVED
from jdkmatrix.machine.processes import run_jvm

# What jcmd is asked for threads, monitors and owned locks.
THREAD_DUMP = ("Thread.print", "-l")
_DUMPS = 3
_BETWEEN_DUMPS_S = 1.0
# A healthy JVM answers within a second, on a loaded machine within three.
_ANSWER_TIMEOUT_S = 10.0
_PRINTING_S = 1.0
# One dump costs the machine some 0.15 s of CPU time, in `jcmd` mostly.
SAMPLE_EVERY_S = 0.5
_SAMPLE_TIMEOUT_S = 5.0
# This is on the command line of a test's JVM, as is a file in the cell's folder.
_TEST_JVM = "tls13kit.othervm.RunMain"


def take_dumps(tool_java_home: Path, pids: Iterable[int], folder: Path) -> None:
    """Leave `hang-PID.jfr` and `hang-PID-threads-N.txt` of every JVM among `pids` in `folder`.

    Other processes are not asked: to them, the question would be a signal that ends them.
    """
    jcmd = tool_java_home / "bin" / "jcmd"
    jvms = [pid for pid in pids if is_jvm(pid)]
    answering = {pid: _dump_recording(jcmd, pid, folder) for pid in jvms}
    for number in range(1, _DUMPS + 1):
        if number > 1:
            time.sleep(_BETWEEN_DUMPS_S)
        for pid in jvms:
            answering[pid] = answering[pid] and _dump_threads(jcmd, pid, folder, number)
            if not answering[pid]:
                print_threads(pid)


def is_jvm(pid: int) -> bool:
    """Does that process run a `java` launcher?"""
    with suppress(OSError):
        return Path(f"/proc/{pid}/exe").readlink().name == "java"
    return False


def _dump_recording(jcmd: Path, pid: int, folder: Path) -> bool:
    """Does the JVM answer? A refusal is an answer, too: there may be no recording in progress."""
    return _ask(jcmd, pid, "JFR.dump", f'filename="{folder}/hang-{pid}.jfr"') is not None


def _dump_threads(jcmd: Path, pid: int, folder: Path, number: int) -> bool:
    """Dump the threads; False if the JVM does not answer."""
    dump = _ask(jcmd, pid, *THREAD_DUMP)
    if dump:
        (folder / f"hang-{pid}-threads-{number}.txt").write_text(dump, encoding="utf-8")
    return bool(dump)


def _ask(jcmd: Path, pid: int, *question: str) -> str | None:
    """As `ask_jvm`; None, too, if jcmd cannot ask."""
    with suppress(OSError):
        return ask_jvm(jcmd, pid, question, _ANSWER_TIMEOUT_S)
    return None


def ask_jvm(jcmd: Path, pid: int, question: Sequence[str], timeout_s: float) -> str | None:
    """The JVM's answer to jcmd, empty if it refuses; None if it gives none in time. Raises OSError
    if jcmd cannot be run.
    """
    process = run_jvm([jcmd, *TOOL_SHORT_LIVED, str(pid), *question], timeout_s=timeout_s)
    if process.is_late:
        return None
    return process.output if process.code == 0 else ""


def print_threads(pid: int) -> None:
    """Make a JVM print its threads on its standard output."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGQUIT)
    time.sleep(_PRINTING_S)  # nothing tells when it has printed all of it


class Sampler:
    """Samples the test JVMs of the cell in `folder` while it is entered as a context manager.

    Leaving it raises the OSError that ended the sampling, if one did.
    """

    def __init__(self, jcmd: Path, folder: Path) -> None:
        self._jcmd = jcmd
        self._folder = folder
        self._end_event = Event()
        self._thread = Thread(target=self._run, name="sampler", daemon=True)
        self._failure: OSError | None = None

    def __enter__(self) -> "Sampler":
        self._thread.start()
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self._end_event.set()
        self._thread.join()
        if self._failure and error is None:
            raise self._failure

    def _run(self) -> None:
        try:
            self._sample()
        except OSError as error:  # raised at the end, to whoever waits for the cell
            self._failure = error

    def _sample(self) -> None:
        """Sample each JVM on its own: one that is about to end may leave jcmd without an answer."""
        under_way: dict[int, Future[None]] = {}
        with ThreadPoolExecutor(thread_name_prefix="sample") as pool:
            while not self._end_event.wait(SAMPLE_EVERY_S):
                for pid in _test_jvms(self._folder):
                    last_dump = under_way.get(pid)
                    if last_dump is None or last_dump.done():
                        if last_dump is not None:
                            last_dump.result()
                        under_way[pid] = pool.submit(self._sample_jvm, pid)
        for last in under_way.values():
            last.result()

    def _sample_jvm(self, pid: int) -> None:
        epoch_ms = time.time_ns() // 1_000_000
        # None if the JVM has ended meanwhile, or is too busy to answer.
        dump = ask_jvm(self._jcmd, pid, THREAD_DUMP, _SAMPLE_TIMEOUT_S)
        if dump:
            with (self._folder / f"samples-{pid}.txt").open("a", encoding="utf-8") as out:
                out.write(f"# sampled at {epoch_ms}\n{dump}\n")


def _test_jvms(folder: Path) -> Iterator[int]:
    for process in Path("/proc").glob("[0-9]*"):
        try:
            arguments = content_of(process / "cmdline").decode(errors="replace").split("\0")
        except OSError:  # ended meanwhile
            continue
        if (
            is_jvm(int(process.name))
            and _TEST_JVM in arguments
            and any(argument.startswith(f"{folder}/") for argument in arguments)
        ):
            yield int(process.name)

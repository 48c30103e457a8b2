# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do a test's threads do on a JDK without Flight Recorder? Thread dumps, twice a second.

Each test JVM of a cell gets a file `samples-PID.txt`. `jcmd` is the tool JDK's.
"""

import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Event, Thread

from jdkmatrix.machine.bounded import content_of
from jdkmatrix.run.cells.hang_dumps import THREAD_DUMP, ask_jvm, is_jvm

# One dump costs the machine some 0.15 s of CPU time, in `jcmd` mostly.
SAMPLE_EVERY_S = 0.5
_ANSWER_TIMEOUT_S = 5.0
# This is on the command line of a test's JVM, as is a file in the cell's folder.
_TEST_JVM = "tls13kit.othervm.RunMain"


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
        dump = ask_jvm(self._jcmd, pid, THREAD_DUMP, _ANSWER_TIMEOUT_S)
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

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is one supervised child process started, bounded in time and stopped?"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from threading import Lock
from typing import IO, NamedTuple

from jdkmatrix.machine.processes import NO_JAVA_OPTIONS
from jdkmatrix.machine.withheld import Given, Watch

# A look at all threads costs some milliseconds of CPU time; deadlines are of minutes.
_LOOK_EVERY_S = 2.0
_POLL_S = 0.05
_SUPERVISOR = Path(__file__).with_name("supervisor.py")


class Ended(StrEnum):
    """How a child ended."""

    FINISHED = "finished"
    TIMEOUT = "timeout"
    INTERRUPTED = "interrupted"


class Ran(NamedTuple):
    """A child that was watched: how it ended, its exit code, and what the machine gave it."""

    ended: Ended
    code: int
    given: Given


class Children:
    """The running children of one run: started here, and all stopped by one call."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._stopped = False

    def run(
        self, command: Sequence[str], log: Path, env: Mapping[str, str], timeout_s: float
    ) -> tuple[Ended, int]:
        """Run `command` to its end, output to `log`; return how it ended and its exit code.

        Past `timeout_s`, after `stop` or by Ctrl-C, its whole process group is killed.
        """
        with self._started(command, log, env) as child:
            if child is None:
                return Ended.INTERRUPTED, -1
            try:
                code = child.wait(timeout_s)
                ended = Ended.FINISHED
            except subprocess.TimeoutExpired:
                _hang_up(child)
                code = child.wait()
                ended = Ended.TIMEOUT
        return (Ended.INTERRUPTED if self._stopped else ended), code

    def run_watched(
        self,
        command: Sequence[str],
        log: Path,
        env: Mapping[str, str],
        timeout_s: float,
        longest_s: float,
        *,
        at_timeout: Callable[[Iterable[int]], None] = lambda pids: None,
        cwd: Path | None = None,
    ) -> Ran:
        """The same, where the deadline moves by what the machine withholds, to `longest_s` at most.

        The child has its own process group, so that what it gets is told from all else. Before
        it is killed, `at_timeout` gets the pids of it and of its children.
        """
        with self._started(command, log, env, cwd) as child:
            if child is None:
                return Ran(Ended.INTERRUPTED, -1, Given(0.0, None, 0.0))
            watch = Watch(child.pid)
            ended = _wait_watched(child, watch, timeout_s, longest_s)
            if ended is Ended.TIMEOUT and not self._stopped:
                at_timeout(watch.pids())
            _hang_up(child)
            reaped_cpu_s = _reap(child)
        if self._stopped:
            ended = Ended.INTERRUPTED
        return Ran(ended, child.returncode, watch.given(reaped_cpu_s))

    @contextmanager
    def _started(
        self,
        command: Sequence[str],
        log: Path,
        env: Mapping[str, str],
        cwd: Path | None = None,
    ) -> Iterator[subprocess.Popen[bytes] | None]:
        """The running child, ended in any case when this is left; None once all were stopped."""
        with log.open("wb") as output:
            with self._lock:
                stopped = self._stopped
                if not stopped:
                    child = self._start(command, output, env, cwd)
            if stopped:
                yield None
                return
            try:
                yield child
            finally:  # by Ctrl-C, too: then `stop` comes too late, it would not know this child
                with self._lock:
                    self._running.discard(child)
                _hang_up(child)

    def _start(
        self,
        command: Sequence[str],
        output: IO[bytes],
        env: Mapping[str, str],
        cwd: Path | None,
    ) -> subprocess.Popen[bytes]:
        child = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_SUPERVISOR), *command],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=dict(env),
            cwd=cwd,
            # Ctrl-C on the terminal is for the kit, which then stops its children.
            start_new_session=True,
        )
        self._running.add(child)
        return child

    def stop(self) -> None:
        """Kill every running child with what it started; later ones do not start."""
        with self._lock:
            self._stopped = True
            for child in self._running:
                _hang_up(child)


def _wait_watched(
    child: subprocess.Popen[bytes], watch: Watch, timeout_s: float, longest_s: float
) -> Ended:
    """Wait until the child has ended, which is left to be reaped, or its deadline has passed."""
    began = looked = time.monotonic()
    while True:
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        if os.waitid(os.P_PID, child.pid, flags) is not None:
            return Ended.FINISHED
        now = time.monotonic()
        if now - looked >= _LOOK_EVERY_S:
            watch.sample(now - looked)
            looked = now
        if now - began >= min(timeout_s + watch.given().withheld_s, longest_s):
            watch.sample(now - looked)
            return Ended.TIMEOUT
        time.sleep(_POLL_S)


def _reap(child: subprocess.Popen[bytes]) -> float:
    """Wait for the child's end; the CPU seconds of it and of all that was waited for below it."""
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


def _hang_up(child: subprocess.Popen[bytes]) -> None:
    if child.stdin and not child.stdin.closed:
        child.stdin.close()


def clean_environment() -> dict[str, str]:
    """The user's environment without what would change every JVM behind a test's back."""
    return {name: value for name, value in os.environ.items() if name not in NO_JAVA_OPTIONS}

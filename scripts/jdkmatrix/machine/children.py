# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is one supervised child process started, bounded in time and stopped?"""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from jdkmatrix.machine.supervised import SupervisedProcess
from jdkmatrix.machine.supervisor import children_by_parent
from jdkmatrix.machine.trees import exceeds
from jdkmatrix.machine.withheld import CpuShare, Watch
from jdkmatrix.surroundings import handed_on

# A look at all threads costs some milliseconds of CPU time; deadlines are minutes.
_LOOK_EVERY_S = 2.0
_POLL_S = 0.05
# A harness has a child most of the time: 4 s without one is longer than between two of its probes.
_LOOKS_AT_ORPHANS = 2


class ChildEnd(StrEnum):
    """How a child ended."""

    FINISHED = "finished"
    TIMEOUT = "timeout"
    INTERRUPTED = "interrupted"


class ChildRun(NamedTuple):
    """How a watched child ended, its exit code, and what the machine gave it. `excess` says what it
    left too much of, for which it was ended; "" if nothing.
    """

    end: ChildEnd
    code: int
    resources: CpuShare
    excess: str = ""


@dataclass(frozen=True)
class Bounds:
    """How much a watched child may leave: in its log, and in the log's folder with all below it.

    The kit's own tests leave 3 MB in ten files, the JDK's own up to a GB and some 10,000 files.
    """

    log_bytes: int = 64 << 20
    bytes: int = 8 << 30
    files: int = 200_000

    def excess_of_log(self, log: Path) -> str:
        """What is too much of a log; "" if nothing."""
        is_large = log.stat().st_size > self.log_bytes
        return f"more than {self.log_bytes >> 20} MiB of output" if is_large else ""

    def excess_of_folder(self, folder: Path) -> str:
        """What is too much of all that a child leaves; "" if nothing."""
        if not exceeds(folder, self.files, self.bytes):
            return ""
        return f"more than {self.files:,} files or {self.bytes >> 20:,} MiB in them"


class Children:
    """The running children of one run: started here, and all stopped by one call.

    Those that are watched are looked at each `look_every_s`.
    """

    def __init__(self, look_every_s: float = _LOOK_EVERY_S, bounds: Bounds | None = None) -> None:
        self._look_every_s = look_every_s
        self._bounds = bounds or Bounds()
        self._lock = Lock()
        self._running: set[SupervisedProcess] = set()
        self._is_stopped = False

    def run(
        self, command: Sequence[str], log: Path, env: Mapping[str, str], timeout_s: float
    ) -> tuple[ChildEnd, int]:
        """Run `command` to its end, output to `log`; return how it ended and its exit code.

        Past `timeout_s`, after `stop` or by Ctrl-C, it is killed with all that it started.
        """
        with self._start(command, log, env) as child:
            if child is None:
                return ChildEnd.INTERRUPTED, -1
            try:
                code = child.wait(timeout_s)
                end = ChildEnd.FINISHED
            except subprocess.TimeoutExpired:
                code = child.close()
                end = ChildEnd.TIMEOUT
        return (ChildEnd.INTERRUPTED if self._is_stopped else end), code

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
    ) -> ChildRun:
        """As `run`, but extend the deadline by what the machine withholds, to `longest_s` at most.

        A child that leaves more than the bounds is ended, and its log cut. Before a late one is
        killed, `at_timeout` gets the pids of it and of all that it started.
        """
        with self._start(command, log, env, cwd) as child:
            if child is None:
                return ChildRun(ChildEnd.INTERRUPTED, -1, CpuShare(0.0, None, 0.0))
            watch = Watch(child.supervisor.pid)
            end, excess = self._wait_watched(child, watch, log, timeout_s, longest_s)
            if end is ChildEnd.TIMEOUT and not self._is_stopped:
                at_timeout(watch.pids())
            child.end()
            child.wait_to_be_reaped()
            reaped_cpu_s = _reap(child.supervisor)
        if self._is_stopped:
            end = ChildEnd.INTERRUPTED
        if excess := excess or self._bounds.excess_of_log(log):
            os.truncate(log, min(log.stat().st_size, self._bounds.log_bytes))
        return ChildRun(end, child.code, watch.read_resources(reaped_cpu_s), excess)

    def _wait_watched(
        self,
        child: SupervisedProcess,
        watch: Watch,
        log: Path,
        timeout_s: float,
        longest_s: float,
    ) -> tuple[ChildEnd, str]:
        """Wait until the child has ended, its deadline has passed, or it has left too much, which
        is returned; leave it to be reaped.
        """
        start_s = last_look_s = time.monotonic()
        orphans = _Orphans(child)
        while True:
            flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
            if os.waitid(os.P_PID, child.supervisor.pid, flags) is not None:
                return ChildEnd.FINISHED, ""
            excess, now_s = self._bounds.excess_of_log(log), time.monotonic()
            if now_s - last_look_s >= self._look_every_s:
                watch.sample(now_s - last_look_s)
                orphans.look()
                excess = excess or self._bounds.excess_of_folder(log.parent)
                last_look_s = now_s
            if excess:
                return ChildEnd.FINISHED, excess
            if now_s - start_s >= min(timeout_s + watch.read_resources().withheld_s, longest_s):
                watch.sample(now_s - last_look_s)
                return ChildEnd.TIMEOUT, ""
            time.sleep(_POLL_S)

    @contextmanager
    def _start(
        self,
        command: Sequence[str],
        log: Path,
        env: Mapping[str, str],
        cwd: Path | None = None,
    ) -> Iterator[SupervisedProcess | None]:
        """Yield the running child, ended in any case on exit; None once `stop` was called."""
        with log.open("wb") as output:
            with self._lock:
                is_stopped = self._is_stopped
                if not is_stopped:
                    child = SupervisedProcess(
                        command,
                        stdout=output,
                        stderr=subprocess.STDOUT,
                        env=env,
                        cwd=cwd or log.parent,
                    )
                    self._running.add(child)
            if is_stopped:
                yield None
                return
            try:
                yield child
            finally:  # on Ctrl-C, too: a later `stop` would no longer know this child
                with self._lock:
                    self._running.discard(child)
                child.close()

    def stop(self) -> None:
        """Kill every running child with what it started; later ones do not start."""
        with self._lock:
            self._is_stopped = True
            for child in self._running:
                child.end()


class _Orphans:
    """Processes that a test left; its harness lives on and may wait for the output that they hold.

    They are killed once the harness has had no child for a few looks: then no test is running.
    """

    def __init__(self, child: SupervisedProcess) -> None:
        self._child = child
        self._looks: dict[int, int] = {}

    def look(self) -> None:
        """Look again, and kill what was seen too often."""
        self._looks = {pid: self._looks.get(pid, 0) + 1 for pid in self._find()}
        for pid, looks in self._looks.items():
            if looks > _LOOKS_AT_ORPHANS:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)

    def _find(self) -> set[int]:
        children, harness = children_by_parent(), self._child.pid
        if harness is None or harness in children:
            return set()
        siblings = next((pids for pids in children.values() if harness in pids), [])
        return {*siblings} - {harness}


def _reap(supervisor: "subprocess.Popen[bytes]") -> float:
    """Wait for its end; return the CPU seconds of it and of all that was reaped below it."""
    _, status, usage = os.wait4(supervisor.pid, 0)
    supervisor.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


def clean_environment() -> dict[str, str]:
    """The user's environment without variables that change every JVM behind a test's back."""
    return dict(handed_on())

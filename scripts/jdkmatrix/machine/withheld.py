# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How much CPU was a tree of processes given, and how much time did the machine withhold from it?

Linux counts for each thread how long it ran, and how long it was ready to run but had no core
(/proc/PID/task/TID/schedstat, Documentation/scheduler/sched-stats). Summed over a group, the share
of that waiting is the share of its speed that the group lost.
"""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.machine.cores import usable_cores
from jdkmatrix.machine.files import text_of
from jdkmatrix.machine.supervisor import children_by_parent, descendants

_PROC = Path("/proc")
_NS = 1e9

# The most that a deadline is multiplied by. At a load of 80 to 100 on two cores, 8 of 29 cells
# needed more than 1 (November 2026). It also bounds how long a hang that spins holds its place.
MOST_STRETCH = 4.0
# The load per core that the kit itself may cause, with three cells a core: up to it, jtreg's tests
# get no more time than on a quiet machine.
_USUAL_LOAD_PER_CORE = 4.0
# Fields of the first line of /proc/stat, proc(5): user nice system idle iowait irq softirq steal.
_TICKS, IDLE = slice(1, 9), slice(3, 5)
# utime, stime, and those of children that were reaped, counted from the state behind the name.
_CPU_TICKS = slice(11, 15)


@dataclass(frozen=True)
class CpuShare:
    """What a tree of processes got: CPU time, and the time its threads were ready but had no core.

    `waited_s` is summed over threads, so it may exceed the time that passed; None if the system
    does not say. `withheld_s` is the part of the time that passed without progress.
    """

    cpu_s: float
    waited_s: float | None
    withheld_s: float


class Watch:
    """Watches a process and all that it started. Call `sample` now and then."""

    def __init__(self, parent: int) -> None:
        self._parent = parent
        self._times: dict[tuple[int, int], tuple[int, int]] = {}
        self._cpu_ns = 0
        self._wait_ns = 0
        self._knows = False
        self._withheld_s = 0.0

    def sample(self, passed_s: float) -> None:
        """Look again, `passed_s` after the last time."""
        cpu_ns, wait_ns, longest_ns = 0, 0, 0
        threads = dict(_threads(self._parent))
        for thread, (cpu, wait) in threads.items():
            cpu_before, wait_before = self._times.get(thread, (0, 0))
            cpu_ns += max(cpu - cpu_before, 0)
            wait_ns += max(wait - wait_before, 0)
            longest_ns = max(longest_ns, wait - wait_before)
        self._times = threads
        self._knows = self._knows or bool(threads)
        self._cpu_ns += cpu_ns
        self._wait_ns += wait_ns
        self._withheld_s += (
            # Linux books a wait when the thread runs again: it may have begun before the last look.
            withheld(max(passed_s, longest_ns / _NS), cpu_ns / _NS, wait_ns / _NS, usable_cores())
            if self._knows
            else passed_s * _withheld_by_load()
        )

    def pids(self) -> tuple[int, ...]:
        """The watched processes, except the parent itself."""
        return tuple(descendants(self._parent, children_by_parent()))

    def read_resources(self, reaped_cpu_s: float = 0.0) -> CpuShare:
        """What it got since the beginning; `reaped_cpu_s` is the system's figure for reaped ones.

        Samples miss what a thread does after the last look, `reaped_cpu_s` what was killed.
        """
        waited_s = round(self._wait_ns / _NS, 3) if self._knows else None
        cpu_s = max(self._cpu_ns / _NS, reaped_cpu_s)
        return CpuShare(round(cpu_s, 3), waited_s, round(self._withheld_s, 3))


def withheld(passed_s: float, cpu_s: float, waited_s: float, cores: int) -> float:
    """The seconds of `passed_s` in which a group made no progress though it was ready to run.

    It was ready while it ran or waited, at most all the time, and lost the share that it waited.
    What it used of the machine itself was not withheld: its threads may wait for one another.
    """
    if waited_s <= 0:
        return 0.0
    lost_s = min(passed_s, cpu_s + waited_s) * waited_s / (cpu_s + waited_s)
    return max(0.0, min(lost_s, passed_s - cpu_s / cores))


def stretch_at_start(load_1min: float, cores: int) -> float:
    """The factor for jtreg's own time-outs on this machine; jtreg takes it once, at its start."""
    return min(MOST_STRETCH, max(1.0, load_1min / cores / _USUAL_LOAD_PER_CORE))


def deadline_text(usual_s: float, scope: str = "") -> str:
    """`120 s per JVM, up to 480 s if the machine withholds CPU`, for the scope ` per JVM`."""
    longest_s = usual_s * MOST_STRETCH
    return f"{usual_s:.10g} s{scope}, up to {longest_s:.10g} s if the machine withholds CPU"


def _withheld_by_load() -> float:
    """The share of ready threads that find no core, for systems that do not count waiting."""
    return max(0.0, 1 - usable_cores() / max(os.getloadavg()[0], 1e-9))


def _threads(parent: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """For each process and thread id: nanoseconds run, nanoseconds ready without a core."""
    for pid in (parent, *descendants(parent, children_by_parent())):
        try:
            tasks = list(os.scandir(_PROC / str(pid) / "task"))
        except OSError:
            continue
        for task in tasks:
            try:
                cpu, wait, _ = text_of(Path(task.path) / "schedstat").split()
            except (OSError, ValueError):
                continue
            yield (pid, int(task.name)), (int(cpu), int(wait))


class GivenTime:
    """A clock that starts when it is made."""

    def __init__(self) -> None:
        self._watch = Watch(os.getpid())
        self._watch.sample(0.0)
        self._withheld_s = self._watch.read_resources().withheld_s
        self._others_s = _others_s()
        self._start_s = self._last_look_s = time.monotonic()

    def read(self) -> tuple[float, float]:
        """The seconds since the start, and the share of them that was given: 1 without others."""
        now_s = time.monotonic()
        self._watch.sample(now_s - self._last_look_s)
        self._last_look_s = now_s
        waited_s = self._watch.read_resources().withheld_s - self._withheld_s
        taken_s = (_others_s() - self._others_s) / usable_cores()
        passed_s = now_s - self._start_s
        return passed_s, 1 - max(0.0, min(waited_s, taken_s, passed_s)) / max(passed_s, 1e-9)


def _others_s() -> float:
    """The CPU seconds that all other processes have had, and the hypervisor has taken."""
    ticks = machine_ticks(_PROC / "stat")
    return (sum(ticks) - sum(ticks[IDLE])) / os.sysconf("SC_CLK_TCK") - _own_s()


def machine_ticks(stat: Path) -> list[int]:
    """What all cores spent since the machine's start, by kind; zeros if the system does not say."""
    fields: list[int] = []
    with suppress(OSError, ValueError):
        fields = [int(field) for field in text_of(stat).split("\n", 1)[0].split()[_TICKS]]
    return [*fields, *[0] * 8][:8]


def _own_s() -> float:
    """The CPU seconds of this process and all that it started, those that have ended too."""
    ticks = sum(map(_ticks_of, descendants(os.getpid(), children_by_parent())))
    return sum(os.times()[:4]) + ticks / os.sysconf("SC_CLK_TCK")


def _ticks_of(pid: int) -> int:
    with suppress(OSError, ValueError):
        fields = text_of(_PROC / str(pid) / "stat").rpartition(")")[2].split()
        return sum(map(int, fields[_CPU_TICKS]))
    return 0

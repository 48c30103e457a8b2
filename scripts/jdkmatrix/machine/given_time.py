# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which share of the time does the machine give to this process and all that it started?

The rest is what others took of the cores, as far as our threads were ready to run meanwhile. Alone,
neither of the two tells: our threads wait for one another, too, and what others take may be what we
did not need.
"""

import os
import time
from contextlib import suppress
from pathlib import Path

from jdkmatrix.machine.bounded import text_of
from jdkmatrix.machine.cores import usable_cores
from jdkmatrix.machine.supervisor import children_by_parent, descendants
from jdkmatrix.machine.withheld import Watch

_PROC = Path("/proc")
# Fields of the first line of /proc/stat, proc(5): user nice system idle iowait irq softirq steal.
_TICKS, _IDLE = slice(1, 9), slice(3, 5)
# utime, stime, and those of children that were reaped, counted from the state behind the name.
_CPU_TICKS = slice(11, 15)


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
    try:
        ticks = [int(field) for field in text_of(_PROC / "stat").split("\n", 1)[0].split()[_TICKS]]
    except (OSError, ValueError):
        return 0.0
    return (sum(ticks) - sum(ticks[_IDLE])) / os.sysconf("SC_CLK_TCK") - _own_s()


def _own_s() -> float:
    """The CPU seconds of this process and all that it started, those that have ended too."""
    ticks = sum(map(_ticks_of, descendants(os.getpid(), children_by_parent())))
    return sum(os.times()[:4]) + ticks / os.sysconf("SC_CLK_TCK")


def _ticks_of(pid: int) -> int:
    with suppress(OSError, ValueError):
        fields = text_of(_PROC / str(pid) / "stat").rpartition(")")[2].split()
        return sum(map(int, fields[_CPU_TICKS]))
    return 0

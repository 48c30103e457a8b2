# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What did the machine do during a block: load, time stolen by the hypervisor, governor?"""

import os
import time
from pathlib import Path

from jdkmatrix.machine.cores import usable_cores
from jdkmatrix.machine.files import text_of
from jdkmatrix.machine.withheld import IDLE, machine_ticks
from jdkmatrix.records.sample_record import MachineState

_STAT = Path("/proc/stat")
_GOVERNOR = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
_STEAL = 7


class MachineWatch:
    """Watches all cores from its construction to `state`."""

    def __init__(self, stat: Path = _STAT) -> None:
        self._stat = stat
        self._start_s = time.monotonic()
        self._first_ticks = machine_ticks(stat)

    def state(self) -> MachineState:
        """The machine since the watch began; shares are 0 if the system does not say."""
        ticks = [
            new - old for new, old in zip(machine_ticks(self._stat), self._first_ticks, strict=True)
        ]
        whole = max(sum(ticks), 1)
        busy = sum(ticks) - sum(ticks[IDLE])
        return MachineState(
            cores=usable_cores(),
            governor=_governor(),
            load_1min=round(os.getloadavg()[0], 2),
            steal_share=round(ticks[_STEAL] / whole, 4),
            busy_share=round(busy / whole, 4),
            seconds=round(time.monotonic() - self._start_s, 3),
        )


def _governor() -> str | None:
    try:
        return text_of(_GOVERNOR).strip()
    except OSError:
        return None

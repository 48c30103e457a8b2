# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are there enough client ports for the next sample?

A connection that its client closed keeps its port in TIME_WAIT for 60 s. So scenarios that connect
for each request can run out of ports, and would measure that.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.errors import MachineError
from jdkmatrix.machine.files import text_of

_RANGE = "sys/net/ipv4/ip_local_port_range"
_REUSE = "sys/net/ipv4/tcp_tw_reuse"
_SOCKETS = ("net/tcp", "net/tcp6")
_TIME_WAIT = "06"  # include/net/tcp_states.h
_LASTS_S = 60.0
_LOOK_EVERY_S = 1.0
# Up to this share, a machine has ports in TIME_WAIT at any time.
_FEW_SHARE = 0.1
# Others may need ports too, and a sample may connect more often than the one before.
_MARGIN = 1.25


@dataclass(frozen=True)
class Ports:
    """This machine's client ports: all, those in TIME_WAIT, and whether these are reused.

    `is_reused`: Linux gives a loopback connection a port in TIME_WAIT after 1 s (tcp_tw_reuse 1,
    2), so that they do not run out over some seconds. `waiting` is then 0, as nobody counts them.
    """

    total: int
    waiting: int
    is_reused: bool

    @property
    def free(self) -> int:
        """How many are available now."""
        return self.total - self.waiting


def client_ports(proc: Path = Path("/proc")) -> Ports | None:
    """The ports now; None if the system does not tell."""
    try:
        low, high = map(int, text_of(proc / _RANGE).split())
        is_reused = text_of(proc / _REUSE).strip() in ("1", "2")
        # Linux walks its whole table of sockets, which takes 10 ms of CPU time.
        waiting = 0 if is_reused else in_time_wait(proc)
    except (OSError, ValueError):
        return None
    return Ports(high - low + 1, waiting, is_reused)


def in_time_wait(proc: Path) -> int:
    """The number of connections in TIME_WAIT, by the tables of `proc`."""
    tables = [text_of(proc / name) for name in _SOCKETS if (proc / name).is_file()]
    lines = [line.split() for table in tables for line in table.splitlines()[1:]]
    return sum(1 for fields in lines if len(fields) > 3 and fields[3] == _TIME_WAIT)


def can_run_out(ports: Callable[[], Ports | None] = client_ports) -> bool:
    """Whether a used port is unavailable for a while, as far as is known."""
    current = ports()
    return current is not None and not current.is_reused


def wait_for_ports(
    wanted_ports: int | None,
    notice: Callable[[str], None],
    ports: Callable[[], Ports | None] = client_ports,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Wait until `wanted_ports` and a margin are free for the samples that run next.

    None means that their number is not known. Then wait until nearly all are free, as no more can
    be had, or until those of earlier samples must be. Raises MachineError if the machine has fewer
    ports in all than a known number, or if they do not become free in time.
    """
    needs = None if wanted_ports is None else round(wanted_ports * _MARGIN)
    waited_s = 0.0
    while (current := ports()) is not None and not current.is_reused:
        has = f"{current.total} client ports, {current.waiting} in TIME_WAIT"
        is_late = waited_s > _LASTS_S + _LOOK_EVERY_S
        if needs is None:
            if is_late or current.waiting <= current.total * _FEW_SHARE:
                return
        elif current.free >= needs:
            return
        else:
            has += f"; the load needs {needs}"
            if current.total < needs or is_late:
                remedy = "widen net.ipv4.ip_local_port_range or set net.ipv4.tcp_tw_reuse"
                raise MachineError(f"the machine has {has}; to fix it: {remedy}")
        if waited_s == 0:
            notice(f"waiting for ports: {has}")
        sleep(_LOOK_EVERY_S)
        waited_s += _LOOK_EVERY_S

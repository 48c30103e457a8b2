# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do load JVMs that are compared take turns, and when are they warm?

Samples that follow one another differ by what the machine does meanwhile, on shared cores by a
tenth. With turns of a fraction of a second it slows all arms of a block alike. A load JVM
connects and says `ready N`, N being the requests of its warm-up so far; each answer is
`warm-up MS`, `measure MS` or `end`, and it says `ready N` again when that turn is over.
"""

import random
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from jdkmatrix.machine.withheld import MOST_STRETCH, GivenTime
from jdkmatrix.records.sample_record import WarmUp

# How often `admit` checks whether the JVM still lives.
_LOOK_EVERY_S = 0.2
# A load waits 30 s for its requests to end, then itself reports that it is void. One that can't
# pause is ended, if it hangs, with its JVM.
_OVERDUE_S = 60.0
# The turns in which a load that can't pause goes on warming up.
_MORE_MS = 500
_LONGEST_LINE = 64


@dataclass(frozen=True)
class Schedule:
    """How long each load JVM warms up and measures: in turns of `turn_ms`, or with 0 in one go.

    `warm_up_requests` is what each must have made before it is measured.
    """

    turn_ms: int
    warm_up_ms: int
    measure_ms: int
    warm_up_requests: int = 0


class Turns:
    """Gives turns to the load JVMs that it has admitted; a context manager.

    Each JVM gets as many as make up the warm-up, then the window. If the JVMs warmed up one after
    the other, the one that had rested longest would differ: its idle connections are closed, and
    the code that makes new ones is compiled anew.

    On a busy machine code is compiled later. So the warm-up goes on until the machine has given the
    time that was planned and each JVM has made its requests. It ends without them once twice that
    time was given, as a build whose requests wait for one another never makes so many, and without
    either after MOST_STRETCH times as long; `warm_up` then says so.
    """

    def __init__(
        self, schedule: Schedule, start_clock: Callable[[], GivenTime] = GivenTime
    ) -> None:
        self._schedule = schedule
        self._start_clock = start_clock
        self._server = socket.create_server(("127.0.0.1", 0))
        self._server.settimeout(_LOOK_EVERY_S)
        self._loads: list[socket.socket] = []
        self._requests: dict[socket.socket, int] = {}
        self.warm_up: WarmUp | None = None

    @property
    def address(self) -> str:
        """Where a load JVM asks for its turns."""
        return f"127.0.0.1:{self._server.getsockname()[1]}"

    @property
    def requests(self) -> tuple[int, ...]:
        """How many requests each JVM has made in its warm-up so far, in the order of admission."""
        return tuple(self._requests.values())

    def __enter__(self) -> "Turns":
        return self

    def __exit__(self, *_: object) -> None:
        for load in (self._server, *self._loads):
            load.close()

    def admit(self, has_ended: Callable[[], bool]) -> None:
        """Wait until the load JVM that was started last is ready, or has ended before that."""
        while not has_ended():
            with suppress(TimeoutError):
                load, _ = self._server.accept()
                load.settimeout(_OVERDUE_S if self._schedule.turn_ms else None)
                self._loads.append(load)
                self._await_ready(load)
                return

    def give(self, order: random.Random) -> None:
        """Give all turns, every JVM one a round in random order; JVMs that end are left out."""
        self.warm_up = self._warm_up(order)
        for ms in self._turns_of(self._schedule.measure_ms):
            self._round("measure", ms, order)
        for load in self._loads:
            self._say(load, "end")

    def _warm_up(self, order: random.Random) -> WarmUp:
        turns = self._turns_of(self._schedule.warm_up_ms)
        clock = self._start_clock()
        for ms in turns:
            self._round("warm-up", ms, order)
        turned_ms = planned_ms = sum(turns)
        loads_count = max(1, len(self._loads))
        while True:
            clock_s, share = clock.read()
            # A turn lasts until its last request has ended, on a busy machine several times longer.
            passed_ms = max(turned_ms, 1000 * clock_s / loads_count)
            given_ms = passed_ms * share
            warm_up = WarmUp(
                planned_s=planned_ms / 1000,
                passed_s=round(passed_ms / 1000, 3),
                given_s=round(given_ms / 1000, 3),
                least_requests=self._schedule.warm_up_requests,
            )
            is_late = passed_ms >= MOST_STRETCH * planned_ms or given_ms >= 2 * planned_ms
            if is_late or (warm_up.was_given and self._are_done()):
                return warm_up
            more_ms = self._schedule.turn_ms or _MORE_MS
            self._round("warm-up", more_ms, order)
            turned_ms += more_ms

    def _are_done(self) -> bool:
        needed_count = self._schedule.warm_up_requests
        return all(self._requests[load] >= needed_count for load in self._loads)

    def _turns_of(self, ms: int) -> list[int]:
        turn_ms = self._schedule.turn_ms or ms
        return [turn_ms] * -(-ms // turn_ms) if ms else []

    def _round(self, kind: str, ms: int, order: random.Random) -> None:
        order.shuffle(self._loads)
        for load in tuple(self._loads):
            self._say(load, f"{kind} {ms}")
            self._await_ready(load)

    def _say(self, load: socket.socket, answer: str) -> None:
        with suppress(OSError):  # that it has ended shows when it should be ready
            load.sendall(f"{answer}\n".encode("ascii"))

    def _await_ready(self, load: socket.socket) -> None:
        line = b""
        with suppress(OSError):
            while not line.endswith(b"\n") and (part := load.recv(_LONGEST_LINE)):
                line += part
        word, _, requests = line.decode("ascii", "replace").rstrip("\n").partition(" ")
        if word == "ready" and requests.isdecimal():
            self._requests[load] = int(requests)
        else:
            self._loads.remove(load)
            load.close()

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do load JVMs that are compared take turns?

Samples that follow one another differ by what the machine does meanwhile, on shared cores by a
tenth. With turns of a fraction of a second it slows all arms of a block alike. A load JVM
connects and says `ready`; each answer is `warm-up MS`, `measure MS` or `end`, and it says `ready`
again when that turn is over.
"""

import random
import socket
from collections.abc import Callable
from contextlib import suppress

# How often `admit` checks whether the JVM still lives.
_LOOK_EVERY_S = 0.2
# A load waits 30 s for its requests to end, then itself reports that it is void.
_OVERDUE_S = 60.0


class Turns:
    """Gives turns to the load JVMs that it has admitted; a context manager.

    Each turn lasts `turn_ms`, and each JVM gets as many as make up `warm_up_ms`, then `measure_ms`.
    If the JVMs warmed up one after the other, the one that had rested longest would differ: its
    idle connections are closed, and the code that makes new ones is compiled anew.
    """

    def __init__(self, turn_ms: int, warm_up_ms: int, measure_ms: int) -> None:
        self._turn_ms = turn_ms
        self._kinds = ["warm-up"] * -(-warm_up_ms // turn_ms)
        self._kinds += ["measure"] * -(-measure_ms // turn_ms)
        self._server = socket.create_server(("127.0.0.1", 0))
        self._server.settimeout(_LOOK_EVERY_S)
        self._loads: list[socket.socket] = []

    @property
    def address(self) -> str:
        """Where a load JVM asks for its turns."""
        return f"127.0.0.1:{self._server.getsockname()[1]}"

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
                load.settimeout(_OVERDUE_S)
                self._loads.append(load)
                self._await_ready(load)
                return

    def give(self, order: random.Random) -> None:
        """Give all turns, every JVM one a round in random order; JVMs that end are left out."""
        for kind in self._kinds:
            order.shuffle(self._loads)
            for load in tuple(self._loads):
                self._say(load, f"{kind} {self._turn_ms}")
                self._await_ready(load)
        for load in self._loads:
            self._say(load, "end")

    def _say(self, load: socket.socket, answer: str) -> None:
        with suppress(OSError):  # that it has ended shows when it should be ready
            load.sendall(f"{answer}\n".encode("ascii"))

    def _await_ready(self, load: socket.socket) -> None:
        try:
            ready = load.recv(len("ready\n"), socket.MSG_WAITALL)
        except OSError:
            ready = b""
        if not ready:
            self._loads.remove(load)
            load.close()

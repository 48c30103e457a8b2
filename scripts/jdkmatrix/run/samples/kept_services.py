# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which services stay warm from the block of one comparison to that of the next?

Warming up is most of what a sample of a service costs. Comparisons that differ only in their bodies
run the same code, so in each round of blocks they ask the same JVMs.
"""

from collections.abc import Callable, Collection

from jdkmatrix.run.samples.peers import Peers


class KeptServices:
    """One service per arm, kept until `end`; a context manager."""

    def __init__(self) -> None:
        self._running: dict[str, Peers] = {}

    def __enter__(self) -> "KeptServices":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def are_warm(self, arms: Collection[str]) -> bool:
        """Whether each of these arms has a running service."""
        return all(arm in self._running and not self._running[arm].complaint() for arm in arms)

    def get_or_start(self, arm: str, start: Callable[[], Peers]) -> Peers:
        """The arm's service; `start` makes one, which is then entered. Raises PeerError."""
        if not self.are_warm([arm]):
            self._end(arm)
            self._running[arm] = start().__enter__()
        return self._running[arm]

    def end(self) -> None:
        """End all of them."""
        for arm in tuple(self._running):
            self._end(arm)

    def _end(self, arm: str) -> None:
        service = self._running.pop(arm, None)
        if service is not None:
            service.__exit__()

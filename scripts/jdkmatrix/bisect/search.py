# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Between which two neighbours does an outcome change? Pure, but for the probe it is given."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """Does a build show the bug?"""

    BAD = "bad"
    GOOD = "good"


Probe = Callable[[str], State | None]
"""Runs one build, by its id; None if it gives no verdict (not to be had, inconclusive)."""


class NoBothSidesError(Exception):
    """The ends do not differ as wanted; the text says what they show."""


@dataclass(frozen=True)
class Change:
    """The outcome changes from `before` to `after`, neighbours among the builds with a verdict.

    `runs` is how often each build was run, `without_verdict` what was passed over.
    """

    before: str
    after: str
    runs: dict[str, int]
    without_verdict: tuple[str, ...]


class Search:
    """A search over `builds`, oldest first, the oldest in the state `first`.

    The ends are run first. The two neighbours found are run a second time, and a third time
    where that disagrees; the majority counts, and the search goes on if it changed anything.
    """

    def __init__(self, builds: Sequence[str], first: State, probe: Probe) -> None:
        self._left = list(builds)
        self._first = first
        self._probe = probe
        self._seen: dict[str, list[State]] = {}
        self._without: list[str] = []

    def run(self) -> Change:
        """Find the change. Raises NoBothSidesError."""
        while True:
            self._check_ends()
            before, after = self._narrowed()
            if self._settled(before) and self._settled(after):
                runs = {build: len(states) for build, states in self._seen.items()}
                return Change(before, after, runs, tuple(self._without))

    def _check_ends(self) -> None:
        while self._left and self._state(self._left[0]) is None:
            self._drop(self._left[0])
        while self._left and self._state(self._left[-1]) is None:
            self._drop(self._left[-1])
        if not self._left:
            raise NoBothSidesError("no build of it gave a verdict")
        oldest, newest = self._left[0], self._left[-1]
        if self._state(oldest) is not self._first or self._state(newest) is self._first:
            raise NoBothSidesError(
                f"{oldest} is {self._state(oldest)}, {newest} is {self._state(newest)}"
            )

    def _narrowed(self) -> tuple[str, str]:
        low, high = 0, len(self._left) - 1
        while high - low > 1:
            middle = (low + high) // 2
            state = self._state(self._left[middle])
            if state is None:
                self._drop(self._left[middle])
                high -= 1
            elif state is self._first:
                low = middle
            else:
                high = middle
        return self._left[low], self._left[high]

    def _settled(self, build: str) -> bool:
        """Run a neighbour of the change again; did that leave its state as it was?"""
        states = self._seen[build]
        before = self._state(build)
        if len(states) == 1:
            self._again(build)
        if len(set(states)) > 1 and len(states) == 2:
            self._again(build)
        return self._state(build) is before

    def _again(self, build: str) -> None:
        state = self._probe(build)
        if state is not None:
            self._seen[build].append(state)

    def _state(self, build: str) -> State | None:
        """What most runs of a build said, the first one where there is a tie."""
        if build not in self._seen:
            state = self._probe(build)
            if state is None:
                return None
            self._seen[build] = [state]
        states = self._seen[build]
        return max(states, key=states.count)

    def _drop(self, build: str) -> None:
        self._left.remove(build)
        self._without.append(build)

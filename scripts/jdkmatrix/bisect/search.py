# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Between which two neighbours does an outcome change? Pure, apart from the probe."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from jdkmatrix.errors import NothingRanError


class BugState(StrEnum):
    """Whether a build shows the bug."""

    BAD = "bad"
    GOOD = "good"


class NoVerdict(StrEnum):
    """Why a build gave no verdict."""

    THIS_TIME = "this time"  # inconclusive: another run may decide
    FINAL = "final"  # not applicable: each run would say the same


Probe = Callable[[str], BugState | NoVerdict]
"""Runs one build once, by its id. Raises NothingRanError if the build is not available."""

# How often a build without a verdict is run in all before it is passed over.
_MOST_TRIES = 3


class NoBothSidesError(Exception):
    """The ends do not differ as wanted; the text says what they show.

    `ends` is the state of each end, empty if no build gave a verdict; `runs` is as in
    `OutcomeChange`.
    `not_run` is the reason for each build that could not be run: with it the ends might have
    differed.
    """

    def __init__(
        self, text: str, ends: dict[str, BugState], runs: dict[str, int], not_run: dict[str, str]
    ) -> None:
        super().__init__(text)
        self.ends = ends
        self.runs = runs
        self.not_run = not_run


@dataclass(frozen=True)
class OutcomeChange:
    """The outcome changes from `older` to `newer`, neighbours among the builds with a verdict.

    `runs` is how often each build was run, with or without a verdict; `without_verdict` are the
    builds that were passed over.
    """

    older: str
    newer: str
    runs: dict[str, int]
    without_verdict: tuple[str, ...]


class Search:
    """A search over `builds`, oldest first; the oldest should be in the state `first`.

    The ends are run first. An end in the wrong state and the two neighbours found are run a second
    time, and a third time if the two runs disagree. The majority counts; the search continues
    if that changed a state.
    """

    def __init__(self, builds: Sequence[str], first: BugState, probe: Probe) -> None:
        self._builds = list(builds)
        self._first = first
        self._probe = probe
        self._states: dict[str, list[BugState]] = {}
        self._passed_over: list[str] = []
        self._runs: Counter[str] = Counter()
        self._not_run: dict[str, str] = {}

    def run(self) -> OutcomeChange:
        """Find the change. Raises NoBothSidesError."""
        while True:
            self._check_ends()
            older, newer = self._narrow()
            if self._settle(older) and self._settle(newer):
                return OutcomeChange(older, newer, dict(self._runs), tuple(self._passed_over))

    @property
    def bracket(self) -> tuple[str, str]:
        """The two builds between which the change lies, as far as is known; initially the ends."""
        builds_run = [build for build in self._builds if build in self._states]
        first_side = [build for build in builds_run if self._seen_most(build) is self._first]
        other_side = [build for build in builds_run if self._seen_most(build) is not self._first]
        older = first_side[-1] if first_side else self._builds[0]
        return older, other_side[0] if other_side else self._builds[-1]

    def _check_ends(self) -> None:
        while self._builds and self._state(self._builds[0]) is None:
            self._drop(self._builds[0])
        while self._builds and self._state(self._builds[-1]) is None:
            self._drop(self._builds[-1])
        if not self._builds:
            raise self._no_both_sides("no build gave a verdict", {})
        oldest, newest = self._builds[0], self._builds[-1]
        if not self._ends_differ(oldest, newest):
            self._doubt(oldest, as_first=True)
            self._doubt(newest, as_first=False)
        if not self._ends_differ(oldest, newest):
            ends = {end: self._seen_most(end) for end in (oldest, newest)}
            states = ", ".join(f"{end} is {state}" for end, state in ends.items())
            raise self._no_both_sides(states, ends)

    def _no_both_sides(self, text: str, ends: dict[str, BugState]) -> NoBothSidesError:
        return NoBothSidesError(text, ends, dict(self._runs), dict(self._not_run))

    def _ends_differ(self, oldest: str, newest: str) -> bool:
        return self._state(oldest) is self._first and self._state(newest) is not self._first

    def _doubt(self, end: str, *, as_first: bool) -> None:
        """Run an end again if it is in the wrong state."""
        if (self._state(end) is self._first) is not as_first:
            self._settle(end)

    def _narrow(self) -> tuple[str, str]:
        low, high = 0, len(self._builds) - 1
        while high - low > 1:
            middle = (low + high) // 2
            state = self._state(self._builds[middle])
            if state is None:
                self._drop(self._builds[middle])
                high -= 1
            elif state is self._first:
                low = middle
            else:
                high = middle
        return self._builds[low], self._builds[high]

    def _settle(self, build: str) -> bool:
        """Run a neighbour of the change again; True if its state stayed the same."""
        states = self._states[build]
        state = self._seen_most(build)
        if len(states) == 1:
            self._rerun(build)
        if len(set(states)) > 1 and len(states) == 2:
            self._rerun(build)
        return self._seen_most(build) is state

    def _rerun(self, build: str) -> None:
        for _ in range(_MOST_TRIES):
            try:
                answer = self._probe(build)
            except NothingRanError as error:
                self._runs[build] += 0
                if build not in self._states:
                    self._not_run[build] = str(error)
                return
            self._runs[build] += 1
            if isinstance(answer, BugState):
                self._states.setdefault(build, []).append(answer)
            if answer is not NoVerdict.THIS_TIME:
                return

    def _state(self, build: str) -> BugState | None:
        """The state in most runs of a build, which is run if it was not yet; None if no verdict."""
        if build not in self._states:
            self._rerun(build)
        return self._seen_most(build) if build in self._states else None

    def _seen_most(self, build: str) -> BugState:
        """The most frequent state; in a tie, the one seen first."""
        states = self._states[build]
        return max(states, key=states.count)

    def _drop(self, build: str) -> None:
        self._builds.remove(build)
        self._passed_over.append(build)

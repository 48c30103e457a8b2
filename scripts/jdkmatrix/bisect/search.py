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
    NEVER = "never"  # not applicable: each run would say the same


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
    """The outcome changes from `before` to `after`, neighbours among the builds with a verdict.

    `runs` is how often each build was run, with or without a verdict; `without_verdict` are the
    builds that were passed over.
    """

    before: str
    after: str
    runs: dict[str, int]
    without_verdict: tuple[str, ...]


class Search:
    """A search over `builds`, oldest first; the oldest should be in the state `first`.

    The ends are run first. An end in the wrong state and the two neighbours found are run a second
    time, and a third time if the two runs disagree. The majority counts; the search continues
    if that changed a state.
    """

    def __init__(self, builds: Sequence[str], first: BugState, probe: Probe) -> None:
        self._left = list(builds)
        self._first = first
        self._probe = probe
        self._seen: dict[str, list[BugState]] = {}
        self._without: list[str] = []
        self._runs: Counter[str] = Counter()
        self._not_run: dict[str, str] = {}

    def run(self) -> OutcomeChange:
        """Find the change. Raises NoBothSidesError."""
        while True:
            self._check_ends()
            before, after = self._narrowed()
            if self._settled(before) and self._settled(after):
                return OutcomeChange(before, after, dict(self._runs), tuple(self._without))

    @property
    def narrowed(self) -> tuple[str, str]:
        """The two builds between which the change lies, as far as is known; initially the ends."""
        seen = [build for build in self._left if build in self._seen]
        befores = [build for build in seen if self._seen_most(build) is self._first]
        afters = [build for build in seen if self._seen_most(build) is not self._first]
        before = befores[-1] if befores else self._left[0]
        return before, afters[0] if afters else self._left[-1]

    def _check_ends(self) -> None:
        while self._left and self._state(self._left[0]) is None:
            self._drop(self._left[0])
        while self._left and self._state(self._left[-1]) is None:
            self._drop(self._left[-1])
        if not self._left:
            raise self._no_both_sides("no build gave a verdict", {})
        oldest, newest = self._left[0], self._left[-1]
        if not self._ends_differ(oldest, newest):
            self._doubt(oldest, as_first=True)
            self._doubt(newest, as_first=False)
        if not self._ends_differ(oldest, newest):
            ends = {end: self._seen_most(end) for end in (oldest, newest)}
            found = ", ".join(f"{end} is {state}" for end, state in ends.items())
            raise self._no_both_sides(found, ends)

    def _no_both_sides(self, text: str, ends: dict[str, BugState]) -> NoBothSidesError:
        return NoBothSidesError(text, ends, dict(self._runs), dict(self._not_run))

    def _ends_differ(self, oldest: str, newest: str) -> bool:
        return self._state(oldest) is self._first and self._state(newest) is not self._first

    def _doubt(self, end: str, *, as_first: bool) -> None:
        """Run an end again if it is in the wrong state."""
        if (self._state(end) is self._first) is not as_first:
            self._settled(end)

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
        """Run a neighbour of the change again; True if its state stayed the same."""
        states = self._seen[build]
        before = self._seen_most(build)
        if len(states) == 1:
            self._again(build)
        if len(set(states)) > 1 and len(states) == 2:
            self._again(build)
        return self._seen_most(build) is before

    def _again(self, build: str) -> None:
        for _ in range(_MOST_TRIES):
            try:
                said = self._probe(build)
            except NothingRanError as error:
                self._runs[build] += 0
                if build not in self._seen:
                    self._not_run[build] = str(error)
                return
            self._runs[build] += 1
            if isinstance(said, BugState):
                self._seen.setdefault(build, []).append(said)
            if said is not NoVerdict.THIS_TIME:
                return

    def _state(self, build: str) -> BugState | None:
        """The state in most runs of a build, which is run if it was not yet; None if no verdict."""
        if build not in self._seen:
            self._again(build)
        return self._seen_most(build) if build in self._seen else None

    def _seen_most(self, build: str) -> BugState:
        """The most frequent state; in a tie, the one seen first."""
        states = self._seen[build]
        return max(states, key=states.count)

    def _drop(self, build: str) -> None:
        self._left.remove(build)
        self._without.append(build)

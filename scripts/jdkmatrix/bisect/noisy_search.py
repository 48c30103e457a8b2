# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which builds of a release line are bad, if a bad one fails only now and then? Pure.

A Bayesian search. A hypothesis is a stretch of bad builds, from the first bad one to the one before
the first fixed one, and how often those fail; a good build fails hardly ever. Each run makes some
hypotheses less likely. The next build to run is the one whose answer is expected to tell most
(mutual information); the search ends once one stretch is as likely as was asked for. So each answer
counts for what it is worth: a failure for nearly everything, a pass for little where failures are
rare. `test_noisy_search.py` holds the stated error against a simulation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

# How often a bad build may fail, and how likely each is beforehand: most bugs show always.
_RATES = ((0.999, 6.0), (0.8, 1.0), (0.6, 1.0), (0.45, 1.0), (0.3, 1.5), (0.2, 1.5), (0.12, 1.5))
LOWEST_RATE = min(rate for rate, _ in _RATES)
# A good build that fails all the same: a machine out of memory, a port taken.
_FALSE_RATE = 0.002
# A bug came or went in the line, once; then: it did neither, or both.
_PRIORS = {"one": 0.8, "none": 0.1, "two": 0.1}
_SAFETY = 0.5
MOST_RUNS = 400


@dataclass(frozen=True)
class BadStretch:
    """The builds that fail: from `first_bad` to before `first_fixed`, each None if the line does
    not show it. `is_bad` is False if none fails. `last_good` and `last_bad` are the builds before
    these two. `runs` is how often each build was run, `failures` how often it failed.
    """

    is_bad: bool
    first_bad: str | None
    first_fixed: str | None
    last_good: str | None
    last_bad: str | None
    probability: float
    runs: dict[str, int]
    failures: dict[str, int]


class NoisySearch:
    """A search among `builds`, oldest first, at least two; it may be wrong with probability
    `error`.
    """

    def __init__(self, builds: Sequence[str], error: float) -> None:
        self._builds = list(builds)
        self._enough = 1 - _SAFETY * error
        self._trials: list[tuple[str, bool]] = []
        self._prepare()

    def next_build(self) -> str | None:
        """The build to run next; None once a stretch is likely enough, or all is lost."""
        if self.probability >= self._enough or not self._builds or len(self._trials) >= MOST_RUNS:
            return None
        gains = self._gains()
        return self._builds[gains.index(max(gains))]

    def add(self, build: str, *, is_failure: bool) -> None:
        """Take the answer of one run."""
        self._trials.append((build, is_failure))
        self._weigh(self._builds.index(build), is_failure=is_failure)

    def drop(self, build: str) -> None:
        """Leave out a build that gives no answer."""
        self._builds.remove(build)
        self._trials = [trial for trial in self._trials if trial[0] != build]
        self._prepare()

    @property
    def probability(self) -> float:
        """That of the likeliest stretch."""
        return max(map(sum, self._weights), default=0.0)

    @property
    def has_builds(self) -> bool:
        """Has any build given an answer, or may yet?"""
        return bool(self._builds)

    @property
    def is_decided(self) -> bool:
        """Is a stretch as likely as was asked for?"""
        return bool(self._builds) and self.probability >= self._enough

    @property
    def stretch(self) -> BadStretch:
        """The likeliest stretch."""
        sums = list(map(sum, self._weights))
        start, end = self._stretches[sums.index(max(sums))]
        builds, is_bad = self._builds, end > start
        runs = dict.fromkeys(builds, 0)
        failures = dict(runs)
        for build, is_failure in self._trials:
            runs[build] += 1
            failures[build] += is_failure
        has_start, has_end = is_bad and start > 0, is_bad and end < len(builds)
        return BadStretch(
            is_bad,
            builds[start] if has_start else None,
            builds[end] if has_end else None,
            builds[start - 1] if has_start else None,
            builds[end - 1] if has_end else None,
            max(sums),
            runs,
            failures,
        )

    def _prepare(self) -> None:
        count = len(self._builds)
        self._stretches = [(0, 0)]
        self._stretches += [
            (start, end) for start in range(count) for end in range(start + 1, count + 1)
        ]
        kinds = [_kind(stretch, count) for stretch in self._stretches]
        shares = {kind: share / max(1, kinds.count(kind)) for kind, share in _PRIORS.items()}
        total = sum(weight for _, weight in _RATES)
        self._weights = [[shares[kind] * weight / total for _, weight in _RATES] for kind in kinds]
        self._normalize()
        for build, is_failure in self._trials:
            self._weigh(self._builds.index(build), is_failure=is_failure)

    def _weigh(self, place: int, *, is_failure: bool) -> None:
        good = _FALSE_RATE if is_failure else 1 - _FALSE_RATE
        bad = [rate if is_failure else 1 - rate for rate, _ in _RATES]
        for (start, end), weights in zip(self._stretches, self._weights, strict=True):
            if start <= place < end:
                weights[:] = [w * chance for w, chance in zip(weights, bad, strict=True)]
            else:
                weights[:] = [w * good for w in weights]
        self._normalize()

    def _normalize(self) -> None:
        total = sum(map(sum, self._weights))
        for weights in self._weights:
            weights[:] = [w / total for w in weights]

    def _gains(self) -> list[float]:
        """What a run of each build is expected to tell of the stretch, in nats."""
        count = len(self._builds)
        good_entropy = _entropy(_FALSE_RATE)
        # Differences along the builds, summed up below: a stretch adds at its start what it takes
        # away at its end.
        rates, entropies = [0.0] * (count + 1), [0.0] * (count + 1)
        for (start, end), weights in zip(self._stretches, self._weights, strict=True):
            mass = sum(weights)
            if end == start or mass < 1e-12:
                continue
            rate = sum(w * r for w, (r, _) in zip(weights, _RATES, strict=True)) / mass
            for amounts, bad, good in (
                (rates, rate, _FALSE_RATE),
                (entropies, _entropy(rate), good_entropy),
            ):
                amounts[start] += mass * (bad - good)
                amounts[end] -= mass * (bad - good)
        gains, rate, entropy = [], _FALSE_RATE, good_entropy
        for place in range(count):
            rate += rates[place]
            entropy += entropies[place]
            gains.append(_entropy(min(max(rate, 1e-9), 1 - 1e-9)) - entropy)
        return gains


def _kind(stretch: tuple[int, int], count: int) -> str:
    start, end = stretch
    if (start, end) in ((0, 0), (0, count)):
        return "none"
    return "one" if start == 0 or end == count else "two"


def _entropy(rate: float) -> float:
    return -rate * log(rate) - (1 - rate) * log(1 - rate)

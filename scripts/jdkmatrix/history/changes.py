# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""When did a nightly figure change? Pure: numbers in, change points out."""

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from statistics import median

# This many nights must agree on each side: one or two spikes are no change.
MIN_SEGMENT_RUNS = 4
# Values nearer than this (in the kernel's exponent) are as different as this, as in ruptures.
_LEAST_EXPONENT = 0.01
# Up to this many values in one sample, and without ties, all orders are counted, as in SciPy.
_MOST_EXACT = 8


@dataclass(frozen=True)
class StepThreshold:
    """How a figure is watched. Values below `floor`, in its unit, are not told apart.

    A step below `least_step` (a ratio) is ignored, however certain it is.
    """

    floor: float
    least_step: float


# Absolute figures drift by tens of percent within a minute. Blocked time of
# a fixed build is mostly chance: tenths of a second in all its threads together.
_ABSOLUTE = StepThreshold(floor=1.0, least_step=1.25)
_BLOCKED = StepThreshold(floor=500.0, least_step=2.0)
_RATIO = StepThreshold(floor=0.001, least_step=1.15)
# Sets how large a step must be, in night-to-night noise; see tests/history/test_changes.py.
_PENALTY = 1.0
# The kernel of two values falls to 1/e where they differ by 3.2 times that noise.
_GAMMA = 0.1
# The least noise that is assumed (log ratio), however quiet a series is.
_LEAST_NOISE = 0.02
_SIGNIFICANCE = 0.01


@dataclass(frozen=True)
class FigureStep:
    """From point `index` on, the figure's median is `new_median` instead of `old_median`."""

    index: int
    old_median: float
    new_median: float
    runs_before: int
    runs_after: int


def watch_of(figure: str) -> StepThreshold:
    """How to watch a figure of the view `points`."""
    if figure == "blocked-ms":
        return _BLOCKED
    return _RATIO if figure.endswith("-ratio") else _ABSOLUTE


def find_changes(points: Sequence[float], figure: str) -> tuple[FigureStep, ...]:
    """The change points of a series of non-negative figures, oldest first.

    Steps are searched on logarithms, as figures vary by ratios, in units of the night-to-night
    noise. Each must then be confirmed by its size, by `MIN_SEGMENT_RUNS` nights on each side, and
    by a rank test of the two sides.
    """
    if len(points) < 2 * MIN_SEGMENT_RUNS:
        return ()
    watch = watch_of(figure)
    logs = [math.log(max(point, 0) + watch.floor) for point in points]
    noise = max(_noise(logs), _LEAST_NOISE)
    ends = segment_ends(
        [log / noise for log in logs],
        gamma=_GAMMA,
        penalty=_PENALTY * math.log(len(logs)),
        least_length=MIN_SEGMENT_RUNS,
    )
    changes = []
    for first, middle, last in zip([0, *ends], ends, ends[1:], strict=False):
        old, new = points[first:middle], points[middle:last]
        if _is_confirmed(old, new, watch):
            sides = float(median(old)), float(median(new))
            changes.append(FigureStep(middle, *sides, len(old), len(new)))
    return tuple(changes)


def _noise(logs: Sequence[float]) -> float:
    """The night-to-night noise: a step changes one difference only, so the median ignores it."""
    return median(abs(b - a) for a, b in pairwise(logs)) / (0.6745 * math.sqrt(2))


def _is_confirmed(old: Sequence[float], new: Sequence[float], watch: StepThreshold) -> bool:
    low, high = sorted((median(old) + watch.floor, median(new) + watch.floor))
    if high / low < watch.least_step:
        return False
    middle = (median(old) + median(new)) / 2
    rises = median(new) > median(old)
    agreeing = (
        sum((point < middle) == rises for point in old),
        sum((point > middle) == rises for point in new),
    )
    if min(agreeing) < MIN_SEGMENT_RUNS:
        return False
    return rank_test(old, new) < _SIGNIFICANCE


def segment_ends(
    points: Sequence[float], *, gamma: float, penalty: float, least_length: int
) -> list[int]:
    """Where the segments of a series end, the last at the series' end.

    The kernel of two values is exp(-gamma * difference**2), `penalty` is what each segment costs
    besides, `least_length` how many values it has. Takes time with the square of the length.
    """
    scale = math.sqrt(gamma)
    levels = [point * scale for point in points]
    self_kernel = math.exp(-_LEAST_EXPONENT)  # the kernel of a value and itself
    # Of the values up to each end: the least cost, and where the last segment begins then.
    costs, begins = [0.0], [0]
    # Of each begin: the kernel's sum over all pairs of values from there to the current end.
    sums: list[float] = []
    first = 0  # an earlier begin costs too much
    for end, level in enumerate(levels, 1):
        sums.append(0.0)
        differences = [level - earlier for earlier in reversed(levels[first:end])]
        kernels = [
            math.exp(-square) if (square := d * d) > _LEAST_EXPONENT else self_kernel
            for d in differences
        ]
        kernel_sums = list(accumulate(kernels))[::-1]
        sums[first:] = [
            s + 2 * a - self_kernel for s, a in zip(sums[first:], kernel_sums, strict=True)
        ]
        possible = [first, *range(max(first + 1, least_length), end - least_length + 1)]
        totals = [costs[b] + self_kernel * (end - b) - sums[b] / (end - b) for b in possible]
        minimum = min(totals)
        costs.append(minimum + penalty)
        begins.append(possible[totals.index(minimum)])
        first = next(b for b, t in zip(possible, totals, strict=True) if t < costs[end])
    ends = [len(points)]
    while begin := begins[ends[-1]]:
        ends.append(begin)
    return ends[::-1]


def rank_test(first: Sequence[float], second: Sequence[float]) -> float:
    """The probability that samples of one distribution differ at least as much as these two.

    Neither may be empty. With ties, or more than `_MOST_EXACT` values in both, it is the normal
    approximation, corrected for ties and for continuity.
    """
    ascending = sorted(second)
    # Pairs in which the first sample's value is greater; an equal pair is half of one.
    pairs = (
        sum(bisect_left(ascending, number) + bisect_right(ascending, number) for number in first)
        / 2
    )
    all_pairs = len(first) * len(second)
    greater = max(pairs, all_pairs - pairs)
    ties = [count for count in Counter([*first, *second]).values() if count > 1]
    if ties or min(len(first), len(second)) > _MOST_EXACT:
        return _approximate(greater, len(first), len(second), ties)
    return _exact(round(all_pairs - greater), len(first), len(second))


def _approximate(greater: float, first: int, second: int, ties: Sequence[int]) -> float:
    count = first + second
    tie_term = sum(size**3 - size for size in ties) / (count * (count - 1))
    variance = first * second / 12 * (count + 1 - tie_term)
    if variance <= 0:  # all values are equal
        return 1.0
    deviations = (greater - first * second / 2 - 0.5) / math.sqrt(variance)
    return min(1.0, math.erfc(deviations / math.sqrt(2)))


def _exact(fewest: int, first: int, second: int) -> float:
    """Twice the share of all orders of the values in which this few pairs, or fewer, are greater.

    The number of orders with n such pairs is the coefficient of q**n in the Gaussian binomial
    coefficient: the product of (1 - q**(larger + k)) / (1 - q**k), of which `fewest` terms suffice.
    """
    smaller, larger = sorted((first, second))
    orders = [1, *[0] * fewest]
    for k in range(1, smaller + 1):
        for n in range(fewest, larger + k - 1, -1):
            orders[n] -= orders[n - larger - k]
        for n in range(k, fewest + 1):
            orders[n] += orders[n - k]
    return min(1.0, 2 * sum(orders) / math.comb(first + second, first))

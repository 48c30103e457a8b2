# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""When did a nightly figure change? Pure: numbers in, change points out."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from jdkmatrix.history.rank_test import rank_test
from jdkmatrix.history.steps import segment_ends

# This many nights must agree on each side: one or two spikes are no change.
MIN_SEGMENT_RUNS = 4


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

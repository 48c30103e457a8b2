# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Since when is a nightly figure different? Pure: numbers in, change points out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import ruptures
from scipy.stats import mannwhitneyu

FloatArray = npt.NDArray[np.float64]

# So many nights must agree on each side: one spike, or two, is no change.
MIN_SEGMENT_RUNS = 4
# A step below this is not worth a look, however certain (DESIGN.md section 5: absolute figures
# drift by tens of percent within a minute).
MIN_STEP_RATIO = 1.25
_SIGNIFICANCE = 0.05


@dataclass(frozen=True)
class Change:
    """From the point with this index on the figure's median is `after` instead of `before`."""

    index: int
    before: float
    after: float

    @property
    def ratio(self) -> float:
        """`after` to `before`, both counted from 1 up so that a zero has a ratio too."""
        return (1 + self.after) / (1 + self.before)


def find_changes(values: Sequence[float]) -> tuple[Change, ...]:
    """The change points of a series of non-negative figures, oldest first.

    PELT (Killick et al. 2012) with the L1 cost, whose medians one spike does not move, on
    logarithms, as figures spread by ratios; each step is then confirmed by its size and by a
    Mann-Whitney test of the two sides.
    """
    if len(values) < 2 * MIN_SEGMENT_RUNS:
        return ()
    logs = np.log1p(np.asarray(values, dtype=float))
    penalty = 3 * max(_spread(logs), 0.02) * np.log(len(logs))
    search = ruptures.Pelt(model="l1", min_size=MIN_SEGMENT_RUNS, jump=1).fit(logs)
    ends = search.predict(pen=penalty)
    begins = [0, *ends[:-1]]
    changes: list[Change] = []
    for (first, middle), last in zip(zip(begins, ends, strict=True), ends[1:], strict=False):
        before, after = values[first:middle], values[middle:last]
        change = Change(middle, float(np.median(before)), float(np.median(after)))
        if _is_confirmed(change, before, after):
            changes.append(change)
    return tuple(changes)


def _spread(logs: FloatArray) -> float:
    """The night-to-night noise: a step changes one difference only, so the median ignores it."""
    return float(np.median(np.abs(np.diff(logs))) / (0.6745 * np.sqrt(2)))


def _is_confirmed(change: Change, before: Sequence[float], after: Sequence[float]) -> bool:
    if max(change.ratio, 1 / change.ratio) < MIN_STEP_RATIO:
        return False
    middle = (change.before + change.after) / 2
    sides = (
        sum((value > middle) == (change.before > middle) for value in before),
        sum((value > middle) == (change.after > middle) for value in after),
    )
    if min(sides) < MIN_SEGMENT_RUNS:
        return False
    return bool(mannwhitneyu(before, after).pvalue < _SIGNIFICANCE)

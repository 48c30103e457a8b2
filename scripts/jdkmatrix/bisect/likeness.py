# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a build as fast as the good end of a bisection, or as slow as the bad one? Pure."""

import math
from dataclasses import dataclass

from jdkmatrix.bisect.search import BugState
from jdkmatrix.results.speed import FigureResult, ThroughputResult
from jdkmatrix.vocabulary import Metric, SpeedGrade


@dataclass(frozen=True)
class Slowdown:
    """How much a bad build loses to the good one: the figure, and the log of its ratio, not 0."""

    metric: Metric
    log_ratio: float

    def state_of(self, comparison: ThroughputResult) -> BugState | None:
        """Bad if slower and nearer to the bad end, good if the whole interval is nearer to good.

        None otherwise. Halfway is meant in logs: for a slow-down to 1 % it is at 10 %. A build that
        is a little slower for another reason is therefore not taken for one with the fault.
        """
        figure = _figure(comparison, self.metric)
        if figure is None or figure.ci95 is None or figure.ratio is None:
            return None
        if all(self._way(bound) < 0.5 for bound in figure.ci95):
            return BugState.GOOD
        slower = figure.grade is SpeedGrade.SLOWER
        return BugState.BAD if slower and self._way(figure.ratio) > 0.5 else None

    def _way(self, ratio: float) -> float:
        """How far a ratio is from the good end (0) to the bad one (1)."""
        return math.log(ratio) / self.log_ratio


def slowdown_of(comparison: ThroughputResult) -> Slowdown | None:
    """The slow-down of a build that is graded slower; None for any other."""
    figure = _figure(comparison, comparison.graded_by)
    if comparison.grade is not SpeedGrade.SLOWER or figure is None or not figure.ratio:
        return None
    return Slowdown(figure.metric, math.log(figure.ratio))


def _figure(comparison: ThroughputResult, metric: Metric) -> FigureResult | None:
    return next((figure for figure in comparison.figures if figure.metric == metric), None)

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do ratios compare with the baseline against itself? Pure: dots and intervals of one plot.

All comparisons share one axis, on which better is to the right: a cost is drawn by what the
baseline's is of the build's. Places are percentages of the width; an end beyond the axis is put at
its edge.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jdkmatrix.plan.blocks import BASELINE, CONTROL
from jdkmatrix.report.page.scale import LogScale
from jdkmatrix.results.speed import FigureResult, Interval, ThroughputResult
from jdkmatrix.verdict.ratio import Triple, block_ratios

# The axis ends at the first factor, and what lies beyond is put at its edge: one build that hardly
# moves must not squeeze the others. An interval, which may be endless, widens it to the second.
_MOST_FACTOR = 4.0
_MOST_OF_INTERVAL = 2.0
# On a wider axis half a minimum effect would not be seen, nor noise as such on a narrower one.
_LEAST_FACTOR = 1.25


@dataclass(frozen=True)
class Span:
    """From `low` to `high` percent; `clipped` if an end lies beyond the axis."""

    low: float
    high: float
    clipped_low: bool
    clipped_high: bool

    @property
    def width(self) -> float:
        """The width in percent."""
        return round(self.high - self.low, 2)


@dataclass(frozen=True)
class ForestRow:
    """One figure of one build. `blocks` are the ratios of single blocks. A dot `is_clipped`
    if it lies beyond the axis.
    """

    comparison: ThroughputResult
    figure: FigureResult
    dot: float | None
    is_clipped: bool
    interval: Span | None
    control: Span | None
    blocks: tuple[float, ...]


@dataclass(frozen=True)
class Forest:
    """The figures of all comparisons on one axis; `baseline` is theirs, None if they differ."""

    baseline: str | None
    ticks: tuple[tuple[float, float], ...]
    unity: float
    rows: tuple[ForestRow, ...]

    @property
    def comparisons(self) -> tuple[ThroughputResult, ...]:
        """The throughput cells of its rows, each once."""
        return tuple(row.comparison for row in self.rows if row.figure is row.comparison.figures[0])


def forest_of(comparisons: Sequence[ThroughputResult]) -> Forest | None:
    """The plot of all comparisons, by scenario, client and baseline in the order of the results.

    None where nothing was compared.
    """
    if not comparisons:
        return None
    order = list(dict.fromkeys(map(_comparison, comparisons)))
    in_order = sorted(comparisons, key=lambda comparison: order.index(_comparison(comparison)))
    figures = [figure for comparison in in_order for figure in comparison.figures]
    scale = LogScale.around_one(
        (number for figure in figures for number in _numbers(figure)),
        least_factor=_LEAST_FACTOR,
        most_factor=_MOST_FACTOR,
    )
    baselines = {comparison.baseline for comparison in comparisons}
    return Forest(
        baseline=baselines.pop() if len(baselines) == 1 else None,
        ticks=tuple((tick, scale.percent(tick)) for tick in scale.ticks),
        unity=scale.percent(1.0),
        rows=tuple(
            _row(comparison, figure, scale)
            for comparison in in_order
            for figure in comparison.figures
        ),
    )


def _comparison(comparison: ThroughputResult) -> tuple[str, str, str]:
    return comparison.scenario, comparison.client, comparison.baseline


def _numbers(figure: FigureResult) -> Iterator[float]:
    if figure.ratio is not None:
        yield _goodness(figure.ratio, figure)
    for bounds in (figure.ci95, figure.control):
        for bound in bounds or ():
            goodness = _goodness(bound, figure)
            yield min(max(goodness, 1 / _MOST_OF_INTERVAL), _MOST_OF_INTERVAL)


def _goodness(ratio: float, figure: FigureResult) -> float:
    """The ratio, or of a cost its inverse; endless for none."""
    if figure.higher_is_better:
        return ratio
    return 1 / ratio if ratio > 0 else math.inf


def _row(comparison: ThroughputResult, figure: FigureResult, scale: LogScale) -> ForestRow:
    goodness = None if figure.ratio is None else _goodness(figure.ratio, figure)
    return ForestRow(
        comparison=comparison,
        figure=figure,
        dot=None if goodness is None else scale.percent(goodness),
        is_clipped=goodness is not None and not scale.shows(goodness),
        interval=_span(figure.ci95, figure, scale),
        control=_span(figure.control, figure, scale),
        blocks=tuple(
            scale.percent(_goodness(ratio, figure))
            for ratio in block_ratios(_triples(comparison, figure))
        ),
    )


def _span(bounds: Interval | None, figure: FigureResult, scale: LogScale) -> Span | None:
    if bounds is None:
        return None
    low, high = sorted(_goodness(bound, figure) for bound in bounds)
    return Span(scale.percent(low), scale.percent(high), low < scale.low, high > scale.high)


def _triples(comparison: ThroughputResult, figure: FigureResult) -> list[Triple]:
    figures = {(s.block, s.arm): s.figures for s in comparison.samples if s.is_counted}
    triples = []
    for block in dict.fromkeys(number for number, _ in figures):
        arms = [figures.get((block, arm), {}) for arm in (BASELINE, CONTROL, comparison.build)]
        numbers = [arm[figure.metric] for arm in arms if figure.metric in arm]
        if len(numbers) == len(arms):
            triples.append(Triple(*numbers))
    return triples

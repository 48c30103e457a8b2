# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do ratios compare with the baseline against itself? Pure: dots and intervals of a plot.

Places are percentages of the width; an end beyond the axis is put at its edge.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from jdkmatrix.plan.blocks import BASELINE, CONTROL
from jdkmatrix.report.page.scale import LogScale
from jdkmatrix.results.speed import FigureResult, Interval, ThroughputResult
from jdkmatrix.verdict.ratio import Triple, block_ratios

# One row's interval may be endless; the plot shows what lies within this factor of 1.
_MOST_FACTOR = 1000.0
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
    """One figure of one build. `blocks` are the ratios of single blocks."""

    comparison: ThroughputResult
    figure: FigureResult
    dot: float | None
    interval: Span | None
    control: Span | None
    blocks: tuple[float, ...]


@dataclass(frozen=True)
class Forest:
    """The figures of one scenario and client against one baseline, on one axis."""

    scenario: str
    client: str
    baseline: str
    ticks: tuple[tuple[float, float], ...]
    unity: float
    rows: tuple[ForestRow, ...]

    @property
    def comparisons(self) -> tuple[ThroughputResult, ...]:
        """The throughput cells of its rows, each once."""
        return tuple(row.comparison for row in self.rows if row.figure is row.comparison.figures[0])


def forests_of(comparisons: Sequence[ThroughputResult]) -> tuple[Forest, ...]:
    """A plot for each scenario, client and baseline, in the order of the results."""
    order = list(dict.fromkeys(map(_comparison, comparisons)))
    in_order = sorted(comparisons, key=lambda comparison: order.index(_comparison(comparison)))
    return tuple(_forest(list(group)) for _, group in groupby(in_order, key=_comparison))


def _comparison(comparison: ThroughputResult) -> tuple[str, str, str]:
    return comparison.scenario, comparison.client, comparison.baseline


def _forest(comparisons: Sequence[ThroughputResult]) -> Forest:
    scale = LogScale.around_one(
        (ratio for cell in comparisons for figure in cell.figures for ratio in _ratios(figure)),
        least_factor=_LEAST_FACTOR,
        most_factor=_MOST_FACTOR,
    )
    return Forest(
        *_comparison(comparisons[0]),
        ticks=tuple((tick, scale.percent(tick)) for tick in scale.ticks),
        unity=scale.percent(1.0),
        rows=tuple(
            _row(comparison, figure, scale)
            for comparison in comparisons
            for figure in comparison.figures
        ),
    )


def _ratios(figure: FigureResult) -> Iterator[float]:
    if figure.ratio is not None:
        yield figure.ratio
    for bounds in (figure.ci95, figure.control):
        yield from bounds or ()


def _row(comparison: ThroughputResult, figure: FigureResult, scale: LogScale) -> ForestRow:
    return ForestRow(
        comparison=comparison,
        figure=figure,
        dot=None if figure.ratio is None else scale.percent(figure.ratio),
        interval=_span(figure.ci95, scale),
        control=_span(figure.control, scale),
        blocks=tuple(map(scale.percent, block_ratios(_triples(comparison, figure)))),
    )


def _span(bounds: Interval | None, scale: LogScale) -> Span | None:
    if bounds is None:
        return None
    low, high = bounds
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

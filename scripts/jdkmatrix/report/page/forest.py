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

    result: ThroughputResult
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
    one: float
    rows: tuple[ForestRow, ...]

    @property
    def results(self) -> tuple[ThroughputResult, ...]:
        """The throughput cells of its rows, each once."""
        return tuple(row.result for row in self.rows if row.figure is row.result.figures[0])


def forests_of(results: Sequence[ThroughputResult]) -> tuple[Forest, ...]:
    """A plot for each scenario, client and baseline, in the order of the results."""
    order = list(dict.fromkeys(map(_comparison, results)))
    ordered = sorted(results, key=lambda one: order.index(_comparison(one)))
    return tuple(_forest(list(group)) for _, group in groupby(ordered, key=_comparison))


def _comparison(one: ThroughputResult) -> tuple[str, str, str]:
    return one.scenario, one.client, one.baseline


def _forest(results: Sequence[ThroughputResult]) -> Forest:
    scale = LogScale.around(
        (value for one in results for figure in one.figures for value in _values(figure)),
        least_factor=_LEAST_FACTOR,
        most=_MOST_FACTOR,
    )
    return Forest(
        *_comparison(results[0]),
        ticks=tuple((value, scale.percent(value)) for value in scale.ticks),
        one=scale.percent(1.0),
        rows=tuple(_row(one, figure, scale) for one in results for figure in one.figures),
    )


def _values(figure: FigureResult) -> Iterator[float]:
    if figure.ratio is not None:
        yield figure.ratio
    for bounds in (figure.ci95, figure.control):
        yield from bounds or ()


def _row(one: ThroughputResult, figure: FigureResult, scale: LogScale) -> ForestRow:
    return ForestRow(
        result=one,
        figure=figure,
        dot=None if figure.ratio is None else scale.percent(figure.ratio),
        interval=_span(figure.ci95, scale),
        control=_span(figure.control, scale),
        blocks=tuple(map(scale.percent, block_ratios(_triples(one, figure)))),
    )


def _span(bounds: Interval | None, scale: LogScale) -> Span | None:
    if bounds is None:
        return None
    low, high = bounds
    return Span(scale.percent(low), scale.percent(high), low < scale.low, high > scale.high)


def _triples(one: ThroughputResult, figure: FigureResult) -> list[Triple]:
    counted = {(s.block, s.arm): s.figures for s in one.samples if s.counted}
    found = []
    for block in dict.fromkeys(number for number, _ in counted):
        arms = [counted.get((block, arm), {}) for arm in (BASELINE, CONTROL, one.build)]
        values = [arm[figure.metric] for arm in arms if figure.metric in arm]
        if len(values) == len(arms):
            found.append(Triple(*values))
    return found

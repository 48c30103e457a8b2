# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a figure look run by run, with its steps and what else changed? Pure: a plot's lines.

Places are percentages of the plot's width and height, from the upper left.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from jdkmatrix.history.answer import HistoryAnswer
from jdkmatrix.history.curves import HistoryCurve
from jdkmatrix.report.page.scale import LogScale, linear_ticks

_MOST_DATES = 8
_MOST_TICKS = 5
# For ratios: how far from 1 the axis reaches, at least and at most.
_LEAST_FACTOR = 1.25
_MOST_FACTOR = 1000.0


@dataclass(frozen=True)
class DrawnLine:
    """One build: a mark for each run that has a value."""

    name: str
    marks: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Plot:
    """A curve on its axes. `steps` and `environment` are the places between runs that differ."""

    curve: HistoryCurve
    ticks: tuple[tuple[float, float], ...]
    dates: tuple[tuple[str, float], ...]
    steps: tuple[float, ...]
    environment: tuple[float, ...]
    lines: tuple[DrawnLine, ...]


def plot_of(curve: HistoryCurve, answer: HistoryAnswer) -> Plot:
    """The curve over the runs of the answer, evenly spaced."""
    down, ticks = _axis(curve)
    runs = answer.runs

    def x_of(place: float) -> float:
        return round(100 * place / len(runs), 2)

    return Plot(
        curve=curve,
        ticks=tuple((tick, down(tick)) for tick in ticks),
        dates=tuple(
            (runs[place].started_at[:10], x_of(place + 0.5))
            for place in range(0, len(runs), -(-len(runs) // _MOST_DATES))
        ),
        steps=tuple(x_of(place) for place, _ in curve.steps),
        environment=tuple(x_of(place) for place, run in enumerate(runs) if run.environment),
        lines=tuple(
            DrawnLine(
                line.name,
                tuple(
                    (x_of(place + 0.5), down(point))
                    for place, point in enumerate(line.points)
                    if point is not None
                ),
            )
            for line in curve.lines
        ),
    )


def _axis(curve: HistoryCurve) -> tuple[Callable[[float], float], Sequence[float]]:
    """The place of a value, and the tick values: ratios around 1, everything else from 0."""
    numbers = [number for line in curve.lines for number in line.points if number is not None]
    if curve.figure.endswith("-ratio"):
        scale = LogScale.around_one(numbers, least_factor=_LEAST_FACTOR, most_factor=_MOST_FACTOR)
        return lambda number: round(100 - scale.percent(number), 2), scale.ticks
    high = 1.05 * max(numbers) or 1.0
    return lambda number: round(100 - 100 * number / high, 2), linear_ticks(high, _MOST_TICKS)

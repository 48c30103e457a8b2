# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does the law of a scenario compare with what was measured? Pure: the panels of a plot.

A panel fixes all parameters but the last that varies, which is its horizontal axis.
Places are percentages of the panel's width and height.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jdkmatrix.config.clients import Scalar
from jdkmatrix.report.page.scale import LogScale
from jdkmatrix.results.speed import LawPoint
from jdkmatrix.vocabulary import Expectation


@dataclass(frozen=True)
class Mark:
    """One build at one point: a dot for each sample, a line at what the law predicts."""

    point: LawPoint
    x: float
    measured: tuple[float, ...]
    predicted: float | None


@dataclass(frozen=True)
class LawCurve:
    """One build over a panel. `lines` join neighbouring predictions: x1, y1, x2, y2."""

    build: str
    affected: bool
    marks: tuple[Mark, ...]

    @property
    def lines(self) -> tuple[tuple[float, float, float, float], ...]:
        """The lines between neighbouring marks that both have a prediction."""
        pairs = zip(self.marks, self.marks[1:], strict=False)
        return tuple(
            (a.x, a.predicted, b.x, b.predicted)
            for a, b in pairs
            if a.predicted is not None and b.predicted is not None
        )


@dataclass(frozen=True)
class Panel:
    """One plot: `title` has the fixed parameters, `columns` the varied values and their places."""

    title: str
    columns: tuple[tuple[str, float], ...]
    curves: tuple[LawCurve, ...]


@dataclass(frozen=True)
class LawPlot:
    """All panels of one scenario and client on the same vertical axis, in requests/s."""

    scenario: str
    client: str
    across: str
    ticks: tuple[tuple[float, float], ...]
    panels: tuple[Panel, ...]
    points: tuple[LawPoint, ...]


def law_plots(points: Sequence[LawPoint]) -> tuple[LawPlot, ...]:
    """A plot for each scenario and client that has anything to draw."""
    names = dict.fromkeys((point.scenario, point.client) for point in points)
    plots = []
    for scenario, client in names:
        mine = [p for p in points if (p.scenario, p.client) == (scenario, client)]
        values = [value for point in mine for value in _values(point)]
        if values:
            plots.append(_plot(scenario, client, mine, LogScale.over(values)))
    return tuple(plots)


def short(parameter: str) -> str:
    """`hosts.far.rtt-ms` as `rtt-ms`."""
    return parameter.rpartition(".")[2]


def _values(point: LawPoint) -> Iterator[float]:
    yield from (value for value in point.measured_requests_per_s if value > 0)
    if point.predicted_requests_per_s:
        yield point.predicted_requests_per_s


def _plot(scenario: str, client: str, points: Sequence[LawPoint], scale: LogScale) -> LawPlot:
    across = _across(points)
    panels = dict.fromkeys(_fixed_part(point, across) for point in points)
    return LawPlot(
        scenario=scenario,
        client=client,
        across=short(across),
        ticks=tuple((value, round(100 - scale.percent(value), 2)) for value in scale.ticks),
        panels=tuple(
            _panel(title, [p for p in points if _fixed_part(p, across) == title], across, scale)
            for title in panels
        ),
        points=tuple(points),
    )


def _across(points: Sequence[LawPoint]) -> str:
    """The last parameter that has more than one value."""
    names = list(dict.fromkeys(name for point in points for name in point.parameters))
    varied = [n for n in names if len({str(p.parameters.get(n)) for p in points}) > 1]
    return (varied or names or [""])[-1]


def _fixed_part(point: LawPoint, across: str) -> str:
    rest = {name: value for name, value in point.parameters.items() if name != across}
    return ", ".join(f"{short(name)} {value}" for name, value in rest.items())


def _panel(title: str, points: Sequence[LawPoint], across: str, scale: LogScale) -> Panel:
    columns: list[Scalar] = list(dict.fromkeys(p.parameters.get(across, "") for p in points))
    builds = list(dict.fromkeys(point.build for point in points))
    middle = {value: 100 * (n + 0.5) / len(columns) for n, value in enumerate(columns)}
    curves = []
    for n, build in enumerate(builds):
        aside = (n - (len(builds) - 1) / 2) * min(6.0, 40 / len(columns) / len(builds))
        mine = [point for point in points if point.build == build]
        marks = tuple(
            Mark(
                point=point,
                x=round(middle[point.parameters.get(across, "")] + aside, 2),
                measured=tuple(_down(v, scale) for v in point.measured_requests_per_s if v > 0),
                predicted=_down(point.predicted_requests_per_s, scale)
                if point.predicted_requests_per_s
                else None,
            )
            for point in mine
        )
        affected = mine[0].expectation is Expectation.AFFECTED
        curves.append(LawCurve(build, affected, marks))
    places = tuple((str(value), round(middle[value], 2)) for value in columns)
    return Panel(title, places, tuple(curves))


def _down(value: float, scale: LogScale) -> float:
    """The place of a value from the top, as SVG counts."""
    return round(100 - scale.percent(value), 2)

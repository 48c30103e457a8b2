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
    dots: tuple[float, ...]
    prediction: float | None


@dataclass(frozen=True)
class LawCurve:
    """One build over a panel. `lines` join neighbouring predictions: x1, y1, x2, y2."""

    build: str
    is_affected: bool
    marks: tuple[Mark, ...]

    @property
    def lines(self) -> tuple[tuple[float, float, float, float], ...]:
        """The lines between neighbouring marks that both have a prediction."""
        pairs = zip(self.marks, self.marks[1:], strict=False)
        return tuple(
            (a.x, a.prediction, b.x, b.prediction)
            for a, b in pairs
            if a.prediction is not None and b.prediction is not None
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
    axis: str
    ticks: tuple[tuple[float, float], ...]
    panels: tuple[Panel, ...]
    points: tuple[LawPoint, ...]


def law_plots(points: Sequence[LawPoint]) -> tuple[LawPlot, ...]:
    """A plot for each scenario and client that has anything to draw."""
    names = dict.fromkeys((point.scenario, point.client) for point in points)
    plots = []
    for scenario, client in names:
        panel_points = [p for p in points if (p.scenario, p.client) == (scenario, client)]
        rates = [rate for point in panel_points for rate in _rates(point)]
        if rates:
            plots.append(_plot(scenario, client, panel_points, LogScale.spanning(rates)))
    return tuple(plots)


def short(parameter: str) -> str:
    """`hosts.far.rtt-ms` as `rtt-ms`."""
    return parameter.rpartition(".")[2]


def _rates(point: LawPoint) -> Iterator[float]:
    yield from (rate for rate in point.measured_requests_per_s if rate > 0)
    if point.predicted_requests_per_s:
        yield point.predicted_requests_per_s


def _plot(scenario: str, client: str, points: Sequence[LawPoint], scale: LogScale) -> LawPlot:
    axis = _axis(points)
    panels = dict.fromkeys(_fixed_part(point, axis) for point in points)
    return LawPlot(
        scenario=scenario,
        client=client,
        axis=short(axis),
        ticks=tuple((tick, scale.percent_from_top(tick)) for tick in scale.ticks),
        panels=tuple(
            _panel(title, [p for p in points if _fixed_part(p, axis) == title], axis, scale)
            for title in panels
        ),
        points=tuple(points),
    )


def _axis(points: Sequence[LawPoint]) -> str:
    """The last parameter that has more than one value."""
    names = list(dict.fromkeys(name for point in points for name in point.parameters))
    varying = [n for n in names if len({str(p.parameters.get(n)) for p in points}) > 1]
    return (varying or names or [""])[-1]


def _fixed_part(point: LawPoint, axis: str) -> str:
    rest = {name: setting for name, setting in point.parameters.items() if name != axis}
    return ", ".join(f"{short(name)} {setting}" for name, setting in rest.items())


def _panel(title: str, points: Sequence[LawPoint], axis: str, scale: LogScale) -> Panel:
    columns: list[Scalar] = list(dict.fromkeys(p.parameters.get(axis, "") for p in points))
    builds = list(dict.fromkeys(point.build for point in points))
    middle = {setting: 100 * (n + 0.5) / len(columns) for n, setting in enumerate(columns)}
    curves = []
    for n, build in enumerate(builds):
        offset = (n - (len(builds) - 1) / 2) * min(6.0, 40 / len(columns) / len(builds))
        build_points = [point for point in points if point.build == build]
        marks = tuple(
            Mark(
                point=point,
                x=round(middle[point.parameters.get(axis, "")] + offset, 2),
                dots=tuple(
                    scale.percent_from_top(v) for v in point.measured_requests_per_s if v > 0
                ),
                prediction=scale.percent_from_top(point.predicted_requests_per_s)
                if point.predicted_requests_per_s
                else None,
            )
            for point in build_points
        )
        is_affected = build_points[0].expectation is Expectation.AFFECTED
        curves.append(LawCurve(build, is_affected, marks))
    places = tuple((str(setting), round(middle[setting], 2)) for setting in columns)
    return Panel(title, places, tuple(curves))

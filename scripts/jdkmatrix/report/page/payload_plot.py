# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does the cost of a service grow with its payload? Pure: a panel for each build.

Both axes are logarithmic and the same in all panels of a scenario and server. Places are
percentages of a panel's width and height, the height from the top.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from jdkmatrix.report.page.scale import LogScale
from jdkmatrix.results.service_costs import CpuCost, PayloadCurves, ServiceCosts, payload_curves
from jdkmatrix.vocabulary import Layer

_KIB = 1024


@dataclass(frozen=True)
class CostMark:
    """One payload: the median of the JVMs, and the range from their least to their most."""

    x: float
    y: float
    low: float
    high: float


@dataclass(frozen=True)
class CostPanel:
    """One build: its marks, by whose TLS answers.

    `published_points` has the places where JSSE would be if its cost were BoringSSL's here times
    the published ratio.
    """

    build: str
    curves: tuple[tuple[Layer, tuple[CostMark, ...]], ...]
    published_points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class PayloadPlot:
    """All builds of one server over the body sizes of one scenario."""

    family: str
    server: str
    columns: tuple[tuple[str, float], ...]
    ticks: tuple[tuple[float, float], ...]
    panels: tuple[CostPanel, ...]

    @property
    def has_published(self) -> bool:
        """Whether there is a mark for what was published."""
        return any(panel.published_points for panel in self.panels)


def payload_plots(rows: Sequence[ServiceCosts]) -> tuple[PayloadPlot, ...]:
    """A plot for each scenario and server for which several sizes were measured."""
    curves = sorted(payload_curves(rows), key=_plot_of)
    return tuple(_plot(*key, tuple(group)) for key, group in groupby(curves, key=_plot_of))


def size(count: int) -> str:
    """`1 MiB` for 1048576."""
    if count < _KIB:
        return f"{count} B"
    return f"{count // _KIB} KiB" if count < _KIB * _KIB else f"{count // (_KIB * _KIB)} MiB"


def _plot_of(curves: PayloadCurves) -> tuple[str, str]:
    return curves.family, curves.server


def _plot(family: str, server: str, builds: Sequence[PayloadCurves]) -> PayloadPlot:
    points = [point for build in builds for point in build.points]
    costs = [cost for point in points for cost in point.costs.values()]
    published_us = [us for point in points if (us := point.published_jsse_us) is not None]
    x_scale = LogScale.spanning([float(point.echo_bytes) for point in points])
    y_scale = LogScale.spanning(
        [*published_us, *(cost_us for cost in costs for cost_us in cost.each_us)]
    )
    sizes = sorted({point.echo_bytes for point in points})
    return PayloadPlot(
        family=family,
        server=server,
        columns=tuple((size(count), x_scale.percent(count)) for count in sizes),
        ticks=tuple((tick, y_scale.percent_from_top(tick)) for tick in y_scale.ticks),
        panels=tuple(
            CostPanel(
                build.build,
                _curves(build, x_scale, y_scale),
                _published_points(build, x_scale, y_scale),
            )
            for build in builds
        ),
    )


def _published_points(
    build: PayloadCurves, x_scale: LogScale, y_scale: LogScale
) -> tuple[tuple[float, float], ...]:
    return tuple(
        (x_scale.percent(point.echo_bytes), y_scale.percent_from_top(us))
        for point in build.points
        if (us := point.published_jsse_us) is not None
    )


def _curves(
    build: PayloadCurves, x_scale: LogScale, y_scale: LogScale
) -> tuple[tuple[Layer, tuple[CostMark, ...]], ...]:
    layers = [layer for layer in Layer if any(layer in point.costs for point in build.points)]
    return tuple(
        (
            layer,
            tuple(
                _mark(x_scale.percent(point.echo_bytes), point.costs[layer], y_scale)
                for point in build.points
                if layer in point.costs
            ),
        )
        for layer in layers
    )


def _mark(x: float, cost: CpuCost, y_scale: LogScale) -> CostMark:
    costs_us = (cost.median_us, cost.least_us, cost.most_us)
    return CostMark(x, *map(y_scale.percent_from_top, costs_us))

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a service cost on each build, by whose TLS, and how much of that is TLS? Pure.

Figures are CPU time per request. Services are compared one after the other, so a median comes with
the least and the most of its JVMs, not with an interval.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from jdkmatrix.plan.blocks import BASELINE, CONTROL
from jdkmatrix.results.speed import ThroughputResult
from jdkmatrix.vocabulary import Layer, Metric

_PUBLISHED_RATIO = "jsse-by-boringssl"
LAYER_NAMES = {
    Layer.PLAIN: "no TLS",
    Layer.JSSE: "JSSE",
    Layer.NATIVE: "BoringSSL",
    Layer.PROXY: "HAProxy",
}


@dataclass(frozen=True)
class CpuCost:
    """CPU µs per request of each JVM that counts; at least one."""

    each_us: tuple[float, ...]

    @property
    def median_us(self) -> float:
        """The median of the JVMs."""
        return median(self.each_us)

    @property
    def least_us(self) -> float:
        """The cost of the cheapest JVM."""
        return min(self.each_us)

    @property
    def most_us(self) -> float:
        """The cost of the most expensive JVM."""
        return max(self.each_us)


@dataclass(frozen=True)
class ServiceCosts:
    """One server on one build in one scenario; `costs` are keyed by whose TLS answers."""

    scenario: str
    echo_bytes: int
    server: str
    build: str
    costs: Mapping[Layer, CpuCost]
    published_jsse_by_boringssl: float | None = None

    def tls_share(self, layer: Layer) -> float | None:
        """The share of CPU time that is TLS: 1 - plain / TLS; None unless both are known."""
        plain, tls = self.costs.get(Layer.PLAIN), self.costs.get(layer)
        if plain is None or tls is None or layer is Layer.PLAIN:
            return None
        return 1 - plain.median_us / tls.median_us

    @property
    def jsse_by_boringssl(self) -> float | None:
        """JSSE's cost divided by BoringSSL's; None unless both are known."""
        jsse, native = self.costs.get(Layer.JSSE), self.costs.get(Layer.NATIVE)
        return jsse.median_us / native.median_us if jsse and native else None

    @property
    def published_jsse_us(self) -> float | None:
        """JSSE's cost at the published ratio to BoringSSL; None without that ratio or BoringSSL."""
        ratio, native = self.published_jsse_by_boringssl, self.costs.get(Layer.NATIVE)
        return ratio * native.median_us if ratio and native else None


@dataclass(frozen=True)
class RungCost:
    """What a rung costs on a build; no rate if the driver may have been the bottleneck."""

    cost: CpuCost
    requests_per_s: float | None


@dataclass(frozen=True)
class Rung:
    """One service of a ladder, by build; `published_rate` is its requests/s on another machine."""

    server: str
    builds: Mapping[str, RungCost]
    published_rate: float | None


@dataclass(frozen=True)
class Ladder:
    """Services that give the same answer, each through more code; the lowest rung first."""

    scenario: str
    builds: tuple[str, ...]
    rungs: tuple[Rung, ...]

    @property
    def most_us(self) -> float:
        """The cost per request of the most expensive JVM."""
        return max(price.cost.most_us for rung in self.rungs for price in rung.builds.values())


@dataclass(frozen=True)
class PayloadCurves:
    """One server on one build over the body sizes of one scenario, `server-reuse/h2`."""

    family: str
    server: str
    build: str
    points: tuple[ServiceCosts, ...]


def service_costs(comparisons: Iterable[ThroughputResult]) -> tuple[ServiceCosts, ...]:
    """A row for each scenario, server and build with any figure, in the order of the results."""
    samples: dict[tuple[str, int, str, str], dict[Layer, dict[str, float]]] = {}
    ratios: dict[str, float | None] = {}
    for comparison in comparisons:
        if comparison.server is None or comparison.echo_bytes is None:
            continue
        ratios[comparison.scenario] = comparison.published_figures.get(_PUBLISHED_RATIO)
        for folder, build, figure in _figures(comparison, Metric.CPU_US_PER_REQUEST):
            row = samples.setdefault(
                (comparison.scenario, comparison.echo_bytes, comparison.server, build), {}
            )
            row.setdefault(comparison.layer, {})[folder] = figure
    return tuple(
        ServiceCosts(
            *key,
            {layer: CpuCost(tuple(costs[layer].values())) for layer in sorted(costs)},
            ratios[key[0]],
        )
        for key, costs in samples.items()
    )


def ladders(comparisons: Iterable[ThroughputResult]) -> tuple[Ladder, ...]:
    """A ladder for each scenario whose services echo nothing, each a rung above the one before."""
    services: dict[str, dict[str, dict[str, dict[Metric, dict[str, float]]]]] = {}
    rates: dict[tuple[str, str], float] = {}
    for comparison in comparisons:
        if (
            comparison.server is None
            or comparison.echo_bytes is not None
            or not _has_costs(comparison)
        ):
            continue
        builds = services.setdefault(comparison.scenario, {}).setdefault(comparison.server, {})
        if comparison.client in comparison.published_figures:
            rates[comparison.scenario, comparison.server] = comparison.published_figures[
                comparison.client
            ]
        for metric in (Metric.CPU_US_PER_REQUEST, Metric.REQUESTS_PER_S):
            for folder, build, figure in _figures(comparison, metric):
                builds.setdefault(build, {}).setdefault(metric, {})[folder] = figure
    return tuple(
        Ladder(
            scenario,
            tuple(dict.fromkeys(build for builds in rungs.values() for build in builds)),
            tuple(
                Rung(
                    server,
                    {build: _price(figures) for build, figures in builds.items()},
                    rates.get((scenario, server)),
                )
                for server, builds in rungs.items()
            ),
        )
        for scenario, rungs in services.items()
    )


def _price(figures: Mapping[Metric, Mapping[str, float]]) -> RungCost:
    rates = figures.get(Metric.REQUESTS_PER_S, {}).values()
    cost = CpuCost(tuple(figures[Metric.CPU_US_PER_REQUEST].values()))
    return RungCost(cost, median(rates) if rates else None)


def _has_costs(comparison: ThroughputResult) -> bool:
    return any(Metric.CPU_US_PER_REQUEST in sample.figures for sample in comparison.samples)


def _figures(comparison: ThroughputResult, metric: Metric) -> Iterator[tuple[str, str, float]]:
    """Folder, build and value of each counted sample of its build and its baseline."""
    arms = (BASELINE, CONTROL, *(() if comparison.is_copy else (comparison.build,)))
    for sample in comparison.samples:
        figure = sample.figures.get(metric)
        if sample.is_counted and sample.arm in arms and figure is not None:
            yield sample.folder, sample.build, figure


def payload_curves(rows: Sequence[ServiceCosts]) -> tuple[PayloadCurves, ...]:
    """Curves over scenarios that differ only in body size, where there are several sizes."""
    groups: dict[tuple[str, str, str], list[ServiceCosts]] = {}
    for row in rows:
        groups.setdefault((_family(row.scenario), row.server, row.build), []).append(row)
    return tuple(
        PayloadCurves(*key, tuple(sorted(points, key=lambda point: point.echo_bytes)))
        for key, points in groups.items()
        if len({point.echo_bytes for point in points}) > 1
    )


def _family(scenario: str) -> str:
    """`server-reuse/h2` of `server-reuse-16kib/h2`."""
    name, slash, control = scenario.partition("/")
    return f"{name.rpartition('-')[0]}{slash}{control}"

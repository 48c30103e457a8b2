# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does TLS cost a service on each build, by whose TLS, and how much of that is TLS? Pure.

Figures are CPU time a request. Services are compared one after the other, so beside a median stand
the least and the most of its JVMs, not an interval.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from jdkmatrix.plan.blocks import BASELINE, CONTROL, is_copy
from jdkmatrix.results.speed import ThroughputResult
from jdkmatrix.vocabulary import Layer, Metric

LAYER_NAMES = {
    Layer.PLAIN: "no TLS",
    Layer.JSSE: "JSSE",
    Layer.NATIVE: "BoringSSL",
    Layer.PROXY: "HAProxy",
}


@dataclass(frozen=True)
class Cost:
    """CPU µs a request, of each JVM that counts; one at least."""

    each_us: tuple[float, ...]

    @property
    def median_us(self) -> float:
        """The median of the JVMs."""
        return median(self.each_us)

    @property
    def least_us(self) -> float:
        """Of the cheapest JVM."""
        return min(self.each_us)

    @property
    def most_us(self) -> float:
        """Of the dearest JVM."""
        return max(self.each_us)


@dataclass(frozen=True)
class ServiceCosts:
    """One server on one build in one scenario; `costs` by whose TLS answers."""

    scenario: str
    echo_bytes: int
    server: str
    build: str
    costs: Mapping[Layer, Cost]

    def tls_share(self, layer: Layer) -> float | None:
        """Which part of the CPU time is TLS: 1 - plain / TLS; None without one of the two."""
        plain, tls = self.costs.get(Layer.PLAIN), self.costs.get(layer)
        if plain is None or tls is None or layer is Layer.PLAIN:
            return None
        return 1 - plain.median_us / tls.median_us

    @property
    def jsse_by_boringssl(self) -> float | None:
        """How many times JSSE costs what BoringSSL does; None without one of the two."""
        jsse, native = self.costs.get(Layer.JSSE), self.costs.get(Layer.NATIVE)
        return jsse.median_us / native.median_us if jsse and native else None


@dataclass(frozen=True)
class PayloadCurves:
    """One server on one build over the sizes of one scenario, `server-reuse/h2`."""

    family: str
    server: str
    build: str
    points: tuple[ServiceCosts, ...]


def service_costs(results: Iterable[ThroughputResult]) -> tuple[ServiceCosts, ...]:
    """A row for each scenario, server and build that has any figure, in their order."""
    each: dict[tuple[str, int, str, str], dict[Layer, dict[str, float]]] = {}
    for one in results:
        if one.server is None or one.echo_bytes is None:
            continue
        for sample in one.samples:
            value = sample.figures.get(Metric.CPU_US_PER_REQUEST)
            is_mine = sample.arm in (BASELINE, CONTROL, one.build) and not is_copy(sample.arm)
            if sample.counted and is_mine and value is not None:
                row = each.setdefault((one.scenario, one.echo_bytes, one.server, sample.build), {})
                row.setdefault(one.layer, {})[sample.folder] = value
    return tuple(
        ServiceCosts(*key, {layer: Cost(tuple(costs[layer].values())) for layer in sorted(costs)})
        for key, costs in each.items()
    )


def payload_curves(rows: Sequence[ServiceCosts]) -> tuple[PayloadCurves, ...]:
    """The rows of scenarios that differ by the size of the body alone, where there are several."""
    found: dict[tuple[str, str, str], list[ServiceCosts]] = {}
    for row in rows:
        found.setdefault((_family(row.scenario), row.server, row.build), []).append(row)
    return tuple(
        PayloadCurves(*key, tuple(sorted(points, key=lambda point: point.echo_bytes)))
        for key, points in found.items()
        if len({point.echo_bytes for point in points}) > 1
    )


def _family(scenario: str) -> str:
    """`server-reuse/h2` of `server-reuse-16kib/h2`."""
    name, slash, control = scenario.partition("/")
    return f"{name.rpartition('-')[0]}{slash}{control}"

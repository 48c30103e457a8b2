# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What TLS costs a service, by build and by whose TLS, and the plot of it."""

import pytest

from jdkmatrix.plan.blocks import BASELINE, CONTROL
from jdkmatrix.report.page.payload_plot import payload_plots, size
from jdkmatrix.results.service_costs import ServiceCosts, ladders, payload_curves, service_costs
from jdkmatrix.results.speed import SampleResult, ThroughputResult
from jdkmatrix.vocabulary import Layer, Metric
from tests.report.speed_kit import make_speed

OLD, NEW = "debian-8u504-ga", "temurin-17.0.9+9"


def cell(
    layer: Layer, scenario: str, old_us: float, new_us: float, echo: int = 16384
) -> ThroughputResult:
    """Two blocks of a service; the second JVM of each arm takes a tenth more."""
    builds = {BASELINE: (NEW, new_us), CONTROL: (NEW, new_us), OLD: (OLD, old_us)}
    samples = tuple(
        SampleResult(
            block=block,
            attempt=1,
            arm=arm,
            build=build,
            counted=True,
            figures={Metric.CPU_US_PER_REQUEST: us * (1 + 0.1 * (block - 1))},
            void=None,
            vetoes=(),
            folder=f"{scenario}/{layer}/block-{block}-{arm}",
        )
        for block in (1, 2)
        for arm, (build, us) in builds.items()
    )
    void = samples[0].model_copy(
        update={"is_counted": False, "figures": {Metric.CPU_US_PER_REQUEST: 1e9}, "folder": "void"}
    )
    return make_speed(
        "slower",
        scenario=scenario,
        client=f"jetty-{layer}",
        layer=layer,
        server="jetty",
        echo_bytes=echo,
        build=OLD,
        baseline=NEW,
        samples=(*samples, void),
    )


COMPARISONS = (
    cell(Layer.PLAIN, "server-reuse-16kib", 60, 50),
    cell(Layer.JSSE, "server-reuse-16kib", 240, 100),
    cell(Layer.NATIVE, "server-reuse-16kib", 120, 80),
    cell(Layer.JSSE, "server-reuse-1mib", 9000, 3000, echo=1 << 20),
    make_speed("no-change"),  # a client's
)


def make_rung(
    server: str, us: float, rate: float | None, rates_elsewhere: dict[str, float]
) -> ThroughputResult:
    """A service that echoes nothing, on both builds."""
    comparison = cell(Layer.PLAIN, "dropwizard-ladder", 2 * us, us)
    rates = {} if rate is None else {Metric.REQUESTS_PER_S: rate}
    return comparison.model_copy(
        update={
            "client": f"{server}-plain",
            "server": server,
            "echo_bytes": None,
            "published_figures": rates_elsewhere,
            "samples": tuple(
                sample.model_copy(update={"figures": {**sample.figures, **rates}})
                for sample in comparison.samples
            ),
        }
    )


def test_a_ladder_has_its_rungs_in_their_order_with_what_was_published() -> None:
    rates_elsewhere = {"jetty-handler-plain": 130_000.0}
    (ladder,) = ladders(
        (
            *COMPARISONS,
            make_rung("jetty-handler", 20, None, rates_elsewhere),
            make_rung("dropwizard", 200, 5000, rates_elsewhere),
        )
    )
    assert ladder.builds == (NEW, OLD)
    assert [(step.server, step.published_rate) for step in ladder.rungs] == [
        ("jetty-handler", 130_000),
        ("dropwizard", None),
    ]
    lowest, highest = (step.builds[OLD] for step in ladder.rungs)
    assert [cost.cost.median_us for cost in (lowest, highest)] == pytest.approx([42, 420])
    assert [cost.requests_per_s for cost in (lowest, highest)] == [None, 5000]
    assert ladder.most_us == pytest.approx(440)
    assert ladders(COMPARISONS) == ()


def test_a_published_ratio_stands_beside_the_measured() -> None:
    (row, *_) = service_costs(
        comparison.model_copy(update={"published_figures": {"jsse-by-boringssl": 2.5}})
        for comparison in COMPARISONS[:3]
    )
    assert row.published_jsse_by_boringssl == 2.5
    assert costs_of(OLD, "server-reuse-16kib").published_jsse_by_boringssl is None


def costs_of(build: str, scenario: str) -> ServiceCosts:
    (row,) = [
        row for row in service_costs(COMPARISONS) if (row.build, row.scenario) == (build, scenario)
    ]
    return row


def test_costs_by_build_and_tls() -> None:
    row = costs_of(OLD, "server-reuse-16kib")
    jsse = row.costs[Layer.JSSE]
    assert (jsse.median_us, jsse.least_us, jsse.most_us) == pytest.approx((252, 240, 264))
    assert row.tls_share(Layer.JSSE) == pytest.approx(0.75)
    assert row.tls_share(Layer.NATIVE) == pytest.approx(0.5)
    assert row.jsse_by_boringssl == pytest.approx(2.0)
    assert len(costs_of(NEW, "server-reuse-16kib").costs[Layer.JSSE].each_us) == 4


def test_what_was_not_measured_has_no_share() -> None:
    row = costs_of(OLD, "server-reuse-1mib")
    assert (row.tls_share(Layer.JSSE), row.jsse_by_boringssl) == (None, None)
    assert costs_of(OLD, "server-reuse-16kib").tls_share(Layer.PLAIN) is None


def test_curves_are_of_one_scenario_in_several_sizes() -> None:
    rows = service_costs((*COMPARISONS, cell(Layer.JSSE, "server-handshake-full", 1, 1)))
    curves = payload_curves(rows)
    assert {(curve.family, curve.build) for curve in curves} == {
        ("server-reuse", OLD),
        ("server-reuse", NEW),
    }
    assert [point.echo_bytes for point in curves[0].points] == [16384, 1 << 20]


def test_a_plot_has_a_panel_for_each_build_on_the_same_axes() -> None:
    (plot,) = payload_plots(service_costs(COMPARISONS))
    assert [name for name, _ in plot.columns] == ["16 KiB", "1 MiB"]
    assert {panel.build for panel in plot.panels} == {OLD, NEW}
    old = next(panel for panel in plot.panels if panel.build == OLD)
    marks = dict(old.curves)[Layer.JSSE]
    assert marks[0].y > marks[1].y  # the height is counted from the top
    assert marks[0].high < marks[0].y < marks[0].low
    assert [layer for layer, _ in old.curves] == [Layer.JSSE, Layer.NATIVE, Layer.PLAIN]


def test_a_published_ratio_is_marked_where_jsse_would_be() -> None:
    comparisons = (
        comparison.model_copy(
            update={
                "published_figures": {
                    "jsse-by-boringssl": 2 if comparison.echo_bytes == 16384 else 1000
                }
            }
        )
        for comparison in COMPARISONS
    )
    (plot,) = payload_plots(service_costs(comparisons))
    assert plot.has_published
    old = next(panel for panel in plot.panels if panel.build == OLD)
    curve = dict(old.curves)[Layer.JSSE]
    # JSSE was measured at 2.0 times BoringSSL; of 1 MiB BoringSSL was not.
    ((x, y),) = old.published_points
    assert (x, y) == pytest.approx((curve[0].x, curve[0].y), abs=0.1)
    (plain,) = payload_plots(service_costs(COMPARISONS))
    assert not plain.has_published


@pytest.mark.parametrize(("count", "text"), [(1, "1 B"), (1024, "1 KiB"), (1 << 20, "1 MiB")])
def test_sizes(count: int, text: str) -> None:
    assert size(count) == text

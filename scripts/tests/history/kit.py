# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Made runs for the history, one a night."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from jdkmatrix.evidence.digest import Timeline
from jdkmatrix.history.stored_runs import add
from jdkmatrix.records.record import KitRecord
from jdkmatrix.results.document import Results
from jdkmatrix.results.speed import FigureResult, ThroughputResult
from jdkmatrix.vocabulary import Expectation, Layer, Metric, SpeedGrade
from tests.report.conftest import make_build, make_cell, make_results

BUILD = "temurin-17.0.9+9"
BASELINE = "temurin-17.0.7+7"


def night(number: int) -> str:
    """The beginning of the run of a night, counted from 1."""
    start = datetime(2026, 1, 1, 2, tzinfo=UTC) + timedelta(days=number)
    return start.strftime("%Y-%m-%dT%H:%M:%SZ")


def made_run(number: int, outcome: str = "not-reproduced", **changes: Any) -> Results:
    """The run of a night: one cell on one fixed build, its recording without a wait."""
    cell = make_cell(BUILD, outcome, "fixed", test_seconds=changes.pop("seconds", 19.1))
    timeline = Timeline(bin_ms=1000, blocked_threads=(0,))
    evidence = cell.evidence.model_copy(update={"longest_waits": (), "timeline": timeline})
    cell = cell.model_copy(update={"evidence": evidence, **changes.pop("cell", {})})
    results = make_results(cell, run=f"run-{number}", started_at=night(number))
    return results.model_copy(update=changes)


def made_speed(number: int, ratio: float, **changes: Any) -> Results:
    """The run of a night: one throughput cell, its ratio as given."""
    figure = FigureResult(
        metric=Metric.REQUESTS_PER_S,
        higher_is_better=True,
        ratio=ratio,
        ci95=(ratio * 0.9, ratio * 1.1),
        control_ratio=1.0,
        control=(0.9, 1.1),
        median=ratio * 10_000,
        baseline_median=10_000,
        grade=SpeedGrade.NO_CHANGE,
    )
    cell = ThroughputResult(
        scenario="neighbour",
        client="https-url-connection",
        layer=Layer.HTTP_URL_CONNECTION,
        build=BUILD,
        baseline=BASELINE,
        metric=figure.metric,
        ratio=ratio,
        ci95=figure.ci95,
        control=figure.control,
        blocks=5,
        blocks_wanted=5,
        minimum_effect=0.05,
        grade=figure.grade,
        graded_by=figure.metric,
        figures=(figure,),
        bugs=("JDK-8293562",),
        expectation=Expectation.FIXED,
        baseline_expectation=Expectation.FIXED,
        reason="",
        rerun="scripts/matrix throughput --scenario neighbour",
    )
    return make_results(
        **{
            "run": f"run-{number}",
            "started_at": night(number),
            "builds": (make_build(BUILD), make_build(BASELINE)),
            "throughput": (cell,),
            **changes,
        }
    )


def made_service(number: int, times_slower: float = 1.0) -> Results:
    """The run of a night: what 16 KiB cost a Jetty without TLS, on JSSE and on BoringSSL, in µs."""
    results = made_speed(number, 1.0)
    (cell,) = results.throughput
    costs = {
        Layer.PLAIN: ("plain", 50.0),
        Layer.JSSE: ("jsse", 200.0),
        Layer.NATIVE: ("conscrypt", 80.0),
    }
    services = []
    for layer, (tls, cost_us) in costs.items():
        figure = cell.figures[0].model_copy(
            update={
                "metric": Metric.CPU_US_PER_REQUEST,
                "higher_is_better": False,
                "median": cost_us * times_slower,
                "baseline_median": cost_us,
            }
        )
        services.append(
            cell.model_copy(
                update={
                    "scenario": "server-reuse-16kib",
                    "client": f"jetty-{tls}",
                    "server": "jetty",
                    "layer": layer,
                    "echo_bytes": 16384,
                    "metric": figure.metric,
                    "figures": (figure,),
                    "bugs": (),
                }
            )
        )
    return results.model_copy(update={"throughput": tuple(services)})


def other_kit(commit: str) -> KitRecord:
    """A kit of another commit."""
    return KitRecord(version="0.1.0", commit=commit, jtreg="jtreg 7.5.2", tool_jdk="debian-17")


def store_runs(path: Path, *runs: Results) -> Path:
    """The file, with these runs added."""
    for run in runs:
        add(path, run)
    return path

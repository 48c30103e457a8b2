# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A made run of the size that the page is built for: 30 bugs on 20 builds, and 200 samples.

One bug in three has cells as full as the fullest real ones: three cases, a dozen facts, call
stacks, a recording's rows. The others are as most real ones: two cases, a figure, four facts.
"""

from jdkmatrix.evidence.digest import Timeline
from jdkmatrix.evidence.outcomes import Figure
from jdkmatrix.evidence.places import LongestWait
from jdkmatrix.plan.blocks import BASELINE, CONTROL
from jdkmatrix.records.sample_record import MachineState
from jdkmatrix.results.document import BugResult, CellResult, EvidenceResult, JvmResult, Results
from jdkmatrix.results.speed import (
    BlockResult,
    FigureResult,
    LawPoint,
    SampleResult,
    ThroughputResult,
)
from jdkmatrix.vocabulary import Expectation, Layer, Metric, Outcome, SpeedGrade
from tests.report.conftest import make_cell, make_results

BUGS = 30
VERSIONS = {
    8: ("8u302-b08", "8u392-b08", "8u412-b08", "8u504-ga"),
    11: ("11.0.9.1+1", "11.0.13+8", "11.0.24+8", "11.0.32.1+1"),
    17: ("17.0.2+8", "17.0.3+7", "17.0.7+7", "17.0.9+9", "17.0.12+7", "17.0.21.1+2"),
    21: ("21.0.2+13", "21.0.4+7", "21.0.8+9", "21.0.12.1+1"),
    25: ("25.0.2+10", "25.0.3+9"),
}
BUILDS = tuple(f"temurin-{version}" for train in VERSIONS.values() for version in train)
BLOCKS = 10
SAMPLES = 200
_STACK = " < ".join(f"HttpURLConnection$HttpInputStream.read{n}" for n in range(8))
_METRICS = (Metric.REQUESTS_PER_S, Metric.CPU_US_PER_REQUEST)


def big_results() -> Results:
    """600 cells, 200 samples, a sweep of 24 points."""
    cells = [_cell(bug, n, build) for n, build in enumerate(BUILDS) for bug in range(BUGS)]
    comparison_count = SAMPLES // (3 * BLOCKS) + 1
    speed = [_speed(build) for build in BUILDS[:comparison_count]]
    spare = sum(len(comparison.samples) for comparison in speed) - SAMPLES
    speed[-1] = speed[-1].model_copy(update={"samples": speed[-1].samples[:-spare]})
    return make_results(
        *cells,
        bugs=tuple(_bug(bug) for bug in range(BUGS)),
        throughput=tuple(speed),
        law=tuple(
            _point(rtt, threads, n)
            for rtt in (2, 20, 200)
            for threads in (8, 32, 128, 256)
            for n in (0, 1)
        ),
    )


def _bug(number: int) -> BugResult:
    return BugResult(
        id=_bug_id(number),
        title="KeepAliveCache blocks threads while closing connections",
        component="core-libs/java.net",
        fixed=("8u422-b02", "11.0.21+1", "17.0.7+1", "20+18"),
        links=(f"https://bugs.openjdk.org/browse/{_bug_id(number)}",),
    )


def _bug_id(number: int) -> str:
    return f"JDK-{8200000 + number}"


def _cell(bug: int, build_number: int, build: str) -> CellResult:
    is_affected = build_number % 6 < 3
    outcome = "reproduced" if is_affected else "not-reproduced"
    test = f"keepalive/RequestsBlockedWhileConnectionCloses{bug}.java"
    folder = f"cells/{build}/{test.removesuffix('.java')}"
    cell = make_cell(build, outcome, "affected" if is_affected else "fixed", test=test)
    is_full = bug % 3 == 0
    evidence = _full(outcome, cell.evidence.cause) if is_full else _usual(outcome)
    files = (*(f"hotspot-pid-{n}-id-1.jfr" for n in range(8)), "test.jtr", "jtreg.log")
    return cell.model_copy(
        update={
            "bug": _bug_id(bug),
            "rerun": f"scripts/matrix run --build {build} --test {test}",
            "artifacts": tuple(f"{folder}/{name}" for name in files),
            "evidence": evidence,
        }
    )


def _full(outcome: str, cause: str | None) -> EvidenceResult:
    return EvidenceResult(
        cause=cause,
        cases=tuple(_case(case, outcome, 2, 10) for case in ("subject", "no-timeout", "tls12")),
        blocked=tuple(_waits(n) for n in range(3)),
        timeline=_timeline(13),
        rule_ms=48_000,
    )


def _usual(outcome: str) -> EvidenceResult:
    cases = tuple(_case(case, outcome, 1, 3) for case in ("subject", "tls12"))
    return EvidenceResult(cases=cases, timeline=_timeline(1), rule_ms=0)


def _timeline(threads: int) -> Timeline:
    return Timeline(bin_ms=1000, blocked_threads=tuple((n * n) % threads for n in range(45)))


def _case(case: str, outcome: str, figures: int, facts: int) -> JvmResult:
    facts_by_name: dict[str, str | int | None] = {
        f"reused_connections_{n}": n for n in range(facts)
    }
    facts_by_name["protocol"] = "TLSv1.2" if case == "tls12" else "TLSv1.3"
    if figures > 1:
        facts_by_name["stack"] = _STACK if case == "subject" else None
    return JvmResult(
        case=case,
        outcome=Outcome(outcome if case == "subject" else "not-reproduced"),
        reason="Requests to a fast host went on while connections closed (figure 67, bound 2000).",
        figures=tuple(
            Figure(name=name, value=3896, bound=1925, unit="ms")
            for name in ("last_request_ms", "worst_neighbour_ms")[:figures]
        ),
        facts={**facts_by_name},
    )


def _waits(number: int) -> LongestWait:
    return LongestWait(
        kind="monitor",
        lock_class="sun.net.www.http.KeepAliveCache",
        frame=f"sun.net.www.http.KeepAliveCache.get{number}",
        threads=12,
        count=24,
        total_ms=48_000,
        max_ms=4_000,
    )


def _speed(build: str) -> ThroughputResult:
    figures = tuple(
        FigureResult(
            metric=metric,
            higher_is_better=metric.higher_is_better,
            ratio=0.97,
            ci95=(0.93, 1.02),
            control_ratio=1.0,
            control=(0.95, 1.06),
            median=14_056.0,
            baseline_median=14_491.0,
            grade=SpeedGrade.INCONCLUSIVE,
        )
        for metric in _METRICS
    )
    return ThroughputResult(
        scenario="neighbour",
        client="https-url-connection",
        layer=Layer.HTTP_URL_CONNECTION,
        build=build,
        baseline="temurin-25.0.3+9",
        metric=figures[0].metric,
        ratio=figures[0].ratio,
        ci95=figures[0].ci95,
        control=figures[0].control,
        blocks=BLOCKS,
        blocks_wanted=20,
        minimum_effect=0.05,
        grade=SpeedGrade.INCONCLUSIVE,
        graded_by=figures[0].metric,
        figures=figures,
        bugs=("JDK-8293562",),
        expectation=Expectation.FIXED,
        baseline_expectation=Expectation.FIXED,
        reason="requests/s 14,056 against 14,491, ratio 0.97 (0.93 to 1.02): inconclusive.",
        rerun=f"scripts/matrix throughput --scenario neighbour --build {build}",
        order=tuple(_block(number, build) for number in range(1, BLOCKS + 1)),
        samples=tuple(
            _sample(number, arm, build)
            for number in range(1, BLOCKS + 1)
            for arm in (BASELINE, CONTROL, build)
        ),
    )


def _block(number: int, build: str) -> BlockResult:
    machine = MachineState(
        cores=2, governor=None, load_1min=2.5, steal_share=0.01, busy_share=0.9, seconds=36
    )
    return BlockResult(block=number, attempts=1, order=(BASELINE, CONTROL, build), machine=machine)


def _sample(block: int, arm: str, build: str) -> SampleResult:
    return SampleResult(
        block=block,
        attempt=1,
        arm=arm,
        build=build if arm == build else "temurin-25.0.3+9",
        counted=True,
        figures=dict.fromkeys(_METRICS, 14_000.0 + block),
        void=None,
        vetoes=(),
        folder=f"throughput/neighbour/https-url-connection/block-{block:02}-1-{arm}",
    )


def _point(rtt_ms: int, threads: int, is_fixed: int) -> LawPoint:
    prediction = threads * 1000 / (10 + 1.2 * rtt_ms) if is_fixed else 1000 / (0.3 * rtt_ms)
    return LawPoint(
        scenario="azure-500",
        client="https-url-connection",
        build="temurin-17.0.9+9" if is_fixed else "temurin-17.0.3+7",
        expectation=Expectation.FIXED if is_fixed else Expectation.AFFECTED,
        parameters={"hosts.far.rtt-ms": rtt_ms, "groups.load.threads": threads},
        measured_requests_per_s=(0.9 * prediction, 0.8 * prediction),
        closed_share=0.25,
        predicted_requests_per_s=prediction,
    )

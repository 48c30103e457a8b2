# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are counts graded as times are, from smaller changes on?"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from jdkmatrix.config.known_changes import KnownChange
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.config.scenarios import load_scenarios
from jdkmatrix.grading.graded_comparisons import assemble_throughput, grade_comparison
from jdkmatrix.grading.judged_speed import blocks_wanted, on_speed
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.blocks import BASELINE, CONTROL
from jdkmatrix.records.comparison_record import ComparisonRecord, ThroughputRecord
from jdkmatrix.records.sample_record import AttemptRecord, BlockRecord, Sample, SampleRecord
from jdkmatrix.records.store import block_file, comparison_folder
from jdkmatrix.results.speed import FigureResult, ThroughputResult
from jdkmatrix.vocabulary import COUNTS, Metric, SpeedGrade, Verdict
from jdkmatrix.words.shortfalls import shortfalls
from tests.flow.test_resumed_throughput import STATE
from tests.report.conftest import make_build, make_results

OLD, NEW = "temurin-17.0.7+7", "temurin-17.0.9+9"
ALLOCATED, TRIPS = Metric.ALLOCATED_BYTES_PER_REQUEST, Metric.ROUND_TRIPS_PER_REQUEST
# What four JVMs of one build allocated for a handshake, at a load of 28.
HANDSHAKE_BYTES = (323_272.0, 323_348.0, 323_682.7, 323_216.0)
# And what they took of CPU time, in two blocks.
COST_US = ((7899.0, 7979.0, 8162.0), (8064.0, 7745.0, 8001.0))


def make_comparison(client: str = "https-url-connection") -> ComparisonRecord:
    scenario = load_scenarios(Checkout.current().scenarios).scenarios["handshake-full"]
    return ComparisonRecord(
        scenario_name="handshake-full",
        scenario=scenario,
        client=client,
        layer="httpurlconnection",
        builds=(OLD, NEW),
        baseline=OLD,
    )


def make_plan(*comparisons: ComparisonRecord) -> ThroughputRecord:
    return ThroughputRecord(
        seed=1,
        blocks=2,
        minimum_effect=0.05,
        comparisons=comparisons,
        validates=(NEW, OLD),
    )


def make_blocks(factors: Mapping[Metric, float], *, has_counts: bool = True) -> list[BlockRecord]:
    """Two blocks in which the new build takes so many times as much; of the others as much."""
    blocks = []
    for number, costs in enumerate(COST_US):
        samples = []
        for place, arm in enumerate((BASELINE, CONTROL, NEW)):
            figures = {Metric.REQUESTS_PER_S: 7e6 / costs[place]}
            figures[Metric.CPU_US_PER_REQUEST] = costs[place]
            if has_counts:
                allocated_bytes = HANDSHAKE_BYTES[(place + number) % 4]
                figures |= {ALLOCATED: allocated_bytes, TRIPS: 2.0}
                figures |= {Metric.RECORDS_PER_REQUEST: 11.0, Metric.WIRE_BYTES_PER_REQUEST: 1733.0}
            if arm == NEW:
                figures |= {metric: figures[metric] * factors[metric] for metric in factors}
            build = NEW if arm == NEW else OLD
            samples.append(
                SampleRecord(arm=arm, build=build, folder="x", seconds=1, figures=figures)
            )
        attempt = AttemptRecord(samples=tuple(samples), machine=STATE)
        blocks.append(BlockRecord(schema=1, block=number + 1, attempts=(attempt,)))
    return blocks


def grade(
    factors: Mapping[Metric, float],
    *,
    has_counts: bool = True,
    known_changes: Sequence[KnownChange] = (),
) -> ThroughputResult:
    comparison = make_comparison()
    ledger = load_ledger(Checkout.current().ledger)
    builds = {build: make_build(build) for build in (OLD, NEW)}
    blocks = make_blocks(factors, has_counts=has_counts)
    plan = make_plan(comparison)
    (cell,) = grade_comparison(
        comparison, blocks, plan, Path("none"), ledger, builds, known_changes
    )
    return cell


def figure_of(cell: ThroughputResult, metric: Metric) -> FigureResult:
    (figure,) = [figure for figure in cell.figures if figure.metric is metric]
    return figure


def test_an_equal_build_has_no_change_in_any_count() -> None:
    cell = grade({})
    assert [figure.metric for figure in cell.figures][2:] == list(COUNTS)
    assert {figure_of(cell, metric).grade for metric in COUNTS} == {SpeedGrade.NO_CHANGE}
    assert cell.grade is SpeedGrade.INCONCLUSIVE or cell.grade is SpeedGrade.WITHIN_LIMIT


@pytest.mark.parametrize("metric", COUNTS)
def test_three_percent_more_of_a_count_are_slower(metric: Metric) -> None:
    cell = grade({metric: 1.03})
    assert (cell.grade, cell.graded_by) == (SpeedGrade.SLOWER, metric)
    assert cell.is_surprise
    assert not cell.is_slower_in_time
    (topic,) = on_speed(make_results(throughput=(cell,)), make_plan(make_comparison()), OLD)
    assert topic.verdict is Verdict.BAD


def test_less_of_a_count_makes_no_build_faster() -> None:
    cell = grade({ALLOCATED: 0.5})
    assert figure_of(cell, ALLOCATED).grade is SpeedGrade.FASTER
    assert cell.grade is not SpeedGrade.FASTER


def test_the_smallest_loss_that_would_have_been_seen_is_stated() -> None:
    allocation = figure_of(grade({}), ALLOCATED)
    assert allocation.smallest_loss is not None and 0.02 < allocation.smallest_loss < 0.03
    # A count without scatter is seen from the minimum effect on.
    assert figure_of(grade({}), TRIPS).smallest_loss == pytest.approx(0.02)
    larger_cell = grade({ALLOCATED: 1.002 + allocation.smallest_loss})
    smaller_cell = grade({ALLOCATED: 0.995 + allocation.smallest_loss})
    assert figure_of(larger_cell, ALLOCATED).grade is SpeedGrade.SLOWER
    assert figure_of(smaller_cell, ALLOCATED).grade is not SpeedGrade.SLOWER


def test_a_validation_says_which_loss_of_a_count_it_would_have_seen() -> None:
    cell = grade({})
    (topic,) = on_speed(make_results(throughput=(cell,)), make_plan(make_comparison()), OLD)
    losses = [figure.smallest_loss or 0 for figure in cell.figures if figure.metric.is_count]
    assert (
        f"Of what a request allocates and sends, {100 * max(losses):.1f} % more would have been "
        "seen in each of 4 counts"
    ) in topic.sentence
    # What times could hide is said of times alone.
    assert "hide up to 0 %" not in topic.sentence
    assert "records/request" not in topic.sentence


def test_jvms_that_do_not_count_are_graded_by_the_rest() -> None:
    cell = grade({}, has_counts=False)
    assert {figure.metric.is_count for figure in cell.figures} == {False}


def test_a_count_that_is_more_asks_for_no_more_blocks() -> None:
    blocks = make_blocks({ALLOCATED: 1.05})
    confirming_blocks, _ = blocks_wanted(make_comparison(), blocks, 0.05)
    assert confirming_blocks == len(blocks)


def test_a_slower_count_is_not_asked_of_a_client_that_has_none(tmp_path: Path) -> None:
    comparisons = make_comparison(), make_comparison("java-net-http")
    for comparison, has_counts in zip(comparisons, (True, False), strict=True):
        for block in make_blocks({ALLOCATED: 1.1} if has_counts else {}, has_counts=has_counts):
            folder = comparison_folder(tmp_path, comparison)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / block_file(block.block)).write_text(block.model_dump_json(by_alias=True))
    ledger = load_ledger(Checkout.current().ledger)
    builds = [make_build(build) for build in (OLD, NEW)]
    cells, _ = assemble_throughput(make_plan(*comparisons), tmp_path, ledger, builds)
    assert next(cell.graded_by for cell in cells) is ALLOCATED


def test_counts_of_a_sample() -> None:
    document = {
        "pacing": "closed",
        "jvm": {"runtime_version": "17", "vendor": "x"},
        "allocated_bytes_per_request": 17_800.5,
        "wire": {
            "exchanges": 20,
            "records_per_request": 2.0,
            "bytes_per_request": 446.0,
            "round_trips_per_request": 1,
        },
    }
    sample = Sample.model_validate(document)
    assert [sample.figure(metric) for metric in COUNTS] == [17_800.5, 2, 446, 1]
    assert sample.count_gaps == ()
    # Of an earlier kit; of a load whose requests are not counted; of one whose could not be.
    for wire, count_gaps in (
        (None, ()),
        ({}, ()),
        ({"failure": "reset"}, ("no TLS record was counted: reset",)),
    ):
        sample_without = Sample.model_validate({**document, "wire": wire})
        assert [sample_without.figure(metric) for metric in COUNTS] == [17_800.5, 0, 0, 0]
        assert sample_without.count_gaps == count_gaps
    deaf = Sample.model_validate({**document, "allocated_bytes_per_request": -1})
    assert deaf.count_gaps == ("the JVM does not count at once what it allocates",)


def test_what_was_not_counted_is_said_once() -> None:
    blocks = [
        block.model_copy(
            update={
                "attempts": tuple(
                    attempt.model_copy(
                        update={
                            "samples": tuple(
                                sample.model_copy(update={"count_gaps": ("no record",)})
                                for sample in attempt.samples
                            )
                        }
                    )
                    for attempt in block.attempts
                )
            }
        )
        for block in make_blocks({}, has_counts=False)
    ]
    texts = list(shortfalls(make_comparison(), blocks, (BASELINE, CONTROL, NEW), {}))
    assert texts == [f"{OLD}: no record", f"{NEW}: no record"]


def known_change(limit_percent: float, client: str = "https-url-connection") -> KnownChange:
    return KnownChange.model_validate(
        {
            "bug": "JDK-8339470",
            "title": "A longer Accept",
            "since": {17: "17.0.9+9"},
            "counts": [
                {
                    "figure": "wire-bytes-per-request",
                    "client": client,
                    "limit-percent": limit_percent,
                }
            ],
        }
    )


@pytest.mark.parametrize(
    ("change", "grade_of_figure"),
    [
        (known_change(15), SpeedGrade.WITHIN_LIMIT),
        (known_change(5), SpeedGrade.SLOWER),
        (known_change(15, "java-net-http"), SpeedGrade.SLOWER),
        (known_change(15).model_copy(update={"unreported": True}), SpeedGrade.SLOWER),
    ],
)
def test_a_known_change_explains_a_count_up_to_its_limit(
    change: KnownChange, grade_of_figure: SpeedGrade
) -> None:
    metric = Metric.WIRE_BYTES_PER_REQUEST
    cell = grade({metric: 1.11}, known_changes=[change])
    is_explained = grade_of_figure is SpeedGrade.WITHIN_LIMIT
    assert figure_of(cell, metric).grade is grade_of_figure
    assert cell.is_surprise is not is_explained
    assert ("within-limit, as JDK-8339470 explains" in cell.reason) is is_explained

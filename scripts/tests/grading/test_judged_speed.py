# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What a validation says of figures: worse, slower for a known reason, open, or not compared."""

import re
from pathlib import Path

import pytest

from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.grading.graded_comparisons import grade_comparison
from jdkmatrix.grading.judged_speed import on_speed
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.blocks import BASELINE, CONTROL
from jdkmatrix.records.comparison_record import ComparisonRecord, ThroughputRecord
from jdkmatrix.records.sample_record import AttemptRecord, BlockRecord, SampleRecord
from jdkmatrix.results.speed import FigureResult, ThroughputResult, TopicResult
from jdkmatrix.verdict.validation import MOST_LOSS, grade_by_limit, loss_of
from jdkmatrix.vocabulary import Metric, SpeedGrade, Verdict
from tests.flow.test_resumed_throughput import STATE
from tests.report.conftest import make_build, make_results
from tests.report.speed_kit import make_speed
from tests.run.samples.conftest import make_scenario

OLD = "temurin-17.0.7+7"
RATE, COST = Metric.REQUESTS_PER_S, Metric.CPU_US_PER_REQUEST
OPEN = SpeedGrade.INCONCLUSIVE
EVEN = (0.97, 1.04)


def figure(
    metric: Metric,
    ci95: tuple[float, float] | None,
    grade: SpeedGrade = OPEN,
    most_loss: float | None = MOST_LOSS,
) -> FigureResult:
    loss = loss_of(ci95, higher_is_better=metric.higher_is_better)
    return FigureResult(
        metric=metric,
        higher_is_better=metric.higher_is_better,
        ratio=ci95 and sum(ci95) / 2,
        ci95=ci95,
        control_ratio=1.0,
        control=(0.9, 1.1),
        median=1,
        baseline_median=1,
        grade=grade_by_limit(grade, loss, most_loss),
        most_loss=most_loss,
    )


def make_client_cell(
    client: str, *figures: FigureResult, expectation: str = "fixed"
) -> ThroughputResult:
    slower = any(client_figure.grade is SpeedGrade.SLOWER for client_figure in figures)
    grade = "slower" if slower else "inconclusive"
    return make_speed(grade, expectation, client=client, figures=figures)


def speed(*cells: ThroughputResult) -> TopicResult:
    """What is said of these cells, all of one scenario."""
    comparisons = tuple(
        ComparisonRecord(
            scenario_name=cell.scenario,
            scenario=make_scenario(),
            client=cell.client,
            layer=cell.layer,
            builds=(OLD, cell.build),
            baseline=OLD,
        )
        for cell in cells
    )
    plan = ThroughputRecord(seed=1, blocks=5, minimum_effect=0.05, comparisons=comparisons)
    (topic,) = on_speed(make_results(throughput=cells, finished_at=None), plan, OLD)
    return topic


KNOWN = make_client_cell(
    "a",
    figure(RATE, (0.03, 0.04), SpeedGrade.SLOWER),
    figure(COST, EVEN),
    expectation="affected",
)
KNOWN_AND_OPEN = make_client_cell("a", figure(RATE, (0.1, 1.1)), expectation="affected")
TWICE = [make_client_cell(client, figure(RATE, (0.7, 1.4)), figure(COST, EVEN)) for client in "bc"]


@pytest.mark.parametrize(
    ("cells", "verdict", "sentence"),
    [
        (
            [KNOWN],
            "good",
            "neighbour with a is slower, as JDK-8293562 explains. No other slowdown above 4 % in "
            "CPU µs/request of neighbour with a (95 %; smaller ones not measured)",
        ),
        (
            [KNOWN_AND_OPEN],
            "undecided",
            "1 comparison, too noisy to tell: neighbour with a (JDK-8293562 may make it slower). "
            "The figures could hide up to 90 % in requests/s of neighbour with a (95 %)",
        ),
        (
            [KNOWN_AND_OPEN, make_client_cell("b", figure(RATE, EVEN))],
            "good",
            "1 of 2 comparisons too noisy to tell: neighbour with a (JDK-8293562 may make it "
            "slower). No slowdown above 90 % in requests/s of neighbour with a, 3 % in requests/s "
            "of neighbour with b (95 %; smaller ones not measured)",
        ),
        (
            TWICE,
            "undecided",
            "2 comparisons, all too noisy to tell: neighbour with b (14 blocks would decide it, 5 "
            "were run), neighbour with c (14 blocks would decide it, 5 were run). "
            "The figures could hide up to 30 % in requests/s of neighbour with b, 30 % in "
            "requests/s of neighbour with c, 4 % elsewhere (95 %)",
        ),
        (
            [make_client_cell("a", figure(RATE, (0.62, 0.9)), figure(COST, EVEN))],
            "undecided",
            "1 comparison, too noisy to tell: neighbour with a (6 blocks would decide it, 5 were "
            "run). requests/s of neighbour with a looks at least 10 % worse, but the baseline "
            "differs from itself by as much. The figures could hide up to 38 % in requests/s of "
            "neighbour with a, 4 % in CPU µs/request of neighbour with a (95 %)",
        ),
        (
            [make_client_cell("a", figure(RATE, (0.1, 9.0)))],
            "undecided",
            "1 comparison, too noisy to tell: neighbour with a (not even 20 blocks would decide "
            "it). The figures could hide up to 90 % in requests/s of neighbour with a (95 %)",
        ),
        (
            [
                make_client_cell(client, figure(RATE, EVEN), figure(COST, (0.9, 1.12)))
                for client in "abc"
            ],
            "good",
            "No slowdown above 12 % in CPU µs/request of neighbour with a, 12 % in CPU µs/request "
            "of neighbour with b, 12 % elsewhere (95 %; smaller ones not measured)",
        ),
        (
            [
                make_client_cell(
                    "a", figure(RATE, (0.4, 1.3), OPEN, 0.75), figure(COST, (0.1, 9), OPEN, None)
                )
            ],
            "good",
            "No slowdown above 60 % (limit 75 %) in requests/s of neighbour with a (95 %; smaller "
            "ones not measured)",
        ),
        (
            [make_client_cell("a", figure(RATE, (1.01, 1.2)))],
            "good",
            "No slowdown above 0 % in requests/s of neighbour with a (95 %; smaller ones not "
            "measured)",
        ),
        (
            [
                make_client_cell(
                    "a", figure(RATE, (0.5, 0.6), SpeedGrade.SLOWER), figure(COST, EVEN)
                ),
                make_client_cell("b", figure(RATE, EVEN)),
            ],
            "bad",
            f"Slower than {OLD}: neighbour with a (requests/s 1 against 1, ratio 0.55 "
            "(0.50 to 0.60), A/A (0.90 to 1.10): slower (limit 25 %)). The figures could hide up "
            "to 4 % in CPU µs/request of neighbour with a, 3 % in requests/s of neighbour with b "
            "(95 %)",
        ),
        (
            [
                make_client_cell("a", figure(RATE, EVEN), figure(COST, None)).model_copy(
                    update={"blocks": 1}
                )
            ],
            "undecided",
            "1 of 2 figures could not be compared. "
            "The figures could hide up to 3 % in requests/s of neighbour with a (95 %)",
        ),
    ],
    ids=[
        "known",
        "known and open",
        "one known and open",
        "all open",
        "worse",
        "not to be decided",
        "many",
        "another limit",
        "faster",
        "slower",
        "no interval",
    ],
)
def test_the_verdict_and_what_is_said(
    cells: list[ThroughputResult], verdict: str, sentence: str
) -> None:
    topic = speed(*cells)
    assert (topic.sentence, topic.verdict) == (sentence, Verdict(verdict))


def test_where_nothing_is_compared_there_is_no_word_on_it() -> None:
    plan = ThroughputRecord(seed=1, blocks=5, minimum_effect=0.05, comparisons=())
    assert list(on_speed(make_results(), plan, OLD)) == []


NEW = "temurin-17.0.9+9"
# Of each block: a build's and the control's figure, as multiples of the baseline's.
SCATTER = ((1.05, 1.02), (0.95, 0.98), (0.97, 1.05), (1.03, 0.95))


def measure(blocks: int, scatter: float) -> tuple[ThroughputResult, TopicResult]:
    """A comparison of that many blocks in a validation, and what it says of speed."""
    comparison = ComparisonRecord(
        scenario_name="reuse",
        scenario=make_scenario(),
        client="java-net-http",
        layer="jdk-http",
        builds=(OLD, NEW),
        baseline=OLD,
    )
    plan = ThroughputRecord(
        seed=1,
        blocks=blocks,
        minimum_effect=0.05,
        comparisons=(comparison,),
        validates=(NEW, OLD),
    )
    block_records = []
    for number in range(blocks):
        subject, control = SCATTER[number % len(SCATTER)]
        factors = {BASELINE: 1.0, CONTROL: control**scatter, NEW: subject**scatter}
        samples = tuple(
            SampleRecord(
                arm=arm,
                build=NEW if arm == NEW else OLD,
                folder="x",
                seconds=1,
                figures={RATE: 1000 * factor, COST: 100 * factor},
            )
            for arm, factor in factors.items()
        )
        attempt = AttemptRecord(samples=samples, machine=STATE)
        block_records.append(BlockRecord(schema=1, block=number + 1, attempts=(attempt,)))
    ledger = load_ledger(Checkout.current().ledger)
    builds = {build: make_build(build) for build in (OLD, NEW)}
    (cell,) = grade_comparison(comparison, block_records, plan, Path("none"), ledger, builds)
    (topic,) = on_speed(make_results(throughput=(cell,)), plan, OLD)
    return cell, topic


@pytest.mark.parametrize("scatter", [0.5, 1.0, 1.5])
def test_with_half_the_blocks_a_good_build_could_hide_more(scatter: float) -> None:
    largest = []
    for blocks in (16, 8, 4):
        cell, topic = measure(blocks, scatter)
        assert topic.verdict is Verdict.GOOD
        assert cell.grade is not SpeedGrade.INCONCLUSIVE
        pattern = r"No slowdown above (\d+) % in .*, (\d+) % in .* \(95 %; smaller"
        ((rate, cost),) = re.findall(pattern, topic.sentence)
        assert int(rate) == round(
            100 * max(figure.loss[1] for figure in cell.figures if figure.loss)
        )
        largest.append((int(rate), int(cost)))
    assert largest == sorted(largest)
    assert len({rate for rate, _ in largest}) == 3


def test_comparisons_that_are_all_inconclusive_are_never_good() -> None:
    """Whatever the scatter: the word beside a comparison and the verdict say the same."""
    verdicts = set()
    for scatter in (0.2, 1, 2, 4, 8):
        cell, topic = measure(2, scatter)
        is_open = cell.grade is SpeedGrade.INCONCLUSIVE
        assert topic.verdict is (Verdict.UNDECIDED if is_open else Verdict.GOOD)
        verdicts.add(topic.verdict)
    assert verdicts == {Verdict.GOOD, Verdict.UNDECIDED}

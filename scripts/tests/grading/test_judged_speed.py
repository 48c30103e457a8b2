# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What a validation says of figures: worse, slower for a known reason, open, or not compared."""

import pytest

from jdkmatrix.grading.judged_speed import on_speed
from jdkmatrix.records.comparison_record import ComparisonRecord, ThroughputRecord
from jdkmatrix.results.speed import FigureResult, ThroughputResult, TopicResult
from jdkmatrix.vocabulary import Metric, SpeedGrade, Verdict
from tests.report.conftest import make_results
from tests.report.speed_kit import make_speed
from tests.run.samples.conftest import make_scenario

OLD = "temurin-17.0.7+7"
RATE, COST = Metric.REQUESTS_PER_S, Metric.CPU_US_PER_REQUEST
OPEN = SpeedGrade.INCONCLUSIVE
EVEN = (0.97, 1.04)
BOUNDS = (
    f"at 95 % confidence, no figure is worse than {OLD}'s by more than the following, worst first"
)


def figure(
    metric: Metric, ci95: tuple[float, float] | None, grade: SpeedGrade = OPEN
) -> FigureResult:
    return FigureResult(
        metric=metric,
        higher_is_better=metric.higher_is_better,
        ratio=ci95 and sum(ci95) / 2,
        ci95=ci95,
        control_ratio=1.0,
        control=(0.9, 1.1),
        median=1,
        baseline_median=1,
        grade=grade,
    )


def compared(client: str, *figures: FigureResult, expectation: str = "fixed") -> ThroughputResult:
    slower = any(one.grade is SpeedGrade.SLOWER for one in figures)
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
    (topic,) = on_speed(make_results(throughput=cells, finished=None), plan, OLD)
    return topic


@pytest.mark.parametrize(
    ("cells", "verdict", "sentence"),
    [
        (
            [
                compared(
                    "a",
                    figure(RATE, (0.03, 0.04), SpeedGrade.SLOWER),
                    figure(COST, EVEN),
                    expectation="affected",
                )
            ],
            "good",
            "neighbour with a is slower, as JDK-8293562 explains; "
            f"{BOUNDS}: 4% CPU µs/request in neighbour with a",
        ),
        (
            [compared("a", figure(RATE, (0.1, 1.1)), expectation="affected")],
            "good",
            f"{BOUNDS}: 90% requests/s in neighbour with a",
        ),
        (
            [compared("a", figure(RATE, (0.62, 0.9)), figure(COST, EVEN))],
            "undecided",
            f"{BOUNDS}: 38% requests/s in neighbour with a, 4% CPU µs/request in neighbour with a; "
            "requests/s in neighbour with a is worse by at least 10%,"
            " but the A/A interval is as wide; "
            "neighbour with a is open: 6 blocks would decide it, but only 5 were run",
        ),
        (
            [compared("a", figure(RATE, (0.1, 9.0)))],
            "undecided",
            f"{BOUNDS}: 90% requests/s in neighbour with a; "
            "neighbour with a is open, and 20 blocks would not decide it",
        ),
        (
            [compared(client, figure(RATE, EVEN), figure(COST, (0.9, 1.12))) for client in "abc"],
            "good",
            f"{BOUNDS}: 12% CPU µs/request in neighbour with a, "
            "12% CPU µs/request in neighbour with b, 12% CPU µs/request in neighbour with c, "
            "3% or less 3 others",
        ),
        (
            [
                compared("a", figure(RATE, EVEN), figure(COST, None)).model_copy(
                    update={"blocks": 1}
                )
            ],
            "undecided",
            f"{BOUNDS}: 3% requests/s in neighbour with a; 1 of 2 figures could not be compared",
        ),
        ([], "undecided", "no figure was compared"),
    ],
    ids=["known", "known and open", "worse", "not to be decided", "many", "no interval", "nothing"],
)
def test_the_verdict_and_what_is_said(
    cells: list[ThroughputResult], verdict: str, sentence: str
) -> None:
    found = speed(*cells)
    assert (found.verdict, found.sentence) == (Verdict(verdict), sentence)

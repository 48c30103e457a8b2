# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A grade needs an interval beyond the control's and the minimum effect."""

import math
from statistics import geometric_mean, stdev

import numpy as np
import pytest

from jdkmatrix.verdict.ratio import Triple, early_grade, is_settled, judge, reach
from jdkmatrix.vocabulary import SpeedGrade

# Baseline, control, build: requests/s of the same machine drifting from block to block.
STEADY = [(1000, 1010, 1), (700, 696, 1), (1300, 1310, 1), (900, 905, 1), (1100, 1090, 1)]
# The baseline against itself differs by tens of percent.
NOISY = [(1000, 1400, 1), (1500, 900, 1), (800, 1300, 1), (1200, 700, 1), (900, 1250, 1)]


def triples(blocks: list[tuple[int, int, int]], factor: float) -> list[Triple]:
    """The blocks with a build that has `factor` times the baseline's figure."""
    return [
        Triple(a, b, math.sqrt(a * b) * factor * (1 + 0.05 * (a / b - 1))) for a, b, _ in blocks
    ]


CASES = [
    (STEADY, 0.5, True, SpeedGrade.SLOWER),
    (STEADY, 2.0, True, SpeedGrade.FASTER),
    (STEADY, 2.0, False, SpeedGrade.SLOWER),  # of a cost, more is worse
    (STEADY, 0.5, False, SpeedGrade.FASTER),
    (STEADY, 1.0, True, SpeedGrade.NO_CHANGE),
    (STEADY, 0.97, True, SpeedGrade.NO_CHANGE),  # certain, and below the minimum effect
    (STEADY, 0.95233, True, SpeedGrade.INCONCLUSIVE),  # its interval holds the minimum effect
    (STEADY, 0.90, True, SpeedGrade.SLOWER),
    (NOISY, 0.90, True, SpeedGrade.INCONCLUSIVE),  # within what the baseline does to itself
    (NOISY, 0.01, True, SpeedGrade.SLOWER),
]


@pytest.mark.parametrize(("blocks", "factor", "higher_is_better", "grade"), CASES)
def test_grade(
    blocks: list[tuple[int, int, int]], factor: float, higher_is_better: bool, grade: SpeedGrade
) -> None:
    assert judge(triples(blocks, factor), higher_is_better=higher_is_better).grade is grade


def t_quantile(freedom: int) -> float:
    """How many standard errors a 95 % interval has to each side."""
    from scipy import stats  # a second, which only who runs this test spends

    return float(stats.t.ppf(0.975, freedom))


def least_squares(blocks: list[Triple]) -> tuple[float, float]:
    """The build's interval by a linear model: each block has its level, and the build its own."""
    rows, logs = [], []
    for number, block in enumerate(blocks):
        level = [float(number == n) for n in range(len(blocks))]
        for figure, is_build in ((block.baseline, 0), (block.control, 0), (block.subject, 1)):
            rows.append([*level, float(is_build)])
            logs.append(math.log(figure))
    x, y = np.array(rows), np.array(logs)
    coefficients, *_ = np.linalg.lstsq(x, y)
    freedom = len(logs) - len(coefficients)
    variance = float(((y - x @ coefficients) ** 2).sum()) / freedom
    error = math.sqrt(variance * np.linalg.inv(x.T @ x)[-1, -1])
    half = t_quantile(freedom) * error
    return math.exp(coefficients[-1] - half), math.exp(coefficients[-1] + half)


@pytest.mark.parametrize("blocks", [2, 3, 5])
def test_the_interval_is_that_of_a_linear_model(blocks: int) -> None:
    """The build is as quiet as it can be: all of the scatter is that of A/A."""
    noisy = triples(NOISY, 0.8)[:blocks]
    verdict = judge(noisy, higher_is_better=True)
    assert verdict.ci95 == pytest.approx(least_squares(noisy))
    assert verdict.control_ratio == pytest.approx(
        geometric_mean([b / a for a, b, _ in NOISY[:blocks]])
    )
    assert verdict.ratio == pytest.approx(0.8, rel=0.02)


SCATTERED = (1, 9, 2, 7, 3)


def test_where_the_build_scatters_more_its_own_scatter_counts() -> None:
    wild = [
        Triple(a, b, 1000 * factor) for (a, b, _), factor in zip(STEADY, SCATTERED, strict=True)
    ]
    verdict = judge(wild, higher_is_better=True)
    assert verdict.ci95 and verdict.control
    logs = [
        math.log(triple.subject / math.sqrt(triple.baseline * triple.control)) for triple in wild
    ]
    # Its standard error is Student's own; what A/A adds are degrees of freedom.
    half = t_quantile(2 * len(wild) - 1) * stdev(logs) / math.sqrt(len(logs))
    assert math.log(verdict.ci95[1] / verdict.ci95[0]) / 2 == pytest.approx(half)
    low, high = least_squares(wild)
    assert verdict.ci95[0] < low < high < verdict.ci95[1]


def test_two_blocks_that_agree_are_enough_for_a_large_loss() -> None:
    steady = triples(STEADY, 0.75)[:2]
    assert judge(steady, higher_is_better=True).grade is SpeedGrade.SLOWER


@pytest.mark.parametrize("later", [3, 8, 20])
def test_the_reach_of_an_equal_build_holds_in_five_of_six_cases(later: int) -> None:
    rng = np.random.default_rng(8293562)
    sd = 0.05
    # Intervals as `judge` gives them for two blocks of exactly this scatter.
    half = t_quantile(3) * sd * math.sqrt(1.5 / 2)
    limit = reach((math.exp(-half), math.exp(half)), 2, later)
    hits = 0
    for _ in range(400):
        blocks = [Triple(*map(float, row)) for row in np.exp(rng.normal(0, sd, (later, 3)))]
        interval = judge(blocks, higher_is_better=True).ci95
        hits += interval is not None and math.log(interval[1]) < limit
    assert hits / 400 == pytest.approx(5 / 6, abs=0.08)


def test_the_minimum_effect_is_a_parameter() -> None:
    blocks = triples(STEADY, 0.97)
    assert judge(blocks, higher_is_better=True, minimum_effect=0.01).grade is SpeedGrade.SLOWER


@pytest.mark.parametrize("blocks", [0, 1])
def test_fewer_than_two_blocks_have_no_interval(blocks: int) -> None:
    verdict = judge(triples(STEADY, 0.1)[:blocks], higher_is_better=True)
    assert (verdict.ci95, verdict.control, verdict.grade) == (None, None, SpeedGrade.INCONCLUSIVE)
    assert (verdict.ratio is None) == (blocks == 0)


def test_a_run_ends_early_only_with_blocks_enough_and_a_narrow_interval() -> None:
    def grade_early(
        noise: list[tuple[int, int, int]], ratio: float, blocks: int | None = None
    ) -> SpeedGrade:
        return early_grade(triples(noise, ratio)[:blocks], higher_is_better=True)

    assert grade_early(STEADY, 0.5) is SpeedGrade.SLOWER
    assert grade_early(STEADY, 1.0) is SpeedGrade.NO_CHANGE
    assert grade_early(STEADY, 0.5, blocks=3) is SpeedGrade.INCONCLUSIVE
    assert grade_early(NOISY, 0.9) is SpeedGrade.INCONCLUSIVE


def test_a_build_with_one_slower_figure_is_slower_whatever_the_others_are() -> None:
    slower, open_, same = SpeedGrade.SLOWER, SpeedGrade.INCONCLUSIVE, SpeedGrade.NO_CHANGE
    assert is_settled([slower, open_])
    assert is_settled([same, SpeedGrade.FASTER])
    assert not is_settled([same, open_])
    assert not is_settled([SpeedGrade.FASTER, open_])


@pytest.mark.parametrize("higher_is_better", [True, False])
def test_the_smallest_loss_that_is_seen_is_where_the_grade_changes(higher_is_better: bool) -> None:
    blocks = [(1000, 1010, 1), (1010, 1000, 1), (995, 1003, 1)]  # whose control is about 1
    smallest = judge(triples(blocks, 1.0), higher_is_better=higher_is_better).smallest_loss
    assert smallest is not None and smallest > 0.05

    def grade(loss: float) -> SpeedGrade:
        factor = 1 - loss if higher_is_better else 1 + loss
        return judge(triples(blocks, factor), higher_is_better=higher_is_better).grade

    assert grade(smallest + 0.005) is SpeedGrade.SLOWER
    assert grade(smallest - 0.005) is not SpeedGrade.SLOWER


def test_one_block_says_of_no_loss_that_it_is_seen() -> None:
    assert judge(triples(STEADY[:1], 0.5), higher_is_better=True).smallest_loss is None

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A grade needs an interval beyond the control's and the minimum effect."""

import math

import pytest
from scipy import stats

from jdkmatrix.verdict.ratio import SpeedGrade, Triple, early_grade, is_settled, judge

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


def test_the_interval_is_students() -> None:
    found = judge(triples(NOISY, 0.8), higher_is_better=True)
    logs = [math.log(b / a) for a, b, _ in NOISY]
    wanted = stats.ttest_1samp(logs, 0).confidence_interval(0.95)
    assert found.control == pytest.approx((math.exp(wanted.low), math.exp(wanted.high)))
    assert found.control_ratio == pytest.approx(stats.gmean([b / a for a, b, _ in NOISY]))
    assert found.ratio == pytest.approx(0.8, rel=0.01)


def test_the_minimum_effect_is_a_parameter() -> None:
    blocks = triples(STEADY, 0.97)
    assert judge(blocks, higher_is_better=True, minimum_effect=0.01).grade is SpeedGrade.SLOWER


@pytest.mark.parametrize("blocks", [0, 1])
def test_fewer_than_two_blocks_have_no_interval(blocks: int) -> None:
    found = judge(triples(STEADY, 0.1)[:blocks], higher_is_better=True)
    assert (found.ci95, found.control, found.grade) == (None, None, SpeedGrade.INCONCLUSIVE)
    assert (found.ratio is None) == (blocks == 0)


def test_a_run_ends_early_only_with_blocks_enough_and_a_narrow_interval() -> None:
    def early(
        noise: list[tuple[int, int, int]], ratio: float, blocks: int | None = None
    ) -> SpeedGrade:
        return early_grade(triples(noise, ratio)[:blocks], higher_is_better=True)

    assert early(STEADY, 0.5) is SpeedGrade.SLOWER
    assert early(STEADY, 1.0) is SpeedGrade.NO_CHANGE
    assert early(STEADY, 0.5, blocks=3) is SpeedGrade.INCONCLUSIVE
    assert early(NOISY, 0.9) is SpeedGrade.INCONCLUSIVE


def test_a_build_with_one_slower_figure_is_slower_whatever_the_others_are() -> None:
    slower, open_, same = SpeedGrade.SLOWER, SpeedGrade.INCONCLUSIVE, SpeedGrade.NO_CHANGE
    assert is_settled([slower, open_])
    assert is_settled([same, SpeedGrade.FASTER])
    assert not is_settled([same, open_])
    assert not is_settled([SpeedGrade.FASTER, open_])

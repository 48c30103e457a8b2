# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""One verdict: bad for what got worse, undecided where something has no answer."""

import pytest

from jdkmatrix.verdict.validation import (
    MOST_LOSS,
    Speed,
    blocks_to_confirm,
    blocks_to_decide,
    grade_by_limit,
    gravest,
    is_decided,
    loss_of,
    of_cells,
    of_speeds,
)
from jdkmatrix.vocabulary import Grade, SpeedGrade, Verdict

FINE = Speed(SpeedGrade.NO_CHANGE, False, (-0.02, 0.03))
OPEN = Speed(SpeedGrade.INCONCLUSIVE, False, (-0.1, 0.2))
UNKNOWN = Speed(SpeedGrade.INCONCLUSIVE, False, None)
# Less than the interval holds need be excluded here, and nothing there.
LOCK = Speed(SpeedGrade.INCONCLUSIVE, False, (-0.3, 0.6), most_loss=0.75)
NOT_ASKED = Speed(SpeedGrade.INCONCLUSIVE, False, (0.2, 2.0), most_loss=None)
SLOWER_UNASKED = Speed(SpeedGrade.SLOWER, False, (0.2, 2.0), most_loss=None)
WIDE = Speed(SpeedGrade.INCONCLUSIVE, False, (-0.3, MOST_LOSS))
# Worse for certain, yet not by more than the baseline differs from itself.
LOST = Speed(SpeedGrade.INCONCLUSIVE, False, (0.1, 0.38))
SLOWER = Speed(SpeedGrade.SLOWER, False, (0.2, 0.3))
KNOWN = Speed(SpeedGrade.SLOWER, True, (0.98, 0.99))
KNOWN_AND_OPEN = Speed(SpeedGrade.INCONCLUSIVE, True, (-0.1, 0.9))
OK = Grade.AS_EXPECTED


@pytest.mark.parametrize(
    ("cells", "flags", "speeds", "verdict"),
    [
        ([OK], 0, [FINE], Verdict.GOOD),
        ([OK, Grade.SKIPPED], 0, [FINE, OPEN], Verdict.GOOD),
        ([OK], 0, [FINE, KNOWN], Verdict.GOOD),
        ([OK], 0, [FINE, KNOWN_AND_OPEN], Verdict.GOOD),
        ([OK], 0, [KNOWN_AND_OPEN, KNOWN_AND_OPEN], Verdict.UNDECIDED),
        ([OK], 0, [FINE, LOCK, NOT_ASKED], Verdict.GOOD),
        ([OK], 0, [FINE, SLOWER_UNASKED], Verdict.BAD),
        ([OK, Grade.REGRESSION], 0, [FINE], Verdict.BAD),
        ([OK], 1, [FINE], Verdict.BAD),
        ([OK], 0, [FINE, SLOWER], Verdict.BAD),
        ([OK, Grade.ERROR], 0, [SLOWER], Verdict.BAD),
        ([OK, Grade.ERROR], 0, [FINE], Verdict.UNDECIDED),
        ([OK, Grade.FLAKY], 0, [FINE], Verdict.UNDECIDED),
        ([OK, Grade.FLAKY], 1, [FINE], Verdict.BAD),
        ([OK], 0, [FINE, UNKNOWN], Verdict.UNDECIDED),
        ([OK], 0, [WIDE], Verdict.UNDECIDED),
        ([OK], 0, [LOST], Verdict.UNDECIDED),
        ([], 0, [FINE], Verdict.UNDECIDED),
        ([Grade.SKIPPED, Grade.SILENCED, Grade.RECORDED], 0, [FINE], Verdict.UNDECIDED),
        ([OK], 0, [], Verdict.UNDECIDED),
    ],
)
def test_verdict(cells: list[Grade], flags: int, speeds: list[Speed], verdict: Verdict) -> None:
    comparisons = [[speed] for speed in speeds]
    assert gravest([of_cells(cells, flags), of_speeds(comparisons)]) is verdict


def test_a_comparison_has_an_answer_if_all_its_figures_have_one() -> None:
    assert of_speeds([[KNOWN, KNOWN_AND_OPEN]]) is Verdict.UNDECIDED
    assert of_speeds([[KNOWN, KNOWN_AND_OPEN], [FINE]]) is Verdict.GOOD
    assert of_speeds([[FINE, OPEN], [FINE, WIDE]]) is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("speed", "grade"),
    [
        (OPEN, SpeedGrade.WITHIN_LIMIT),
        (LOCK, SpeedGrade.WITHIN_LIMIT),
        (WIDE, SpeedGrade.INCONCLUSIVE),
        (LOST, SpeedGrade.INCONCLUSIVE),
        (UNKNOWN, SpeedGrade.INCONCLUSIVE),
        (NOT_ASKED, SpeedGrade.INCONCLUSIVE),
        (FINE, SpeedGrade.NO_CHANGE),
        (SLOWER, SpeedGrade.SLOWER),
    ],
)
def test_a_figure_is_inconclusive_only_if_its_loss_may_reach_the_limit(
    speed: Speed, grade: SpeedGrade
) -> None:
    assert grade_by_limit(speed.grade, speed.loss, speed.most_loss) is grade


def test_nothing_looked_at_is_no_verdict() -> None:
    assert gravest([]) is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("grade", "ci95", "expected"),
    [
        (SpeedGrade.INCONCLUSIVE, (0.76, 1.9), True),
        (SpeedGrade.INCONCLUSIVE, (0.74, 1.1), False),
        (SpeedGrade.INCONCLUSIVE, (0.76, 0.9), False),
        (SpeedGrade.INCONCLUSIVE, (0.76, 0.96), True),
        (SpeedGrade.INCONCLUSIVE, None, False),
        (SpeedGrade.SLOWER, (0.02, 0.05), True),
    ],
)
def test_a_figure_is_decided_if_it_is_slower_or_has_not_surely_or_much_lost(
    grade: SpeedGrade, ci95: tuple[float, float] | None, expected: bool
) -> None:
    assert is_decided(grade, loss_of(ci95, higher_is_better=True)) is expected


def test_the_bounds_of_a_loss() -> None:
    assert loss_of((0.9, 1.2), higher_is_better=True) == pytest.approx((-0.2, 0.1))
    assert loss_of((0.9, 1.2), higher_is_better=False) == pytest.approx((-0.1, 0.2))
    assert loss_of(None, higher_is_better=True) is None


@pytest.mark.parametrize(
    ("ci95", "limit", "blocks"),
    [
        ((0.78, 1.28), MOST_LOSS, 2),
        ((0.7, 1.42), MOST_LOSS, 4),
        ((0.6, 1.66), MOST_LOSS, 7),
        ((0.5, 2.0), 0.75, 2),
        ((0.2, 5.0), 0.75, 4),
        ((0.7, 0.92), MOST_LOSS, 3),  # it has little scatter, and lost something for sure
        ((0.3, 3.3), MOST_LOSS, None),
        (None, MOST_LOSS, 3),
    ],
)
def test_how_many_blocks_would_decide(
    ci95: tuple[float, float] | None, limit: float, blocks: int | None
) -> None:
    open_ = SpeedGrade.INCONCLUSIVE
    count = blocks_to_decide(open_, ci95, 2, higher_is_better=True, most_loss=limit)
    assert count == blocks


def test_a_cost_is_excluded_on_its_own_side() -> None:
    """A quarter more is a nearer bound than a quarter less, so it takes more blocks."""
    counts = [
        blocks_to_decide(SpeedGrade.INCONCLUSIVE, (0.6, 1.66), 2, higher_is_better=better)
        for better in (True, False)
    ]
    assert counts == [7, 10]


@pytest.mark.parametrize(
    ("grade", "ci95", "blocks", "expected_blocks"),
    [
        (SpeedGrade.SLOWER, (0.7, 0.9), 2, 4),
        (SpeedGrade.SLOWER, (0.7, 0.9), 3, 4),
        (SpeedGrade.SLOWER, (0.7, 0.9), 5, 5),
        (SpeedGrade.SLOWER, (0.03, 0.7), 2, 2),
        (SpeedGrade.INCONCLUSIVE, (0.7, 1.1), 2, 2),
    ],
)
def test_a_small_slow_down_of_two_blocks_wants_four(
    grade: SpeedGrade, ci95: tuple[float, float], blocks: int, expected_blocks: int
) -> None:
    assert blocks_to_confirm(grade, loss_of(ci95, higher_is_better=True), blocks) == expected_blocks

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The sentence on a throughput cell has its figures and bounds as they are."""

import pytest

from jdkmatrix.results.speed import FigureResult
from jdkmatrix.vocabulary import Metric, SpeedGrade
from jdkmatrix.words.speed import reason_of, smallest_loss, speed_headline
from tests.report.speed_kit import make_speed


@pytest.mark.parametrize(
    ("minimum_effect", "text"), [(0.05, "5%"), (0.015, "1.5%"), (0.125, "12.5%"), (1.5, "150%")]
)
def test_the_bound_is_the_one_that_was_used(minimum_effect: float, text: str) -> None:
    reason = reason_of(make_speed("slower", minimum_effect=minimum_effect))
    assert f"minimum effect {text})" in reason


def test_one_block_is_no_blocks() -> None:
    assert "(1 block, minimum effect" in reason_of(make_speed("inconclusive", blocks=1))


@pytest.mark.parametrize(
    ("grades", "headline"),
    [
        (["inconclusive"] * 6, "6 comparisons, all too noisy to tell."),
        (["inconclusive"], "1 comparison, too noisy to tell."),
        (
            ["within-limit", "inconclusive", "no-change"],
            "No slowdown of unknown cause in 3 comparisons: "
            "1 no-change, 1 within-limit, 1 inconclusive.",
        ),
        (
            ["slower", "inconclusive"],
            "1 of 2 comparisons slower, of unknown cause: 1 slower, 1 inconclusive.",
        ),
    ],
)
def test_the_headline_of_comparisons(grades: list[str], headline: str) -> None:
    assert speed_headline([make_speed(grade) for grade in grades]) == headline


def test_what_has_no_interval_is_not_called_noisy() -> None:
    single = make_speed("inconclusive", blocks=1, ci95=None)
    assert speed_headline([single, single]) == "No verdict on 2 comparisons: 2 inconclusive."


@pytest.mark.parametrize(
    ("smallest", "text"), [(None, ""), (0.02, "2.0 %"), (0.0291, "2.9 %"), (1.2, "120 %")]
)
def test_from_which_loss_on_one_is_seen(smallest: float | None, text: str) -> None:
    figure = FigureResult(
        metric=Metric.RECORDS_PER_REQUEST,
        higher_is_better=False,
        ratio=1,
        ci95=None,
        control_ratio=1,
        control=None,
        median=11,
        baseline_median=11,
        grade=SpeedGrade.NO_CHANGE,
        smallest_loss=smallest,
    )
    assert smallest_loss(figure) == text

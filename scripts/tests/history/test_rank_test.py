# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does the rank test give SciPy's probability, exact or approximate, with and without ties?"""

import random

import pytest

from jdkmatrix.history.changes import rank_test

SAMPLES = 200
MOST_VALUES = 90


@pytest.mark.parametrize("grid", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("most_first", [8, MOST_VALUES])
def test_it_is_scipy_s(grid: float, most_first: int) -> None:
    """With few values in one sample, as after a new step, and with many in both."""
    from scipy.stats import mannwhitneyu  # two seconds, which each worker would spend

    chance = random.Random(8293562)
    for _ in range(SAMPLES):
        shift = chance.choice((0, 0.5, 2, 5))
        first = [chance.gauss(0, 1) for _ in range(chance.randint(1, most_first))]
        second = [chance.gauss(shift, 1) for _ in range(chance.randint(1, MOST_VALUES))]
        if grid:
            first, second = ([round(v / grid) * grid for v in s] for s in (first, second))
        expected = float(mannwhitneyu(first, second).pvalue)
        assert rank_test(first, second) == pytest.approx(expected, rel=1e-9)
        assert rank_test(second, first) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("first", "second", "probability"),
    [
        ((1,), (2,), 1.0),
        ((1, 2, 3, 4), (5, 6, 7, 8), 2 / 70),  # 2 of the 70 orders
        ((1, 2, 3, 5), (4, 6, 7, 8), 4 / 70),
        ((7.0,) * 9, (7.0,) * 9, 1.0),
    ],
)
def test_by_hand(first: tuple[float], second: tuple[float], probability: float) -> None:
    assert rank_test(first, second) == pytest.approx(probability)

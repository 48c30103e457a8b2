# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are flaky rows the build's fault only if the baseline, asked as often, fails less?"""

import random

import pytest

from jdkmatrix.verdict.flakiness import FLAKY_ATTEMPTS, FlakyRow, chance, is_of_build


def test_chance_is_fishers() -> None:
    # The lady with tea: all four of four, and three of four.
    assert chance(4, 4, 4, 8) == pytest.approx(1 / 70)
    assert chance(3, 4, 4, 8) == pytest.approx(17 / 70)
    assert chance(0, 4, 4, 8) == pytest.approx(1)


@pytest.mark.parametrize(
    ("rows", "is_bad"),
    [
        ([], False),
        ([FlakyRow(5, 6, 0, 6)], False),  # four of five fresh attempts: 1.5 % by chance
        ([FlakyRow(1, 6, 0, 6)], False),
        ([FlakyRow(3, 6, 0, 6)] * 4, True),
        ([FlakyRow(3, 6, 2, 6)] * 4, False),
        ([FlakyRow(3, 6, 0, 1)] * 4, False),  # not asked as often
        ([FlakyRow(1, 6, 0, 6)] * 7, False),
        ([FlakyRow(1, 6, 0, 6)] * 8, True),
        ([FlakyRow(1, 6, 0, 6)] * 8 + [FlakyRow(1, 6, 1, 6)], False),
    ],
)
def test_rates_decide(rows: list[FlakyRow], is_bad: bool) -> None:
    assert is_of_build(rows) is is_bad


def test_a_machine_that_fails_both_builds_alike_is_hardly_ever_the_build() -> None:
    rng, alarms = random.Random(7), 0
    for _ in range(1000):
        rate = rng.choice((0.02, 0.1, 0.3, 0.5))
        rows = []
        for _ in range(rng.randint(1, 6)):
            fresh_failures, baseline_failures = (
                sum(rng.random() < rate for _ in range(count))
                for count in (FLAKY_ATTEMPTS - 1, FLAKY_ATTEMPTS)
            )
            rows.append(
                FlakyRow(1 + fresh_failures, FLAKY_ATTEMPTS, baseline_failures, FLAKY_ATTEMPTS)
            )
        alarms += is_of_build(rows)
    assert alarms <= 15


def test_five_rows_that_fail_in_one_of_three_are_seen() -> None:
    rng, alarms = random.Random(7), 0
    for _ in range(1000):
        rows = [
            FlakyRow(
                1 + sum(rng.random() < 1 / 3 for _ in range(FLAKY_ATTEMPTS - 1)),
                FLAKY_ATTEMPTS,
                0,
                FLAKY_ATTEMPTS,
            )
            for _ in range(5)
        ]
        alarms += is_of_build(rows)
    assert alarms >= 850

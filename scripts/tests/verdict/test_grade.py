# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Every outcome against every expectation."""

import pytest

from jdkmatrix.verdict.grade import grade
from jdkmatrix.vocabulary import Expectation, Grade, Outcome

# rows: outcome; columns: affected, fixed, unknown, not-applicable
TABLE = """
reproduced      as-expected     regression      recorded        regression
not-reproduced  unexpected-fix  as-expected     recorded        as-expected
inconclusive    inconclusive    inconclusive    inconclusive    inconclusive
not-applicable  skipped         skipped         skipped         skipped
error           error           error           error           error
"""
ROWS = [line.split() for line in TABLE.strip().splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_table(row: list[str]) -> None:
    outcome, *grades = row
    assert [grade(Outcome(outcome), expectation) for expectation in Expectation] == grades


def test_the_table_is_whole() -> None:
    assert [row[0] for row in ROWS] == [outcome.value for outcome in Outcome]


def test_surprises() -> None:
    assert {g.value for g in Grade if g.is_surprise} == {
        "regression",
        "unexpected-fix",
        "flaky",
        "inconclusive",
        "broke",
        "error",
    }


def test_a_wider_fault_is_a_regression_and_proves_no_bug() -> None:
    wide = [grade(Outcome.REPRODUCED, expectation, is_wider=True) for expectation in Expectation]
    assert wide == ["inconclusive", "regression", "recorded", "regression"]

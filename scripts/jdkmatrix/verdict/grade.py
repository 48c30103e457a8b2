# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is an outcome what was expected? Pure: stored results graded again give the same grades."""

from collections.abc import Sequence
from dataclasses import dataclass

from jdkmatrix.vocabulary import Expectation, Grade, Outcome, RowStatus

_WITHOUT_EXPECTATION = {
    Outcome.INCONCLUSIVE: Grade.INCONCLUSIVE,
    Outcome.NOT_APPLICABLE: Grade.SKIPPED,
    Outcome.ERROR: Grade.ERROR,
}


def grade_without_expectation(outcome: Outcome) -> Grade:
    """Grade one cell of a suite that no ledger covers: nothing there is a surprise by itself."""
    return Grade.SKIPPED if outcome is Outcome.NOT_APPLICABLE else Grade.RECORDED


def grade(
    outcome: Outcome, expectation: Expectation, *, is_wider: bool = False, has_broken: bool = False
) -> Grade:
    """Grade one attempt at a cell. `has_broken`: its error is that the JVM crashed or stood still.

    A build where the bug cannot show counts as fixed here: the symptom must not show on it. If
    controls show it too (`is_wider`), it proves nothing about the bug on an affected build.
    """
    if outcome is Outcome.ERROR and has_broken:
        return Grade.BROKE
    if outcome in _WITHOUT_EXPECTATION:
        return _WITHOUT_EXPECTATION[outcome]
    if expectation is Expectation.UNKNOWN:
        return Grade.RECORDED
    is_reproduced = outcome is Outcome.REPRODUCED
    if is_reproduced and is_wider and expectation is Expectation.AFFECTED:
        return Grade.INCONCLUSIVE
    if is_reproduced == (expectation is Expectation.AFFECTED):
        return Grade.AS_EXPECTED
    return Grade.REGRESSION if is_reproduced else Grade.UNEXPECTED_FIX


@dataclass(frozen=True)
class EarlierRow:
    """The same row on an earlier build."""

    build: str
    status: RowStatus
    text: str


@dataclass(frozen=True)
class RowGrade:
    """A row's grade. `earlier_row` is the last one that ended otherwise, if the row has changed."""

    grade: Grade
    earlier_row: EarlierRow | None = None


def grade_row(status: RowStatus, earlier: Sequence[EarlierRow], *, must_fail: bool) -> RowGrade:
    """Grade one row; `earlier` has it on the train's builds that had the peer, oldest first."""
    if status in (RowStatus.LACKING, RowStatus.ERROR):
        return RowGrade(Grade.SKIPPED)
    if must_fail and status is RowStatus.FAILED:
        return RowGrade(Grade.REGRESSION)
    if status is RowStatus.PASSED:
        is_news = earlier and earlier[-1].status is not RowStatus.PASSED
        return RowGrade(Grade.AS_EXPECTED, earlier[-1] if is_news else None)
    successes = [row for row in earlier if row.status is RowStatus.PASSED]
    if not successes:
        return RowGrade(Grade.RECORDED)
    return RowGrade(Grade.REGRESSION, successes[-1])

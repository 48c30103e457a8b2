# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Did a row end as the same train's earlier builds lead one to expect? Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from jdkmatrix.vocabulary import Grade, RowStatus


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

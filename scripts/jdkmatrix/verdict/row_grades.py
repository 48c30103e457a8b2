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
    """A row's grade. `sentence` says how it ended otherwise on the build of `earlier_row`."""

    grade: Grade
    sentence: str | None = None
    earlier_row: EarlierRow | None = None


def grade_row(
    status: RowStatus, text: str, earlier: Sequence[EarlierRow], *, must_fail: bool
) -> RowGrade:
    """Grade one row; `earlier` has it on the train's builds that had the peer, oldest first."""
    if status in (RowStatus.LACKING, RowStatus.ERROR):
        return RowGrade(Grade.SKIPPED)
    if must_fail and status is RowStatus.FAILED:
        return RowGrade(Grade.REGRESSION, text)
    if status is RowStatus.PASSED:
        return _grade_of_success(earlier)
    successes = [row for row in earlier if row.status is RowStatus.PASSED]
    if not successes:
        return RowGrade(Grade.RECORDED)
    last = successes[-1]
    sentence = f"{status}, but passed on {last.build} ({last.text}): {text}"
    return RowGrade(Grade.REGRESSION, sentence, last)


def _grade_of_success(earlier: Sequence[EarlierRow]) -> RowGrade:
    if not earlier or earlier[-1].status is RowStatus.PASSED:
        return RowGrade(Grade.AS_EXPECTED)
    last = earlier[-1]
    sentence = f"works, but did not on {last.build}: {last.text}"
    return RowGrade(Grade.AS_EXPECTED, sentence, last)

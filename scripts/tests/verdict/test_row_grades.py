# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a row a finding if, and only if, it worked on an earlier build of the train?

A letter is a row's end on one build, oldest first: p(assed), f(ailed), u(nsupported).
"""

import pytest

from jdkmatrix.verdict.grade import EarlierRow, RowGrade, grade_row
from jdkmatrix.vocabulary import Grade, RowStatus
from jdkmatrix.words.rows import row_change

STATUSES = {status.value[0]: status for status in RowStatus}


def grade_letters(letters: str, *, must_fail: bool = False) -> RowGrade:
    *earlier, last = list(letters)
    rows = [EarlierRow(f"b{n}", STATUSES[letter], f"said {n}") for n, letter in enumerate(earlier)]
    return grade_row(STATUSES[last], rows, must_fail=must_fail)


def sentence_of(letters: str, *, must_fail: bool = False) -> str | None:
    row_grade = grade_letters(letters, must_fail=must_fail)
    return row_change(row_grade, STATUSES[letters[-1]], "what it says")


@pytest.mark.parametrize(
    ("letters", "grade"),
    [
        ("p", Grade.AS_EXPECTED),
        ("pp", Grade.AS_EXPECTED),
        ("fp", Grade.AS_EXPECTED),
        ("f", Grade.RECORDED),
        ("ff", Grade.RECORDED),
        ("uf", Grade.RECORDED),
        ("fu", Grade.RECORDED),
        ("pf", Grade.REGRESSION),
        ("pu", Grade.REGRESSION),
        ("pff", Grade.REGRESSION),
        ("fpf", Grade.REGRESSION),
        ("l", Grade.SKIPPED),
        ("pl", Grade.SKIPPED),
    ],
)
def test_grade(letters: str, grade: Grade) -> None:
    assert grade_letters(letters).grade is grade


@pytest.mark.parametrize("letters", ["f", "pf", "ff"])
def test_what_must_fail_and_does_not_is_a_finding_on_any_build(letters: str) -> None:
    assert grade_letters(letters, must_fail=True).grade is Grade.REGRESSION
    assert sentence_of(letters, must_fail=True) == "what it says"


def test_what_must_fail_and_cannot_be_tried_any_more_is_lost() -> None:
    assert grade_letters("pu", must_fail=True).grade is Grade.REGRESSION
    assert grade_letters("u", must_fail=True).grade is Grade.RECORDED


def test_the_sentence_names_the_last_build_that_was_otherwise() -> None:
    row_grade = grade_letters("ppf")
    assert sentence_of("ppf") == "failed, but passed on b1 (said 1): what it says"
    assert row_grade.earlier_row
    assert row_grade.earlier_row.build == "b1"


def test_what_works_again_says_so_once() -> None:
    assert sentence_of("pfp") == "works, but did not on b1: said 1"
    assert sentence_of("pfpp") is None

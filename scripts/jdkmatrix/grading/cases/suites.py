# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which cases are the tests of a user's own suite, for which there are no expectations?"""

from collections.abc import Iterator

from jdkmatrix.results.case import RUN, Case, CaseStatus
from jdkmatrix.results.document import CellResult, Results
from jdkmatrix.verdict.suite_differences import SuiteDifference
from jdkmatrix.vocabulary import Grade, Outcome
from jdkmatrix.words.runs import outcomes_of
from jdkmatrix.words.verdicts import SUITE_WORDS

TEST = "suite-test"
DIFFERENCE = "difference"
NOT_COMPARED = "not compared"


def tests_of(results: Results) -> Iterator[Case]:
    """A case for each cell, by its path, as two folders may have the same name.

    Nothing is expected of it, so a failed test is skipped: it fails no run, but did not pass
    either.
    """
    if results.suite:
        incomparable = results.not_compared
        yield from (_test(cell, is_compared=cell not in incomparable) for cell in results.cells)


def differences_of(results: Results) -> Iterator[Case]:
    """A case for each test that differs between builds, or has nothing to be compared with."""
    if results.programs:  # their own kind tells of these
        return
    yield from (_difference(difference, results) for difference in results.differences)
    for test in results.on_one_build:
        yield Case(
            kind=DIFFERENCE,
            build=RUN,
            group="differences",
            subject=test,
            status=CaseStatus.SKIPPED,
            grade="on one build alone",
            sentence="It reached a verdict on one build alone: there is nothing to compare.",
        )


def _test(cell: CellResult, *, is_compared: bool) -> Case:
    status = CaseStatus.PASSED if cell.outcome is Outcome.NOT_REPRODUCED else CaseStatus.SKIPPED
    return Case(
        kind=TEST,
        build=cell.build,
        group="suite",
        subject=cell.test,
        status=status if is_compared else CaseStatus.ERROR,
        grade=_word(cell) if is_compared else NOT_COMPARED,
        sentence=cell.reason,
        outcome=cell.outcome,
        seconds=cell.seconds,
        rerun=cell.rerun,
        was_tried=cell.grade is not Grade.SKIPPED,
    )


def _difference(difference: SuiteDifference, results: Results) -> Case:
    cells = (results.cell(build, difference.test) for build in difference.outcomes)
    return Case(
        kind=DIFFERENCE,
        build=RUN,
        group="differences",
        subject=difference.test,
        status=CaseStatus.FAILED,
        grade="differs between builds",
        sentence=f"{outcomes_of(difference)}.",
        evidence=tuple(
            f"{cell.build}: {_word(cell)}: {cell.reason} rerun: {cell.rerun}"
            for cell in cells
            if cell
        ),
    )


def _word(cell: CellResult) -> str:
    return SUITE_WORDS.get(cell.outcome, cell.outcome)

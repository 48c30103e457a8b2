# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which cases are the kit's own tests, and the rows of those that have rows?"""

from collections.abc import Iterator

from jdkmatrix.paths import test_name
from jdkmatrix.results.case import Case, CaseFigure, CaseStatus
from jdkmatrix.results.document import CellResult, ObservationResult, Results, RowResult
from jdkmatrix.vocabulary import Grade, ObservationStatus, RowStatus

CELL = "cell"
ROW = "row"
OBSERVATION = "observation"
FLAGGED = "flagged"
NOT_ASKED = "not asked"
_MS_PER_S = 1000
_ROW_STATUSES = {RowStatus.PASSED: CaseStatus.PASSED, RowStatus.ERROR: CaseStatus.ERROR}


def cases_of(results: Results) -> Iterator[Case]:
    """A case for each cell of the kit's tests."""
    if results.suite is None:
        unasked_cells = results.not_asked
        yield from (_cell(cell, is_asked=cell not in unasked_cells) for cell in results.cells)


def rows_of(results: Results) -> Iterator[Case]:
    """A case for each row of a cell, which is part of the cell's own.

    A row that fails as it always did is skipped: it fails no run, but did not pass either.
    """
    for cell in results.cells:
        yield from (_row(row, cell) for row in cell.rows)


def observations_of(results: Results) -> Iterator[Case]:
    """A case for each row of `test/behave`, which is part of its cell's own. What was seen is its
    outcome: of one that is as it was on earlier builds, that alone is compared with earlier runs.
    """
    for cell in results.cells:
        yield from (_observation(row, cell) for row in cell.observations)


def _cell(cell: CellResult, *, is_asked: bool) -> Case:
    attempts = (f"Attempt {n}: {a.outcome}: {a.reason}" for n, a in enumerate(cell.attempts, 1))
    is_flagged = bool(cell.flags) and not cell.grade.is_surprise
    sentences = filter(None, (cell.reason, cell.confirmation, cell.evidence.cause))
    first, *evidence = (*cell.flags, *sentences) if is_flagged else (*sentences, *cell.flags)
    if is_flagged:
        grade = FLAGGED
    else:
        grade = cell.grade if is_asked or cell.grade.is_surprise else NOT_ASKED
    figures = cell.subject.figures if cell.subject else ()
    return Case(
        kind=CELL,
        build=cell.build,
        group=cell.bug or "no-bug",
        subject=test_name(cell.test),
        status=_status(cell, is_asked=is_asked),
        grade=grade,
        sentence=first,
        evidence=(*evidence, *attempts),
        outcome=cell.outcome,
        expectation=cell.expectation,
        figures=tuple(
            CaseFigure(name=figure.name, amount=figure.value, unit=figure.unit, bound=figure.bound)
            for figure in figures
        ),
        attempts=max(1, len(cell.attempts)),
        seconds=cell.seconds,
        test=cell.test,
        rerun=cell.rerun,
        is_news=cell.has_rows,
        was_tried=cell.grade is not Grade.SKIPPED,
    )


def _status(cell: CellResult, *, is_asked: bool) -> CaseStatus:
    if cell.grade is Grade.ERROR:  # its recording has no end, so it says nothing either
        return CaseStatus.ERROR
    if cell.flags:
        return CaseStatus.FAILED
    if cell.grade.is_open or not (is_asked or cell.grade.is_surprise):
        return CaseStatus.ERROR
    if cell.grade.is_surprise:
        return CaseStatus.FAILED
    is_untried = cell.grade in (Grade.SKIPPED, Grade.SILENCED)
    return CaseStatus.SKIPPED if is_untried else CaseStatus.PASSED


def _row(row: RowResult, cell: CellResult) -> Case:
    of_status = _ROW_STATUSES.get(row.status, CaseStatus.SKIPPED)
    status = CaseStatus.FAILED if row.grade.is_surprise else of_status
    is_odd = status in (CaseStatus.FAILED, CaseStatus.ERROR)  # of hundreds of rows, few are
    sentences = [sentence for sentence in (row.change, row.failure) if sentence]
    sentence, *evidence = sentences or [row.status]
    return Case(
        kind=ROW,
        build=cell.build,
        group="interoperability",
        subject=row.row,
        status=status,
        grade=row.bug or row.status,
        sentence=sentence,
        evidence=tuple(evidence),
        seconds=row.ms / _MS_PER_S,
        part_of=test_name(cell.test),
        test=cell.test if is_odd else None,
        rerun=cell.rerun if is_odd else None,
    )


def _observation(row: ObservationResult, cell: CellResult) -> Case:
    status = CaseStatus.PASSED
    if row.grade.is_surprise:
        status = CaseStatus.FAILED
    elif row.status is ObservationStatus.ABSENT:
        status = CaseStatus.SKIPPED
    is_odd = status is CaseStatus.FAILED
    reasons = [row.change, f"it breaks the rule {row.rule}" if row.rule else None]
    sentence, *evidence = [*filter(None, reasons), row.does]
    return Case(
        kind=OBSERVATION,
        build=cell.build,
        group="behaviour",
        subject=row.row,
        status=status,
        grade=row.grade if is_odd else row.bug or Grade.RECORDED,
        sentence=sentence,
        evidence=(*evidence, *row.notes),
        outcome=row.text,
        seconds=row.ms / _MS_PER_S,
        part_of=test_name(cell.test),
        test=cell.test if is_odd else None,
        rerun=cell.rerun if is_odd else None,
        was_tried=row.status is not ObservationStatus.ABSENT,
    )

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a cell of the interoperability suite become a result? By its rows, each graded against
the same train's earlier builds.

A row that works on an earlier build and not on this one is a regression, unless a known change
explains it; so is a row that must fail and does not. A row that fails on all builds is recorded.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass

from jdkmatrix.config.known_changes import KnownChange
from jdkmatrix.evidence.debug_lines import debug_lines
from jdkmatrix.evidence.outcomes import OutcomeFileError
from jdkmatrix.evidence.rows import Row, read_rows
from jdkmatrix.grading.cell_outcome import CellOutcome, find_breakage, has_broken
from jdkmatrix.grading.cell_results import cell_result
from jdkmatrix.records.record import BuildRecord, CellRecord, PlannedCell
from jdkmatrix.records.store import ROWS_FILE, RunFolder
from jdkmatrix.results.document import CellResult, RowResult
from jdkmatrix.verdict.grade import EarlierRow, grade_row
from jdkmatrix.vocabulary import Grade, Outcome, RowStatus, Status
from jdkmatrix.words.rows import row_change, rows_sentences, wavering

# Their ids are one argument of a JVM, which Linux limits to 128 KiB.
_MOST_CONFIRMED = 200


@dataclass(frozen=True)
class RowsOfBuild:
    """The rows of a test on one build of a train, by their ids."""

    build: BuildRecord
    rows: Mapping[str, Row]


def has_rows(attempts: Iterable[CellRecord]) -> bool:
    """Whether it is a cell of the interoperability suite, and an attempt reached its first row."""
    return any(ROWS_FILE in attempt.artifacts for attempt in attempts)


def rows_of(cell: PlannedCell, folder: RunFolder) -> Mapping[str, Row]:
    """The rows that a cell's first complete attempt tried, by their ids; empty if no attempt is
    complete.
    """
    for attempt in folder.read_attempts(cell):
        with suppress(OutcomeFileError):
            return {row.row: row for row in read_rows(folder.home_of(attempt)) if was_tried(row)}
    return {}


@dataclass(frozen=True)
class RowGrader:
    """Grades the rows of a test on one build of a run by those of the train's builds before it,
    which are `earlier`, oldest first.
    """

    folder: RunFolder
    build: BuildRecord
    earlier: Sequence[RowsOfBuild]
    known_changes: Sequence[KnownChange]

    def grade(self, attempts: Sequence[CellRecord]) -> list[CellResult]:
        """The attempts at a cell, graded. A row that is a surprise in one attempt and not in
        another that tried it is flaky.
        """
        read = list(map(self._read, attempts))
        valid_rows = [row for rows, error in read if error is None for row in rows]
        sound_rows = {row.row for row in filter(was_tried, valid_rows) if not row.grade.is_surprise}
        statuses = defaultdict[str, list[RowStatus]](list)
        for row in filter(was_tried, valid_rows):
            statuses[row.row].append(row.status)
        return [
            self._cell(
                attempt, [_reconcile(row, sound_rows, statuses[row.row]) for row in rows], error
            )
            for attempt, (rows, error) in zip(attempts, read, strict=True)
        ]

    def _read(self, cell: CellRecord) -> tuple[list[RowResult], str | None]:
        """The rows of one attempt, each graded, and why they do not count; None if they do."""
        row_results: list[RowResult] = []
        error = None
        try:
            rows = read_rows(self.folder.home_of(cell))
            has_failure = any(row.status is RowStatus.FAILED for row in rows)
            if cell.status is not (Status.FAILED if has_failure else Status.PASSED):
                raise OutcomeFileError(f"{ROWS_FILE}: {'a' if has_failure else 'no'} row failed")
            row_results = list(map(self._row, rows))
        except OutcomeFileError as unreadable:
            error = f"{unreadable}; its status: {cell.status_text}"
        return row_results, find_breakage(cell) or error

    def _cell(self, cell: CellRecord, rows: Sequence[RowResult], error: str | None) -> CellResult:
        bad = [row for row in rows if row.grade.is_surprise]
        # First what happens each time, and of that what must be refused and is not.
        bad.sort(key=lambda row: (row.grade is Grade.FLAKY, row.baseline_build is not None))
        if error is not None:
            cell_outcome = CellOutcome(Outcome.ERROR, error)
            grade = Grade.BROKE if has_broken(cell, ()) else Grade.ERROR
        else:
            outcome, grade = Outcome.NOT_REPRODUCED, Grade.AS_EXPECTED
            if bad:
                outcome, grade = Outcome.REPRODUCED, bad[0].grade
            elif not any(map(was_tried, rows)):
                outcome, grade = Outcome.NOT_APPLICABLE, Grade.SKIPPED
                if cell.attempt > 1:  # it neither confirms nor contradicts what the first one found
                    outcome, grade = Outcome.INCONCLUSIVE, Grade.INCONCLUSIVE
            earlier_builds = [build_rows.build.id for build_rows in self.earlier]
            cell_outcome = CellOutcome(outcome, " ".join(rows_sentences(rows, bad, earlier_builds)))
        worked_on = {row.baseline_build for row in bad}
        extra_builds = [
            build_rows.build for build_rows in self.earlier if build_rows.build.id in worked_on
        ]
        attempt_result = cell_result(
            cell, self.folder, self.build, cell_outcome, grade, extra_builds=extra_builds
        )
        row_results = tuple(self._with_debug_lines(row, cell) for row in rows)
        return attempt_result.model_copy(update={"rows": row_results})

    def _row(self, row: Row) -> RowResult:
        earlier_sights = [
            (of_build.build, earlier_row)
            for of_build in self.earlier
            if (earlier_row := of_build.rows.get(row.row))
        ]
        earlier_rows = [
            EarlierRow(older.id, sight.status, sight.said) for older, sight in earlier_sights
        ]
        row_grade = grade_row(row.status, earlier_rows, must_fail=row.must_fail)
        explanation = None
        if row_grade.earlier_row:
            worked_on = row_grade.earlier_row.build
            (older,) = [older for older, _ in earlier_sights if older.id == worked_on]
            # What came with a version another vendor's build of that version has, too.
            works_elsewhere = any(
                elsewhere.id != worked_on
                and elsewhere.jdk_version.release == self.build.jdk_version.release
                and sight.status is RowStatus.PASSED
                for elsewhere, sight in earlier_sights
            )
            explanations = (
                change
                for change in self.known_changes
                if change.is_between(older.vendor_version, self.build.vendor_version)
                and change.has_row(row.row)
                and not (change.bug and works_elsewhere)
            )
            explanation = next(explanations, None)
        grade = (
            Grade.AS_EXPECTED if explanation and row_grade.grade.is_surprise else row_grade.grade
        )
        return RowResult(
            row=row.row,
            status=row.status,
            grade=grade,
            said=None if row.status is RowStatus.PASSED and not row.must_fail else row.said,
            alert=row.alert or None,
            ms=row.ms,
            change=row_change(row_grade, row.status, row.said),
            known=(explanation.bug or explanation.title) if explanation else None,
            before=row_grade.earlier_row.build if row_grade.earlier_row else None,
        )

    def _with_debug_lines(self, row: RowResult, cell: CellRecord) -> RowResult:
        """The row with the debug lines of the builds on which it was run by itself."""
        if not is_lost(row):
            return row
        debug = {}
        for build in filter(None, (row.baseline_build, cell.build)):
            place = self.folder.row_folder(PlannedCell(build=build, test=cell.test), row.row)
            if lines := debug_lines(place):
                debug[build] = lines
        return row.model_copy(update={"debug": debug})


def _reconcile(row: RowResult, sound_rows: Set[str], statuses: Sequence[RowStatus]) -> RowResult:
    """The row with its `statuses` in all attempts, made flaky if it is a surprise here but not in
    another attempt (`sound_rows`).
    """
    if len(statuses) > 1:
        row = row.model_copy(update={"statuses": tuple(statuses)})
    if not (row.grade.is_surprise and row.row in sound_rows):
        return row
    return row.model_copy(update={"grade": Grade.FLAKY, "change": wavering(row.change)})


def is_lost(row: RowResult) -> bool:
    """Whether the row worked on an earlier build of the train and never on this one, and no known
    change explains that.
    """
    return row.grade is Grade.REGRESSION and row.baseline_build is not None


def rows_to_confirm(cell: CellResult) -> tuple[str, ...]:
    """The rows that another attempt at a cell is about, its surprises; empty means all its rows."""
    surprises = tuple(row.row for row in cell.rows if row.grade.is_surprise)
    # Rows of an attempt that broke do not count.
    has_broken_off = cell.grade in (Grade.ERROR, Grade.BROKE)
    return () if has_broken_off or len(surprises) > _MOST_CONFIRMED else surprises


def flaky_rows(cell: CellResult) -> list[RowResult]:
    """The rows of a cell that were a surprise in some attempts alone."""
    return [row for row in cell.rows if row.grade is Grade.FLAKY]


def was_tried(row: Row | RowResult) -> bool:
    """Whether there was a peer for the row."""
    return row.status not in (RowStatus.ERROR, RowStatus.LACKING)

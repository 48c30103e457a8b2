# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which cells are run again before their results are reported?

Each that was not as expected, or flagged: one at a time, alone, as `verdict/attempts.py` wants it.
Stored attempts count, so a resumed run continues where it ended.
"""

from collections.abc import Iterator, Mapping

from jdkmatrix.grading.graded_cells import GradedCell
from jdkmatrix.grading.row_cells import flaky_rows
from jdkmatrix.records.record import PlannedCell
from jdkmatrix.verdict.attempts import MOST_ATTEMPTS
from jdkmatrix.verdict.flakiness import FLAKY_ATTEMPTS
from jdkmatrix.vocabulary import Grade

# A build with this many confirmed surprises is broken beyond doubt; otherwise every cell of a JVM
# that cannot start, or of a broken kit, would be tried three times. With 29 builds at some 7 s an
# attempt (November 2026), confirming adds at most 34 minutes to the hour of a whole grid.
MOST_A_BUILD = 5


class Confirmation:
    """Which attempts are still wanted, by what is known of each cell in `graded_cells`.

    The caller updates `graded_cells` after each attempt. No more cells of a build are confirmed
    once MOST_A_BUILD of them have stayed surprises.
    """

    def __init__(self, graded_cells: Mapping[PlannedCell, GradedCell]) -> None:
        self._graded_cells = graded_cells
        self.candidates = tuple(filter(self.next_attempt, graded_cells))

    @property
    def most_seconds(self) -> float:
        """How long all wanted attempts may take."""
        return sum(_most_seconds(self._graded_cells[cell]) for cell in self.candidates)

    def next_attempt(self, cell: PlannedCell) -> int | None:
        """The number of the next attempt to make at a cell; None if none is wanted."""
        graded_cell = self._graded_cells[cell]
        if not graded_cell.wants_another:
            return None
        of_build = (
            graded_cell
            for planned_cell, graded_cell in self._graded_cells.items()
            if planned_cell.build == cell.build
        )
        is_broken = sum(map(_has_stayed, of_build)) >= MOST_A_BUILD
        return None if is_broken else _attempts(graded_cell) + 1


def attempts_at_flaky_rows(
    graded_cells: Mapping[PlannedCell, GradedCell], *, validates: bool
) -> Iterator[tuple[PlannedCell, int, tuple[str, ...]]]:
    """The attempts wanted at flaky rows, and at the same rows on the builds that they are compared
    with: what comes and goes there, too, is no fault of the build. A validation has one such build.
    """
    for cell, graded_cell in graded_cells.items():
        rows = flaky_rows(graded_cell.cell)
        builds = {cell.build, *(row.baseline_build for row in rows)}
        for other_cell, other_graded in graded_cells.items():
            is_asked = rows and (validates or other_cell.build in builds)
            if other_cell.test == cell.test and is_asked:
                for attempt in range(_attempts(other_graded) + 1, FLAKY_ATTEMPTS + 1):
                    yield other_cell, attempt, tuple(row.row for row in rows)


def _attempts(graded_cell: GradedCell) -> int:
    return max(1, len(graded_cell.cell.attempts))


def _has_stayed(graded_cell: GradedCell) -> bool:
    """Whether the cell was run again and is still a surprise, or flagged."""
    cell = graded_cell.cell
    odd = cell.grade.is_surprise or bool(cell.flags)
    return (
        bool(cell.attempts)
        and odd
        and not graded_cell.wants_another
        and cell.grade is not Grade.FLAKY
    )


def _most_seconds(graded_cell: GradedCell) -> float:
    return (MOST_ATTEMPTS - _attempts(graded_cell)) * graded_cell.cell.seconds

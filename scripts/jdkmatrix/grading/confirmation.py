# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which cells are run again before their results are reported?

Each that was not as expected, or flagged: one at a time, alone, as `verdict/attempts.py` wants it.
Stored attempts count, so a resumed run continues where it ended.
"""

from collections.abc import Mapping

from jdkmatrix.grading.graded_cells import GradedCell
from jdkmatrix.records.record import PlannedCell
from jdkmatrix.verdict.attempts import MOST_ATTEMPTS
from jdkmatrix.vocabulary import Grade

# A build with this many confirmed surprises is broken beyond doubt; otherwise every cell of a JVM
# that cannot start, or of a broken kit, would be tried three times. With 29 builds at some 7 s an
# attempt (November 2026), confirming adds at most 34 minutes to the hour of a whole grid.
MOST_A_BUILD = 5


class Confirmation:
    """Which attempts are still wanted, by what is known of each cell in `graded`.

    The caller updates `graded` after each attempt. No more cells of a build are confirmed once
    MOST_A_BUILD of them have stayed surprises.
    """

    def __init__(self, graded: Mapping[PlannedCell, GradedCell]) -> None:
        self._graded = graded
        self.wanted = tuple(filter(self.next_attempt, graded))

    @property
    def most_seconds(self) -> float:
        """How long all wanted attempts may take."""
        return sum(_most_seconds(self._graded[cell]) for cell in self.wanted)

    def next_attempt(self, cell: PlannedCell) -> int | None:
        """The number of the next attempt to make at a cell; None if none is wanted."""
        found = self._graded[cell]
        if not found.wants_another:
            return None
        of_build = (found for one, found in self._graded.items() if one.build == cell.build)
        is_broken = sum(map(_has_stayed, of_build)) >= MOST_A_BUILD
        return None if is_broken else _attempts(found) + 1


def _attempts(found: GradedCell) -> int:
    return max(1, len(found.result.attempts))


def _has_stayed(found: GradedCell) -> bool:
    """Whether the cell was run again and is still a surprise, or flagged."""
    cell = found.result
    odd = cell.grade.is_surprise or bool(cell.flags)
    return bool(cell.attempts) and odd and not found.wants_another and cell.grade is not Grade.FLAKY


def _most_seconds(found: GradedCell) -> float:
    return (MOST_ATTEMPTS - _attempts(found)) * found.result.seconds

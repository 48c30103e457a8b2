# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which cells of a run are run again, before what they showed is reported as it is?

Each that was not as expected, or flagged: one at a time, alone, as `verdict/attempts.py` wants it.
What was stored before is taken as it is, so a run that is resumed goes on where it was ended.
"""

from collections.abc import Mapping

from jdkmatrix.grading.graded_cells import GradedCell
from jdkmatrix.records.record import PlannedCell
from jdkmatrix.verdict.attempts import MOST_ATTEMPTS
from jdkmatrix.vocabulary import Grade

# A build with so many surprises that stayed is broken beyond doubt; a JVM that cannot start, or a
# kit that is broken itself, would else be tried three times over. With 29 builds at some 7 s an
# attempt (November 2026) it bounds what confirming adds to the hour of a whole grid to 34 minutes.
MOST_A_BUILD = 5


class Confirmation:
    """Which attempts are still wanted, by what is known of each cell in `graded`.

    That changes with each attempt that is made. Of a build, no more is confirmed once MOST_A_BUILD
    cells have stayed surprises.
    """

    def __init__(self, graded: Mapping[PlannedCell, GradedCell]) -> None:
        self._graded = graded
        self.wanted = tuple(filter(self.next_attempt, graded))

    @property
    def most_seconds(self) -> float:
        """How long all of it may take."""
        return sum(_most_seconds(self._graded[cell]) for cell in self.wanted)

    def next_attempt(self, cell: PlannedCell) -> int | None:
        """The number of the attempt to be made at a cell now; None if there is none."""
        found = self._graded[cell]
        if not found.wants_another:
            return None
        of_build = (found for one, found in self._graded.items() if one.build == cell.build)
        is_broken = sum(map(_has_stayed, of_build)) >= MOST_A_BUILD
        return None if is_broken else _attempts(found) + 1


def _attempts(found: GradedCell) -> int:
    return max(1, len(found.result.attempts))


def _has_stayed(found: GradedCell) -> bool:
    """Was it run again, and is as it was?"""
    cell = found.result
    odd = cell.grade.is_surprise or bool(cell.flags)
    return bool(cell.attempts) and odd and not found.wants_another and cell.grade is not Grade.FLAKY


def _most_seconds(found: GradedCell) -> float:
    return (MOST_ATTEMPTS - _attempts(found)) * found.result.seconds

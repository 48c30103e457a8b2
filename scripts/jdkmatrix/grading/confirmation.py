# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which cells of a run are run again, before what they showed is reported as it is?

Each that was not as expected, or flagged: one at a time, alone, as `verdict/attempts.py` wants it.
What was stored before is taken as it is, so a run that is resumed goes on where it was ended.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Protocol

from jdkmatrix.grading.graded_cells import GradedCell
from jdkmatrix.records.record import PlannedCell
from jdkmatrix.results.document import CellResult
from jdkmatrix.verdict.attempts import MOST_ATTEMPTS
from jdkmatrix.vocabulary import Grade

# A build with so many surprises that stayed is broken beyond doubt; a JVM that cannot start, or a
# kit that is broken itself, would else be tried three times over. With 29 builds at some 7 s an
# attempt (November 2026) it bounds what confirming adds to the hour of a whole grid to 34 minutes.
MOST_A_BUILD = 5


class Progress(Protocol):
    """Where progress is shown."""

    def confirming(self, cells: int, seconds: float) -> None:
        """So many cells are run again; that may take so long."""

    def attempt_ended(self, number: int, cells: int, cell: CellResult) -> None:
        """The cell, `number` of `cells`, was run again."""


def confirm(
    cells: Sequence[PlannedCell],
    grade: Callable[[PlannedCell], GradedCell | None],
    run_again: Callable[[PlannedCell, int], bool],
    progress: Progress,
) -> bool:
    """Run again what wants it; is all of it done?

    `grade` reads what is stored; `run_again` makes the attempt of that number and says whether it
    was stored. Of a build, no more is confirmed once MOST_A_BUILD cells have stayed surprises.
    """
    graded = [(cell, found) for cell in cells if (found := grade(cell))]
    stayed = Counter(cell.build for cell, found in graded if _has_stayed(found))
    wanted = [(cell, found) for cell, found in graded if found.wants_another]
    if wanted:
        progress.confirming(len(wanted), sum(_most_seconds(found) for _, found in wanted))
    whole = True
    for number, (cell, now) in enumerate(wanted, 1):
        if stayed[cell.build] >= MOST_A_BUILD:
            continue
        while now.wants_another:
            again = grade(cell) if run_again(cell, _attempts(now) + 1) else None
            if again is None:
                whole = False
                break
            now = again
            progress.attempt_ended(number, len(wanted), now.result)
        stayed[cell.build] += _has_stayed(now)
    return whole


def _attempts(found: GradedCell) -> int:
    return max(1, len(found.result.attempts))


def _has_stayed(found: GradedCell) -> bool:
    """Was it run again, and is as it was?"""
    cell = found.result
    odd = cell.grade.is_surprise or bool(cell.flags)
    return bool(cell.attempts) and odd and not found.wants_another and cell.grade is not Grade.FLAKY


def _most_seconds(found: GradedCell) -> float:
    return (MOST_ATTEMPTS - _attempts(found)) * found.result.seconds

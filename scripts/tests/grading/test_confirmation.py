# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Of many cells that were not as expected, which attempts are made?"""

from collections.abc import Mapping
from typing import Any

from jdkmatrix.grading.confirmation import MOST_A_BUILD, Confirmation
from jdkmatrix.grading.graded_cells import GradedCell
from jdkmatrix.records.record import PlannedCell
from jdkmatrix.verdict.attempts import Attempt, combine_attempts
from tests.report.conftest import make_cell

_OUTCOMES = {"R": "reproduced", "N": "not-reproduced", "?": "inconclusive"}


def grade_attempts(cell: PlannedCell, letters: str) -> GradedCell:
    """A cell whose attempts came out so."""
    attempt_cells = [
        make_cell(cell.build, _OUTCOMES[letter], "fixed", test=cell.test) for letter in letters
    ]
    summary = combine_attempts(
        [Attempt(attempt_cell.outcome, attempt_cell.grade) for attempt_cell in attempt_cells]
    )
    attempts = tuple(attempt_cells) if len(attempt_cells) > 1 else ()
    changes: dict[str, Any] = {"grade": summary.grade, "attempts": attempts}
    return GradedCell(attempt_cells[0].model_copy(update=changes), summary.wants_another)


def cells_of(letters: Mapping[str, str], most_attempts: int = 1) -> dict[PlannedCell, GradedCell]:
    """Cells, `build test`, each with its first attempts."""
    cells = {name: PlannedCell(build=name[0], test=name[2:]) for name in letters}
    return {
        cell: grade_attempts(cell, letters[name][:most_attempts]) for name, cell in cells.items()
    }


def confirm_all(letters: Mapping[str, str]) -> list[str]:
    """What is run again, in order, if every attempt comes out as `letters` say."""
    cells = cells_of(letters)
    confirmation, order = Confirmation(cells), []
    for cell in confirmation.candidates:
        name = f"{cell.build} {cell.test}"
        while attempt := confirmation.next_attempt(cell):
            order.append(name)
            assert attempt == order.count(name) + 1
            cells[cell] = grade_attempts(cell, letters[name][:attempt])
    return order


def test_each_in_turn() -> None:
    letters = {"a A": "RRR", "a B": "N", "b A": "?N", "b B": "RN"}
    confirmation = Confirmation(cells_of(letters))
    assert len(confirmation.candidates) == 3
    assert confirmation.most_seconds == 123.0  # two more of 20.5 s each, at most
    assert confirm_all(letters) == ["a A", "a A", "b A", "b B"]


def test_nothing_is_run_where_all_is_as_expected() -> None:
    assert not Confirmation(cells_of({"a A": "N"})).candidates


def test_a_build_that_is_broken_is_not_tried_all_over() -> None:
    stubborn = {f"a T{n}": "RRR" for n in range(MOST_A_BUILD + 3)}
    noisy = {f"b T{n}": "RN" for n in range(MOST_A_BUILD + 3)}
    order = confirm_all({**stubborn, **noisy})
    assert order.count("a T0") == 2
    assert len([name for name in order if name.startswith("a")]) == 2 * MOST_A_BUILD
    # what does not stay a surprise is no proof that the build is broken
    assert [name for name in order if name.startswith("b")] == list(noisy)


def test_what_was_confirmed_before_an_interruption_counts() -> None:
    old_cells = cells_of({f"a T{n}": "RRR" for n in range(MOST_A_BUILD)}, most_attempts=3)
    confirmation = Confirmation({**old_cells, **cells_of({"a T": "RRR"})})
    assert not confirmation.candidates

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which results of a run concern one bug, and which cell shows it best? Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from jdkmatrix.config.ledger import Bug
from jdkmatrix.errors import UsageError
from jdkmatrix.grading.cases.kinds import with_cases
from jdkmatrix.results.document import CellResult, Results
from jdkmatrix.vocabulary import Grade, Outcome

_PROVES_NOTHING = 2


@dataclass(frozen=True)
class Material:
    """`results` has only the bug's cells. `test` is the reproducer that the bundle holds.

    `candidates` are the reproducers that prove the bug equally well.
    `worst` is the cell of `test` that shows the bug best: on an affected build or, if there is
    none, as a confirmed regression. None if no cell does.
    """

    bug: Bug
    results: Results
    candidates: tuple[str, ...]
    test: str
    worst: CellResult | None

    @property
    def of_test(self) -> tuple[CellResult, ...]:
        """The cells of the bundle's reproducer."""
        return tuple(cell for cell in self.results.cells if cell.test == self.test)

    @property
    def good(self) -> CellResult | None:
        """A cell of the bundle's reproducer without the bug, of the train nearest to `worst`."""
        trains = {build.id: build.train for build in self.results.builds}
        train = trains[(self.worst or self.of_test[0]).build]
        fine = [cell for cell in self.of_test if cell.outcome is Outcome.NOT_REPRODUCED]
        return min(fine, key=lambda cell: abs(trains[cell.build] - train), default=None)

    @property
    def affected_builds(self) -> tuple[str, ...]:
        """The builds that prove the bug as well as `worst` does, perhaps by another reproducer."""
        best = _rank(self.worst) if self.worst else None
        return tuple(dict.fromkeys(c.build for c in self.results.cells if _rank(c) == best))

    @property
    def surprising(self) -> tuple[CellResult, ...]:
        """The cells that show the bug, at least once, where they must not."""
        cells = self.results.cells
        return tuple(cell for cell in cells if cell.shows_bug and cell.grade.is_surprise)

    @property
    def unaffected_builds(self) -> tuple[str, ...]:
        """The builds where the bundle's reproducer does not show the bug, no other shows it, and
        the ledger does not say otherwise.

        A cell that could not try it says nothing about its build.
        """
        suspects = {
            *self.affected_builds,
            *(cell.build for cell in (*self.surprising, *self.missed_cells)),
        }
        fine = self.builds_with(Outcome.NOT_REPRODUCED)
        return tuple(build for build in fine if build not in suspects)

    @property
    def missed_cells(self) -> tuple[CellResult, ...]:
        """The cells of the bundle's reproducer that do not show the bug where they must."""
        return tuple(cell for cell in self.of_test if cell.grade is Grade.UNEXPECTED_FIX)

    def builds_with(self, *outcomes: Outcome) -> tuple[str, ...]:
        """The builds where the bundle's reproducer had one of these outcomes."""
        return tuple(cell.build for cell in self.of_test if cell.outcome in outcomes)


def material_of(
    results: Results, bug: Bug, run: str, preferred_test: str | None = None
) -> Material:
    """What `results` have on `bug`. Its reproducer is `preferred_test`, or the first candidate.

    Raises UsageError if that is nothing.
    """
    # A test in the user's own suite may have a reproducer's name without being one.
    all_cells = () if results.suite else results.cells
    cells = tuple(cell for cell in all_cells if cell.test in bug.tests)
    if not cells:
        raise UsageError(
            f"{run}: no finished cell of {bug.id}; accepted: a run with it, such as one by "
            f"scripts/matrix run --bug {bug.id}"
        )
    update = {"cells": cells, "throughput": (), "law": (), "validation": None}
    own_results = with_cases(results.model_copy(update=update))
    best = _best_tests(bug, cells)
    test = preferred_test if preferred_test in best else best[0]
    proofs = [c for c in cells if c.test == test and _rank(c) < _PROVES_NOTHING]
    worst = min(proofs, key=lambda cell: (_rank(cell), -cell.severity), default=None)
    return Material(bug, own_results, best, test, worst)


def _best_tests(bug: Bug, cells: Sequence[CellResult]) -> tuple[str, ...]:
    """The bug's tests with the best proof among these cells, in the ledger's order."""
    best_rank = min(map(_rank, cells))
    tests = {cell.test for cell in cells if _rank(cell) == best_rank}
    return tuple(test for test in bug.tests if test in tests)


def _rank(cell: CellResult) -> int:
    """How well it proves the bug, 0 best. A surprise may be a false alarm; once is no proof."""
    if not cell.shows_bug:
        return _PROVES_NOTHING
    if not cell.grade.is_surprise:
        return 0
    return 1 if cell.grade is Grade.REGRESSION and cell.attempts else _PROVES_NOTHING

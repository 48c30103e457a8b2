# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which rows and columns does the grid have: bugs and tests, trains and builds? Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from jdkmatrix.config import version
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.results.document import BugResult, CellResult, Results
from jdkmatrix.vocabulary import Expectation, Outcome

# Outcomes, those that say most first.
_TELLING = (
    Outcome.REPRODUCED,
    Outcome.ERROR,
    Outcome.INCONCLUSIVE,
    Outcome.NOT_REPRODUCED,
    Outcome.NOT_APPLICABLE,
)


@dataclass(frozen=True)
class TestRow:
    """One test over all builds, None where it was not run.

    `first_fixed` are the builds that the ledger calls fixed right after one that it calls affected.
    """

    test: str
    cells: tuple[CellResult | None, ...]
    first_fixed: frozenset[str]

    @property
    def run(self) -> tuple[CellResult, ...]:
        """The cells that were run."""
        return tuple(cell for cell in self.cells if cell)

    def tally(self, words: Mapping[Outcome, str]) -> str:
        """`6 not-reproduced, 2 reproduced`, the most frequent first; `words` replace outcomes."""
        counts = Counter(cell.outcome for cell in self.run)
        return ", ".join(
            f"{count} {words.get(outcome, outcome)}" for outcome, count in counts.most_common()
        )

    @property
    def surprises(self) -> int:
        """How many of its cells are surprises or flagged."""
        return sum(cell.grade.is_surprise or bool(cell.flags) for cell in self.run)


@dataclass(frozen=True)
class BugRows:
    """A bug's tests. `id` is None for tests of no bug, `facts` if the results lack the bug."""

    id: str | None
    facts: BugResult | None
    rows: tuple[TestRow, ...]

    @property
    def summary(self) -> TestRow:
        """The row of the bug itself: on each build, the test that says most."""
        columns = zip(*(row.cells for row in self.rows), strict=True)
        worst = (max(filter(None, cells), key=_weight, default=None) for cells in columns)
        builds = frozenset[str]().union(*(row.first_fixed for row in self.rows))
        return TestRow(self.rows[0].test, tuple(worst), builds)


@dataclass(frozen=True)
class Train:
    """The ids of one train's builds, oldest first; `number` is None for unknown builds."""

    number: int | None
    builds: tuple[str, ...]


@dataclass(frozen=True)
class Grid:
    """All cells of a run, by bug and test, and by train and build."""

    builds: tuple[BuildRecord, ...]
    trains: tuple[Train, ...]
    bugs: tuple[BugRows, ...]


def grid_of(results: Results) -> Grid:
    """Builds in version order within their train, bugs and tests in the ledger's order.

    Cells of a build that the results do not describe come last: no cell is left out. A build
    without cells has a column only while cells may still come.
    """
    builds = sorted(
        results.builds, key=lambda build: (build.train, version.parse(build.version), build.id)
    )
    run = {cell.build for cell in results.cells}
    columns = [build for build in builds if build.id in run or not results.complete]
    by_train = groupby(columns, key=lambda build: build.train)
    trains = [Train(train, tuple(build.id for build in group)) for train, group in by_train]
    ids = {build.id for build in builds}
    unknown_ids = sorted(run - ids)
    if unknown_ids:
        trains.append(Train(None, tuple(unknown_ids)))
    return Grid(tuple(builds), tuple(trains), tuple(_bugs(results, trains)))


def _weight(cell: CellResult) -> tuple[bool, int]:
    """A surprise says more than what is as expected, a symptom more than none."""
    is_odd = cell.grade.is_surprise or bool(cell.flags)
    return is_odd, -_TELLING.index(cell.outcome)


def _bugs(results: Results, trains: Sequence[Train]) -> Iterator[BugRows]:
    facts = {bug.id: bug for bug in results.bugs}
    cells = {(cell.build, cell.test): cell for cell in results.cells}
    tests: dict[str | None, list[str]] = {}
    for cell in results.cells:
        of_bug = tests.setdefault(cell.bug, [])
        if cell.test not in of_bug:
            of_bug.append(cell.test)
    order = [*facts, *(bug for bug in tests if bug not in facts)]
    for bug in order:
        rows = tuple(_row(test, cells, trains) for test in tests.get(bug, ()))
        if rows:
            yield BugRows(bug, facts.get(bug) if bug else None, rows)


def _row(test: str, cells: dict[tuple[str, str], CellResult], trains: Sequence[Train]) -> TestRow:
    row_cells: list[CellResult | None] = []
    first_fixed = set()
    for train in trains:
        previous = None
        for build in train.builds:
            cell = cells.get((build, test))
            row_cells.append(cell)
            if cell is None:
                continue
            if (previous, cell.expectation) == (Expectation.AFFECTED, Expectation.FIXED):
                first_fixed.add(build)
            previous = cell.expectation
    return TestRow(test, tuple(row_cells), frozenset(first_fixed))

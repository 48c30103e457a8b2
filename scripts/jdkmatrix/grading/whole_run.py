# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do a run's stored records become results? Used by a run, and by `matrix report` again."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property

from jdkmatrix.config import version
from jdkmatrix.config.known_changes import KnownChange
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.recording_rules import GenericRule
from jdkmatrix.evidence.cell_outcome import CellOutcome
from jdkmatrix.evidence.digest import Recording
from jdkmatrix.evidence.rows import Row
from jdkmatrix.grading.build_faults import faults_of
from jdkmatrix.grading.cell_recordings import read_digest
from jdkmatrix.grading.cell_results import cell_result, suite_cell
from jdkmatrix.grading.graded_cells import GradedCell, bug_of, combined, grade_cell
from jdkmatrix.grading.graded_comparisons import assemble_throughput
from jdkmatrix.grading.judged_build import validation_of
from jdkmatrix.grading.row_cells import RowsOfBuild, has_rows, row_cell, rows_of
from jdkmatrix.plan.expectation import expect
from jdkmatrix.records.model import bounded
from jdkmatrix.records.record import BuildRecord, CellRecord, PlannedCell, RunRecord
from jdkmatrix.records.store import RunFolder
from jdkmatrix.results.document import BugResult, CellResult, Results
from jdkmatrix.verdict.suite_differences import differences
from jdkmatrix.vocabulary import Expectation, Grade, Outcome


class Grader:
    """Grades the cells of one run from what is stored in `folder` when it is asked."""

    def __init__(
        self,
        run: RunRecord,
        folder: RunFolder,
        ledger: Ledger,
        rules: Sequence[GenericRule] = (),
        known_changes: Sequence[KnownChange] = (),
    ) -> None:
        self._run = run
        self._folder = folder
        self._ledger = ledger
        self._rules = rules
        self._builds = {build.id: build for build in run.builds}
        self._known_changes = known_changes
        self._rows: dict[str, dict[str, Mapping[str, Row]]] = {}

    def grade(self, cell: PlannedCell) -> GradedCell | None:
        """A cell by its attempts; None before the first was finished. What cannot be graded is an
        error of its own.
        """
        attempts = self._folder.read_attempts(cell)
        if not attempts:
            return None
        build = self._builds[cell.build]
        try:
            return self._graded(cell, attempts, build)
        except Exception as error:
            text = bounded(f"What it left cannot be read: {type(error).__name__}: {error}")
            found = CellOutcome(Outcome.ERROR, text)
            result = cell_result(attempts[0], self._folder, build, found, Grade.ERROR)
            return GradedCell(result, False)

    def _graded(
        self, cell: PlannedCell, attempts: Sequence[CellRecord], build: BuildRecord
    ) -> GradedCell:
        folder = self._folder
        if suite := self._run.request.suite:
            return GradedCell(suite_cell(attempts[0], folder, build, suite), False)
        if has_rows(attempts[0]):
            earlier, changes = self._earlier_rows(cell, build), self._known_changes
            graded = [row_cell(one, folder, build, earlier, changes) for one in attempts]
        else:
            ledger, rules = self._ledger, self._rules
            others = _others(cell, build.train, self._on_fixed_builds)
            graded = [grade_cell(one, folder, build, ledger, rules, others) for one in attempts]
        return combined(attempts, graded, folder)

    def _earlier_rows(self, cell: PlannedCell, build: BuildRecord) -> tuple[RowsOfBuild, ...]:
        """Of the train's builds before that one, oldest first. None in a shard, as above."""
        if self._run.shard:
            return ()
        of_test = self._rows.setdefault(cell.test, {})
        for other in self._run.cells:
            if other.test == cell.test and other.build not in of_test:
                of_test[other.build] = rows_of(other, self._folder)
        train = [one for one in self._run.builds if one.train == build.train]
        train.sort(key=lambda one: version.parse(one.version))  # of one version: as they were asked
        before = train[: train.index(build)] if build in train else []
        return tuple(RowsOfBuild(one, of_test[one.id]) for one in before if one.id in of_test)

    @cached_property
    def _on_fixed_builds(self) -> Mapping[tuple[str, int], Mapping[str, Recording]]:
        """None in a shard, which lacks some of the builds: they are compared once it is merged."""
        if self._run.shard:
            return {}
        return _on_fixed_builds(self._run.cells, self._folder, self._builds, self._ledger)


def assemble(
    run: RunRecord,
    folder: RunFolder,
    ledger: Ledger,
    rules: Sequence[GenericRule] = (),
    known_changes: Sequence[KnownChange] = (),
) -> Results:
    """The results of what is stored in `folder` so far. Raises UsageError for damaged records."""
    grader = Grader(run, folder, ledger, rules, known_changes)
    cells = tuple(found.result for cell in run.cells if (found := grader.grade(cell)))
    if run.request.suite:
        faults = tuple(faults_of(run.builds, (), ledger))
        return _suite_results(run, cells).model_copy(update={"build_faults": faults})
    plan = run.speed
    speed = assemble_throughput(plan, folder.path, ledger, run.builds) if plan else ((), ())
    bugs = tuple(_bugs(ledger, {cell.test for cell in cells}))
    results = _results(run).model_copy(
        update={
            "build_faults": tuple(faults_of(run.builds, cells, ledger)),
            "bugs": bugs,
            "cells": cells,
            "throughput": speed[0],
            "law": speed[1],
        }
    )
    if plan is None or plan.validates is None:
        return results
    minutes = run.request.speed.minutes if run.request.speed else None
    judged = validation_of(results, plan, known_changes, minutes)
    return results.model_copy(update={"validation": judged})


def _results(run: RunRecord) -> Results:
    """What a run's own record tells, without its cells."""
    return Results(
        schema=1,
        run=run.run,
        started=run.started,
        finished=run.finished,
        seconds=run.seconds,
        complete=run.finished is not None,
        machine=run.machine,
        kit=run.kit,
        builds=run.builds,
        unavailable=run.unavailable,
        cells=(),
        merged=run.merged,
    )


def _suite_results(run: RunRecord, cells: tuple[CellResult, ...]) -> Results:
    """Those of a suite of the user's. A shard lacks builds to compare: that is for the merge."""
    found = () if run.shard else differences((c.build, c.test, c.outcome) for c in cells)
    return _results(run).model_copy(
        update={"cells": cells, "suite": run.request.suite, "differences": found}
    )


def _bugs(ledger: Ledger, tests: Set[str]) -> Iterator[BugResult]:
    for bug in ledger.bugs:
        if not tests.isdisjoint(bug.tests):
            yield BugResult(
                id=bug.id,
                title=bug.title,
                component=bug.component,
                fixed=tuple(str(tag) for _, tag in sorted(bug.fixed.items())),
                links=bug.links,
            )


def _on_fixed_builds(
    cells: Iterable[PlannedCell],
    folder: RunFolder,
    builds: Mapping[str, BuildRecord],
    ledger: Ledger,
) -> dict[tuple[str, int], dict[str, Recording]]:
    """By test and train, then build: the recordings of builds that have that test's bug fixed.

    A train apart, as trains differ in what they lock by design: 8 looks algorithms up under a
    provider's monitor, which under load is contention that no later train has.
    """
    fixed: defaultdict[tuple[str, int], dict[str, Recording]] = defaultdict(dict)
    for cell in cells:
        build = builds[cell.build]
        bug = bug_of(cell.test, ledger)
        found = expect(bug, version.parse(build.version), ledger, cell.test)
        if found is Expectation.FIXED:
            recording, _ = read_digest(folder.cell_folder(cell))
            if recording:
                fixed[cell.test, build.train][cell.build] = recording
    return fixed


def _others(
    cell: PlannedCell, train: int, fixed: Mapping[tuple[str, int], Mapping[str, Recording]]
) -> tuple[Recording, ...]:
    """Of the cell's test on the train's other fixed builds; none if the cell's own is not one."""
    by_build = fixed.get((cell.test, train), {})
    if cell.build not in by_build:
        return ()
    return tuple(read for build, read in by_build.items() if build != cell.build)

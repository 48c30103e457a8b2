# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do a run's stored records become results? Used by a run, and by `matrix report`."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.evidence.digest import Recording
from jdkmatrix.evidence.rows import Row
from jdkmatrix.grading.behaviour_cells import (
    BehaviourGrader,
    BuildBehaviour,
    behaviour_of,
    has_observations,
)
from jdkmatrix.grading.build_faults import faults_of
from jdkmatrix.grading.cases.kinds import with_cases
from jdkmatrix.grading.cell_outcome import CellOutcome
from jdkmatrix.grading.cell_recordings import read_digest
from jdkmatrix.grading.cell_results import cell_result, suite_cell
from jdkmatrix.grading.graded_cells import GradedCell, bug_of, combine, grade_cell
from jdkmatrix.grading.graded_comparisons import assemble_throughput
from jdkmatrix.grading.judged_baseline import describe_baseline
from jdkmatrix.grading.judged_build import validation_of
from jdkmatrix.grading.program_results import differences_of, program_cell, program_results
from jdkmatrix.grading.row_cells import RowGrader, RowsOfBuild, has_rows, rows_of
from jdkmatrix.plan.expectation import expect
from jdkmatrix.records.model import cut_text
from jdkmatrix.records.record import BuildRecord, CellRecord, PlannedCell, RunRecord
from jdkmatrix.records.store import RunFolder
from jdkmatrix.results.document import BugResult, CellResult, Results
from jdkmatrix.verdict.behaviour import ChangeRules
from jdkmatrix.verdict.suite_differences import differences
from jdkmatrix.vocabulary import Expectation, Grade, Outcome


class Grader:
    """Grades the cells of one run, with what is stored in `folder` beside their records."""

    def __init__(self, run: RunRecord, folder: RunFolder, rulebook: Rulebook) -> None:
        self._run = run
        self._folder = folder
        self._rulebook = rulebook
        self._builds = {build.id: build for build in run.builds}
        self._rows: dict[str, dict[str, Mapping[str, Row]]] = {}

    def grade(self, attempts: Sequence[CellRecord]) -> GradedCell:
        """Grade a cell by its attempts, at least one. A cell that cannot be graded is an error."""
        first, folder, rulebook = attempts[0], self._folder, self._rulebook
        build = self._builds[first.build]
        try:
            if self._run.request.program:
                return GradedCell(program_cell(attempts, folder, self._run, rulebook), False)
            if suite := self._run.request.suite:
                return GradedCell(suite_cell(first, folder, build, suite), False)
            if has_observations(attempts):
                earlier_behaviour = self.earlier_behaviour(first.cell)
                grader = BehaviourGrader(folder, build, earlier_behaviour, rulebook)
                return GradedCell(grader.grade(attempts), False)
            if has_rows(attempts):
                earlier = self._earlier_rows(first.test, build)
                row_grader = RowGrader(folder, build, earlier, rulebook.known_changes)
                attempt_results = row_grader.grade(attempts)
            else:
                other_recordings = self._on_other_fixed_builds(first.test, build)
                attempt_results = [
                    grade_cell(attempt, folder, build, rulebook, other_recordings)
                    for attempt in attempts
                ]
            return combine(attempts, attempt_results, folder)
        except Exception as error:
            text = cut_text(f"Its files cannot be read: {type(error).__name__}: {error}")
            cell_outcome = CellOutcome(Outcome.ERROR, text)
            error_cell = cell_result(first, folder, build, cell_outcome, Grade.ERROR)
            bug = None if self._run.request.suite else bug_of(first.test, rulebook.ledger)
            update = {"bug": bug.id if bug else None}
            return GradedCell(error_cell.model_copy(update=update), False)

    def behaviour(self, cell: PlannedCell) -> BuildBehaviour:
        """What a cell of `test/behave` showed; it has no row if it was not run."""
        attempts = self._folder.read_attempts(cell)
        return behaviour_of(attempts, self._folder, self._builds[cell.build])

    def earlier_behaviour(self, cell: PlannedCell) -> BuildBehaviour | None:
        """What the same test showed on the build that the cell's is compared with: the last one
        before it of its train, or of two builds the older. None in a shard.
        """
        builds = self._earlier_builds(self._builds[cell.build], of_two=True)
        cells = (PlannedCell(build=build.id, test=cell.test) for build in reversed(builds))
        behaviours = (self.behaviour(of_build) for of_build in cells)
        return next((behaviour for behaviour in behaviours if behaviour.observations), None)

    def _earlier_builds(self, build: BuildRecord, *, of_two: bool = False) -> Sequence[BuildRecord]:
        """The train's builds before that one, oldest first; `of_two`: whatever their trains. Those
        of a validation's build are its counterpart and its baseline; other builds have none there.
        """
        if self._run.shard:
            return ()
        if self._run.speed and self._run.speed.validates:
            candidate, baseline = self._run.speed.validates
            earlier = [member for member in self._run.builds if member.id != candidate]
            earlier.sort(key=lambda member: member.id == baseline)  # the last one counts first
            return earlier if build.id == candidate else ()
        is_pair = of_two and len(self._run.builds) == 2
        train = [member for member in self._run.builds if is_pair or member.train == build.train]
        # Within one version: in the order requested.
        train.sort(key=lambda member: member.jdk_version)
        return train[: train.index(build)] if build in train else []

    def _earlier_rows(self, test: str, build: BuildRecord) -> tuple[RowsOfBuild, ...]:
        """The train's builds before that one that have rows, oldest first. Empty in a shard."""
        if self._run.shard:
            return ()
        of_test = self._rows.setdefault(test, {})
        for planned_cell in self._run.cells:
            if planned_cell.test == test and planned_cell.build not in of_test:
                of_test[planned_cell.build] = rows_of(planned_cell, self._folder)
        return tuple(
            RowsOfBuild(member, of_test[member.id])
            for member in self._earlier_builds(build)
            if of_test.get(member.id)
        )

    def _on_other_fixed_builds(self, test: str, build: BuildRecord) -> tuple[Recording, ...]:
        """A test's recordings on the train's other fixed builds; empty if that build is not one."""
        by_build = self._on_fixed_builds.get((test, build.train), {})
        if build.id not in by_build:
            return ()
        return tuple(read for build_id, read in by_build.items() if build_id != build.id)

    @cached_property
    def _on_fixed_builds(self) -> Mapping[tuple[str, int], Mapping[str, Recording]]:
        """By test and train, then build: the recordings of builds that have that test's bug fixed.
        Empty in a shard, which lacks some of the builds: they are compared once it is merged.

        Trains are kept apart because they lock differently by design: 8 looks up algorithms under
        a provider's monitor, which under load causes contention that no later train has.
        """
        ledger = self._rulebook.ledger
        recordings: defaultdict[tuple[str, int], dict[str, Recording]] = defaultdict(dict)
        for cell in () if self._run.shard else self._run.cells:
            build, bug = self._builds[cell.build], bug_of(cell.test, ledger)
            expected = expect(bug, build.jdk_version, ledger, cell.test)
            if expected is Expectation.FIXED:
                recording, _ = read_digest(self._folder.cell_folder(cell))
                if recording:
                    recordings[cell.test, build.train][build.id] = recording
        return recordings


def assemble(run: RunRecord, folder: RunFolder, rulebook: Rulebook) -> Results:
    """The results of what is stored in `folder` so far. Raises UsageError for damaged records."""
    return with_cases(_details(run, folder, rulebook))


def _details(run: RunRecord, folder: RunFolder, rulebook: Rulebook) -> Results:
    grader, ledger = Grader(run, folder, rulebook), rulebook.ledger
    attempts = filter(None, map(folder.read_attempts, run.cells))
    cells = tuple(grader.grade(of_cell).cell for of_cell in attempts)
    if run.request.suite:
        faults = tuple(faults_of(run.builds, (), ledger))
        results = _suite_results(run, cells).model_copy(update={"build_faults": faults})
        return _with_programs(results, run, folder, rulebook)
    plan = run.speed
    speed = (
        assemble_throughput(plan, folder.path, ledger, run.builds, rulebook.known_changes)
        if plan
        else ((), ())
    )
    bugs = tuple(_bugs(ledger, {cell.test for cell in cells}))
    results = _make_results(run).model_copy(
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
    accepted_changes = run.request.accepted_changes
    rules = ChangeRules(rulebook.behaviour, rulebook.known_changes, accepted_changes)
    validation = validation_of(results, plan, rules, minutes, _counterpart_of(run))
    if run.request.speed:
        baseline_reason = describe_baseline(
            run.builds, *plan.validates, run.request.speed, rulebook
        )
        validation = validation.model_copy(update={"baseline_reason": baseline_reason})
    return results.model_copy(update={"validation": validation})


def _counterpart_of(run: RunRecord) -> str | None:
    """The id of a validation's counterpart, if it was to be had."""
    entry_id = run.request.speed.counterpart if run.request.speed else None
    return next((build.id for build in run.builds if build.entry == entry_id), None)


def _make_results(run: RunRecord) -> Results:
    """What a run's own record gives, without its cells."""
    return Results(
        schema=2,
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
    """The results of the user's own suite. What differs in a shard also does in the merged run."""
    suite_differences = differences((cell.build, cell.test, cell.outcome) for cell in cells)
    return _make_results(run).model_copy(
        update={"cells": cells, "suite": run.request.suite, "differences": suite_differences}
    )


def _with_programs(
    results: Results, run: RunRecord, folder: RunFolder, rulebook: Rulebook
) -> Results:
    """The results of a suite with the groups of builds, if its tests are plain programs."""
    if run.request.program is None:
        return results
    programs = program_results(run, folder, rulebook)
    update = {
        "programs": programs,
        "differences": differences_of(programs),
        "is_judged": run.request.program.judges,
    }
    return results.model_copy(update=update)


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

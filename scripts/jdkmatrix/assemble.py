# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do a run's stored records become results? Used by a run, and by `matrix report` again."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from jdkmatrix.cell_recordings import read_digest
from jdkmatrix.config import version
from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.config.rules import GenericRule
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.evidence.against import Against
from jdkmatrix.evidence.cause import cause_of, slow_cause_of
from jdkmatrix.evidence.cell_outcome import CellOutcome, outcome_of
from jdkmatrix.evidence.digest import Recording
from jdkmatrix.evidence.hang import read_hangs
from jdkmatrix.evidence.longest import longest_waits
from jdkmatrix.evidence.outcomes import (
    CaseOutcome,
    CellOutcomes,
    Outcome,
    OutcomeFileError,
    read_outcomes,
)
from jdkmatrix.evidence.rules import Finding, findings
from jdkmatrix.plan.expectation import Expectation, expect
from jdkmatrix.report.results import (
    BugResult,
    CaseResult,
    CellResult,
    EvidenceResult,
    Results,
)
from jdkmatrix.run.record import BuildRecord, CellRecord, PlannedCell, RunRecord
from jdkmatrix.run.store import RunFolder
from jdkmatrix.run.throughput_store import read_plan
from jdkmatrix.suite_cells import suite_cell
from jdkmatrix.throughput.assemble import assemble_throughput
from jdkmatrix.throughput.validation import validation_of
from jdkmatrix.verdict.differences import differences
from jdkmatrix.verdict.grade import grade

# Rows of blocked time that a result carries; the digest beside it has them all.
_MOST_BLOCKED_ROWS = 10

_NO_OTHER_DOES = "Its recording shows what no other fixed build of its train does"


def assemble(
    run: RunRecord, folder: RunFolder, ledger: Ledger, rules: Sequence[GenericRule] = ()
) -> Results:
    """The results of what is stored in `folder` so far. Raises UsageError for damaged records."""
    builds = {build.id: build for build in run.builds}
    records = [record for cell in run.cells if (record := folder.read_cell(cell))]
    if suite := run.request.suite:
        cells = tuple(suite_cell(record, folder, builds[record.build], suite) for record in records)
        return _suite_results(run, cells)
    # A shard lacks some of the builds to compare with: that is done once it is merged.
    fixed = {} if run.shard else _on_fixed_builds(records, folder, builds, ledger)
    plan = read_plan(folder.path)
    speed = assemble_throughput(plan, folder.path, ledger, run.builds) if plan else ((), ())
    cells = tuple(
        grade_cell(record, folder, build, ledger, rules, _others(record, build.train, fixed))
        for record in records
        for build in (builds[record.build],)
    )
    bugs = tuple(_bugs(ledger, {record.test for record in records}))
    results = _results(run).model_copy(
        update={"bugs": bugs, "cells": cells, "throughput": speed[0], "law": speed[1]}
    )
    judged = plan.validates if plan else None
    if judged is None:
        return results
    return results.model_copy(update={"validation": validation_of(results, *judged)})


def _results(run: RunRecord) -> Results:
    """What a run's own record tells, without its cells."""
    return Results(
        schema=1,
        run=run.run,
        started=run.started,
        finished=run.finished,
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


def grade_cell(
    cell: CellRecord,
    folder: RunFolder,
    build: BuildRecord,
    ledger: Ledger,
    rules: Sequence[GenericRule] = (),
    others: tuple[Recording, ...] = (),
    suite: str | None = None,
) -> CellResult:
    """One finished cell with its outcome, grade and evidence; `suite` is the user's own.

    What the recording shows never changes outcome or grade; where it contradicts the ledger, or
    shows waiting that none of `others` has (of the test on the train's other fixed builds), the
    cell is flagged.
    """
    if suite:
        return suite_cell(cell, folder, build, suite)
    home = folder.cell_folder(PlannedCell(build=cell.build, test=cell.test))
    bug = _bug_of(cell, ledger)
    files = CellOutcomes(verdict=None, controls=())
    try:
        files = read_outcomes(home)
        found = outcome_of(cell, files, is_reproducer=bug is not None)
    except OutcomeFileError as error:
        found = CellOutcome(Outcome.ERROR, str(error))
    expectation = _expectation(bug, build, ledger, cell.test)
    hangs = read_hangs(home, cell.artifacts)
    if hangs and found.outcome is Outcome.ERROR:
        stuck = " ".join(hang.sentence for hang in hangs)
        found = CellOutcome(found.outcome, f"{found.reason} While it hung: {stuck}")
    recording, unread = read_digest(home)
    against = Against.other_builds(others)
    seen = findings(recording, ledger.bugs, rules, against) if recording else ()
    if bug and found.outcome is Outcome.REPRODUCED:  # told as its cause
        seen = tuple(finding for finding in seen if finding.bug != bug.id)
    relative = home.relative_to(folder.path).as_posix()
    return CellResult(
        build=cell.build,
        test=cell.test,
        bug=bug.id if bug else None,
        expectation=expectation,
        outcome=found.outcome,
        grade=grade(found.outcome, expectation),
        seconds=cell.seconds,
        test_seconds=cell.test_seconds,
        reason=found.reason,
        rerun=rerun_line(build, cell.test),
        evidence=EvidenceResult(
            cause=_cause(recording, bug, found.outcome),
            cases=_cases(files),
            blocked=longest_waits(recording, _MOST_BLOCKED_ROWS) if recording else (),
            recording_error=unread,
            sampled=bool(recording and recording.source == "sampled"),
            hangs=hangs,
            findings=seen,
            timeline=recording.timeline if recording else None,
        ),
        flags=tuple(_flags(seen, version.parse(build.version), ledger)),
        artifacts=tuple(f"{relative}/{name}" for name in cell.artifacts),
    )


def rerun_line(build: BuildRecord, test: str) -> str:
    """The command that repeats one cell alone."""
    which = f"--jdk '{build.home}'" if build.source == "local" else f"--build {build.entry}"
    overlay = f" {build.overlay.option}" if build.overlay else ""
    return f"scripts/matrix run {which}{overlay} --test {test}"


def _cases(files: CellOutcomes) -> tuple[CaseResult, ...]:
    verdict = (files.verdict,) if files.verdict else ()
    return tuple(_case(case) for case in (*verdict, *files.controls))


def _cause(recording: Recording | None, bug: Bug | None, outcome: Outcome) -> str | None:
    rule = bug.evidence if bug and outcome is Outcome.REPRODUCED else None
    if recording is None or rule is None:
        return None
    return cause_of(recording, rule) or slow_cause_of(recording, rule)


def _flags(seen: Iterable[Finding], build: JdkVersion, ledger: Ledger) -> Iterator[str]:
    """A sentence for each bug that the recording shows and the build must not have.

    And for each place where it waits as no other fixed build of its train does.
    """
    for finding in seen:
        bug = next((bug for bug in ledger.bugs if bug.id == finding.bug), None)
        if bug and expect(bug, build, ledger) in (Expectation.FIXED, Expectation.NOT_APPLICABLE):
            shown = f"Its recording shows {bug.id}, which this build must not have"
            yield f"{shown}: {finding.sentence}"
        elif finding.baseline_ms is not None:
            yield f"{_NO_OTHER_DOES}: {finding.sentence}"


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
    records: Iterable[CellRecord],
    folder: RunFolder,
    builds: Mapping[str, BuildRecord],
    ledger: Ledger,
) -> dict[tuple[str, int], dict[str, Recording]]:
    """By test and train, then build: the recordings of builds that have that test's bug fixed.

    A train apart, as trains differ in what they lock by design: 8 looks algorithms up under a
    provider's monitor, which under load is contention that no later train has.
    """
    fixed: defaultdict[tuple[str, int], dict[str, Recording]] = defaultdict(dict)
    for record in records:
        build = builds[record.build]
        if _expectation(_bug_of(record, ledger), build, ledger, record.test) is Expectation.FIXED:
            recording, _ = read_digest(
                folder.cell_folder(PlannedCell(build=record.build, test=record.test))
            )
            if recording:
                fixed[record.test, build.train][record.build] = recording
    return fixed


def _others(
    cell: CellRecord, train: int, fixed: Mapping[tuple[str, int], Mapping[str, Recording]]
) -> tuple[Recording, ...]:
    """Of the cell's test on the train's other fixed builds; none if the cell's own is not one."""
    by_build = fixed.get((cell.test, train), {})
    if cell.build not in by_build:
        return ()
    return tuple(read for build, read in by_build.items() if build != cell.build)


def _bug_of(cell: CellRecord, ledger: Ledger) -> Bug | None:
    return next((bug for bug in ledger.bugs if cell.test in bug.tests), None)


def _expectation(bug: Bug | None, build: BuildRecord, ledger: Ledger, test: str) -> Expectation:
    if bug is None:
        return Expectation.UNKNOWN
    return expect(bug, version.parse(build.version), ledger, test)


def _case(case: CaseOutcome) -> CaseResult:
    return CaseResult(
        case=case.case,
        outcome=case.outcome,
        reason=case.reason,
        figures=case.figures,
        facts=case.facts,
    )

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does one finished cell become a result, with its outcome, grade and evidence?

Each attempt is graded by itself; `verdict/attempts.py` combines them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.evidence.against import RecordingBaseline
from jdkmatrix.evidence.cause import rule_ms
from jdkmatrix.evidence.digest import Recording
from jdkmatrix.evidence.findings import findings
from jdkmatrix.evidence.outcomes import CellOutcomes, OutcomeFileError, read_outcomes
from jdkmatrix.evidence.places import longest_waits
from jdkmatrix.grading.build_faults import silenced_by
from jdkmatrix.grading.cell_outcome import CellOutcome, has_broken, outcome_of
from jdkmatrix.grading.cell_recordings import has_hang_dumps, read_digest, read_hangs
from jdkmatrix.grading.cell_results import attempt_of, cell_result
from jdkmatrix.plan.expectation import expect, expect_with
from jdkmatrix.records.record import BuildRecord, CellRecord
from jdkmatrix.records.store import RunFolder
from jdkmatrix.results.document import CellResult, EvidenceResult, JvmResult
from jdkmatrix.results.finding import Finding
from jdkmatrix.verdict.attempts import Attempt, combine_attempts
from jdkmatrix.verdict.grade import grade
from jdkmatrix.vocabulary import Expectation, Grade, Outcome
from jdkmatrix.words import cells as words
from jdkmatrix.words.causes import Cause, find_cause
from jdkmatrix.words.certainty import confirmation
from jdkmatrix.words.waiting import finding_of

# Rows of blocked time that a result carries; the digest beside it has them all.
_MOST_BLOCKED_ROWS = 10


def grade_cell(
    cell: CellRecord,
    folder: RunFolder,
    build: BuildRecord,
    rulebook: Rulebook,
    other_recordings: tuple[Recording, ...] = (),
) -> CellResult:
    """One attempt at a cell with its outcome, grade and evidence.

    The recording never changes outcome or grade. If it contradicts the ledger, or shows waiting
    that none of `other_recordings` has (the test's recordings on the train's other fixed builds),
    the cell is flagged.
    """
    home, ledger = folder.home_of(cell), rulebook.ledger
    bug = bug_of(cell.test, ledger)
    files, cell_outcome = _read_outcome(cell, home, bug, build)
    by_ledger = expect(bug, build.jdk_version, ledger, cell.test)
    expectation = expect_with(by_ledger, bug, build.overlay, cell_outcome.outcome)
    hangs = read_hangs(home)
    if cell_outcome.outcome is Outcome.ERROR and (hangs or has_hang_dumps(cell.artifacts)):
        cell_outcome = replace(cell_outcome, reason=words.while_it_hung(cell_outcome.reason, hangs))
    recording, unread = read_digest(home)
    reference = RecordingBaseline.other_builds(other_recordings)
    matches = (
        findings(recording, ledger.bugs, rulebook.recording_rules, reference) if recording else ()
    )
    cell_findings = tuple(map(finding_of, matches))
    if bug and cell_outcome.outcome is Outcome.REPRODUCED:  # reported as its cause
        cell_findings = tuple(finding for finding in cell_findings if finding.bug != bug.id)
    cell_grade = grade(
        cell_outcome.outcome,
        expectation,
        is_wider=bool(cell_outcome.wider),
        has_broken=has_broken(cell, hangs),
    )
    if cell_grade is Grade.SKIPPED and expectation is not Expectation.NOT_APPLICABLE:
        lack = silenced_by(build, bug, cell.test, ledger)
        if lack:
            cell_grade = Grade.SILENCED
            cell_outcome = replace(
                cell_outcome, reason=words.about_build(cell_outcome.reason, lack)
            )
    cause = _cause(recording, bug, cell_outcome, files, cell.test)
    evidence = EvidenceResult(
        cause=cause.sentence if cause else None,
        cause_from=cause.source if cause else None,
        cases=tuple(JvmResult.model_validate(case, from_attributes=True) for case in files.cases),
        blocked=longest_waits(recording, _MOST_BLOCKED_ROWS) if recording else (),
        recording_error=unread,
        sampled=bool(recording and recording.source == "sampled"),
        hangs=hangs,
        findings=cell_findings,
        timeline=recording.timeline if recording else None,
        rule_ms=rule_ms(recording, bug.evidence) if recording and bug and bug.evidence else None,
    )
    flags = tuple(_flags(cell_findings, build.jdk_version, ledger))
    update = {"expectation": expectation, "evidence": evidence, "flags": flags}
    attempt_result = cell_result(cell, folder, build, cell_outcome, cell_grade)
    return attempt_result.model_copy(update={"bug": bug.id if bug else None, **update})


def _read_outcome(
    cell: CellRecord, home: Path, bug: Bug | None, build: BuildRecord
) -> tuple[CellOutcomes, CellOutcome]:
    """What the reproducer's JVMs wrote, and the outcome by that and by how the cell ended."""
    files = CellOutcomes(verdict=None, controls=())
    try:
        if bug:  # other tests may use that file name for something else
            files = read_outcomes(home)
        cell_outcome = _of_another_jdk(files, build) or outcome_of(
            cell, files, is_reproducer=bug is not None
        )
    except OutcomeFileError as error:
        cell_outcome = CellOutcome(Outcome.ERROR, str(error))
    return files, cell_outcome


@dataclass(frozen=True)
class GradedCell:
    """A cell's result by all of its attempts so far."""

    cell: CellResult
    wants_another: bool


def combine(
    cells: Sequence[CellRecord], attempt_results: Sequence[CellResult], folder: RunFolder
) -> GradedCell:
    """Combine the attempts at a cell, each of them graded."""
    attempts = list(map(_attempt, attempt_results))
    summary = combine_attempts(attempts)
    update: dict[str, object] = {
        "outcome": summary.outcome,
        "grade": summary.grade,
        "confirmation": confirmation(attempts, summary),
    }
    if len(attempt_results) > 1:
        flag_lists = (
            cell.flags
            for cell in (attempt_results[summary.representative], *attempt_results)
            if cell.flags
        )
        update["flags"] = next(flag_lists, ())
        update["attempts"] = tuple(
            attempt_of(record, cell, folder)
            for record, cell in zip(cells, attempt_results, strict=True)
        )
    return GradedCell(
        attempt_results[summary.representative].model_copy(update=update), summary.wants_another
    )


def _attempt(cell: CellResult) -> Attempt:
    was_read = cell.evidence.timeline is not None or cell.evidence.is_sampled
    flag = bool(cell.flags) if was_read else None
    return Attempt(outcome=cell.outcome, grade=cell.grade, flag=flag)


def _of_another_jdk(files: CellOutcomes, build: BuildRecord) -> CellOutcome | None:
    """An error if a JVM that ran the test is not the build's: the build was replaced meanwhile."""
    build_jvm = (build.facts.get("version"), build.facts.get("vendor"))
    for case in files.cases:
        jvm = (case.java.version, case.java.vendor)
        if None not in build_jvm and jvm != build_jvm:
            return CellOutcome(Outcome.ERROR, words.other_jdk(case.case, jvm, build_jvm))
    return None


def _cause(
    recording: Recording | None,
    bug: Bug | None,
    cell_outcome: CellOutcome,
    files: CellOutcomes,
    test: str,
) -> Cause | None:
    """The cause of a reproduced cell of a bug, which always has one; None for other cells."""
    if bug is None or cell_outcome.outcome is not Outcome.REPRODUCED:
        return None
    return find_cause(recording, bug.evidence, bug.cause, files.verdict, test, cell_outcome.reason)


def _flags(cell_findings: Iterable[Finding], build: JdkVersion, ledger: Ledger) -> Iterator[str]:
    """A sentence for each bug that the recording shows and the build must not have.

    Likewise for each place where it waits as no other fixed build of its train does.
    """
    for finding in cell_findings:
        bug = next((bug for bug in ledger.bugs if bug.id == finding.bug), None)
        if bug and expect(bug, build, ledger) in (Expectation.FIXED, Expectation.NOT_APPLICABLE):
            yield words.recording_shows(bug.id, finding)
        elif finding.baseline_ms is not None:
            yield words.no_other_does(finding)


def bug_of(test: str, ledger: Ledger) -> Bug | None:
    """The bug that a test is a reproducer of; None if it is none."""
    return next((bug for bug in ledger.bugs if test in bug.tests), None)

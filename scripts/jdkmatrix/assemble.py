# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do a run's stored records become results? Used by a run, and by `matrix report` again."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pydantic import ValidationError

from jdkmatrix.config import version
from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.config.rules import GenericRule
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.evidence.cause import cause_of, slow_cause_of
from jdkmatrix.evidence.cell_outcome import CellOutcome, outcome_of
from jdkmatrix.evidence.digest import Digest, Digester, Recording
from jdkmatrix.evidence.hang import read_hangs
from jdkmatrix.evidence.outcomes import (
    CaseOutcome,
    CellOutcomes,
    Outcome,
    OutcomeFileError,
    read_outcomes,
)
from jdkmatrix.evidence.rules import Finding, findings
from jdkmatrix.evidence.sampled import parse_samples, recording_of
from jdkmatrix.plan.expectation import Expectation, expect
from jdkmatrix.report.results import (
    BlockedResult,
    CaseResult,
    CellResult,
    EvidenceResult,
    Results,
)
from jdkmatrix.run.record import BuildRecord, CellRecord, PlannedCell, RunRecord
from jdkmatrix.run.store import RunFolder, write_atomically
from jdkmatrix.run.throughput_store import read_plan
from jdkmatrix.throughput_assemble import assemble_throughput
from jdkmatrix.validation import validation_of
from jdkmatrix.verdict.grade import grade

_DIGEST_FILE = "digest.json"
# Rows of blocked time that a result carries; the digest beside it has them all.
_MOST_BLOCKED_ROWS = 10


def assemble(
    run: RunRecord, folder: RunFolder, ledger: Ledger, rules: Sequence[GenericRule] = ()
) -> Results:
    """The results of what is stored in `folder` so far. Raises UsageError for damaged records."""
    builds = {build.id: build for build in run.builds}
    cells = [(cell, folder.read_cell(cell)) for cell in run.cells]
    plan = read_plan(folder.path)
    speed = assemble_throughput(plan, folder.path, ledger, run.builds) if plan else ((), ())
    results = Results(
        schema=1,
        run=run.run,
        started=run.started,
        finished=run.finished,
        complete=run.finished is not None,
        machine=run.machine,
        kit=run.kit,
        builds=run.builds,
        unavailable=run.unavailable,
        cells=tuple(
            grade_cell(record, folder, builds[cell.build], ledger, rules)
            for cell, record in cells
            if record is not None
        ),
        throughput=speed[0],
        law=speed[1],
    )
    judged = plan.validates if plan else None
    if judged is None:
        return results
    return results.model_copy(update={"validation": validation_of(results, *judged)})


def grade_cell(
    cell: CellRecord,
    folder: RunFolder,
    build: BuildRecord,
    ledger: Ledger,
    rules: Sequence[GenericRule] = (),
) -> CellResult:
    """One finished cell with its outcome, grade and evidence.

    What the recording shows never changes outcome or grade; where it contradicts the ledger, the
    cell is flagged.
    """
    home = folder.cell_folder(PlannedCell(build=cell.build, test=cell.test))
    bug = next((bug for bug in ledger.bugs if cell.test in bug.tests), None)
    files = CellOutcomes(verdict=None, controls=())
    try:
        files = read_outcomes(home)
        found = outcome_of(cell, files, is_reproducer=bug is not None)
    except OutcomeFileError as error:
        found = CellOutcome(Outcome.ERROR, str(error))
    expectation = Expectation.UNKNOWN
    if bug:
        expectation = expect(bug, version.parse(build.version), ledger)
    hangs = read_hangs(home, cell.artifacts)
    if hangs and found.outcome is Outcome.ERROR:
        stuck = " ".join(hang.sentence for hang in hangs)
        found = CellOutcome(found.outcome, f"{found.reason} While it hung: {stuck}")
    recording, unread = _read_digest(home)
    seen = findings(recording, ledger.bugs, rules) if recording else ()
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
            blocked=_blocked(recording),
            recording_error=unread,
            sampled=bool(recording and recording.source == "sampled"),
            hangs=hangs,
            findings=seen,
        ),
        flags=tuple(_flags(seen, version.parse(build.version), ledger)),
        artifacts=tuple(f"{relative}/{name}" for name in cell.artifacts),
    )


def rerun_line(build: BuildRecord, test: str) -> str:
    """The command that repeats one cell alone."""
    which = f"--jdk '{build.home}'" if build.source == "local" else f"--build {build.entry}"
    return f"scripts/matrix run {which} --test {test}"


def digest_recordings(cells: Iterable[PlannedCell], folder: RunFolder, digester: Digester) -> None:
    """Read the subject's recording of each cell that has none read yet, all in one JVM.

    Writes `digest.json` beside each. Raises MachineError if the reader itself fails.
    """
    recordings: dict[Path, Path] = {}
    for cell in cells:
        home = folder.cell_folder(cell)
        if (home / _DIGEST_FILE).exists():
            continue
        if recording := _subject_recording(home):
            recordings[recording] = home
        elif samples := _subject_samples(home):
            _digest_samples(samples, home)
    digest = digester.digest(tuple(recordings))
    for home, read in zip(recordings.values(), digest.recordings, strict=True):
        one = Digest(schema=1, recordings=(read,))
        write_atomically(home / _DIGEST_FILE, one.model_dump_json(by_alias=True, indent=1))


def _subject_recording(home: Path) -> Path | None:
    try:
        verdict = read_outcomes(home).verdict
    except OutcomeFileError:  # told in the cell's reason
        return None
    if verdict is None:  # hung, perhaps: then this is the one that the timeout handler took
        return next(home.glob("hang-*.jfr"), None)
    return next((home / "jfr").glob(f"*-pid-{verdict.java.pid}-*.jfr"), None)


def _subject_samples(home: Path) -> Path | None:
    """The dumps taken of the subject on a JDK without Flight Recorder."""
    files = {path.name: path for path in home.glob("samples-*.txt")}
    if not files:
        return None
    try:
        verdict = read_outcomes(home).verdict
    except OutcomeFileError:  # told in the cell's reason
        return None
    return files.get(f"samples-{verdict.java.pid}.txt") if verdict else None


def _digest_samples(file: Path, home: Path) -> None:
    samples = parse_samples(file.read_text(encoding="utf-8", errors="replace"))
    if samples:
        pid = int(file.stem.rpartition("-")[2])
        read = recording_of(samples, str(file), pid)
        one = Digest(schema=1, recordings=(read,))
        write_atomically(home / _DIGEST_FILE, one.model_dump_json(by_alias=True, indent=1))


def _cases(files: CellOutcomes) -> tuple[CaseResult, ...]:
    verdict = (files.verdict,) if files.verdict else ()
    return tuple(_case(case) for case in (*verdict, *files.controls))


def _cause(recording: Recording | None, bug: Bug | None, outcome: Outcome) -> str | None:
    rule = bug.evidence if bug and outcome is Outcome.REPRODUCED else None
    if recording is None or rule is None:
        return None
    return cause_of(recording, rule) or slow_cause_of(recording, rule)


def _flags(seen: Iterable[Finding], build: JdkVersion, ledger: Ledger) -> Iterator[str]:
    """A sentence for each bug that the recording shows and the build must not have."""
    for finding in seen:
        bug = next((bug for bug in ledger.bugs if bug.id == finding.bug), None)
        if bug and expect(bug, build, ledger) in (Expectation.FIXED, Expectation.NOT_APPLICABLE):
            shown = f"Its recording shows {bug.id}, which this build must not have"
            yield f"{shown}: {finding.sentence}"


def _blocked(recording: Recording | None) -> tuple[BlockedResult, ...]:
    rows = sorted(recording.blocked, key=lambda row: -row.total_ms) if recording else []
    return tuple(
        BlockedResult(
            kind=row.kind,
            lock_class=row.lock_class,
            frame=row.frame,
            threads=row.threads,
            count=row.count,
            total_ms=row.total_ms,
            max_ms=row.max_ms,
        )
        for row in rows[:_MOST_BLOCKED_ROWS]
    )


def _read_digest(home: Path) -> tuple[Recording | None, str | None]:
    path = home / _DIGEST_FILE
    if not path.is_file():
        return None, None
    try:
        read = Digest.model_validate_json(path.read_bytes()).recordings[0]
    except (ValidationError, IndexError) as error:
        return None, f"{path.name}: not a digest: {str(error).splitlines()[0]}"
    if isinstance(read, Recording):
        return read, None
    return None, f"{Path(read.file).name}: {read.error}"


def _case(case: CaseOutcome) -> CaseResult:
    return CaseResult(
        case=case.case,
        outcome=case.outcome,
        reason=case.reason,
        figures=case.figures,
        facts=case.facts,
    )

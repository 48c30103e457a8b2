# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does `results.json` hold? The one document that every report is made from.

Its JSON Schema is published beside this file as `results.schema.json`.
"""

from collections import Counter
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from pydantic import Field, model_validator

from jdkmatrix.evidence.cause import CauseSource
from jdkmatrix.evidence.digest import Timeline
from jdkmatrix.evidence.hang import Hang
from jdkmatrix.evidence.outcomes import Figure, Scalar
from jdkmatrix.evidence.places import LongestWait
from jdkmatrix.records.model import CommandLine
from jdkmatrix.records.record import (
    BuildRecord,
    KitRecord,
    MachineRecord,
    MergedShard,
    UnavailableRecord,
)
from jdkmatrix.results.case import Case
from jdkmatrix.results.finding import Finding
from jdkmatrix.results.programs import ProgramResult
from jdkmatrix.results.published import PublishedDocument, PublishedPart
from jdkmatrix.results.speed import LawPoint, ThroughputResult, ValidationResult
from jdkmatrix.verdict.suite_differences import VERDICTS, SuiteDifference
from jdkmatrix.vocabulary import (
    BEHAVIOUR_TESTS,
    SUBJECT,
    Expectation,
    Grade,
    ObservationStatus,
    Outcome,
    RowStatus,
)


class JvmResult(PublishedPart):
    """One case of a reproducer, in its own JVM: the subject or a control."""

    case: str
    outcome: Outcome
    reason: str
    figures: tuple[Figure, ...]
    facts: dict[str, Scalar | list[Scalar] | None]


class EvidenceResult(PublishedPart):
    """Why a cell has its outcome. `cause` is a sentence, which each reproduced cell of a bug has;
    `cause_from` is what it was read from: the recording, the test's facts, or its own reason.

    `hangs` says what stood still, one entry per JVM, if the test timed out. `findings` are the
    other rules that the recording meets. `sampled`: there is no recording, and its figures are
    from thread dumps taken twice a second. `timeline` has the threads blocked at once, and is None
    without a recording that could be read. `rule_ms` is how long all threads waited, or spun, in
    the way that the bug's rule counts, and is None without a rule, too.
    """

    cause: str | None = None
    cause_from: CauseSource | None = None
    cases: tuple[JvmResult, ...] = ()
    longest_waits: tuple[LongestWait, ...] = Field(default=(), alias="blocked")
    recording_error: str | None = None
    is_sampled: bool = Field(default=False, alias="sampled")
    hangs: tuple[Hang, ...] = ()
    findings: tuple[Finding, ...] = ()
    timeline: Timeline | None = None
    rule_ms: float | None = None


class BugResult(PublishedPart):
    """What the ledger says of a bug that the run looked for.

    `fixed` has the first fixed build tag of each train, oldest train first.
    """

    id: str
    title: str
    component: str
    fixed_tags: tuple[str, ...] = Field(alias="fixed")
    links: tuple[str, ...]


class AttemptResult(PublishedPart):
    """One attempt at a cell, graded by itself. `folder` has its files, `seconds` is wall time."""

    outcome: Outcome
    grade: Grade
    reason: str
    seconds: float
    flags: tuple[str, ...]
    folder: str


class RowResult(PublishedPart):
    """One row of the interoperability suite, `client/full/TLSv1.3/...`. `said` is what went wrong,
    None if nothing did; `alert` is the TLS alert that the JDK sent, None without one.

    `change` says how it differs from the earlier build `before` of the train, `known` which bug of
    `changes.yaml` explains that. For a surprise, `debug` has JSSE's output about the handshake on
    both builds, from running the row once more by itself. `statuses` has how it ended in each
    attempt that tried it; empty if one alone did.
    """

    row: str
    status: RowStatus
    grade: Grade
    failure: str | None = Field(alias="said")
    alert: str | None
    ms: int
    change: str | None
    bug: str | None = Field(alias="known")
    baseline_build: str | None = Field(default=None, alias="before")
    debug: dict[str, tuple[str, ...]] = Field(default={})
    statuses: tuple[RowStatus, ...] = ()

    @property
    def failed_count(self) -> int:
        """In how many attempts it did not end well."""
        return sum(status is not RowStatus.PASSED for status in self.statuses)


class ObservationResult(PublishedPart):
    """One row of `test/behave`: what it `does`, and the `text` of what was seen.

    `further_texts` are those of other attempts, if it flickers. `change` says how it differs from
    the earlier build `before` of the train, `known` what explains that. `rule` is the absolute rule
    that it breaks, `rule_known` who is known to do so.
    """

    row: str
    does: str
    is_gold: bool = Field(alias="gold")
    status: ObservationStatus
    text: str
    further_texts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    ms: int
    grade: Grade
    change: str | None = None
    bug: str | None = Field(default=None, alias="known")
    baseline_build: str | None = Field(default=None, alias="before")
    rule: str | None = None
    rule_bug: str | None = Field(default=None, alias="rule_known")


class CellResult(PublishedPart):
    """One cell. `seconds` is wall time, `test_seconds` what its JVMs, or jtreg, took of it.

    `cpu_s` is the CPU time of all its processes, `waited_s` how long their
    threads were ready and had no core, summed.

    `flags` are sentences on what its recording shows against the ledger, whatever its grade.
    `wider` are the controls that show the symptom too.

    A cell that was not as expected was run again: `attempts` has all attempts; reason, figures and
    files are those of attempt number `attempt`, and `confirmation` says in a sentence what the
    attempts showed together. `answer_sha256` is that of what a plain program said, masked. `rows`
    are those of a cell of the interoperability suite, `observations` those of `test/behave`.
    """

    build: str
    test: str
    bug: str | None
    expectation: Expectation
    outcome: Outcome
    grade: Grade
    seconds: float
    test_seconds: float | None
    cpu_s: float | None = None
    waited_s: float | None = None
    reason: str
    rerun: CommandLine
    evidence: EvidenceResult
    artifacts: tuple[str, ...]
    flags: tuple[str, ...] = ()
    wider: tuple[str, ...] = ()
    attempt: int = 1
    attempts: tuple[AttemptResult, ...] = ()
    confirmation: str | None = None
    answer_sha256: str | None = None
    rows: tuple[RowResult, ...] = ()
    observations: tuple[ObservationResult, ...] = ()

    @property
    def is_of_behaviour(self) -> bool:
        """Whether it is of `test/behave`, whether it has rows or not."""
        return self.test.startswith(BEHAVIOUR_TESTS)

    @property
    def has_rows(self) -> bool:
        """Whether it is judged by its rows, and not by a bug."""
        return bool(self.rows or self.observations)

    @property
    def shows_bug(self) -> bool:
        """Whether it shows the bug itself and not a wider fault."""
        return self.outcome is Outcome.REPRODUCED and not self.wider

    @property
    def subject(self) -> JvmResult | None:
        """The case that its outcome is about."""
        return next((case for case in self.evidence.cases if case.case == SUBJECT), None)

    @property
    def severity(self) -> float:
        """The figure that it was judged by, divided by its bound; 0 without a figure or bound."""
        figures = self.subject.figures if self.subject else ()
        return figures[0].value / figures[0].bound if figures and figures[0].bound else 0.0

    @property
    def is_unconfirmed(self) -> bool:
        """Whether it is a surprise or flagged after a single attempt."""
        return (self.grade.is_surprise or bool(self.flags)) and not self.attempts


class BuildFaultKind(StrEnum):
    """What is wrong with a build itself."""

    BROKEN_PROMISE = "broken-promise"
    REPLACED = "replaced"
    BROKEN_JVM = "broken-jvm"


class BuildFault(PublishedPart):
    """What is wrong with a build, whatever its cells say: a broken promise makes the run exit with
    1, else its cells have no verdict.

    `about` is the ledger's condition that it lacks; `silenced` counts the cells that can say
    nothing without it.
    """

    build: str
    kind: BuildFaultKind
    about: str
    sentence: str
    silenced_cells: int = Field(default=0, alias="silenced")
    rerun: CommandLine


class Results(PublishedDocument):
    """One run, whole. `complete` is false while cells of its plan have not been run.

    `cases` has every finding in one shape, whatever it is of; the lists beside it have the details
    of each kind. Schema 1, of earlier kits, has no cases.

    `build_faults` come first in every report: what is wrong with builds themselves.

    `bugs` are those of the cells, in the ledger's order.

    `throughput` has the graded comparisons, `law` the points of a sweep,
    `validation` the verdict on the one build that `matrix validate` was asked about; `merged` are
    the shards it was made of, each with its machine (`machine` is that of the first). `suite` is
    the user's own suite, whose `differences` between builds are then the result; of plain
    `programs`, the groups of builds, or, if they are `judged`, where they fail.
    """

    schema_: Literal[2] = Field(alias="schema")
    run: str
    started_at: str = Field(alias="started")
    finished_at: str | None = Field(alias="finished")
    seconds: float | None = None
    complete: bool
    machine: MachineRecord
    kit: KitRecord
    builds: tuple[BuildRecord, ...]
    unavailable: tuple[UnavailableRecord, ...]
    build_faults: tuple[BuildFault, ...] = ()
    bugs: tuple[BugResult, ...] = ()
    cells: tuple[CellResult, ...]
    throughput: tuple[ThroughputResult, ...] = ()
    law: tuple[LawPoint, ...] = ()
    validation: ValidationResult | None = None
    shards: tuple[MergedShard, ...] = Field(default=(), alias="merged")
    suite: str | None = None
    differences: tuple[SuiteDifference, ...] = ()
    programs: tuple[ProgramResult, ...] = ()
    is_judged: bool = Field(default=False, alias="judged")
    cases: tuple[Case, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _of_schema_1(cls, document: Any) -> Any:
        """Schema 2 only adds to schema 1."""
        if isinstance(document, dict) and document.get("schema") == 1:
            return {**document, "schema": 2}
        return document

    def cell(self, build: str, test: str) -> CellResult | None:
        """The cell of a build and a test, if it was run."""
        for cell in self.cells:
            if (cell.build, cell.test) == (build, test):
                return cell
        return None

    @property
    def took_s(self) -> float | None:
        """How long it took; None if it has not ended or the clock was set back."""
        if self.finished_at is None:
            return None
        if self.seconds is not None:
            return self.seconds
        end, start = (datetime.fromisoformat(text) for text in (self.finished_at, self.started_at))
        seconds = (end - start).total_seconds()
        return seconds if seconds >= 0 else None

    @property
    def surprises(self) -> tuple[CellResult, ...]:
        """The cells that are not as expected, with those that say nothing of their build."""
        return tuple(cell for cell in self.cells if cell.grade.is_surprise)

    @property
    def not_compared(self) -> tuple[CellResult, ...]:
        """Cells of the user's own suite that ended in an error, on one build or on all of them:
        without the verdict that a comparison needs.
        """
        if self.suite is None:
            return ()
        return tuple(cell for cell in self.cells if cell.outcome is Outcome.ERROR)

    @property
    def not_asked(self) -> tuple[CellResult, ...]:
        """Interoperability cells with rows whose peer the kit failed to bring."""
        return tuple(
            cell for cell in self.cells if any(row.status is RowStatus.ERROR for row in cell.rows)
        )

    @property
    def on_one_build(self) -> tuple[str, ...]:
        """Tests of the user's own suite that reached a verdict on only one build, as is common in a
        shard: there is nothing to compare it with.
        """
        if self.suite is None or self.programs:
            return ()
        return tuple(test for test, number in self.verdicts.items() if number == 1)

    @property
    def verdicts(self) -> Counter[str]:
        """The number of builds on which each test reached a verdict."""
        return Counter(cell.test for cell in self.cells if cell.outcome in VERDICTS)

    @property
    def slowdowns(self) -> tuple[ThroughputResult, ...]:
        """The throughput cells that make the run exit with 1."""
        return tuple(comparison for comparison in self.throughput if comparison.is_surprise)

    @property
    def has_unmeasured(self) -> bool:
        """Whether a comparison or a point of the law was not measured to the end."""
        points = any(not point.measured_requests_per_s for point in self.law)
        return points or any(comparison.stop_reason for comparison in self.throughput)

    @property
    def flagged_cells(self) -> tuple[CellResult, ...]:
        """The cells whose recording contradicts the ledger; they make the run exit with 1 too."""
        return tuple(cell for cell in self.cells if cell.flags)

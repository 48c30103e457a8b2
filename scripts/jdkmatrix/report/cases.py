# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is each verdict of a run to a CI server? One list for JUnit, TAP and annotations.

A case fails or breaks exactly where the run's exit code is 1 or 2, and its words are the report's.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from jdkmatrix.report.results import CellResult, Results
from jdkmatrix.report.throughput_results import ThroughputResult, ValidationResult
from jdkmatrix.report.throughput_words import told_of
from jdkmatrix.report.words import test_name
from jdkmatrix.verdict.grade import Grade
from jdkmatrix.verdict.ratio import SpeedGrade
from jdkmatrix.verdict.validation import Verdict

# The suite of what is the run's, and no build's.
RUN = "run"


class CaseStatus(StrEnum):
    """What JUnit knows, and TAP in other words."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Case:
    """One verdict. `group` is the bug's id or what else it is about, `word` the grade.

    `test` is the path below the suite, where there is one; the first of `sentences` is the reason.
    """

    build: str
    group: str
    name: str
    status: CaseStatus
    word: str
    sentences: tuple[str, ...]
    seconds: float = 0.0
    test: str | None = None
    rerun: str | None = None

    @property
    def is_bad(self) -> bool:
        """Does it make the run exit with 1 or 2?"""
        return self.status in (CaseStatus.FAILED, CaseStatus.ERROR)


def cases_of(results: Results) -> tuple[Case, ...]:
    """Every verdict of a run: cells, throughput, the validation, what was unavailable."""
    return tuple(_cases(results))


def _cases(results: Results) -> Iterator[Case]:
    yield from map(_cell, results.cells)
    yield from map(_throughput, results.throughput)
    if results.validation:
        yield _validation(results.validation)
    for missing in results.unavailable:
        reason = f"No source could give it: {missing.text}"
        entry = missing.entry
        yield Case(entry, "build", "available", CaseStatus.SKIPPED, "unavailable", (reason,))
    if not results.complete:
        reason = "Not every cell or block of the run was run."
        yield Case(RUN, RUN, "complete", CaseStatus.ERROR, "not complete", (reason,))


def _cell(cell: CellResult) -> Case:
    cause = (cell.evidence.cause,) if cell.evidence.cause else ()
    return Case(
        build=cell.build,
        group=cell.bug or "no-bug",
        name=test_name(cell.test),
        status=_status(cell),
        word="flagged" if cell.flags and not cell.grade.is_surprise else cell.grade,
        sentences=(cell.reason, *cause, *cell.flags),
        seconds=cell.seconds,
        test=cell.test,
        rerun=cell.rerun,
    )


def _status(cell: CellResult) -> CaseStatus:
    if cell.grade is Grade.ERROR:
        return CaseStatus.ERROR
    if cell.grade.is_surprise or cell.flags:
        return CaseStatus.FAILED
    return CaseStatus.SKIPPED if cell.grade is Grade.SKIPPED else CaseStatus.PASSED


def _throughput(one: ThroughputResult) -> Case:
    """Without a verdict it is skipped: passed would claim too much, and it fails no run."""
    if one.is_surprise:
        status = CaseStatus.FAILED
    elif one.unfinished:
        status = CaseStatus.ERROR
    elif one.grade is SpeedGrade.INCONCLUSIVE:
        status = CaseStatus.SKIPPED
    else:
        status = CaseStatus.PASSED
    return Case(
        build=one.build,
        group="throughput",
        name=f"{one.scenario} {one.client} against {one.baseline}",
        status=status,
        word=one.grade,
        sentences=(one.reason, *told_of(one)),
        rerun=one.rerun,
    )


def _validation(judged: ValidationResult) -> Case:
    status = {
        Verdict.GOOD: CaseStatus.PASSED,
        Verdict.BAD: CaseStatus.FAILED,
        Verdict.UNDECIDED: CaseStatus.ERROR,
    }[judged.verdict]
    name = f"validation against {judged.baseline}"
    return Case(judged.build, "validation", name, status, judged.verdict, (judged.reason,))

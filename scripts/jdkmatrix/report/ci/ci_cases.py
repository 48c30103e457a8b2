# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a CI server see each verdict of a run? One list for JUnit, TAP and annotations.

A case is a failure or an error where the run's exit code is 1 or 2, or 3 as nothing could be
measured. But where it is 2 only because of `--strict`, unavailable builds are skipped here: a run
does not store that it was strict, and its reports may be rendered again. A case's words are those
of the report.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from jdkmatrix.paths import test_name
from jdkmatrix.results.document import BuildFault, CellResult, Results, RowResult
from jdkmatrix.results.run_words import SUITE_WORDS, outcomes_of
from jdkmatrix.results.speed import LawPoint, ThroughputResult, ValidationResult
from jdkmatrix.results.speed_words import number, parameters_of, sentences_of
from jdkmatrix.verdict.suite_differences import SuiteDifference
from jdkmatrix.vocabulary import Grade, Outcome, RowStatus, SpeedGrade, Verdict

# The suite for what belongs to the run, not to a build.
RUN = "run"
_MS_PER_S = 1000


class CaseStatus(StrEnum):
    """The statuses that JUnit has; TAP has them in other words."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Case:
    """One verdict. `group` is the bug's id or what else it is about, `word` the grade.

    `test` is the path below `test/` of one of the kit's tests; the first of `sentences` is the
    reason.
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
        """Whether it makes the run exit with 1 or 2, strict or not."""
        return self.status in (CaseStatus.FAILED, CaseStatus.ERROR)


def cases_of(results: Results) -> tuple[Case, ...]:
    """Every verdict of a run: faults of builds, cells, rows, differences, throughput, the law's
    points, the validation, unavailable builds, and whether the run is complete.
    """
    return tuple(_cases(results))


def _cases(results: Results) -> Iterator[Case]:
    yield from map(_fault, results.build_faults)
    if results.suite:
        not_compared = results.not_compared
        yield from (
            _suite_cell(cell, is_compared=cell not in not_compared) for cell in results.cells
        )
    else:
        yield from map(_cell, results.cells)
        yield from (_row(row, cell) for cell in results.cells for row in cell.rows)
    for difference in results.differences:
        yield _difference(difference, results)
    yield from map(_throughput, results.throughput)
    yield from map(_point, results.law)
    if results.validation:
        yield from _validation(results.validation)
    for missing in results.unavailable:
        reason = f"No source could provide it: {missing.text}"
        entry = missing.entry
        yield Case(entry, "build", "available", CaseStatus.SKIPPED, "unavailable", (reason,))
    if not results.complete:
        reason = "Some cells or blocks of the run were not run."
        yield Case(RUN, RUN, "complete", CaseStatus.ERROR, "not complete", (reason,))


def _fault(fault: BuildFault) -> Case:
    return Case(
        build=fault.build,
        group="build",
        name=fault.about,
        status=CaseStatus.FAILED,
        word=fault.kind,
        sentences=(fault.sentence,),
        rerun=fault.rerun,
    )


def _cell(cell: CellResult) -> Case:
    attempts = (
        f"Attempt {n}: {attempt.outcome}: {attempt.reason}"
        for n, attempt in enumerate(cell.attempts, 1)
    )
    context = tuple(filter(None, (cell.confirmation, cell.evidence.cause)))
    return Case(
        build=cell.build,
        group=cell.bug or "no-bug",
        name=test_name(cell.test),
        status=_status(cell),
        word="flagged" if cell.flags and not cell.grade.is_surprise else cell.grade,
        sentences=(cell.reason, *context, *cell.flags, *attempts),
        seconds=cell.seconds,
        test=cell.test,
        rerun=cell.rerun,
    )


_OF_ROW = {RowStatus.PASSED: CaseStatus.PASSED, RowStatus.ERROR: CaseStatus.ERROR}


def _row(row: RowResult, cell: CellResult) -> Case:
    """A row that fails as it always did is skipped: it fails no run, but did not pass either."""
    status = _OF_ROW.get(row.status, CaseStatus.SKIPPED)
    return Case(
        build=cell.build,
        group="interoperability",
        name=row.row,
        status=CaseStatus.FAILED if row.grade.is_surprise else status,
        word=row.bug or row.status,
        sentences=tuple(filter(None, (row.change, row.failure))) or (row.status,),
        seconds=row.ms / _MS_PER_S,
        test=cell.test,
        rerun=cell.rerun,
    )


def _status(cell: CellResult) -> CaseStatus:
    if cell.grade is Grade.ERROR:
        return CaseStatus.ERROR
    if cell.grade.is_surprise or cell.flags:
        return CaseStatus.FAILED
    is_untried = cell.grade in (Grade.SKIPPED, Grade.SILENCED)
    return CaseStatus.SKIPPED if is_untried else CaseStatus.PASSED


def _suite_cell(cell: CellResult, *, is_compared: bool) -> Case:
    """A cell of the user's own suite, by its path, as two folders may have the same name. Nothing
    is expected of it, so a failed test is skipped: it fails no run, but did not pass either.
    """
    status = CaseStatus.PASSED if cell.outcome is Outcome.NOT_REPRODUCED else CaseStatus.SKIPPED
    return Case(
        build=cell.build,
        group="suite",
        name=cell.test,
        status=status if is_compared else CaseStatus.ERROR,
        word=SUITE_WORDS.get(cell.outcome, cell.outcome),
        sentences=(cell.reason,),
        seconds=cell.seconds,
        rerun=cell.rerun,
    )


def _difference(difference: SuiteDifference, results: Results) -> Case:
    cells = (results.cell(build, difference.test) for build in difference.outcomes)
    return Case(
        build=RUN,
        group="differences",
        name=difference.test,
        status=CaseStatus.FAILED,
        word="differs between builds",
        sentences=(
            f"{outcomes_of(difference)}.",
            *(f"{cell.build}: {cell.reason} rerun: {cell.rerun}" for cell in cells if cell),
        ),
    )


def _point(point: LawPoint) -> Case:
    requests_per_s = point.measured_requests_per_s
    rates = " and ".join(number(rate) for rate in requests_per_s)
    reason = f"{rates} requests/s." if requests_per_s else "No sample counts."
    return Case(
        build=point.build,
        group="law",
        name=f"{point.scenario} {point.client} {parameters_of(point)}",
        status=CaseStatus.PASSED if requests_per_s else CaseStatus.ERROR,
        word="measured" if requests_per_s else "not measured",
        sentences=(reason, *point.lacks),
    )


def _throughput(comparison: ThroughputResult) -> Case:
    """Skipped without a verdict: it fails no run, but passed would claim too much."""
    if comparison.is_surprise:
        status = CaseStatus.FAILED
    elif comparison.stop_reason:
        status = CaseStatus.ERROR
    elif comparison.grade is SpeedGrade.INCONCLUSIVE:
        status = CaseStatus.SKIPPED
    else:
        status = CaseStatus.PASSED
    return Case(
        build=comparison.build,
        group="throughput",
        name=f"{comparison.scenario} {comparison.client} against {comparison.baseline}",
        status=status,
        word=comparison.grade,
        sentences=(comparison.reason, *sentences_of(comparison)),
        rerun=comparison.rerun,
    )


def _validation(validation: ValidationResult) -> Iterator[Case]:
    status = {
        Verdict.GOOD: CaseStatus.PASSED,
        Verdict.BAD: CaseStatus.FAILED,
        Verdict.UNDECIDED: CaseStatus.ERROR,
    }
    name = f"validation {validation.comparison_text}"
    verdicts = [(name, validation.verdict, validation.reason)]
    verdicts += [
        (f"{name}: {topic.topic}", topic.verdict, topic.sentence) for topic in validation.topics
    ]
    for name, verdict, sentence in verdicts:
        yield Case(validation.build, "validation", name, status[verdict], verdict, (sentence,))

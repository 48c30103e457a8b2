# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does each cell's result say about its run, whatever its test is?"""

from collections.abc import Sequence

from jdkmatrix.grading.cell_outcome import CellOutcome, suite_outcome_of
from jdkmatrix.records.record import BuildRecord, CellRecord
from jdkmatrix.records.store import RunFolder
from jdkmatrix.results.document import AttemptResult, CellResult, EvidenceResult
from jdkmatrix.texts import command_line
from jdkmatrix.verdict.grade import grade_without_expectation
from jdkmatrix.vocabulary import Expectation, Grade


def cell_result(
    cell: CellRecord,
    folder: RunFolder,
    build: BuildRecord,
    cell_outcome: CellOutcome,
    grade: Grade,
    suite: str | None = None,
    extra_builds: Sequence[BuildRecord] = (),
) -> CellResult:
    """The result of an attempt at a cell, without bug and evidence, which the caller adds.

    `extra_builds` are the other builds that a rerun needs to show the same.
    """
    home = place_of(cell, folder)
    of_suite = f"{command_line('--suite', suite)} " if suite else ""
    options, test_option = _options((*extra_builds, build)), command_line("--test", cell.test)
    return CellResult(
        build=cell.build,
        test=cell.test,
        bug=None,
        expectation=Expectation.UNKNOWN,
        outcome=cell_outcome.outcome,
        grade=grade,
        seconds=cell.seconds,
        test_seconds=cell.test_seconds,
        cpu_s=cell.cpu_s,
        waited_s=cell.waited_s,
        reason=cell_outcome.reason,
        rerun=f"scripts/matrix run {of_suite}{options} {test_option}",
        evidence=EvidenceResult(),
        artifacts=tuple(f"{home}/{name}" for name in cell.artifacts),
        wider=cell_outcome.wider,
        attempt=cell.attempt,
    )


def suite_cell(cell: CellRecord, folder: RunFolder, build: BuildRecord, suite: str) -> CellResult:
    """The result of a finished cell of the user's own suite at `suite`, by jtreg's word alone."""
    cell_outcome = suite_outcome_of(cell)
    grade = grade_without_expectation(cell_outcome.outcome)
    return cell_result(cell, folder, build, cell_outcome, grade, suite)


def attempt_of(record: CellRecord, cell: CellResult, folder: RunFolder) -> AttemptResult:
    """One attempt, as the result of its cell lists it; `cell` is its own result."""
    return AttemptResult(
        outcome=cell.outcome,
        grade=cell.grade,
        reason=cell.reason,
        seconds=cell.seconds,
        flags=cell.flags,
        folder=place_of(record, folder),
    )


def place_of(cell: CellRecord, folder: RunFolder) -> str:
    """Where in the run's folder the files of that attempt at a cell are."""
    return folder.home_of(cell).relative_to(folder.path).as_posix()


def _options(builds: Sequence[BuildRecord]) -> str:
    """The options of `scripts/matrix run` that choose these builds, with one overlay at most."""
    overlay = next((build.overlay for build in builds if build.overlay), None)
    plain = (build.model_copy(update={"overlay": None}).options for build in builds)
    return " ".join((*dict.fromkeys(plain), *([overlay.option] if overlay else ())))

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a cell of the user's own suite become a result? By jtreg's word alone, recorded."""

import shlex

from jdkmatrix.evidence.cell_outcome import suite_outcome_of
from jdkmatrix.records.record import BuildRecord, CellRecord, PlannedCell
from jdkmatrix.records.store import RunFolder
from jdkmatrix.results.document import CellResult, EvidenceResult
from jdkmatrix.verdict.grade import grade_without_expectation
from jdkmatrix.vocabulary import Expectation


def suite_cell(cell: CellRecord, folder: RunFolder, build: BuildRecord, suite: str) -> CellResult:
    """One finished cell of the suite at `suite`."""
    home = folder.cell_folder(PlannedCell(build=cell.build, test=cell.test))
    found = suite_outcome_of(cell)
    relative = home.relative_to(folder.path).as_posix()
    return CellResult(
        build=cell.build,
        test=cell.test,
        bug=None,
        expectation=Expectation.UNKNOWN,
        outcome=found.outcome,
        grade=grade_without_expectation(found.outcome),
        seconds=cell.seconds,
        test_seconds=cell.test_seconds,
        cpu_s=cell.cpu_s,
        waited_s=cell.waited_s,
        reason=found.reason,
        rerun=f"scripts/matrix run --suite {shlex.quote(suite)} {build.options} --test {cell.test}",
        evidence=EvidenceResult(),
        artifacts=tuple(f"{relative}/{name}" for name in cell.artifacts),
    )

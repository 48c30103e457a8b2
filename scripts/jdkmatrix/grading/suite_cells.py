# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a cell of the user's own suite become a result? By jtreg's word alone, recorded."""

import shlex

from jdkmatrix.evidence.cell_outcome import suite_outcome_of
from jdkmatrix.grading.cell_results import cell_result
from jdkmatrix.records.record import BuildRecord, CellRecord
from jdkmatrix.records.store import RunFolder
from jdkmatrix.results.document import CellResult
from jdkmatrix.verdict.grade import grade_without_expectation


def suite_cell(cell: CellRecord, folder: RunFolder, build: BuildRecord, suite: str) -> CellResult:
    """One finished cell of the suite at `suite`."""
    found = suite_outcome_of(cell)
    rerun = f"scripts/matrix run --suite {shlex.quote(suite)} {build.options} --test {cell.test}"
    return cell_result(cell, folder, found, grade_without_expectation(found.outcome), rerun)

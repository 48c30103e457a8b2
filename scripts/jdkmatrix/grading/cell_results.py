# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does each cell's result say of its run, whatever its test is?"""

from pathlib import Path

from jdkmatrix.evidence.cell_outcome import CellOutcome
from jdkmatrix.records.record import CellRecord, PlannedCell
from jdkmatrix.records.store import RunFolder
from jdkmatrix.results.document import CellResult, EvidenceResult
from jdkmatrix.vocabulary import Expectation, Grade


def home_of(cell: CellRecord, folder: RunFolder) -> Path:
    """The folder of that attempt at a cell."""
    return folder.cell_folder(PlannedCell(build=cell.build, test=cell.test), cell.attempt)


def cell_result(
    cell: CellRecord, folder: RunFolder, found: CellOutcome, grade: Grade, rerun: str
) -> CellResult:
    """The result of an attempt at a cell that is of no bug, and has no recording."""
    relative = home_of(cell, folder).relative_to(folder.path).as_posix()
    return CellResult(
        build=cell.build,
        test=cell.test,
        bug=None,
        expectation=Expectation.UNKNOWN,
        outcome=found.outcome,
        grade=grade,
        seconds=cell.seconds,
        test_seconds=cell.test_seconds,
        cpu_s=cell.cpu_s,
        waited_s=cell.waited_s,
        reason=found.reason,
        rerun=rerun,
        evidence=EvidenceResult(),
        artifacts=tuple(f"{relative}/{name}" for name in cell.artifacts),
        attempt=cell.attempt,
    )

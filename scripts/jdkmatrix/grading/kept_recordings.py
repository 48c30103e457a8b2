# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which recordings are kept once they have been read? What was read stays, in `digest.json`.

Those of each cell that is not as expected, and for each reproducer those of the affected build and
of the fixed build that show best what it finds.
"""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from jdkmatrix.errors import MachineError
from jdkmatrix.records.record import PlannedCell
from jdkmatrix.records.store import RunFolder
from jdkmatrix.results.document import CellResult, Results
from jdkmatrix.vocabulary import Grade, Outcome

# Recordings, and the dumps that stand in for one where a JDK has no Flight Recorder.
_BULKY = ("*.jfr", "samples-*.txt")


def without_read_recordings(results: Results, folder: RunFolder) -> Results:
    """Remove from `folder` a finished run's recordings that are not kept, and from its results.

    Raises MachineError if that can't be done.
    """
    lean_cells = {
        (cell.build, cell.test): _strip_recordings(cell, folder)
        for cell in _list_unneeded(results.cells)
    }
    cells = tuple(lean_cells.get((cell.build, cell.test), cell) for cell in results.cells)
    return results.model_copy(update={"cells": cells})


def _list_unneeded(cells: Sequence[CellResult]) -> Iterator[CellResult]:
    best: dict[tuple[str, Outcome], CellResult] = {}
    ordinary = [cell for cell in cells if _is_ordinary(cell)]
    for cell in ordinary:
        key = (cell.test, cell.outcome)
        if key not in best or cell.severity > best[key].severity:
            best[key] = cell
    yield from (cell for cell in ordinary if cell is not best[cell.test, cell.outcome])


def _is_ordinary(cell: CellResult) -> bool:
    """Whether it has a recording that was read, and no reason for anybody to look into it."""
    odd = cell.grade is not Grade.AS_EXPECTED or cell.flags or cell.attempts
    was_read = cell.evidence.timeline is not None or cell.evidence.is_sampled
    return was_read and not odd and any(map(_is_bulky, cell.artifacts))


def _is_bulky(artifact: str) -> bool:
    name = artifact.rpartition("/")[2]
    return any(fnmatchcase(name, pattern) for pattern in _BULKY)


def _strip_recordings(cell: CellResult, folder: RunFolder) -> CellResult:
    """The cell without its recordings. Files are removed last, so no record names a missing one."""
    record = folder.read_cell(PlannedCell(build=cell.build, test=cell.test))
    if record:
        artifacts = tuple(name for name in record.artifacts if not _is_bulky(name))
        folder.write_cell(record.model_copy(update={"artifacts": artifacts}))
    for artifact in filter(_is_bulky, cell.artifacts):
        try:
            (folder.path / artifact).unlink(missing_ok=True)
        except OSError as error:
            raise MachineError(f"{folder.path / artifact}: {error.strerror}") from None
    artifacts = tuple(name for name in cell.artifacts if not _is_bulky(name))
    return cell.model_copy(update={"artifacts": artifacts})

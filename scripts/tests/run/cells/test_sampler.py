# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A JDK without Flight Recorder, played by one whose recorder is not used: is the cause told?"""

from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.evidence.digest import digester_of
from jdkmatrix.grading.cell_recordings import digest_recordings
from jdkmatrix.grading.graded_cells import grade_cell
from jdkmatrix.paths import Checkout
from jdkmatrix.records.builds import build_record
from jdkmatrix.records.record import CellRecord, PlannedCell
from jdkmatrix.records.store import RunFolder
from jdkmatrix.run.cells.compiled_tests import othervm_of
from jdkmatrix.run.cells.execution import CellTask
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.supplier import Supplier
from tests.run.cells.test_runner import events_of

pytestmark = [pytest.mark.jdk, pytest.mark.network]

TEST = "keepalive/RequestsQueueWhenCacheIsFull.java"


def test_samples_tell_the_cause(
    root: Path,
    jdks: JdksFile,
    ledger: Ledger,
    tool_jdk: Path,
    tmp_path: Path,
) -> None:
    supplier = Supplier(jdks, root / "jdks.lock", cache_root())
    (outcome,) = supplier.supply([jdks.entry("temurin-17.0.3+7")])
    assert isinstance(outcome, Build)
    build = build_record(outcome).model_copy(update={"facts": {"has_jfr": False}})
    folder = RunFolder.create(tmp_path, tmp_path / "run")
    cell = PlannedCell(build=build.id, test=TEST)
    runner = othervm_of(Checkout(root), [TEST], tool_jdk, 1, lambda _: (), Path)
    _, record = events_of(runner, folder, [CellTask(cell, build)])
    assert isinstance(record, CellRecord)
    digest_recordings([folder.cell_folder(cell)], digester_of(Checkout(root), tool_jdk))
    graded_cell = grade_cell(record, folder, build, Rulebook(ledger))
    assert graded_cell.outcome == "reproduced", graded_cell.reason
    assert not list(folder.path.rglob("*.jfr"))
    assert graded_cell.evidence.is_sampled
    cause = graded_cell.evidence.cause
    assert cause is not None
    assert "to enter KeepAliveCache.put" in cause
    assert "sat in SSLSocketImpl.close" in cause
    assert "inferred" not in cause  # a dump names the owner, of a ReentrantLock too

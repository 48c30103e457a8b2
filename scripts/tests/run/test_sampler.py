# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A JDK without Flight Recorder, played by one whose recorder is not used: is the cause told?"""

from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.build_record import build_record
from jdkmatrix.cell_recordings import digest_recordings
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.evidence.digest import Digester
from jdkmatrix.graded_cells import grade_cell
from jdkmatrix.paths import Checkout
from jdkmatrix.run.cells import CellRunner
from jdkmatrix.run.record import CellRecord, PlannedCell
from jdkmatrix.run.store import RunFolder
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.fetch import Supplier
from jdkmatrix.tools import othervm_of

pytestmark = [pytest.mark.jdk, pytest.mark.network]

TEST = "keepalive/RequestsQueueWhenCacheIsFull.java"


@pytest.mark.parametrize(
    ("entry", "outcome"),
    [("temurin-11.0.13+8", "reproduced"), ("temurin-17.0.3+7", "reproduced")],
)
def test_samples_tell_the_cause(
    entry: str,
    outcome: str,
    root: Path,
    jdks: JdksFile,
    ledger: Ledger,
    tool_jdk: Path,
    tmp_path: Path,
) -> None:
    supplier = Supplier(jdks, root / "jdks.lock", cache_root())
    (supplied,) = supplier.supply([jdks.entry(entry)])
    assert isinstance(supplied, Build)
    build = build_record(supplied).model_copy(update={"facts": {"has_jfr": False}})
    folder = RunFolder.create(tmp_path, tmp_path / "run")
    records: list[CellRecord] = []
    runner = CellRunner(
        othervm_of(Checkout(root), [TEST], tool_jdk, 1),
        folder,
        jobs=1,
        on_start=lambda build, test: None,
        on_end=records.append,
        on_failure=pytest.fail,
    )
    cell = PlannedCell(build=build.id, test=TEST)
    runner.submit(cell, build)
    runner.finish()
    sources = root / "jtreg" / "digest" / "src"
    digest_recordings([folder.cell_folder(cell)], Digester(sources, tool_jdk, tmp_path / "cache"))
    graded = grade_cell(records[0], folder, build, ledger)
    assert graded.outcome == outcome, graded.reason
    assert not list(folder.path.rglob("*.jfr"))
    assert graded.evidence.sampled
    cause = graded.evidence.cause
    assert cause is not None
    assert "to enter KeepAliveCache.put" in cause
    assert "sat in SSLSocketImpl.close" in cause
    assert "inferred" not in cause  # a dump names the owner, of a ReentrantLock too

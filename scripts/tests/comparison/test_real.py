# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The real thing, small: real builds, peer and relay; an affected build is slower, and why."""

from pathlib import Path

import pytest
from rich.console import Console

from jdkmatrix.assemble import assemble
from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import load_jdks
from jdkmatrix.config.scenarios import changed
from jdkmatrix.paths import Checkout
from jdkmatrix.report.throughput_display import ThroughputDisplay
from jdkmatrix.run.store import RunFolder
from jdkmatrix.supply.fetch import Supplier
from jdkmatrix.throughput.pipeline import Supplied, measure, new_plan, new_record
from jdkmatrix.throughput.run import ThroughputOptions
from jdkmatrix.throughput.selection import ThroughputRequest, ThroughputSelection, Workload
from jdkmatrix.verdict.ratio import SpeedGrade

BUILDS = ("temurin-17.0.3+7", "temurin-17.0.9+9")
MOST_LOAD_A_CORE = 4  # the peer, relay and load alone are two
SHORT = {"warm-up-ms": 1500, "measure-ms": 1500, "hosts.far.settings": {}}


@pytest.mark.jdk
@pytest.mark.quiet
def test_an_affected_build_is_slower_and_its_recording_says_why(tmp_path: Path) -> None:
    checkout = Checkout.here()
    request = ThroughputRequest(scenarios=("gap",), builds=BUILDS)
    whole = ThroughputSelection.of(checkout, request)
    gap = changed(whole.file.scenarios["gap"], SHORT)
    workload = Workload("gap", gap, gap.clients[0], {}, gap)
    selection = ThroughputSelection(
        whole.file, whole.ledger, (workload,), whole.entries, None, whole.build_ids
    )
    supplier = Supplier(load_jdks(checkout.jdks), checkout.lock, cache_root())
    supplied = Supplied.of(checkout, supplier, selection)
    folder = RunFolder.create(tmp_path, tmp_path / "run")
    record = new_record(checkout, folder, supplied, selection)
    display = ThroughputDisplay(Console(stderr=True))
    options = ThroughputOptions(blocks=3, seed=1)
    plan = new_plan(selection, options, supplied)
    record = measure(checkout, selection, options, supplied, record, plan, folder, display)
    (one,) = assemble(record, folder, selection.ledger).throughput
    assert one.baseline == BUILDS[1]
    assert one.grade not in (SpeedGrade.FASTER, SpeedGrade.NO_CHANGE), one.reason
    assert not one.is_surprise
    busy = max(block.machine.load_1min for block in one.order) / record.machine.cores
    if one.grade is SpeedGrade.INCONCLUSIVE and busy > MOST_LOAD_A_CORE:
        pytest.skip(f"load {busy:.0f} a core by others leaves no verdict: {one.reason}")
    assert one.unfinished is None
    assert one.blocks == 3
    assert one.grade is SpeedGrade.SLOWER, one.reason
    assert one.ratio is not None
    assert one.ratio < 0.3
    assert one.evidence
    assert one.evidence.cause
    assert "JDK-8293562" in one.evidence.cause
    assert "KeepAliveCache" in one.evidence.cause
    assert len(one.evidence.recordings) == 2

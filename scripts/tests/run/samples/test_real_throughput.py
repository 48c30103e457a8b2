# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The real thing, small: real builds, peer and relay; an affected build is slower, and why."""

from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import load_jdks
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.config.scenarios import load_scenarios, with_changes
from jdkmatrix.flow.comparison_tasks import ComparisonTasks
from jdkmatrix.flow.tools import Tools
from jdkmatrix.grading.graded_comparisons import assemble_throughput
from jdkmatrix.machine.cores import usable_cores
from jdkmatrix.machine.java_program import SHORT_LIVED
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.planned_comparisons import plan_comparisons
from jdkmatrix.plan.workloads import Workload, Workloads
from jdkmatrix.records.builds import build_record
from jdkmatrix.records.comparison_record import ThroughputRecord
from jdkmatrix.report.console.display import Display
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.supplier import Supplier
from jdkmatrix.verdict.ratio import MINIMUM_EFFECT
from jdkmatrix.vocabulary import SpeedGrade

BUILDS = ("temurin-17.0.3+7", "temurin-17.0.9+9")
BLOCKS = 2  # enough for a figure that is a tenth of the baseline's
MOST_LOAD_A_CORE = 4  # the peer, relay and load alone are two
# Twelve threads overflow the cache as 32 do, but what limits a fixed build is the way and the
# thread's pause, not the CPU time of handshakes: so it is ten times as fast on a busy machine too.
SHORT = {
    "warm-up-ms": 400,
    "measure-ms": 1000,
    "hosts.far.settings": {"warm_up_ms": 0},  # the sample that is not graded warms it up
    "groups.load.threads": 12,
    "groups.load.think-ms": 40,
    "jvm-options": list(SHORT_LIVED),
}


def brief(jdk: Build, home: Path) -> Build:
    """The JDK, whose `java` does without its optimizing compiler: no peer lives long enough."""
    (home / "bin").mkdir(parents=True)
    for name in ("release", "bin/javac"):
        (home / name).symlink_to(jdk.home / name)
    java = home / "bin" / "java"
    java.write_text(f'#!/bin/sh\nexec "{jdk.home}/bin/java" {" ".join(SHORT_LIVED)} "$@"\n')
    java.chmod(0o755)
    return replace(jdk, home=home)


@pytest.mark.jdk
@pytest.mark.quiet
def test_an_affected_build_is_slower_and_its_recording_says_why(tmp_path: Path) -> None:
    checkout = Checkout.current()
    file = load_scenarios(checkout.scenarios)
    gap = with_changes(file.scenarios["gap"], SHORT)
    speed = Workloads(
        file, load_ledger(checkout.ledger), (Workload("gap", gap, gap.clients[0], {}, gap),), None
    )
    jdks = load_jdks(checkout.jdks)
    supplier = Supplier(jdks, checkout.lock, cache_root())
    outcomes = supplier.supply([jdks.entry(build) for build in BUILDS])
    jdk_builds = [build for build in outcomes if isinstance(build, Build)]
    builds = {build.id: build_record(build) for build in jdk_builds}
    named_builds = dict(enumerate(build.identity for build in jdk_builds))
    plan = ThroughputRecord(
        seed=1,
        blocks=BLOCKS,
        minimum_effect=MINIMUM_EFFECT,
        comparisons=plan_comparisons(speed, named_builds),
    )
    tools = Tools(checkout)
    tool_jdk = supplier.tool_jdk()
    with Display(Console(stderr=True)) as display:
        ComparisonTasks(
            plan=plan,
            builds=builds,
            file=file,
            ledger=speed.ledger,
            checkout=checkout,
            folder=tmp_path,
            listener=display,
            programs=tools.load_programs(supplier, brief(tool_jdk, tmp_path / "brief")),
            digester=tools.digester(tool_jdk),
            store=lambda _: None,
        ).execute()
    comparisons, _ = assemble_throughput(plan, tmp_path, speed.ledger, builds.values())
    (comparison,) = comparisons
    assert comparison.baseline == BUILDS[1]
    assert comparison.grade not in (SpeedGrade.FASTER, SpeedGrade.NO_CHANGE), comparison.reason
    assert not comparison.is_surprise
    busy = max(block.machine.load_1min for block in comparison.order) / usable_cores()
    if comparison.grade is SpeedGrade.INCONCLUSIVE and busy > MOST_LOAD_A_CORE:
        pytest.skip(f"load {busy:.0f} a core by others leaves no verdict: {comparison.reason}")
    assert comparison.stop_reason is None
    assert comparison.blocks == BLOCKS
    assert comparison.grade is SpeedGrade.SLOWER, comparison.reason
    assert comparison.ratio is not None
    assert comparison.ratio < 0.3
    assert comparison.evidence
    assert comparison.evidence.cause
    assert "JDK-8293562" in comparison.evidence.cause
    assert "KeepAliveCache" in comparison.evidence.cause
    assert len(comparison.evidence.recordings) == 2

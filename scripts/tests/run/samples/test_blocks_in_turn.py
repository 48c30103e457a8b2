# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A whole comparison without a JVM: blocks, faults, grades, the same grades again."""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import jsonschema
import pytest

from jdkmatrix.cli.run import exit_code
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.config.scenarios import ScenariosFile
from jdkmatrix.errors import ExitCode
from jdkmatrix.evidence.digest import Digester
from jdkmatrix.flow import comparison_tasks, stopping_rules
from jdkmatrix.flow.comparison_tasks import ComparisonTasks
from jdkmatrix.grading.whole_run import assemble
from jdkmatrix.machine import loopback
from jdkmatrix.machine.java_program import JavaTool
from jdkmatrix.overlay.overlay_request import OverlayRequest
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.blocks import BASELINE, CONTROL
from jdkmatrix.plan.planned_comparisons import least_s, passed_over, plan_comparisons, share_s
from jdkmatrix.plan.workloads import Workload, Workloads
from jdkmatrix.records.comparison_record import ThroughputRecord
from jdkmatrix.records.record import BuildRecord, KitRecord, MachineRecord, OverlayRecord, RunRecord
from jdkmatrix.records.request import Request
from jdkmatrix.records.store import RunFolder, block_file
from jdkmatrix.report.written_reports import write_reports
from jdkmatrix.results.case import CaseStatus
from jdkmatrix.results.document import Results
from jdkmatrix.results.speed import ThroughputResult, ValidationResult
from jdkmatrix.run.samples import blocks_in_turn, peers
from jdkmatrix.run.samples.peers import Peers
from jdkmatrix.verdict.ratio import MINIMUM_EFFECT
from jdkmatrix.verdict.validation import MOST_LOSS
from jdkmatrix.vocabulary import SpeedGrade
from jdkmatrix.words.speed import sentences_of, speed_headline
from tests.plan.parsed_ids import parse_id
from tests.run.samples.conftest import (
    EventLog,
    FakePrograms,
    InProcess,
    behave,
    make_build,
    make_client,
    make_scenario,
    start_played,
)

pytestmark = pytest.mark.slow

BASE = "temurin-17.0.9+9"
NEW = "temurin-17.0.10+7"
JUDGED = (NEW, BASE)
OLD = "temurin-17.0.3+7"
MACHINE = MachineRecord(
    os="Debian", kernel="6", architecture="x86_64", cores=2, memory_mib=8000, load_1min=0
)


class Kit:
    """A run in `tmp` of these builds, each with the behaviour of its fake java."""

    def __init__(self, tmp: Path, ledger: Ledger, builds: Mapping[str, dict[str, Any]]) -> None:
        scenario = make_scenario(shows=["JDK-8293562"])
        self.ledger = ledger
        self.slowness = 1.0
        self.tool_java = tmp / "tool" / "bin" / "java"
        self.listener = EventLog()
        self.builds = {
            name: make_build(tmp / f"build-{n}", name, **behaviour)
            for n, (name, behaviour) in enumerate(builds.items())
        }
        self.folder = RunFolder.create(tmp, tmp / "run")
        self.speed = Workloads(
            file=ScenariosFile.model_validate(
                {"schema": 1, "clients": {"fake": make_client()}, "scenarios": {"test": scenario}}
            ),
            ledger=ledger,
            workloads=(Workload("test", scenario, "fake", {}, scenario),),
            baseline=list(builds).index(BASE) if BASE in builds else 0,
        )
        self.record = RunRecord(
            run="run",
            started="2026-11-21T08:00:00Z",
            finished="2026-11-21T08:10:00Z",
            request=Request(),
            machine=MACHINE,
            kit=KitRecord(version="0.1.0", commit=None, tool_jdk="debian-17"),
            builds=tuple(self.builds.values()),
        )
        self.folder.write_run(self.record)

    @property
    def each_least_s(self) -> list[float]:
        """How long two blocks of each comparison take, as they are planned."""
        plain = [build.id for build in self.builds.values() if not build.overlay]
        comparisons = plan_comparisons(self.speed, dict(enumerate(map(parse_id, plain))))
        return [least_s([comparison]) for comparison in comparisons]

    @property
    def least_s(self) -> float:
        """How long two blocks of all take."""
        return sum(self.each_least_s)

    def run(
        self,
        blocks: int = 5,
        plan: ThroughputRecord | None = None,
        validates: tuple[str, str] | None = None,
        budget_s: float = math.inf,
    ) -> Results:
        plain = [build.id for build in self.builds.values() if not build.overlay]
        builds = dict(enumerate(map(parse_id, plain)))
        self.store(
            plan
            or ThroughputRecord(
                seed=1,
                blocks=blocks,
                minimum_effect=MINIMUM_EFFECT,
                validates=validates,
                left_out=tuple(passed_over(self.speed, builds)),
                comparisons=plan_comparisons(self.speed, builds),
            )
        )
        programs: Any = FakePrograms(self.tool_java)
        digester = Digester(JavaTool(Path("none"), Path("none"), Path("none")))
        tasks = ComparisonTasks(
            plan=self.plan,
            builds=self.builds,
            file=self.speed.file,
            ledger=self.ledger,
            checkout=Checkout(Path("none")),
            folder=self.folder.path,
            listener=self.listener,
            programs=programs,
            digester=digester,
            store=self.store,
            budget_s=budget_s,
            children=InProcess(),
        )
        # By this clock two blocks, and the sample before them, take as long as is planned.
        sample_s = 0.99 * min(self.each_least_s, default=0) / 7 * self.slowness
        clock = SimpleNamespace(monotonic=lambda: sample_s * len(self.listener.samples))
        with (
            patch.object(comparison_tasks, "time", clock),
            patch.object(stopping_rules, "time", clock),
        ):
            tasks.execute()
        return self.assemble_results()

    @property
    def plan(self) -> ThroughputRecord:
        assert self.record.speed
        return self.record.speed

    def store(self, plan: ThroughputRecord) -> None:
        self.record = self.record.model_copy(update={"speed": plan})

    def assemble_results(self) -> Results:
        return assemble(self.record, self.folder, Rulebook(self.ledger))

    def build(self, name: str) -> BuildRecord:
        return self.builds[name]


def comparison_of(results: Results) -> ThroughputResult:
    (comparison,) = results.throughput
    return comparison


@pytest.fixture
def tmp(tmp_path: Path, tool_java: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of builds and a tool JDK; peers are processes where `behave` says what they do."""
    monkeypatch.setattr(peers, "start_java", start_played)
    return tmp_path


def test_a_slower_build_ends_early_and_makes_a_surprise(tmp: Path, ledger: Ledger) -> None:
    results = Kit(tmp, ledger, {BASE: {}, NEW: {"rate": 500, "cpu_us": 200}}).run(blocks=9)
    comparison = comparison_of(results)
    assert comparison.grade is SpeedGrade.SLOWER
    assert comparison.blocks == 4
    assert comparison.ratio == pytest.approx(0.5, rel=0.02)
    assert comparison.ci95 and comparison.control and comparison.ci95[1] < comparison.control[0]
    assert [figure.grade for figure in comparison.figures] == [SpeedGrade.SLOWER] * 2
    assert results.slowdowns == (comparison,)
    assert comparison.rerun.endswith(f"--baseline {BASE} --blocks 9 --seed 1")


def test_a_slow_down_that_the_ledger_knows_is_none(tmp: Path, ledger: Ledger) -> None:
    results = Kit(tmp, ledger, {BASE: {}, OLD: {"rate": 20}}).run()
    assert comparison_of(results).grade is SpeedGrade.SLOWER
    assert results.slowdowns == ()
    assert "JDK-8293562" in comparison_of(results).reason
    assert "no Flight Recorder" in sentences_of(comparison_of(results))[-1]


def test_a_bug_that_the_baseline_has_too_explains_nothing(tmp: Path, ledger: Ledger) -> None:
    older = "temurin-17.0.2+8"
    kit = Kit(tmp, ledger, {older: {}, OLD: {"rate": 500}})
    kit.speed = replace(kit.speed, baseline=0)
    results = kit.run(validates=(OLD, older))
    assert comparison_of(results).grade is SpeedGrade.SLOWER
    assert results.slowdowns == results.throughput
    assert results.validation
    assert results.validation.verdict == "bad"
    assert "this was expected" not in comparison_of(results).reason


def test_more_cpu_time_at_the_same_rate_is_slower_too(tmp: Path, ledger: Ledger) -> None:
    comparison = comparison_of(Kit(tmp, ledger, {BASE: {}, NEW: {"cpu_us": 120}}).run())
    assert (comparison.grade, comparison.graded_by) == (SpeedGrade.SLOWER, "cpu-us-per-request")
    assert comparison.figures[0].grade is SpeedGrade.NO_CHANGE


def test_every_arm_once_a_block_and_stored_results_give_the_same_grades(
    tmp: Path, ledger: Ledger
) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {}, OLD: {"rate": 900}})
    results = kit.run(blocks=3)
    for comparison in results.throughput:
        assert [sorted(block.order) for block in comparison.order] == [
            sorted([BASELINE, CONTROL, NEW, OLD])
        ] * 3
        assert len(comparison.samples) == 9
    assert {comparison.blocks for comparison in kit.plan.comparisons} == {
        3
    }  # so that a lost one is noticed
    assert kit.assemble_results() == results
    write_reports(results, kit.folder.path)
    document = json.loads((kit.folder.path / "results.json").read_text())
    jsonschema.validate(document, Results.published_schema())
    page = (kit.folder.path / "index.html").read_text()
    assert page.count('<circle class="dot"') == 1 + 4  # the legend's, two figures of two builds
    assert "A/A" in page
    write_reports(kit.assemble_results(), kit.folder.path)
    assert (kit.folder.path / "index.html").read_text() == page


def test_a_faulty_block_is_run_again(tmp: Path, ledger: Ledger) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {"fault": "veto", "bad_samples": [2]}})
    comparison = comparison_of(kit.run(blocks=3))
    assert comparison.blocks == 3
    assert [block.attempts for block in comparison.order] == [1, 2, 1]
    assert [sample.is_counted for sample in comparison.samples].count(False) == 3
    (lack,) = comparison.lacks
    assert lack.startswith(f"block 2 (try 1): {NEW}: Host far negotiated")


def test_a_peer_that_dies_voids_the_block_and_is_started_again(tmp: Path, ledger: Ledger) -> None:
    behave(tmp / "tool", dies=True)
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {"fault": "kill-peer", "bad_samples": [1]}})
    comparison = comparison_of(kit.run(blocks=2))
    assert comparison.blocks == 2
    voids = [sample.void for sample in comparison.samples if sample.void]
    assert voids == ["the peer of far died (exit code -9)"]


@pytest.mark.parametrize(("bad_samples", "restarts"), [([], 0), ([2], 1), ([2, 3, 4], 3)])
def test_after_an_incomplete_attempt_peers_start_anew_though_they_live(
    tmp: Path,
    ledger: Ledger,
    monkeypatch: pytest.MonkeyPatch,
    bad_samples: list[int],
    restarts: int,
) -> None:
    """A peer that is deaf looks as one that lives, and as a build that fails."""
    restarted_peers: list[Peers] = []
    monkeypatch.setattr(Peers, "restart", lambda peers: restarted_peers.append(peers))
    bad = {"fault": "void", "bad_samples": bad_samples}
    Kit(tmp, ledger, {BASE: {}, NEW: bad, OLD: {}}).run(blocks=3)
    assert len(restarted_peers) == restarts


def test_each_sample_tells_what_it_saw(tmp: Path, ledger: Ledger) -> None:
    comparison = comparison_of(Kit(tmp, ledger, {BASE: {}, NEW: {}}).run(blocks=2))
    facts = [sample.facts for sample in comparison.samples if sample.facts]
    assert len(facts) == len(comparison.samples)
    assert {(fact.pacing, fact.protocol, fact.connections) for fact in facts} == {
        ("closed", "TLSv1.3", 3)
    }


def test_an_arm_that_never_counts_is_left_out_and_told(tmp: Path, ledger: Ledger) -> None:
    builds = {BASE: {}, NEW: {}, OLD: {"fault": "void", "always_bad": True}}
    kit = Kit(tmp, ledger, builds)
    results = kit.run(blocks=2)
    good, bad = sorted(results.throughput, key=lambda comparison: comparison.blocks, reverse=True)
    assert (good.build, good.blocks) == (NEW, 2)
    assert (bad.build, bad.blocks, bad.grade) == (OLD, 0, SpeedGrade.INCONCLUSIVE)
    reason = f"{OLD}: no TLSv1.3 in this JDK"
    left_out = f"left out from block 1 on: {reason}"
    assert bad.lacks == (left_out, f"block 1 (try 1, 2, 3): {reason}")
    assert (bad.stop_reason, good.stop_reason) == (left_out, None)
    assert exit_code(results, strict=False) == ExitCode.MACHINE
    assert speed_headline(results.throughput).endswith("1 not measured to the end.")
    assert "no TLSv1.3 in this JDK" in bad.reason
    assert any("is left out" in text for text in kit.listener.notices)
    assert [block.attempts for block in good.order] == [3, 1]


def test_an_arm_that_is_left_out_is_not_waited_for(tmp: Path, ledger: Ledger) -> None:
    builds: dict[str, dict[str, Any]] = {
        BASE: {},
        NEW: {"rate": 500},
        OLD: {"fault": "void", "always_bad": True},
    }
    results = Kit(tmp, ledger, builds).run(blocks=20)
    good, _ = sorted(results.throughput, key=lambda comparison: comparison.blocks, reverse=True)
    assert good.grade is SpeedGrade.SLOWER
    assert good.blocks < 20


def test_without_baseline_the_comparison_ends(tmp: Path, ledger: Ledger) -> None:
    kit = Kit(tmp, ledger, {BASE: {"fault": "oom", "always_bad": True}, NEW: {}})
    comparison = comparison_of(kit.run(blocks=4))
    assert comparison.blocks == 0
    assert len(comparison.order) == 1
    assert any("OutOfMemoryError" in lack for lack in comparison.lacks)


def test_peers_that_do_not_start_are_told(tmp: Path, ledger: Ledger) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {}})
    (tmp / "tool" / "behaviour.json").write_text('{"refuses": "port 4433 is taken"}')
    results = kit.run()
    comparison = comparison_of(results)
    reason = "the peer of far did not start (exit code 1: BarePeer: port 4433 is taken)"
    assert (comparison.lacks, comparison.stop_reason) == ((reason,), reason)
    assert exit_code(results, strict=False) == ExitCode.NOTHING_RAN
    (case,) = results.cases
    assert case.status is CaseStatus.ERROR


def test_a_load_that_can_not_be_had_ends_its_comparison_alone(tmp: Path, ledger: Ledger) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {}})
    (workload,) = kit.speed.workloads
    without_jars = replace(workload, client="no-jars")
    clients = {**kit.speed.file.clients, "no-jars": make_client(jars="none")}
    file = kit.speed.file.model_copy(update={"clients": clients})
    kit.speed = replace(kit.speed, file=file, workloads=(without_jars, workload))
    bad, good = kit.run(blocks=2).throughput
    assert bad.stop_reason == "jars: not in the cache, and offline"
    assert (good.blocks, good.stop_reason) == (2, None)


def test_after_ctrl_c_finished_blocks_are_kept(tmp: Path, ledger: Ledger) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {}})
    kit.listener.stop_after = 8  # the settling sample, two blocks of three, and one sample more
    with pytest.raises(KeyboardInterrupt):
        kit.run(blocks=5)
    assert comparison_of(kit.assemble_results()).blocks == 2


def test_a_resumed_run_keeps_finished_blocks_and_measures_the_rest(
    tmp: Path, ledger: Ledger
) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {"rate": 500}})
    kit.listener.stop_after = 9  # the settling sample, two blocks of three, and two samples more
    with pytest.raises(KeyboardInterrupt):
        kit.run(blocks=3)
    partial = comparison_of(kit.assemble_results())
    kit.listener = EventLog()
    plan = kit.plan
    whole = comparison_of(kit.run(blocks=3, plan=plan))
    assert whole.blocks == 3
    assert len(kit.listener.samples) == 4  # one to settle, and the block anew
    assert whole.samples[: len(partial.samples)] == partial.samples
    assert whole.lacks == ("blocks from 3 on were measured later, when the run was resumed",)
    (unfinished_folder,) = (kit.folder.path / "throughput").glob("**/unfinished-1")
    assert len(list(unfinished_folder.glob("block-03-1-*/sample.json"))) == 2
    kit.listener = EventLog()
    assert comparison_of(kit.run(blocks=3, plan=plan)) == whole
    assert kit.listener.samples == []
    assert kit.listener.notices == [f"test/fake/{BASE}: already finished"]


@pytest.mark.parametrize(
    ("number", "damage"), [(2, Path.unlink), (3, lambda file: file.write_text("{"))]
)
def test_a_block_that_is_gone_is_run_again_though_its_time_is_over(
    tmp: Path, ledger: Ledger, number: int, damage: Callable[[Path], object]
) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {}})
    kit.run(blocks=3)
    (file,) = kit.folder.path.rglob(block_file(number))
    damage(file)
    assert list(kit.folder.unread(kit.record)) == [str(file.relative_to(kit.folder.path))]
    assert comparison_of(kit.run(plan=kit.plan, budget_s=0.1)).blocks == 3
    assert not list(kit.folder.unread(kit.record))


def test_what_lacks_something_is_measured_when_resumed(tmp: Path, ledger: Ledger) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {}})
    behave(tmp / "tool", refuses="port 4433 is taken")
    assert comparison_of(kit.run(blocks=2)).lacks
    behave(tmp / "tool")
    comparison = comparison_of(kit.run(blocks=2, plan=kit.plan))
    assert (comparison.blocks, comparison.lacks) == (2, ())


def in_turns(kit: Kit) -> Kit:
    """The same run, its arms measured in turns."""
    (workload,) = kit.speed.workloads
    scenario = workload.scenario.model_copy(update={"turn_ms": 10})
    kit.speed = replace(kit.speed, workloads=(replace(workload, scenario=scenario),))
    return kit


@pytest.mark.parametrize(
    ("takes_turns", "can_run_out", "expected_waits"),
    [(False, False, [9] * 6), (True, True, [27] * 2), (True, False, [27])],
)
def test_ports_are_asked_for_from_the_first_block_on(
    tmp: Path,
    ledger: Ledger,
    monkeypatch: pytest.MonkeyPatch,
    takes_turns: bool,
    can_run_out: bool,
    expected_waits: list[int],
) -> None:
    """In turns no sample comes before the first block, where nobody needs to know."""
    waits: list[int | None] = []
    monkeypatch.setattr(blocks_in_turn, "wait_for_ports", lambda count, _: waits.append(count))
    monkeypatch.setattr(blocks_in_turn, "can_run_out", lambda: can_run_out)
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {}})
    if takes_turns:
        in_turns(kit)
    (workload,) = kit.speed.workloads
    scenario = workload.scenario.model_copy(update={"warm_up_ms": 200})
    kit.speed = replace(kit.speed, workloads=(replace(workload, scenario=scenario),))
    kit.run(blocks=2)
    # A sample makes 3 connections in its window of 100 ms, and 6 before; none knows it at first.
    assert waits == [None, *expected_waits]


def test_a_void_sample_does_not_make_ports_forgotten(
    tmp: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[int | None] = []
    monkeypatch.setattr(blocks_in_turn, "wait_for_ports", lambda count, _: waits.append(count))
    # The settling sample is the baseline's first; in block 1 nothing counts but NEW's.
    kit = Kit(tmp, ledger, {BASE: {"fault": "oom", "bad_samples": [1]}, NEW: {}})
    kit.run(blocks=2)
    assert waits == [None] * 4 + [3] * 3
    waits.clear()
    bad = {"fault": "oom", "bad_samples": [1]}
    relay_kit = Kit(tmp / "relayed", ledger, {BASE: {"relay": {}}, NEW: bad})
    relay_kit.tool_java = kit.tool_java
    relay_kit.run(blocks=2)
    assert waits == [None] + [6] * 9


def test_in_turns_it_is_graded_as_one_after_the_other(tmp: Path, ledger: Ledger) -> None:
    kit = in_turns(Kit(tmp, ledger, {BASE: {}, NEW: {"rate": 500}}))
    results = kit.run(blocks=9)
    comparison = comparison_of(results)
    assert (comparison.grade, comparison.blocks) == (SpeedGrade.SLOWER, 4)
    assert all(
        sorted(block.order) == sorted([BASELINE, CONTROL, NEW]) for block in comparison.order
    )
    assert kit.assemble_results() == results


@pytest.mark.parametrize("unready", [True, False])
@pytest.mark.parametrize("fault", ["no-file", "oom", "void", "hang"])
def test_in_turns_a_faulty_sample_is_void_alone_and_the_block_run_again(
    tmp: Path, ledger: Ledger, fault: str, unready: bool
) -> None:
    bad = {"fault": fault, "bad_samples": [1], "unready": unready}
    kit = in_turns(Kit(tmp, ledger, {BASE: {}, NEW: bad}))
    if fault == "hang":  # only there does one wait for the time-out
        (workload,) = kit.speed.workloads
        brief = workload.scenario.model_copy(update={"timeout_ms": 1500})
        kit.speed = replace(kit.speed, workloads=(replace(workload, scenario=brief),))
    comparison = comparison_of(kit.run(blocks=2))
    assert [block.attempts for block in comparison.order] == [2, 1]
    assert len([sample for sample in comparison.samples if sample.void]) == 1
    assert comparison.stop_reason is None


def test_in_turns_a_peer_that_dies_is_started_again(tmp: Path, ledger: Ledger) -> None:
    behave(tmp / "tool", dies=True)
    bad = {"fault": "kill-peer", "bad_samples": [1], "unready": True}
    comparison = comparison_of(in_turns(Kit(tmp, ledger, {BASE: {}, NEW: bad})).run(blocks=2))
    assert [block.attempts for block in comparison.order] == [2, 1]
    assert "the peer of far died (exit code -9)" in {sample.void for sample in comparison.samples}


def test_in_turns_ctrl_c_keeps_finished_blocks(tmp: Path, ledger: Ledger) -> None:
    kit = in_turns(Kit(tmp, ledger, {BASE: {}, NEW: {}}))
    kit.listener.stop_after = 3  # one block
    with pytest.raises(KeyboardInterrupt):
        kit.run(blocks=5)
    assert comparison_of(kit.assemble_results()).blocks == 1


def test_within_a_budget_a_comparison_ends_once_it_is_decided(tmp: Path, ledger: Ledger) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {}})
    comparison = comparison_of(kit.run(blocks=50, validates=JUDGED, budget_s=1000))
    assert comparison.blocks == 2  # one has no interval


def text_of(validation: ValidationResult) -> str:
    """All that a validation says."""
    return "; ".join([*(topic.sentence for topic in validation.topics), *validation.not_looked_at])


def test_an_undecided_one_goes_on_to_the_blocks_that_it_lacks(tmp: Path, ledger: Ledger) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {"spread": 0.3}})
    comparison = comparison_of(kit.run(blocks=50, validates=JUDGED, budget_s=1000))
    assert 2 < comparison.blocks < 50
    assert comparison.figures[0].ci95
    assert comparison.figures[0].ci95[0] > 1 - MOST_LOSS


def test_an_undecided_one_ends_where_they_do_not_fit(tmp: Path, ledger: Ledger) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {"spread": 0.4}})
    results = kit.run(blocks=50, validates=JUDGED, budget_s=kit.least_s + 2)
    assert comparison_of(results).blocks == 2
    assert results.validation
    assert results.validation.verdict == "undecided"
    counts = re.findall(
        r"too noisy to tell: test with fake \((\d+) blocks would decide it, 2 were run\)",
        text_of(results.validation),
    )
    # A sample is planned to take 1.6 s, so a block of three 4.8 s; the run's record says 10 min.
    minutes = math.ceil((600 + (int(counts[0]) - 2) * 4.8) / 60) + 1
    assert f" min more: --resume --minutes {minutes}" in text_of(results.validation)
    block_count = comparison_of(results).blocks
    needed_blocks = int(counts[0])
    longer = comparison_of(kit.run(plan=kit.plan, budget_s=(needed_blocks - block_count) * 4.8 + 2))
    assert longer.blocks == needed_blocks


def test_what_is_decided_does_not_go_on_with_more_time(tmp: Path, ledger: Ledger) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {}})
    kit.run(blocks=50, validates=JUDGED, budget_s=kit.least_s + 2)
    kit.listener = EventLog()
    assert comparison_of(kit.run(plan=kit.plan, budget_s=1000)).blocks == 2
    assert kit.listener.samples == []


@pytest.mark.parametrize("validates", [JUDGED, None])
def test_what_has_no_time_for_two_blocks_is_not_begun(
    tmp: Path, ledger: Ledger, validates: tuple[str, str] | None
) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {}})
    (workload,) = kit.speed.workloads
    kit.speed = replace(kit.speed, workloads=(workload, replace(workload, name="later")))
    one_s = kit.least_s / 2
    results = kit.run(blocks=50, validates=validates, budget_s=one_s + 2)
    assert [comparison.blocks for comparison in results.throughput] == [2, 0]
    assert kit.listener.notices == [f"later/fake/{BASE}: it had no time left (--minutes)"]
    assert "it had no time left" in results.throughput[1].reason
    assert sentences_of(results.throughput[1]) == []  # its reason says so
    if results.validation:
        assert results.validation.verdict == "undecided"
        text = text_of(results.validation)
        assert "The time was up before later with fake" in text
        assert re.search(r"takes 1 min more: --resume --minutes 1\d", text)
    results = kit.run(plan=kit.plan, budget_s=1000)
    assert all(comparison.blocks >= 2 for comparison in results.throughput)
    lacks = [lack for comparison in results.throughput for lack in comparison.lacks]
    assert not any("no time" in lack for lack in lacks)


@pytest.mark.parametrize(("budget", "blocks"), [(5.0, [2, 2]), (3.5, [2, 0])])
def test_how_slow_the_first_was_counts_for_the_next(
    tmp: Path, ledger: Ledger, budget: float, blocks: list[int]
) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {}})
    (workload,) = kit.speed.workloads
    kit.speed = replace(kit.speed, workloads=(workload, replace(workload, name="later")))
    kit.slowness = 4.0
    results = kit.run(blocks=50, validates=JUDGED, budget_s=budget * kit.least_s)
    assert [comparison.blocks for comparison in results.throughput] == blocks


def test_all_have_a_first_look_before_one_is_confirmed(tmp: Path, ledger: Ledger) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {"spread": 0.4}})
    (workload,) = kit.speed.workloads
    kit.speed = replace(kit.speed, workloads=(workload, replace(workload, name="later")))
    kit.slowness = 4.0
    results = kit.run(blocks=50, validates=JUDGED, budget_s=5.0 * kit.least_s)
    first, later = (comparison.blocks for comparison in results.throughput)
    assert first > 2
    assert later >= 2


def test_what_later_ones_need_is_kept_free_as_slow_as_the_first_was(
    tmp: Path, ledger: Ledger
) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {}})
    (workload,) = kit.speed.workloads
    later = [replace(workload, name=name) for name in ("later", "last")]
    kit.speed = replace(kit.speed, workloads=(workload, *later))
    kit.slowness = 4.0
    kept_free_s: list[float] = []

    def watched_share_s(needs_s: Sequence[float], left_s: float, *, equal: bool) -> float:
        kept_free_s.append(needs_s[-1])
        return share_s(needs_s, left_s, equal=equal)

    with patch.object(comparison_tasks, "share_s", watched_share_s):
        kit.run(blocks=50, validates=JUDGED, budget_s=100 * kit.least_s)
    assert kept_free_s[1] > 3 * kept_free_s[0]


def test_without_a_verdict_it_ends_where_no_other_block_fits(tmp: Path, ledger: Ledger) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {"spread": 0.4}})
    assert comparison_of(kit.run(blocks=50, budget_s=kit.least_s + 2)).blocks == 2
    assert (
        comparison_of(kit.run(plan=kit.plan, budget_s=6)).blocks > 2
    )  # a block is planned to take 4.8 s


def test_without_a_verdict_it_ends_once_its_grade_is_settled(tmp: Path, ledger: Ledger) -> None:
    results = Kit(tmp, ledger, {BASE: {}, NEW: {"rate": 30}}).run(blocks=50, budget_s=1000)
    assert comparison_of(results).blocks < 10


def test_a_validation_has_one_verdict(tmp: Path, ledger: Ledger) -> None:
    results = Kit(tmp, ledger, {BASE: {}, NEW: {"rate": 500}}).run(validates=JUDGED)
    assert results.validation
    assert results.validation.verdict == "bad"
    assert f"Slower than {BASE}: test with fake (" in text_of(results.validation)


def test_a_build_that_is_trivially_bad_is_so_after_two_blocks(tmp: Path, ledger: Ledger) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {"rate": 30}})
    results = kit.run(blocks=50, validates=JUDGED, budget_s=1000)
    assert results.validation
    assert results.validation.verdict == "bad"
    assert comparison_of(results).blocks == 2


def test_the_verdict_names_what_is_excluded_worst_first(tmp: Path, ledger: Ledger) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {"spread": 0.1}})
    results = kit.run(blocks=50, validates=JUDGED, budget_s=1000)
    assert results.validation
    pattern = r"No slowdown above (.*), (.*) \(95 %; smaller ones not measured\)"
    ((worst, best),) = re.findall(pattern, text_of(results.validation))
    assert re.fullmatch(r"1\d % in requests/s of test with fake", worst)
    assert re.fullmatch(r"\d % in CPU µs/request of test with fake", best)


def test_a_scenario_may_be_asked_for_less_and_then_not_for_its_cost(
    tmp: Path, ledger: Ledger
) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {"spread": 0.3}})
    (workload,) = kit.speed.workloads
    kit.speed = replace(kit.speed, workloads=(replace(workload, most_loss=0.75),))
    results = kit.run(blocks=50, validates=JUDGED, budget_s=1000)
    assert comparison_of(results).blocks == 2
    assert results.validation
    assert "(limit 75 %) in requests/s of test with fake (95 %; smaller ones" in text_of(
        results.validation
    )
    assert "CPU" not in text_of(results.validation)
    rate, cost = comparison_of(results).figures
    assert (rate.grade, rate.most_loss) == (SpeedGrade.WITHIN_LIMIT, 0.75)
    assert cost.most_loss is None
    assert comparison_of(results).grade is SpeedGrade.WITHIN_LIMIT


def test_what_a_validation_cannot_ask_is_in_its_verdict(tmp: Path, ledger: Ledger) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {}})
    (workload,) = kit.speed.workloads
    clients = {**kit.speed.file.clients, "later": make_client(**{"since-train": 21})}
    kit.speed = replace(
        kit.speed,
        file=kit.speed.file.model_copy(update={"clients": clients}),
        workloads=(workload, replace(workload, client="later")),
    )
    results = kit.run(validates=JUDGED)
    assert results.validation
    assert "test with later is left out: needs two builds of 21+" in text_of(results.validation)


def test_copies_are_graded_as_builds_are(tmp: Path, ledger: Ledger) -> None:
    kit = Kit(tmp, ledger, {BASE: {}})
    kit.speed = replace(kit.speed, copies=2)
    results = kit.run(blocks=5)
    copies = [f"{BASE}+copy-1", f"{BASE}+copy-2"]
    assert [comparison.build for comparison in results.throughput] == copies
    assert {comparison.grade for comparison in results.throughput} == {SpeedGrade.NO_CHANGE}
    comparison = results.throughput[0]
    assert {sample.build for sample in comparison.samples} == {BASE}
    assert f"--build {BASE} --baseline {BASE} --copies 2" in comparison.rerun
    assert kit.assemble_results() == results


def test_an_overlay_is_compared_with_the_build_underneath(tmp: Path, ledger: Ledger) -> None:
    patch = tmp / "slow.diff"
    patch.write_text("--- a\n+++ b\n")
    request = OverlayRequest(patch, is_patch=True)
    overlay_id = f"{BASE}+overlay-slow"
    kit = Kit(tmp, ledger, {BASE: {}, overlay_id: {"cpu_us": 120}})
    overlay = OverlayRecord(
        name=request.name, option=str(request), sha256="ab" * 32, java_options=(), note=""
    )
    facts = kit.builds[BASE].facts
    update = {"entry": BASE, "overlay": overlay, "facts": facts}
    kit.builds[overlay_id] = kit.builds[overlay_id].model_copy(update=update)
    behave(tmp / "build-1", runtime_version="17.0.9+9", vendor="temurin", cpu_us=120)
    kit.record = kit.record.model_copy(update={"builds": tuple(kit.builds.values())})
    kit.speed = replace(kit.speed, baseline=None, overlay=request)
    comparison = comparison_of(kit.run())
    assert (comparison.build, comparison.baseline, comparison.grade) == (
        overlay_id,
        BASE,
        SpeedGrade.SLOWER,
    )
    assert comparison.is_surprise
    assert f"--build {BASE} --overlay-patch {patch} --blocks 5" in comparison.rerun


def test_a_sweep_gives_points_and_no_grades(tmp: Path, ledger: Ledger) -> None:
    relay = {"client_fins": 3}
    builds = {BASE: {"rate": 150, "relay": relay}, OLD: {"rate": 20, "relay": relay}}
    kit = Kit(tmp, ledger, builds)
    law = {"host": "far", "group": "load", "affected-round-trips": 1, "fixed-round-trips": 1}
    point = make_scenario(shows=["JDK-8293562"], law=law)
    sweep = {"hosts.far.rtt-ms": 2}
    workload = Workload("test@rtt-ms=2", point, "fake", sweep, point)
    kit.speed = replace(kit.speed, workloads=(workload,))
    results = kit.run(blocks=2)
    assert results.throughput == ()
    fixed_point, affected_point = results.law
    assert (fixed_point.build, affected_point.build) == (BASE, OLD)
    assert fixed_point.parameters == sweep
    assert fixed_point.closed_share == pytest.approx(0.03)  # 3 closed for 100 requests
    assert len(fixed_point.measured_requests_per_s) == 4  # the control arm's too
    assert len(affected_point.measured_requests_per_s) == 2
    assert fixed_point.predicted_requests_per_s == pytest.approx(2000 / (1.03 * 2))
    assert (
        affected_point.predicted_requests_per_s == fixed_point.predicted_requests_per_s
    )  # as it is less
    write_reports(results, kit.folder.path)
    page = (kit.folder.path / "index.html").read_text()
    assert page.count("<circle cx=") == 2 + 6  # the legend's, those of two builds


def test_a_sweep_says_what_it_lacks(tmp: Path, ledger: Ledger) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, OLD: {}})
    (tmp / "tool" / "behaviour.json").write_text('{"refuses": "port 4433 is taken"}')
    point = make_scenario(shows=["JDK-8293562"])
    workload = Workload("test@rtt-ms=2", point, "fake", {"hosts.far.rtt-ms": 2}, point)
    kit.speed = replace(kit.speed, workloads=(workload,))
    results = kit.run(blocks=2)
    for law_point in results.law:
        assert law_point.measured_requests_per_s == ()
        assert "port 4433 is taken" in law_point.lacks[0]
    assert exit_code(results, strict=False) == ExitCode.NOTHING_RAN
    write_reports(results, kit.folder.path)
    for report in ("index.html", "report.md"):
        text = (kit.folder.path / report).read_text()
        assert "0 of 2 points of the law measured." in text
        assert "port 4433 is taken" in text


def test_a_block_in_which_the_loopback_interface_went_is_not_kept(
    tmp: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {}})
    faults = iter([None, "no connection over 127.0.0.1: timed out"])
    monkeypatch.setattr(loopback, "loopback_fault", lambda: next(faults))
    results = kit.run(blocks=3)
    comparison = comparison_of(results)
    assert comparison.blocks == 1
    assert comparison.stop_reason == (
        "no connection over 127.0.0.1: timed out; to fix it: bring the loopback interface up"
    )
    assert exit_code(results, strict=False) == ExitCode.MACHINE


REFUSAL = "Its JVM does not start: java: no libz.so.1"


def refuse(kit: Kit, *names: str) -> None:
    """No JVM of these builds starts."""
    update = {"refusal": REFUSAL}
    kit.builds |= {name: kit.builds[name].model_copy(update=update) for name in names}
    kit.record = kit.record.model_copy(update={"builds": tuple(kit.builds.values())})


def test_a_build_whose_jvm_does_not_start_costs_its_own_comparison(
    tmp: Path, ledger: Ledger
) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {"rate": 500}, OLD: {}})
    refuse(kit, OLD)
    results = kit.run(blocks=9)
    cells = {comparison.build: comparison for comparison in results.throughput}
    assert (cells[NEW].grade, cells[NEW].blocks, cells[NEW].lacks) == (SpeedGrade.SLOWER, 4, ())
    reason = f"{OLD}: {REFUSAL}"
    assert (cells[OLD].blocks, cells[OLD].stop_reason, cells[OLD].lacks) == (0, reason, (reason,))
    assert OLD not in {sample.build for sample in kit.listener.samples}
    assert kit.listener.notices == []  # it was told when the build came
    assert exit_code(results, strict=False) == ExitCode.SURPRISE
    assert [case.build for case in results.cases if case.status is CaseStatus.FAILED] == [NEW]


@pytest.mark.parametrize("name", [BASE, NEW])
def test_a_comparison_whose_baseline_or_only_build_does_not_start_does_not_begin(
    tmp: Path, ledger: Ledger, name: str
) -> None:
    kit = Kit(tmp, ledger, {BASE: {}, NEW: {}})
    refuse(kit, name)
    results = kit.run(blocks=2)
    assert comparison_of(results).lacks == (f"{name}: {REFUSAL}",)
    assert not kit.listener.samples
    assert not kit.listener.notices
    assert results.complete
    assert exit_code(results, strict=False) == ExitCode.MACHINE

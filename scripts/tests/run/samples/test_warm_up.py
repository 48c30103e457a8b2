# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is code measured that is not compiled yet? Not where the machine lets a load do its work.

Each build is compiled after a hundred requests, and costs three times as much until then. Ten turns
are planned, in which the baseline makes just these; the other's driver is slowed down.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.machine.withheld import GivenTime
from jdkmatrix.records.sample_record import SampleRecord
from jdkmatrix.records.store import read_blocks
from jdkmatrix.results.speed import ThroughputResult
from jdkmatrix.run.samples import peers
from jdkmatrix.vocabulary import Metric, SpeedGrade
from jdkmatrix.words.speed import sentences_of
from tests.run.samples.conftest import start_played
from tests.run.samples.test_blocks_in_turn import BASE, NEW, Kit, comparison_of, in_turns

COMPILED_AFTER = 100
QUIET = {"per_turn": 10, "compiled_after": COMPILED_AFTER}


class Trial:
    """A comparison in which the other's driver makes `per_turn` requests a turn."""

    def __init__(
        self, tmp: Path, ledger: Ledger, per_turn: int, warm_up_requests: int | None
    ) -> None:
        kit = in_turns(Kit(tmp, ledger, {BASE: QUIET, NEW: {**QUIET, "per_turn": per_turn}}))
        (workload,) = kit.speed.workloads
        changes = {"warm_up_ms": 100, "warm_up_requests": warm_up_requests}
        scenario = workload.scenario.model_copy(update=changes)
        kit.speed = replace(kit.speed, workloads=(replace(workload, scenario=scenario),))
        self.comparison: ThroughputResult = comparison_of(kit.run(blocks=2))
        (folder,) = {path.parent for path in kit.folder.path.rglob("block-01.json")}
        self.samples: list[SampleRecord] = [
            sample
            for block in read_blocks(folder)
            for sample in block.graded_attempt.samples
            if sample.arm == NEW
        ]

    @property
    def cpu_us(self) -> set[int]:
        """What a request cost the other, in hundreds."""
        return {round(sample.figures[Metric.CPU_US_PER_REQUEST] / 100) for sample in self.samples}


@pytest.fixture
def tmp(tmp_path: Path, tool_java: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(peers, "start_java", start_played)
    monkeypatch.setattr(GivenTime, "read", lambda clock: (0.0, 1.0))
    return tmp_path


def test_by_seconds_alone_cold_code_is_measured_and_graded(tmp: Path, ledger: Ledger) -> None:
    trial = Trial(tmp, ledger, per_turn=6, warm_up_requests=None)
    assert trial.cpu_us == {3}
    assert trial.comparison.figures[1].ratio == pytest.approx(3, rel=0.05)
    assert trial.comparison.lacks == ()


def test_by_work_the_warm_up_lasts_until_it_is_done(tmp: Path, ledger: Ledger) -> None:
    trial = Trial(tmp, ledger, per_turn=6, warm_up_requests=COMPILED_AFTER)
    assert trial.cpu_us == {1}
    assert {sample.warm_up_requests for sample in trial.samples} == {102}
    assert trial.comparison.grade is not SpeedGrade.SLOWER
    assert trial.comparison.lacks == ()


def test_what_was_not_done_is_told(tmp: Path, ledger: Ledger) -> None:
    """A build whose requests wait makes few: it is measured, as that is what it does."""
    trial = Trial(tmp, ledger, per_turn=3, warm_up_requests=COMPILED_AFTER)
    assert {sample.warm_up_requests for sample in trial.samples} == {60}
    expected = [
        f"block {number}: code that is not compiled yet may have been measured: {NEW} warmed up "
        "with 60 requests, not with 100"
        for number in (1, 2)
    ]
    assert list(trial.comparison.lacks) == expected
    assert expected[0] in " ".join(sentences_of(trial.comparison))


def test_what_the_machine_did_not_give_is_told(
    tmp: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GivenTime, "read", lambda clock: (0.0, 0.2))
    trial = Trial(tmp, ledger, per_turn=1, warm_up_requests=None)
    assert {sample.warm_up_requests for sample in trial.samples} == {40}
    assert trial.comparison.lacks[0] == (
        "block 1: code that is not compiled yet may have been measured: "
        "of 0.1 s to warm up, the machine gave 0.08 in 0.4 s"
    )


def test_a_quiet_one_takes_no_turn_more(tmp: Path, ledger: Ledger) -> None:
    trial = Trial(tmp, ledger, per_turn=10, warm_up_requests=COMPILED_AFTER)
    assert {sample.warm_up_requests for sample in trial.samples} == {100}
    assert trial.cpu_us == {1}


def test_a_sample_of_an_earlier_kit_is_read(tmp: Path, ledger: Ledger) -> None:
    (sample, *_) = Trial(tmp, ledger, per_turn=10, warm_up_requests=None).samples
    document = sample.model_dump(mode="json", exclude={"warm_up", "warm_up_requests"})
    assert SampleRecord.model_validate(document).warm_up is None

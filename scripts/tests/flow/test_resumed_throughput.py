# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which stored runs can be resumed that measure? What they then measure: test_blocks_in_turn.py."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any, NoReturn

import pytest
from rich.console import Console

from jdkmatrix.cli.app import main
from jdkmatrix.config.scenarios import load_scenarios
from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.flow import flow
from jdkmatrix.flow.resumable import is_left
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.blocks import arms_of
from jdkmatrix.plan.workloads import plan_workloads
from jdkmatrix.records.builds import build_record
from jdkmatrix.records.comparison_record import ComparisonRecord, ThroughputRecord
from jdkmatrix.records.provenance import kit_here, machine_record
from jdkmatrix.records.record import BuildRecord, KitRecord, RunRecord
from jdkmatrix.records.request import Request, SpeedRequest
from jdkmatrix.records.sample_record import (
    AttemptRecord,
    BlockRecord,
    MachineState,
    SampleRecord,
)
from jdkmatrix.records.store import RunFolder, block_file, comparison_folder
from jdkmatrix.report.console.display import Display
from jdkmatrix.supply.build import Build, Unavailable
from tests.flow.run_kit import PLAIN, PlayedTools, Stage, StandInSupplier

KIT = kit_here(Checkout.current().root)
SCENARIOS = load_scenarios(Checkout.current().scenarios)
(WORKLOAD, *_) = plan_workloads(SCENARIOS, ("reuse/brief",), (), sweep=False)
SPEED = SpeedRequest(scenarios=(WORKLOAD.name,), blocks=2, minimum_effect=0.05, seed=1)
MEASURES = Request(builds=(PLAIN.id,), cells=False, speed=SPEED)
MEASURES_10_MIN = MEASURES.model_copy(update={"speed": SPEED.model_copy(update={"minutes": 10})})
VALIDATES = MEASURES.model_copy(
    update={"cells": True, "speed": SPEED.model_copy(update={"minutes": 10, "baseline": PLAIN.id})}
)
BY_ITSELF = VALIDATES.model_copy(update={"speed": MEASURES_10_MIN.speed})
STATE = MachineState(cores=2, governor=None, load_1min=0, steal_share=0, busy_share=0, seconds=1)
OTHER_MACHINE = machine_record().model_copy(update={"cores": 1000})


def make_plan(**changes: Any) -> ThroughputRecord:
    """A comparison of a build with itself, perhaps not as the kit has it."""
    usual: dict[str, Any] = {
        "scenario_name": WORKLOAD.name,
        "scenario": WORKLOAD.scenario,
        "client": WORKLOAD.client,
        "layer": "httpurlconnection",
        "builds": (PLAIN.id, f"{PLAIN.id}+copy-1"),
        "baseline": PLAIN.id,
    }
    comparison = ComparisonRecord(**(usual | changes))
    return ThroughputRecord(seed=1, blocks=2, minimum_effect=0.05, comparisons=(comparison,))


def store_blocks(run: Path, comparison: ComparisonRecord, *numbers: int) -> None:
    """Blocks of a comparison, of which all samples count."""
    folder = comparison_folder(run, comparison)
    folder.mkdir(parents=True)
    samples = tuple(
        SampleRecord(arm=arm.name, build=arm.build, folder="x", seconds=1)
        for arm in arms_of(comparison)
    )
    tries = (AttemptRecord(samples=samples, machine=STATE),)
    for number in numbers:
        block = BlockRecord(schema=1, block=number, attempts=tries)
        (folder / block_file(number)).write_text(block.model_dump_json(by_alias=True))


def store_comparison(tmp: Path, blocks: Sequence[int] = (1, 2), **changes: Any) -> RunFolder:
    """A run of one comparison in `tmp/run`, which has these blocks once it is finished."""
    folder = RunFolder.create(tmp, tmp / "run")
    record = RunRecord(
        run="run",
        started="2026-11-21T08:00:00Z",
        request=MEASURES,
        machine=machine_record(),
        kit=KIT,
        builds=(build_record(PLAIN),),
        speed=make_plan(),
    )
    record = record.model_copy(update=changes)
    folder.write_run(record)
    for comparison in record.speed.comparisons if record.finished and record.speed else ():
        store_blocks(folder.path, comparison, *blocks)
    return folder


def files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


REFUSED = [
    (
        "cells",
        {"request": Request()},
        4,
        "a run of `run`, not of `throughput`; accepted: scripts/matrix run --resume",
    ),
    ("a validation", {"request": VALIDATES}, 4, "accepted: scripts/matrix validate --resume"),
    ("a finished run", {"finished": "2026-11-21T09:00:00Z"}, 3, "all blocks have run"),
    ("another machine", {"machine": OTHER_MACHINE}, 4, "with 1000 cores; accepted: a run of"),
    (
        "another kit",
        {"kit": KitRecord(version="0.0.9", commit=None)},
        4,
        "begun by kit 0.0.9; this is kit ",
    ),
]


@pytest.mark.parametrize(
    ("changes", "code", "says"), [case[1:] for case in REFUSED], ids=[c[0] for c in REFUSED]
)
def test_refused(
    changes: dict[str, Any],
    code: int,
    says: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = store_comparison(tmp_path, **changes)
    old_files = files(folder.path)
    assert main(["throughput", "--resume", "--out", str(folder.path)]) == code
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert says in err
    assert files(folder.path) == old_files


@pytest.mark.parametrize(
    ("blocks", "damaged_blocks", "says", "unread"),
    [
        ((1, 2), (), {}, []),
        ((1, 2), (), {"blocks": 2}, []),
        ((1, 2), (), {"blocks": 4}, [3, 4]),
        ((1, 2, 3), (2, 3), {}, [2, 3]),
        ((1, 3), (), {}, [2]),
        ((2,), (), {}, [1]),
        ((), (), {}, [1]),
        ((), (), {"lacks": "the peers do not start"}, []),
        ((1,), (), {"lacks": "the peers do not start", "blocks": 2}, [2]),
    ],
)
def test_a_block_that_is_gone_is_told_as_one_that_is_damaged(
    tmp_path: Path,
    blocks: tuple[int, ...],
    damaged_blocks: tuple[int, ...],
    says: dict[str, Any],
    unread: list[int],
) -> None:
    speed = make_plan(**says)
    run = store_comparison(tmp_path, blocks, speed=speed, finished="2026-11-21T09:00:00Z")
    place = Path("throughput", speed.comparisons[0].name)
    for number in damaged_blocks:
        (run.path / place / block_file(number)).write_text("{")
    names = [str(place / block_file(number)) for number in unread]
    assert list(run.unread(run.read_run())) == names
    assert is_left(run, run.read_run()) == bool(unread or "lacks" in says)


@pytest.mark.parametrize("minutes", [[], ["--minutes", "9"]])
@pytest.mark.parametrize("request_", [VALIDATES, MEASURES_10_MIN], ids=["validate", "throughput"])
def test_what_had_its_time_does_not_go_on_without_more(
    request_: Request, minutes: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = store_comparison(tmp_path, request=request_, finished="2026-11-21T09:00:00Z")
    assert main([request_.command, "--resume", "--out", str(folder.path), *minutes]) == 3
    line = "all that fits into 10 minutes has run; to continue, give --minutes 10 or more\n"
    assert capsys.readouterr().err.endswith(line)


@pytest.mark.parametrize(
    ("request_", "command", "right"),
    [(MEASURES, "run", "throughput"), (VALIDATES, "run", "validate"), (MEASURES, "validate", "th")],
)
def test_the_right_command_is_named(
    request_: Request,
    command: str,
    right: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = store_comparison(tmp_path, request=request_)
    assert main([command, "--resume", "--out", str(folder.path)]) == 4
    assert f"accepted: scripts/matrix {right}" in capsys.readouterr().err


class Supplier(StandInSupplier):
    """Has what it is given."""

    def __init__(self, build: Build | Unavailable, tool_jdk: Build = PLAIN) -> None:
        self.build = build
        self.tool = tool_jdk

    def stream_outcomes(self, build_entries: Iterable[object]) -> Iterator[Any]:
        return (self.build for _ in build_entries)

    def tool_jdk(self) -> Build:
        return self.tool


def resume(folder: RunFolder, supplier: Supplier, lock: Path) -> flow.FinishedRun:
    tools = PlayedTools(Stage(supplier=supplier))
    tools.lock_place = lock
    options = flow.RunOptions(jobs=1, out=folder.path)
    command = folder.read_run().request.command
    return flow.resume(tools, command, options, Display(Console(quiet=True)))


def test_a_build_that_is_not_what_it_was_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has changed since the run began"):
        resume(store_comparison(tmp_path), Supplier(replace(PLAIN, sha256="cc")), tmp_path)


@pytest.mark.parametrize(
    ("request_", "baseline", "builds"),
    [
        (MEASURES, None, (build_record(PLAIN),)),
        (MEASURES, None, ()),
        (VALIDATES, "another", (build_record(PLAIN),)),
        (BY_ITSELF, None, (build_record(PLAIN),)),
        (BY_ITSELF, None, ()),
    ],
    ids=["throughput", "not looked at yet", "validate", "by itself", "that one not either"],
)
def test_a_build_that_is_gone_is_refused(
    request_: Request, baseline: str | None, builds: tuple[BuildRecord, ...], tmp_path: Path
) -> None:
    validates = (PLAIN.id, baseline) if request_.cells else None
    speed = make_plan().model_copy(update={"validates": validates})
    folder = store_comparison(tmp_path, request=request_, speed=speed, builds=builds)
    record = folder.read_run()
    unavailable = Unavailable(PLAIN.entry_id, (("wheel", "no such file"),))
    with pytest.raises(MachineError, match=r"is no longer available: .*no such file"):
        resume(folder, Supplier(unavailable), tmp_path)
    assert folder.read_run() == record


class WithoutLoad(PlayedTools):
    """Its load can be had for no comparison."""

    def load_programs(self, *_: Any) -> Any:
        return self

    def class_path(self, _: object) -> NoReturn:
        raise MachineError("gone")


def test_more_time_than_it_has_is_none_that_is_left(tmp_path: Path) -> None:
    folder = store_comparison(tmp_path, request=MEASURES_10_MIN, seconds=601.0)
    output = StringIO()
    tools = WithoutLoad(Stage(supplier=Supplier(PLAIN)))
    tools.lock_place = tmp_path
    options = flow.RunOptions(jobs=1, out=folder.path)
    flow.resume(tools, "throughput", options, Display(Console(file=output, width=100)))
    assert "# time: 0 s for all of them" in output.getvalue()


@pytest.mark.parametrize("request_", [MEASURES, VALIDATES], ids=["throughput", "validate"])
def test_what_was_interrupted_before_its_builds_were_looked_at_is_reported(
    request_: Request, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    builds = (PLAIN.id, "another")
    validates = (builds[1], builds[0]) if request_.cells else None
    speed = make_plan(builds=builds).model_copy(update={"validates": validates})
    folder = store_comparison(tmp_path, request=request_, builds=(), speed=speed)
    assert main(["report", str(folder.path)]) == 2
    assert capsys.readouterr().err == ""


def test_a_client_of_old_is_refused(tmp_path: Path) -> None:
    folder = store_comparison(tmp_path, speed=make_plan(client="curl"))
    with pytest.raises(
        UsageError, match=r"with curl has changed in scenarios\.yaml; accepted: a new"
    ):
        resume(folder, Supplier(PLAIN), tmp_path)


def test_no_option_of_a_jvm_is_taken_from_a_record(tmp_path: Path) -> None:
    """Whoever wrote it could start any program by one."""
    options = ("-XX:OnOutOfMemoryError=/evil",)
    scenario = WORKLOAD.scenario.model_copy(update={"jvm_options": options})
    folder = store_comparison(tmp_path, speed=make_plan(scenario=scenario))
    with pytest.raises(UsageError, match=r"has changed in scenarios\.yaml; accepted: a new run"):
        resume(folder, Supplier(PLAIN), tmp_path)


def test_each_shipped_scenario_is_read_as_it_was_stored() -> None:
    """Else its run could not be resumed."""
    for workload in plan_workloads(SCENARIOS, ("*",), (), sweep=False):
        stored_one = make_plan(
            scenario_name=workload.name, scenario=workload.scenario
        ).model_dump_json()
        (read,) = ThroughputRecord.model_validate_json(stored_one).comparisons
        assert read.scenario == workload.scenario


def test_peers_on_another_jdk_are_refused(tmp_path: Path) -> None:
    folder = store_comparison(tmp_path, kit=KIT.model_copy(update={"tool_jdk": "old"}))
    with pytest.raises(
        UsageError, match="its peers ran on old; the tool JDK is now new; accepted: a new"
    ):
        resume(folder, Supplier(PLAIN, replace(PLAIN, id="new")), tmp_path)


def test_a_run_of_schema_1_is_read(tmp_path: Path) -> None:
    """It had two files, its request no comparisons, and a copy was known by its name alone."""
    speed_asked = SPEED.model_copy(update={"scenarios": ()})
    folder = store_comparison(tmp_path, request=MEASURES.model_copy(update={"speed": speed_asked}))
    whole = folder.read_run()
    document = json.loads((folder.path / "run.json").read_text())
    speed = {"schema": 1, **document.pop("speed")}
    document |= {"schema_": 1}
    for name in ("cells", "speed"):
        del document["request"][name]
    for comparison in speed["comparisons"]:
        del comparison["copies"]
    (folder.path / "run.json").write_text(json.dumps(document))
    (folder.path / "throughput.json").write_text(json.dumps(speed))
    assert folder.read_run() == whole
    assert whole.speed
    assert whole.speed.builds == (PLAIN.id,)

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Shards of `throughput` merge to one run that has the comparisons of all."""

from pathlib import Path

import pytest
from rich.console import Console

from jdkmatrix.cli.app import main
from jdkmatrix.flow.chosen import Chosen, choose
from jdkmatrix.records.builds import build_record
from jdkmatrix.records.provenance import kit_here, machine_record
from jdkmatrix.records.record import Request, RunRecord, SpeedRequest
from jdkmatrix.records.store import RunFolder
from jdkmatrix.report.console.display import Display
from tests.flow.run_kit import PLAIN, PlayedTools, Stage, StandInSupplier

SPEED = SpeedRequest(scenarios=("reuse", "steady"), copies=1, blocks=2, minimum_effect=0.05, seed=1)
REQUEST = Request(builds=(PLAIN.id,), cells=False, speed=SPEED)
SHARDS = ("1/2", "2/2")


def chosen(request: Request, record: RunRecord | None = None) -> Chosen:
    tools = PlayedTools(Stage(supplier=StandInSupplier()))
    return choose(tools, request, Display(Console(quiet=True)), False, False, stored=record)


def names(of: Chosen) -> list[str]:
    assert of.speed
    return [one.name for one in of.speed.comparisons]


def stored_shard(place: Path, shard: str) -> list[str]:
    """The names of its comparisons."""
    mine = chosen(REQUEST.model_copy(update={"shard": shard}))
    record = RunRecord(
        run=place.name,
        started="2026-11-21T08:00:00Z",
        finished="2026-11-21T09:00:00Z",
        request=mine.request,
        machine=machine_record(),
        kit=kit_here(PlayedTools(Stage()).checkout.root),
        builds=(build_record(PLAIN),),
        speed=mine.speed,
        shard=mine.shard,
    )
    RunFolder.create(place.parent, place).write_run(record)
    return names(mine)


def test_no_comparison_is_lost(tmp_path: Path) -> None:
    places = [tmp_path / shard[0] for shard in SHARDS]
    parts = [stored_shard(*pair) for pair in zip(places, SHARDS, strict=True)]
    assert sorted(parts[0] + parts[1]) == sorted(names(chosen(REQUEST)))
    out = tmp_path / "merged"
    main(["merge", *map(str, places), "--out", str(out)])
    merged = RunFolder.open(out).read_run()
    assert merged.speed
    assert [one.name for one in merged.speed.comparisons] == parts[0] + parts[1]
    assert merged.finished


def test_a_lost_shard_is_named_and_planned_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is stored of the other is kept as it was."""
    (kept,) = stored_shard(tmp_path / "2", "2/2")[:1]
    assert main(["merge", str(tmp_path / "2"), "--out", str(tmp_path / "merged")]) == 2
    err = capsys.readouterr().err
    assert f"scripts/matrix throughput --resume --out {tmp_path / 'merged'}" in err
    merged = RunFolder.open(tmp_path / "merged").read_run()
    assert merged.speed
    assert merged.finished is None
    comparisons = [one.model_copy(update={"lacks": "kept"}) for one in merged.speed.comparisons]
    speed = merged.speed.model_copy(update={"comparisons": tuple(comparisons)})
    again = chosen(merged.request, merged.model_copy(update={"speed": speed}))
    assert names(again) == names(chosen(REQUEST))
    assert again.speed
    (found,) = (one for one in again.speed.comparisons if one.name == kept)
    assert found.lacks == "kept"

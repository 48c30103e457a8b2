# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Shards of `throughput` merge to one run that has the comparisons of all."""

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from jdkmatrix.cli.app import main
from jdkmatrix.flow.chosen import ResolvedRequest, choose
from jdkmatrix.plan.selection import Selection
from jdkmatrix.records.builds import build_record
from jdkmatrix.records.provenance import kit_here, machine_record
from jdkmatrix.records.record import RunRecord
from jdkmatrix.records.request import Request, SpeedRequest
from jdkmatrix.records.store import RunFolder
from jdkmatrix.report.console.display import Display
from jdkmatrix.supply.build import Unavailable
from tests.flow.run_kit import PLAIN, PlayedTools, Stage, StandInSupplier
from tests.flow.test_resumed_throughput import store_blocks

SPEED = SpeedRequest(scenarios=("reuse", "steady"), copies=1, blocks=2, minimum_effect=0.05, seed=1)
REQUEST = Request(builds=(PLAIN.id,), cells=False, speed=SPEED)
SHARDS = ("1/2", "2/2")


NEVER_HAD = "temurin-17.0.7+7"
PAIR = ("temurin-17.0.3+7", "temurin-17.0.9+9")


class AllButOne(StandInSupplier):
    """Has each release but one."""

    def stream_outcomes(self, build_entries: Iterable[Any]) -> Iterator[Any]:
        for build_entry in build_entries:
            if build_entry.id == NEVER_HAD:
                yield Unavailable(NEVER_HAD, (("wheel", "gone"),))
            else:
                identity = {
                    "id": build_entry.id,
                    "entry_id": build_entry.id,
                    "home": Path("/", build_entry.id),
                }
                yield replace(PLAIN, version=build_entry.version, **identity)


def look_up(
    request: Request, record: RunRecord | None = None, output: StringIO | None = None
) -> ResolvedRequest:
    supplier = AllButOne() if request.builds != REQUEST.builds else StandInSupplier()
    tools = PlayedTools(Stage(supplier=supplier))
    console = Console(file=output or StringIO(), width=1000)
    selection = Selection.resolve(tools.checkout, request)
    return choose(tools, request, selection, Display(console), False, False, stored_run=record)


def names(choice: ResolvedRequest) -> list[str]:
    assert choice.speed
    return [comparison.name for comparison in choice.speed.comparisons]


def shards_of(builds: Sequence[str], output: StringIO) -> list[ResolvedRequest]:
    request = REQUEST.model_copy(
        update={"builds": builds, "speed": SPEED.model_copy(update={"copies": 0})}
    )
    requests = [request, *(request.model_copy(update={"shard": shard}) for shard in SHARDS)]
    return [look_up(shard_request, output=output) for shard_request in requests]


def stored_shard(place: Path, shard: str) -> list[str]:
    """The names of its comparisons."""
    choice = look_up(REQUEST.model_copy(update={"shard": shard}))
    record = RunRecord(
        run=place.name,
        started="2026-11-21T08:00:00Z",
        finished="2026-11-21T09:00:00Z",
        request=choice.request,
        machine=machine_record(),
        kit=kit_here(PlayedTools(Stage()).checkout.root),
        builds=(build_record(PLAIN),),
        speed=choice.speed,
        shard=choice.shard,
    )
    RunFolder.create(place.parent, place).write_run(record)
    assert choice.speed
    for comparison in choice.speed.comparisons:
        store_blocks(place, comparison, 1, 2)
    return names(choice)


def test_no_comparison_is_lost(tmp_path: Path) -> None:
    places = [tmp_path / shard[0] for shard in SHARDS]
    parts = [stored_shard(*pair) for pair in zip(places, SHARDS, strict=True)]
    assert sorted(parts[0] + parts[1]) == sorted(names(look_up(REQUEST)))
    out = tmp_path / "merged"
    main(["merge", *map(str, places), "--out", str(out)])
    record = RunFolder.open(out).read_run()
    assert record.speed
    assert [comparison.name for comparison in record.speed.comparisons] == parts[0] + parts[1]
    assert record.finished


def test_a_comparison_that_a_shard_lost_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would be one that found nothing."""
    places = [tmp_path / shard[0] for shard in SHARDS]
    lost_name, *_ = [stored_shard(*pair) for pair in zip(places, SHARDS, strict=True)][1]
    shutil.rmtree(places[1] / "throughput" / lost_name)
    assert main(["merge", *map(str, places), "--out", str(tmp_path / "merged")]) == 2
    line = f"matrix: throughput/{lost_name}/block-01.json: damaged or lost; counted as not run\n"
    assert line in capsys.readouterr().err


@pytest.mark.parametrize("older", [True, False])  # in a train the newest but one is the baseline
def test_what_a_build_that_cannot_be_had_leaves_is_compared_in_shards_too(older: bool) -> None:
    newest = () if older else PAIR[1:]
    builds = (*PAIR[:1], "temurin-17.0.2+8", NEVER_HAD, *newest)
    whole, *parts = shards_of(builds, StringIO())
    assert whole.speed
    comparisons = [
        comparison for part in parts if part.speed for comparison in part.speed.comparisons
    ]
    assert comparisons == list(whole.speed.comparisons)
    assert NEVER_HAD not in whole.speed.builds


def test_a_shard_tells_what_too_few_builds_are_left_of() -> None:
    """The comparisons of train 17 are one by one in the shards, all but the last of two builds."""
    output = StringIO()
    builds = ("temurin-17.0.9+9", NEVER_HAD, "temurin-21.0.4+7", "temurin-21.0.8+9")
    shards_of(builds, output)
    left_out = [line for line in output.getvalue().splitlines() if "is left out" in line]
    assert left_out
    assert all(f"too few of {NEVER_HAD}, {builds[0]}" in line for line in left_out)
    assert all(line.endswith(" are available") for line in left_out)
    assert any("reuse with " in line for line in left_out)


def test_a_lost_shard_is_named_and_planned_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is stored of the other is kept as it was."""
    (kept_name,) = stored_shard(tmp_path / "2", "2/2")[:1]
    assert main(["merge", str(tmp_path / "2"), "--out", str(tmp_path / "merged")]) == 2
    err = capsys.readouterr().err
    assert f"scripts/matrix throughput --resume --out {tmp_path / 'merged'}" in err
    record = RunFolder.open(tmp_path / "merged").read_run()
    assert record.speed
    assert record.finished is None
    comparisons = [
        comparison.model_copy(update={"lacks": "kept"}) for comparison in record.speed.comparisons
    ]
    speed = record.speed.model_copy(update={"comparisons": tuple(comparisons)})
    choice = look_up(record.request, record.model_copy(update={"speed": speed}))
    assert names(choice) == names(look_up(REQUEST))
    assert choice.speed
    (comparison,) = (
        candidate for candidate in choice.speed.comparisons if candidate.name == kept_name
    )
    assert comparison.lacks == "kept"

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A stored run of four builds, one of which waits as no other does, whole and in three shards."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from jdkmatrix.records.record import BuildRecord, PlannedCell, RunRecord, ShardRecord
from jdkmatrix.records.request import Request
from jdkmatrix.records.store import RunFolder
from jdkmatrix.vocabulary import Status
from tests.conftest import FIXTURES
from tests.grading.test_whole_run import (
    TEST,
    add_wait,
    cell_of,
    make_results,
    outcome_file,
)
from tests.grading.test_whole_run import build as build_without_facts


def build(version: str) -> BuildRecord:
    """A build as a run has it, with what reports tell of it."""
    facts = {"version": version, "vm_name": "OpenJDK 64-Bit Server VM"}
    return build_without_facts(version).model_copy(update={"facts": facts})


WAITS_ALONE = "17.0.7+7"
FIXED = ("17.0.7+7", "17.0.9+9", "17.0.12+7")
AFFECTED = "17.0.3+7"
SHARDS = (("17.0.3+7", "17.0.7+7"), ("17.0.9+9",), ("17.0.12+7",))
PLAN = tuple(
    tuple(PlannedCell(build=build(version).id, test=TEST) for version in versions)
    for versions in SHARDS
)


def store(path: Path, versions: Sequence[str], shard: int | None = None) -> RunRecord:
    """A finished run of these builds at `path`; as that shard of three, if it is one."""
    folder = RunFolder.create(path.parent, path)
    for version in versions:
        is_affected = version == AFFECTED
        record, home = cell_of(folder, version, Status.FAILED if is_affected else Status.PASSED)
        outcome_file(home, "subject", "reproduced" if is_affected else "not-reproduced")
        outcome_file(home, "tls12", "not-reproduced")
        if version == WAITS_ALONE:
            read = add_wait("debian-8u504-ga.queue.json")
            (home / "digest.json").write_text(read.model_dump_json(by_alias=True))
        elif is_affected:
            read_from = FIXTURES / "evidence" / "temurin-17.0.3+7.queue.json"
            shutil.copy(read_from, home / "digest.json")
        else:
            read_from = FIXTURES / "evidence" / "debian-8u504-ga.queue.json"
            shutil.copy(read_from, home / "digest.json")
        cell_record = record.model_copy(
            update={"artifacts": ("control-tls12.json", "outcome.json")}
        )
        folder.write_cell(cell_record)
    run = RunRecord(
        run=path.name,
        started=f"2026-11-21T08:0{shard or 0}:00Z",
        finished=f"2026-11-21T08:1{shard or 0}:00Z",
        request=Request(tests=(TEST,), shard=f"{shard}/3" if shard else None),
        machine=make_results().machine,
        kit=make_results().kit,
        builds=tuple(build(version) for version in versions),
        cells=tuple(PlannedCell(build=build(version).id, test=TEST) for version in versions),
        shard=ShardRecord(index=shard, count=3, plan=PLAN, lock_sha256="a" * 64) if shard else None,
    )
    folder.write_run(run)
    return run


def store_shards(folder: Path) -> list[Path]:
    """The three shards' folders."""
    places = [folder / f"shard-{index}" for index in (1, 2, 3)]
    for index, (place, versions) in enumerate(zip(places, SHARDS, strict=True), 1):
        store(place, versions, index)
    return places


def change(place: Path, **changes: object) -> None:
    """Give a stored run's record other values."""
    folder = RunFolder.open(place)
    folder.write_run(folder.read_run().model_copy(update=changes))

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Do shards belong together, and which one run do they make? Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from jdkmatrix.errors import UsageError
from jdkmatrix.records.comparison_record import ThroughputRecord
from jdkmatrix.records.record import BuildRecord, MergedShard, RunRecord, ShardRecord


@dataclass(frozen=True)
class ShardRun:
    """A stored run that is a shard. `place` is its folder."""

    place: str
    record: RunRecord
    shard: ShardRecord

    @classmethod
    def from_record(cls, place: str, record: RunRecord) -> "ShardRun":
        """A run as a shard. Raises UsageError for one that is no shard, or not finished."""
        if record.shard is None:
            raise UsageError(f"{place}: not a shard; accepted: runs with --shard I/N")
        run = cls(place, record, record.shard)
        if record.finished is None:
            raise UsageError(
                f"{place}: shard {run.name} is not finished; "
                f"accepted: after `{record.request.resumed_by(Path(place))}`"
            )
        return run

    @property
    def name(self) -> str:
        """`2/3`."""
        return f"{self.shard.index}/{self.shard.count}"


def check_together(runs: Sequence[ShardRun]) -> None:
    """Raises UsageError for a shard that is given twice or is of another plan, naming both, and for
    one whose cells are not those of its part of the plan.
    """
    first = runs[0]
    runs_by_index: dict[int, ShardRun] = {}
    for run in runs:
        _same(first, run, "number of shards", first.shard.count, run.shard.count)
        _same(first, run, "jdks.lock", first.shard.lock_sha256[:12], run.shard.lock_sha256[:12])
        _same(first, run, "kit", _kit(first), _kit(run))
        _same(first, run, "tool JDK", first.record.kit.tool_jdk, run.record.kit.tool_jdk)
        if _request(first) != _request(run) or first.shard.plan != run.shard.plan:
            raise UsageError(f"{run.place}: selects other cells than {first.place}")
        if earlier := runs_by_index.get(run.shard.index):
            raise UsageError(
                f"{run.place}: shard {run.name} is given twice, first by {earlier.place}"
            )
        runs_by_index[run.shard.index] = run
        if not run.record.speed and not _is_as_planned(run):
            raise UsageError(
                f"{run.place}: not the cells that the plan has for shard {run.name}; "
                "accepted: a new run of it"
            )


def _is_as_planned(run: ShardRun) -> bool:
    """Whether a shard has the cells of its part, except for builds that can't be had. JDKs of
    `--jdk` are not checked: they are planned by path, which may be a link, and stored by version.
    """
    record, index = run.record, run.shard.index
    entry_of = {build.id: build.entry for build in record.builds}
    stored_cells = [(entry_of[cell.build], cell.test) for cell in record.cells]
    part = run.shard.plan[index - 1 : index]
    cells_of_plan = [(cell.build, cell.test) for cell in chain.from_iterable(part)]
    local = (build.entry for build in record.builds if build.source == "local")
    left_out = {*local, *record.request.jdks, *(missing.entry for missing in record.unavailable)}

    def is_checked(cell: tuple[str, str]) -> bool:
        return cell[0] not in left_out

    return sorted(filter(is_checked, stored_cells)) == sorted(filter(is_checked, cells_of_plan))


def missing_shards(runs: Sequence[ShardRun]) -> Iterator[tuple[str, int]]:
    """The shards that are missing, each as `I/N` with the number of its cells."""
    indexes = {run.shard.index for run in runs}
    for index, cells in enumerate(runs[0].shard.plan, 1):
        if index not in indexes:
            yield f"{index}/{runs[0].shard.count}", len(cells)


def merged_record(runs: Sequence[ShardRun]) -> RunRecord:
    """The one run, still without a name, with its builds in the order of the plan. It is not
    finished if a shard is missing.

    Raises UsageError if two shards had other bytes of one build, or other builds of one entry.
    """
    shards = sorted(runs, key=lambda run: run.shard.index)
    records = [run.record for run in shards]
    missing = {
        unavailable.entry: unavailable for record in records for unavailable in record.unavailable
    }
    return records[0].model_copy(
        update={
            "run": "",
            "started": min(record.started for record in records),
            "finished": None
            if list(missing_shards(runs))
            else max(str(r.finished) for r in records),
            "seconds": None,
            "request": _request(shards[0]),
            "builds": _builds(shards),
            "unavailable": tuple(missing.values()),
            "cells": tuple(cell for record in records for cell in record.cells),
            "speed": _speed(records),
            "shard": None,
            "merged": tuple(
                MergedShard(
                    shard=run.name,
                    run=run.record.run,
                    started=run.record.started,
                    finished=run.record.finished,
                    machine=run.record.machine,
                )
                for run in shards
            ),
        }
    )


def _speed(records: Sequence[RunRecord]) -> ThroughputRecord | None:
    """The comparisons of all shards."""
    parts = [record.speed for record in records if record.speed]
    if not parts:
        return None
    comparisons = tuple(comparison for part in parts for comparison in part.comparisons)
    return parts[0].model_copy(update={"comparisons": comparisons})


def _builds(shards: Sequence[ShardRun]) -> tuple[BuildRecord, ...]:
    builds: dict[str, BuildRecord] = {}
    came_from: dict[str, ShardRun] = {}
    stands_for: dict[tuple[str, str], tuple[str, ShardRun]] = {}
    for run in shards:
        for build in run.record.builds:
            first_build = builds.setdefault(build.id, build)
            first = came_from.setdefault(build.id, run)
            if build.source != "local":  # a moving entry may change between two shards
                origin = stands_for.setdefault((build.entry, build.variant), (build.id, run))
                _same(origin[1], run, f"{build.entry}: build", origin[0], build.id)
            _same(first, run, f"{build.id}: SHA-256", first_build.sha256[:12], build.sha256[:12])
            _same(first, run, f"{build.id}: entry", first_build.entry, build.entry)
            overlays = [
                side.overlay.sha256[:12] if side.overlay else None for side in (first_build, build)
            ]
            _same(first, run, f"{build.id}: overlay", *overlays)
            options = [" ".join(side.java_options) for side in (first_build, build)]
            _same(first, run, f"{build.id}: options of java", *options)
    return tuple(builds.values())


def _same(
    first: ShardRun, run: ShardRun, subject: str, first_value: object, run_value: object
) -> None:
    if first_value != run_value:
        raise UsageError(
            f"{run.place}: {subject}: {run_value or 'none'}, but {first_value or 'none'} in "
            f"{first.place}; accepted: shards of one plan"
        )


def _kit(run: ShardRun) -> str:
    return f"{run.record.kit.version} {run.record.kit.commit or ''}".strip()


def _request(run: ShardRun) -> object:
    return run.record.request.model_copy(update={"shard": None})

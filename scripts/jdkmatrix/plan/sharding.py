# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which part of a request's cells or comparisons does one machine run?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jdkmatrix.machine.files import sha256_of
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.selection import Selection
from jdkmatrix.plan.shards import Shard
from jdkmatrix.records.request import Request
from jdkmatrix.supply.build import NamedBuild

if TYPE_CHECKING:
    from jdkmatrix.records.record import ShardRecord


def shard_of(
    checkout: Checkout,
    selection: Selection,
    request: Request,
    local: Sequence[NamedBuild] = (),
) -> tuple[ShardRecord | None, Selection]:
    """What a run stores of its place in the whole plan, and the shard of the selection that it
    runs; None and the whole selection if the request has no shard.

    `local` are the JDKs of `--jdk`. Raises UsageError for more shards than tasks.
    """
    if request.shard is None:
        return None, selection
    from jdkmatrix.records.record import PlannedCell, ShardRecord  # few runs are of a shard

    shard = Shard.parse(request.shard)
    if request.speed:
        builds = selection.last_known(local)
        parts = selection.comparison_shards(builds, request.speed.blocks, shard.count)
        plan = [
            [PlannedCell(build=comparison.baseline, test=comparison.name) for comparison in part]
            for part in parts
        ]
        shard_selection = selection.only_comparisons(parts[shard.index - 1])
    else:
        shards = selection.shards(shard.count)
        plan = [[PlannedCell(build=row.spec, test=row.test.path) for row in r] for r in shards]
        shard_selection = selection.restrict_cells(shards[shard.index - 1])
    record = ShardRecord(
        index=shard.index,
        count=shard.count,
        plan=tuple(map(tuple, plan)),
        lock_sha256=sha256_of(checkout.lock) if checkout.lock.exists() else "",
    )
    return record, shard_selection

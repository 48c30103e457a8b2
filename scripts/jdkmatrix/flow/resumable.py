# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""May a stored run be resumed, or has what it rests on changed?"""

import shlex
from collections.abc import Collection
from pathlib import Path

from jdkmatrix.errors import MachineError, NothingRanError, UsageError
from jdkmatrix.flow.chosen import ResolvedRequest
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.blocks import original
from jdkmatrix.records.builds import check_unchanged
from jdkmatrix.records.provenance import check_same_kit, machine_record
from jdkmatrix.records.record import Request, RunRecord
from jdkmatrix.records.store import RunFolder
from jdkmatrix.supply.build import Build


def check_resumable(
    checkout: Checkout, run: RunFolder, stored: RunRecord, command: str, minutes: int | None
) -> None:
    """Raises UsageError for a run of another command, kit or machine, NothingRanError for a
    finished one, unless it had a limit of minutes and is given as many or more.
    """
    own, folder = stored.request.command, run.path
    if own != command:
        again = stored.request.resumed_by(folder)
        raise UsageError(f"{folder}: a run of `{own}`, not of `{command}`; accepted: {again}")
    if not is_left(run, stored):
        had = stored.request.speed.minutes if stored.request.speed else None
        if had is None:
            what = "block" if own == "throughput" else "cell"
            # Perhaps it was killed before it could show them, and the history lacks it.
            shown = f"results: scripts/matrix report {shlex.quote(str(folder))}"
            raise NothingRanError(
                f"{folder}: all {what}s have run; nothing is left to resume; {shown}"
            )
        if minutes is None or minutes < had:
            more = f"to continue, give --minutes {had} or more"
            raise NothingRanError(f"{folder}: all that fits into {had} minutes has run; {more}")
    check_same_kit(folder, stored.kit, checkout.root)
    if stored.request.speed:
        _check_machine(folder, stored)


def is_left(run: RunFolder, stored: RunRecord) -> bool:
    """Whether resuming a run would do anything. A build whose samples never count is not measured
    again.
    """
    comparisons = stored.speed.comparisons if stored.speed else ()
    lacks = any(one.lacks for one in comparisons)
    return stored.finished is None or lacks or any(run.unread(stored))


def check_named(folder: Path, request: Request, places: Collection[str]) -> None:
    """Raises UsageError unless the user names the same `places` as the record. That may come from a
    stranger, so JDKs, suites and classes that it alone names are not started.
    """
    if set(places) != set(request.places):
        again = request.resumed_by(folder)
        raise UsageError(
            f"{folder}: JDKs, suites and overlays in a run's record are used only if you name the "
            f"same ones; accepted: {again}"
        )


def with_minutes(stored: RunRecord, minutes: int | None) -> RunRecord:
    """The run, with `minutes` as the time that it may take in all."""
    if minutes is None or stored.request.speed is None:
        return stored
    speed = stored.request.speed.model_copy(update={"minutes": minutes})
    return stored.model_copy(update={"request": stored.request.model_copy(update={"speed": speed})})


def check_builds(run: RunFolder, stored: RunRecord, chosen: ResolvedRequest) -> None:
    """Raises UsageError if a build, the tool JDK, a workload or a shard's cells have changed,
    MachineError if a build that is compared or judged, or has finished cells, is unavailable now.
    """
    folder, known = run.path, chosen.known or ()
    was, is_now = stored.shard, chosen.shard
    # Cells, unlike comparisons, are chosen anew, but the other shards have the stored plan.
    if was and is_now and was.plan != is_now.plan and not stored.speed:
        raise UsageError(
            f"{folder}: the cells of shard {stored.request.shard} have changed; "
            "accepted: the builds and tests that it was cut from, or a new run"
        )
    there = [one.outcome for one in known if isinstance(one.outcome, Build)]
    check_unchanged(folder, stored.builds, there)
    # A run has only builds that are available: the finished cells of any other would be lost.
    needed = {cell.build for cell in stored.cells if run.read_cell(cell)}
    needed.update(map(original, stored.speed.builds if stored.speed else ()))
    if stored.speed and stored.speed.validates:
        needed.update(filter(None, stored.speed.validates))
    for build in sorted(needed - {one.id for one in there}):
        missing = "; ".join(str(one.outcome) for one in known if one.outcome not in there)
        reasons = missing or "its entry now means another build"
        raise MachineError(f"{folder}: {build} is no longer available: {reasons}")
    if stored.speed is None or chosen.selection.speed is None:
        return
    workloads = {(one.name, one.client): one.scenario for one in chosen.selection.speed.workloads}
    for one in stored.speed.comparisons:
        # Not only would blocks differ: a scenario has options of JVMs, which no record may set.
        if workloads.get((one.scenario_name, one.client)) != one.scenario:
            what = f"{one.scenario_name} with {one.client}"
            raise UsageError(f"{folder}: {what} has changed in scenarios.yaml; accepted: a new run")
    now = chosen.supplier.tool_jdk().id
    if stored.kit.tool_jdk not in (None, now):  # on another JDK peers are quicker or slower
        before = stored.kit.tool_jdk
        raise UsageError(
            f"{folder}: its peers ran on {before}; the tool JDK is now {now}; accepted: a new run"
        )


def _check_machine(folder: Path, stored: RunRecord) -> None:
    now = machine_record()
    here = (now.os, now.architecture, now.cores)
    there = (stored.machine.os, stored.machine.architecture, stored.machine.cores)
    if here != there:
        raise UsageError(
            f"{folder}: measured on {there[0]} {there[1]} with {there[2]} cores; accepted: "
            f"a run of this machine, {here[0]} {here[1]} with {here[2]}"
        )

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""May a stored run be resumed, or has what it rests on changed?"""

import shlex
from collections.abc import Collection, Sequence
from pathlib import Path

from jdkmatrix.errors import MachineError, NothingRanError, UsageError
from jdkmatrix.flow.arrivals import Arrival
from jdkmatrix.flow.chosen import ResolvedRequest
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.blocks import original
from jdkmatrix.plan.workloads import Workloads
from jdkmatrix.records.builds import check_unchanged
from jdkmatrix.records.comparison_record import ThroughputRecord
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
    _check_plan(run.path, stored, chosen)
    _check_available(run, stored, chosen.known or ())
    if stored.speed and chosen.selection.speed:
        _check_workloads(run.path, stored.speed, chosen.selection.speed)
        _check_tool_jdk(run.path, stored, chosen.supplier.tool_jdk().id)


def _check_plan(folder: Path, stored: RunRecord, chosen: ResolvedRequest) -> None:
    """Cells, unlike comparisons, are chosen anew, but the other shards have the stored plan."""
    if stored.speed or stored.shard is None or chosen.shard is None:
        return
    if stored.shard.plan != chosen.shard.plan:
        raise UsageError(
            f"{folder}: the cells of shard {stored.request.shard} have changed; "
            "accepted: the builds and tests that it was cut from, or a new run"
        )


def _check_available(run: RunFolder, stored: RunRecord, arrivals: Sequence[Arrival]) -> None:
    """A run has only builds that are available: the finished cells of any other would be lost."""
    outcomes = [arrival.outcome for arrival in arrivals]
    builds = [outcome for outcome in outcomes if isinstance(outcome, Build)]
    check_unchanged(run.path, stored.builds, builds)
    for build in sorted(_needed_builds(run, stored) - {build.id for build in builds}):
        missing = "; ".join(str(outcome) for outcome in outcomes if outcome not in builds)
        reasons = missing or "its entry now means another build"
        raise MachineError(f"{run.path}: {build} is no longer available: {reasons}")


def _needed_builds(run: RunFolder, stored: RunRecord) -> set[str]:
    """The builds that are compared or judged, or have finished cells."""
    needed = {cell.build for cell in stored.cells if run.read_cell(cell)}
    if stored.speed:
        needed.update(map(original, stored.speed.builds))
        needed.update(filter(None, stored.speed.validates or ()))
    return needed


def _check_workloads(folder: Path, stored: ThroughputRecord, now: Workloads) -> None:
    """Not only would blocks differ: a scenario has options of JVMs, which no record may set."""
    scenarios = {(workload.name, workload.client): workload.scenario for workload in now.workloads}
    for comparison in stored.comparisons:
        name, client = comparison.scenario_name, comparison.client
        if scenarios.get((name, client)) != comparison.scenario:
            raise UsageError(
                f"{folder}: {name} with {client} has changed in scenarios.yaml; accepted: a new run"
            )


def _check_tool_jdk(folder: Path, stored: RunRecord, now: str) -> None:
    """On another JDK peers are quicker or slower."""
    earlier = stored.kit.tool_jdk
    if earlier not in (None, now):
        raise UsageError(
            f"{folder}: its peers ran on {earlier}; the tool JDK is now {now}; accepted: a new run"
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

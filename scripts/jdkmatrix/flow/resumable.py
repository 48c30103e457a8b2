# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""May a stored run be resumed, or has what it rests on changed?"""

from collections.abc import Collection, Sequence
from pathlib import Path

from jdkmatrix.errors import MachineError, NothingRanError, UsageError
from jdkmatrix.flow.arrivals import Arrival
from jdkmatrix.flow.chosen import ResolvedRequest
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.workloads import Workloads
from jdkmatrix.records.builds import check_unchanged
from jdkmatrix.records.comparison_record import ThroughputRecord
from jdkmatrix.records.provenance import check_same_kit, machine_record
from jdkmatrix.records.record import RunRecord
from jdkmatrix.records.request import Request
from jdkmatrix.records.store import RunFolder
from jdkmatrix.supply.build import Build
from jdkmatrix.texts import command_line


def check_resumable(
    checkout: Checkout, run: RunFolder, stored_run: RunRecord, command: str, minutes: int | None
) -> None:
    """Raises UsageError for a run of another command, kit or machine, NothingRanError for a
    finished one, unless it had a limit of minutes and is given as many or more.
    """
    run_command, folder = stored_run.request.command, run.path
    if run_command != command:
        resumption = stored_run.request.resumed_by(folder)
        raise UsageError(
            f"{folder}: a run of `{run_command}`, not of `{command}`; accepted: {resumption}"
        )
    if not is_left(run, stored_run):
        limit_minutes = stored_run.request.speed.minutes if stored_run.request.speed else None
        if limit_minutes is None:
            task_name = "block" if run_command == "throughput" else "cell"
            # Perhaps it was killed before it could show them, and the history lacks it.
            hint = f"results: {command_line('scripts/matrix', 'report', folder)}"
            raise NothingRanError(
                f"{folder}: all {task_name}s have run; nothing is left to resume; {hint}"
            )
        if minutes is None or minutes < limit_minutes:
            hint = f"to continue, give --minutes {limit_minutes} or more"
            raise NothingRanError(
                f"{folder}: all that fits into {limit_minutes} minutes has run; {hint}"
            )
    check_same_kit(folder, stored_run.kit, checkout.root)
    if stored_run.request.speed:
        _check_machine(folder, stored_run)


def is_left(run: RunFolder, stored_run: RunRecord) -> bool:
    """Whether resuming a run would do anything. A build whose samples never count is not measured
    again.
    """
    comparisons = stored_run.speed.comparisons if stored_run.speed else ()
    lacks = any(comparison.lacks for comparison in comparisons)
    return stored_run.finished is None or lacks or any(run.unread(stored_run))


def check_named(folder: Path, request: Request, places: Collection[str]) -> None:
    """Raises UsageError unless the user names the same `places` as the record. That may come from a
    stranger, so JDKs, suites and classes that it alone names are not started.
    """
    if set(places) != set(request.places):
        resumption = request.resumed_by(folder)
        raise UsageError(
            f"{folder}: JDKs, suites and overlays in a run's record are used only if you name the "
            f"same ones; accepted: {resumption}"
        )


def with_minutes(stored_run: RunRecord, minutes: int | None) -> RunRecord:
    """The run, with `minutes` as the time that it may take in all."""
    if minutes is None or stored_run.request.speed is None:
        return stored_run
    speed = stored_run.request.speed.model_copy(update={"minutes": minutes})
    return stored_run.model_copy(
        update={"request": stored_run.request.model_copy(update={"speed": speed})}
    )


def check_builds(run: RunFolder, stored_run: RunRecord, choice: ResolvedRequest) -> None:
    """Raises UsageError if a build, the tool JDK, a workload or a shard's cells have changed,
    MachineError if a build that is compared or judged, or has finished cells, is unavailable now.
    """
    _check_plan(run.path, stored_run, choice)
    _check_available(run, stored_run, choice.all_arrivals or ())
    if stored_run.speed and choice.selection.speed:
        _check_workloads(run.path, stored_run.speed, choice.selection.speed)
        _check_tool_jdk(run.path, stored_run, choice.supplier.tool_jdk().id)


def _check_plan(folder: Path, stored_run: RunRecord, choice: ResolvedRequest) -> None:
    """Cells, unlike comparisons, are chosen anew, but the other shards have the stored plan."""
    if stored_run.speed or stored_run.shard is None or choice.shard is None:
        return
    if stored_run.shard.plan != choice.shard.plan:
        raise UsageError(
            f"{folder}: the cells of shard {stored_run.request.shard} have changed; "
            "accepted: the builds and tests that it was cut from, or a new run"
        )


def _check_available(run: RunFolder, stored_run: RunRecord, arrivals: Sequence[Arrival]) -> None:
    """A run has only builds that are available: the finished cells of any other would be lost."""
    outcomes = [arrival.outcome for arrival in arrivals]
    builds = [outcome for outcome in outcomes if isinstance(outcome, Build)]
    check_unchanged(run.path, stored_run.builds, builds)
    for build in sorted(_needed_builds(run, stored_run) - {build.id for build in builds}):
        missing = "; ".join(str(outcome) for outcome in outcomes if outcome not in builds)
        reasons = missing or "its entry now means another build"
        raise MachineError(f"{run.path}: {build} is no longer available: {reasons}")


def _needed_builds(run: RunFolder, stored_run: RunRecord) -> set[str]:
    """The builds that are compared or judged, or have finished cells."""
    needed_ids = {cell.build for cell in stored_run.cells if run.read_cell(cell)}
    if stored_run.speed:
        needed_ids.update(stored_run.speed.builds)
        needed_ids.update(filter(None, stored_run.speed.validates or ()))
    return needed_ids


def _check_workloads(folder: Path, stored_plan: ThroughputRecord, workloads: Workloads) -> None:
    """Not only would blocks differ: a scenario has options of JVMs, which no record may set."""
    scenarios = {
        (workload.name, workload.client): workload.scenario for workload in workloads.workloads
    }
    for comparison in stored_plan.comparisons:
        name, client = comparison.scenario_name, comparison.client
        if scenarios.get((name, client)) != comparison.scenario:
            raise UsageError(
                f"{folder}: {name} with {client} has changed in scenarios.yaml; accepted: a new run"
            )


def _check_tool_jdk(folder: Path, stored_run: RunRecord, tool_jdk_id: str) -> None:
    """On another JDK peers are quicker or slower."""
    earlier = stored_run.kit.tool_jdk
    if earlier not in (None, tool_jdk_id):
        raise UsageError(
            f"{folder}: its peers ran on {earlier}; the tool JDK is now {tool_jdk_id}; "
            "accepted: a new run"
        )


def _check_machine(folder: Path, stored_run: RunRecord) -> None:
    new, old = machine_record(), stored_run.machine
    if (new.os, new.architecture, new.cores) != (old.os, old.architecture, old.cores):
        raise UsageError(
            f"{folder}: measured on {old.os} {old.architecture} with {old.cores} cores; accepted: "
            f"a run of this machine, {new.os} {new.architecture} with {new.cores}"
        )

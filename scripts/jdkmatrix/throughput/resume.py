# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does an interrupted throughput run go on, with the same builds on the same machine?"""

from pathlib import Path

from jdkmatrix.assemble import assemble
from jdkmatrix.config.rules import load_rules
from jdkmatrix.errors import MachineError, NothingRanError, UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.report.display import Display
from jdkmatrix.report.files import write_reports
from jdkmatrix.report.results import Results
from jdkmatrix.report.throughput_display import ThroughputDisplay
from jdkmatrix.run.machine import check_same_kit, machine_record
from jdkmatrix.run.record import BuildRecord, RunRecord
from jdkmatrix.run.run_lock import measuring_alone
from jdkmatrix.run.store import RunFolder, now_iso
from jdkmatrix.run.throughput_store import ThroughputRecord, read_plan
from jdkmatrix.supply.fetch import Supplier
from jdkmatrix.throughput.pipeline import Supplied, measure, tell_load
from jdkmatrix.throughput.rerun import validation_again
from jdkmatrix.throughput.run import ThroughputOptions
from jdkmatrix.throughput.selection import ThroughputRequest, ThroughputSelection


def resume_throughput(
    checkout: Checkout,
    *,
    offline: bool,
    out: Path | None,
    supply_display: Display,
    display: ThroughputDisplay,
) -> tuple[Results, Path]:
    """Measure what is left of the latest run, or of the run in `out`.

    Finished blocks stay; one that was not finished is measured anew. So are comparisons that lack
    something. Raises UsageError if there is no such run, or its builds, machine or kit changed,
    NothingRanError if nothing of it is left.
    """
    folder = RunFolder.open(out or checkout.reports / "latest")
    with measuring_alone(f"since {now_iso()}, of {checkout.root}"):
        record = folder.read_run()
        plan = _plan(folder, record)
        check_same_kit(folder.path, record.kit, checkout.root)
        request = record.request
        selection = ThroughputSelection.of(
            checkout,
            ThroughputRequest(
                builds=request.builds, overlay=request.overlay, overlay_patch=request.overlay_patch
            ),
        )
        _check_clients(folder, plan, selection)
        with supply_display:
            supplier = Supplier.of(checkout, offline, supply_display)
            supplied = Supplied.of(checkout, supplier, selection)
        builds = tuple(_same(folder, build, supplied) for build in record.builds)
        _check_tool_jdk(folder, record, supplied)
        record = record.model_copy(update={"builds": builds, "finished": None})
        folder.write_run(record)
        options = ThroughputOptions(
            blocks=plan.blocks, seed=plan.seed, minimum_effect=plan.minimum_effect
        )
        tell_load(display)
        record = measure(checkout, selection, options, supplied, record, plan, folder, display)
    results = assemble(record, folder, selection.ledger, load_rules(checkout.rules))
    write_reports(results, folder.path)
    return results, folder.path


def _plan(folder: RunFolder, record: RunRecord) -> ThroughputRecord:
    """What the run has to measure. Raises UsageError, NothingRanError."""
    plan = read_plan(folder.path)
    if plan is None:
        raise UsageError(f"{folder.path}: no throughput run; go on with it: scripts/matrix run")
    if plan.validates:
        again = validation_again(record.request, plan.validates[1])
        raise UsageError(f"{folder.path}: a validation, made in one go; anew: {again}")
    if record.finished and not any(one.lacks for one in plan.comparisons):
        raise NothingRanError(f"{folder.path}: every block was run; nothing is left to resume")
    now = machine_record()
    here = (now.os, now.architecture, now.cores)
    there = (record.machine.os, record.machine.architecture, record.machine.cores)
    if here != there:
        raise UsageError(
            f"{folder.path}: measured on {there[0]} {there[1]} with {there[2]} cores; accepted: "
            f"a run of this machine, {here[0]} {here[1]} with {here[2]}"
        )
    return plan


def _check_clients(
    folder: RunFolder, plan: ThroughputRecord, selection: ThroughputSelection
) -> None:
    for comparison in plan.comparisons:
        if comparison.client not in selection.file.clients:
            known = ", ".join(selection.file.clients)
            raise UsageError(f"{folder.path}: no client {comparison.client}; accepted: {known}")


def _check_tool_jdk(folder: RunFolder, record: RunRecord, supplied: Supplied) -> None:
    """On another JDK peers are quicker or slower. Raises UsageError."""
    now = supplied.tool_jdk.id
    if now != record.kit.tool_jdk:
        raise UsageError(
            f"{folder.path}: its peers ran on {record.kit.tool_jdk}, which is {now} now; "
            "accepted: a new run"
        )


def _same(folder: RunFolder, build: BuildRecord, supplied: Supplied) -> BuildRecord:
    """The build as it was got now. Raises MachineError if it was not, UsageError if changed."""
    found = supplied.builds.get(build.id)
    if found is None:
        reasons = "; ".join(f"{one.entry}: {one.text}" for one in supplied.unavailable)
        raise MachineError(f"{folder.path}: {build.id} can't be had any more: {reasons}")
    if found.sha256 != build.sha256 or _overlay(found) != _overlay(build):
        raise UsageError(f"{folder.path}: {build.id} is not what it was; accepted: a new run")
    return found


def _overlay(build: BuildRecord) -> str | None:
    return build.overlay.sha256 if build.overlay else None

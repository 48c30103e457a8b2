# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does `matrix run` do with a request: plan only, run anew, or go on with a stored run?"""

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.build_record import check_unchanged
from jdkmatrix.errors import NothingRanError, UsageError
from jdkmatrix.matrix_run import MatrixRun, RunOptions
from jdkmatrix.overlay.maker import OverlayMaker
from jdkmatrix.overlay.wish import Wish
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.shards import Shard
from jdkmatrix.report.display import Display
from jdkmatrix.report.files import write_reports
from jdkmatrix.report.results import Results
from jdkmatrix.run.machine import check_same_kit, kit_here, machine_record
from jdkmatrix.run.record import PlannedCell, Request, RunRecord, ShardRecord
from jdkmatrix.run.run_lock import going_on
from jdkmatrix.run.store import RunFolder, now_iso
from jdkmatrix.run.throughput_store import read_plan
from jdkmatrix.run_ids import RunIds
from jdkmatrix.selection import Selection
from jdkmatrix.supply.build import Build, Unavailable
from jdkmatrix.supply.fetch import Supplier
from jdkmatrix.supply.hashing import sha256_of
from jdkmatrix.throughput.rerun import validation_again


def run_matrix(
    checkout: Checkout, request: Request, options: RunOptions, display: Display
) -> tuple[Results, Path]:
    """Run a request; return the results and the run's folder.

    After Ctrl-C the results hold the cells finished so far and are not `complete`.
    """
    return _execute(checkout, request, options, display, None)


def resume_matrix(
    checkout: Checkout, options: RunOptions, display: Display
) -> tuple[Results, Path]:
    """Run what is left of the latest run, or of the run in `options.out`.

    Raises UsageError if there is no such run or a build of it is another by now, MachineError if
    it is still going, NothingRanError if nothing of it is left.
    """
    folder = RunFolder.open(options.out or checkout.reports / "latest")
    with going_on(folder.path):
        stored = folder.read_run()
        _check_resumable(checkout, folder, stored)
        return _execute(checkout, stored.request, options, display, folder, stored)


def _check_resumable(checkout: Checkout, folder: RunFolder, stored: RunRecord) -> None:
    """Raises UsageError for a run of another command or kit, NothingRanError for a finished one."""
    plan = read_plan(folder.path)
    if plan is not None and plan.validates:
        again = validation_again(stored.request, plan.validates[1])
        raise UsageError(f"{folder.path}: a validation, made in one go; anew: {again}")
    if plan is not None:
        again = "scripts/matrix throughput --resume"
        raise UsageError(f"{folder.path}: a throughput run; go on with it: {again}")
    if stored.finished is not None:
        raise NothingRanError(f"{folder.path}: every cell was run; nothing is left to resume")
    check_same_kit(folder.path, stored.kit, checkout.root)


def _execute(
    checkout: Checkout,
    request: Request,
    options: RunOptions,
    display: Display,
    folder: RunFolder | None,
    stored: RunRecord | None = None,
) -> tuple[Results, Path]:
    # What the user may have got wrong comes first: no run folder for a mistake.
    selection = Selection.of(checkout, request)
    if selection.left_out and not selection.tests:
        told = "; ".join(f"{test}: {reason}" for test, reason in selection.left_out.items())
        raise NothingRanError(f"left out by ProblemList.txt, unless --test names it: {told}")
    shard, whole = None, selection
    if request.shard:
        shard, selection = shard_of(checkout, selection, Shard.parse(request.shard))
    supplier = Supplier(
        selection.jdks,
        checkout.lock,
        cache_root(),
        offline=options.offline,
        progress=display,
        paranoid=options.paranoid,
    )
    ids = RunIds(whole.entries, tuple(supplier.local(path) for path in whole.local))
    there: list[Build | Unavailable] = [
        build
        for path, build in zip(whole.local, ids.local(), strict=True)
        if path in selection.local
    ]
    if selection.overlay or stored:  # these are looked at before the first cell is run
        there = [*map(ids.supplied, supplier.supply(selection.entries)), *there]
        if selection.overlay:
            there = _overlaid(checkout, selection, supplier, selection.overlay, there)
        selection = selection.once_supplied(there)
    if folder and stored:
        present = [build for build in there if isinstance(build, Build)]
        check_unchanged(folder.path, stored.builds, present)
    for test, reason in selection.left_out.items():
        display.notice(f"{test} is left out by ProblemList.txt: {reason}")
    folder = folder or RunFolder.create(checkout.reports, options.out)
    record = stored or RunRecord(
        run=folder.name,
        started=now_iso(),
        request=request,
        machine=machine_record(),
        kit=kit_here(checkout.root),
        shard=shard,
    )
    with going_on(folder.path) if stored is None else nullcontext():  # else it is held already
        folder.link_as_latest(checkout.reports)
        run = MatrixRun(checkout, selection, options, display, folder, ids, record)
        results = run.execute(supplier, there)
        write_reports(results, folder.path)
    if results.complete and not results.cells:
        reasons = "; ".join(f"{missing.entry}: {missing.text}" for missing in results.unavailable)
        raise NothingRanError(f"no cell could be run: {reasons}")
    return results, folder.path


def shard_of(
    checkout: Checkout, selection: Selection, shard: Shard
) -> tuple[ShardRecord, Selection]:
    """One shard of a selection, and what the run stores of its place in the whole plan."""
    shards = selection.shards(shard.count)
    record = ShardRecord(
        index=shard.index,
        count=shard.count,
        plan=tuple(
            tuple(PlannedCell(build=row.asked, test=row.test.path) for row in rows)
            for rows in shards
        ),
        lock_sha256=sha256_of(checkout.lock) if checkout.lock.exists() else "",
    )
    return record, selection.only(shards[shard.index - 1])


def _overlaid(
    checkout: Checkout,
    selection: Selection,
    supplier: Supplier,
    wish: Wish,
    builds: Sequence[Build | Unavailable],
) -> list[Build | Unavailable]:
    """Every build with the overlay. Raises UsageError for the first that it does not fit."""
    maker = OverlayMaker(
        supplier,
        selection.jdks,
        selection.build_ids,
        checkout.overlay_sources,
        cache_root() / "overlays",
    )
    return [maker.overlaid(build, wish) if isinstance(build, Build) else build for build in builds]

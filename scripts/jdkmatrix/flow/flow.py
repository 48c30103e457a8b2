# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a request become reports? Select, supply, execute, read, grade, report.

`run`, `throughput`, `validate`, `planted` and `bisect` take all of these steps. A run that is
resumed begins with what it has stored. `merge` and `report` take the last two steps.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.errors import NothingRanError, UsageError
from jdkmatrix.flow.cell_tasks import CellTasks
from jdkmatrix.flow.chosen import choose
from jdkmatrix.flow.resumable import check_builds, check_named, check_resumable, with_minutes
from jdkmatrix.flow.tools import Tools
from jdkmatrix.flow.under_way import UnderWay
from jdkmatrix.machine.cores import usable_cores
from jdkmatrix.machine.run_lock import going_on, measuring_alone
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.selection import Selection
from jdkmatrix.records.provenance import kit_here, machine_record, now_iso
from jdkmatrix.records.record import RunRecord
from jdkmatrix.records.request import Request
from jdkmatrix.records.store import RunFolder, latest_link
from jdkmatrix.report.console.display import Display
from jdkmatrix.report.console.prologue import prologue

if TYPE_CHECKING:
    from jdkmatrix.results.document import Results

# The reproducers mostly wait, so more cells than cores run at a time. With three a core, 1,073
# cells on 29 builds had no surprise (two cores); with more, all of them wait for the cores.
_CELLS_PER_CORE = 3
# How often a run that waits looks whether another one still measures.
_LOOK_EVERY_S = 1.0


def usual_jobs() -> int:
    """The default number of cells that this machine runs at a time."""
    return _CELLS_PER_CORE * usable_cores()


@dataclass(frozen=True)
class RunOptions:
    """How to run what a request names. `jobs` is the number of cells at a time.

    Only for a run that is resumed, `minutes` is how long it may take in all, None if that is
    unchanged, and `places` are those of its request that the user has named. With `waits` a run
    that measures begins once no other one does.
    """

    jobs: int = field(default_factory=usual_jobs)
    offline: bool = False
    paranoid: bool = False
    out: Path | None = None
    minutes: int | None = None
    places: tuple[str, ...] = ()
    waits: bool = False


class RunInterrupted(KeyboardInterrupt):
    """Ctrl-C, or a signal like it, once a run was stored that can be resumed."""

    def __init__(self, request: Request, folder: Path) -> None:
        super().__init__()
        self.request = request
        self.folder = folder


class FinishedRun(NamedTuple):
    """A run's results, its folder and its request. After Ctrl-C the results hold what was found so
    far and are not `complete`; nor are they with `damaged_files`, which count as not run.
    """

    results: Results
    folder: Path
    request: Request
    damaged_files: tuple[str, ...] = ()


def run(tools: Tools, request: Request, options: RunOptions, display: Display) -> FinishedRun:
    """Run a request.

    Raises UsageError for an invalid request, NothingRanError if there is nothing to run or to
    compare, MachineError if the kit's own tools can't be had or another run measures.
    """
    selection = Selection.resolve(tools.checkout, request)
    rulebook = Rulebook.load(tools.checkout)
    with _measuring_alone(request, tools, display, waits=options.waits):
        offline, paranoid = options.offline, options.paranoid
        choice = choose(tools, request, selection, display, offline, paranoid, out=options.out)
        folder = RunFolder.create(tools.checkout.reports, options.out)
        record = RunRecord(
            run=folder.name,
            started=now_iso(),
            request=choice.request,
            machine=machine_record(),
            kit=kit_here(tools.checkout.root),
            speed=choice.speed,
            shard=choice.shard,
        )
        with going_on(folder.path):
            folder.write_run(record)
            under_way = UnderWay(tools, choice, folder, display, record, rulebook)
            return _execute(under_way, options, 0.0)


def resume(tools: Tools, command: str, options: RunOptions, display: Display) -> FinishedRun:
    """Run what is left of a run of `command`: the latest, or the one in `options.out`.

    Raises UsageError if there is no such run, what it rests on has changed, or it may come from a
    stranger and names places that the user did not; MachineError if it is still going;
    NothingRanError if nothing of it is left.
    """
    link = latest_link(tools.checkout.reports, command)
    if options.out is None and not link.exists():
        raise UsageError(
            f"no `{command}` of this checkout is left to resume; accepted: --out FOLDER, one of "
            "`scripts/matrix reports list`"
        )
    folder = RunFolder.open(options.out or link)
    with going_on(folder.path):
        stored_run = folder.read_run()
        check_resumable(tools.checkout, folder, stored_run, command, options.minutes)
        if options.places or options.out or stored_run.merged:
            check_named(folder.path, stored_run.request, options.places)
        stored_run = with_minutes(stored_run, options.minutes)
        request = stored_run.request
        selection = Selection.resolve(tools.checkout, request)
        rulebook = Rulebook.load(tools.checkout)
        with _measuring_alone(request, tools, display, waits=options.waits):
            offline, paranoid = options.offline, options.paranoid
            choice = choose(
                tools, request, selection, display, offline, paranoid, stored_run, folder.path
            )
            check_builds(folder, stored_run, choice)
            record = stored_run.model_copy(update={"speed": choice.speed})
            under_way = UnderWay(tools, choice, folder, display, record, rulebook)
            return _execute(under_way, options, stored_run.seconds)


def grade_run(
    checkout: Checkout,
    folder: RunFolder,
    record: RunRecord,
    *,
    ends: bool = False,
    rulebook: Rulebook | None = None,
) -> FinishedRun:
    """Grade what is stored of a run by a rulebook, else by the checkout's; write its reports.

    If the run `ends` here, recordings that nobody will look into are removed; those of a shard stay
    until it is merged, as its cells are compared then.

    Damaged records count as not run: the results are not complete then.
    """
    # Not loaded before the first JVM is started: they cost as much CPU time as it does.
    from jdkmatrix.grading.kept_recordings import without_read_recordings
    from jdkmatrix.grading.whole_run import assemble
    from jdkmatrix.report.written_reports import write_reports

    damaged_files = tuple(folder.unread(record)) if record.finished else ()
    if damaged_files:
        record = record.model_copy(update={"finished": None})
    results = assemble(record, folder, rulebook or Rulebook.load(checkout))
    if ends and results.complete and not record.shard:
        results = without_read_recordings(results, folder)
    write_reports(results, folder.path)
    return FinishedRun(results, folder.path, record.request, damaged_files)


def _execute(run: UnderWay, options: RunOptions, before_s: float | None) -> FinishedRun:
    """Run what is left of a run that had gone on for `before_s` when it was stopped. Raises
    RunInterrupted where what was found could not be reported.
    """
    try:
        return _execute_and_grade(run, options, before_s)
    except KeyboardInterrupt:
        raise RunInterrupted(run.record.request, run.folder.path) from None


def _execute_and_grade(run: UnderWay, options: RunOptions, before_s: float | None) -> FinishedRun:
    checkout, display, request = run.tools.checkout, run.display, run.record.request
    run.folder.link_as_latest(checkout.reports, request.command)
    display.header(prologue(run.record, run.selection, options.jobs, run.folder.path))
    compares = run.record.speed is not None and run.record.speed.comparisons
    # First: if the load can't be had, a finished run that is resumed stays as it was.
    measuring = None
    if compares:
        from jdkmatrix.flow.measuring import Measuring  # few runs need it

        measuring = Measuring(run, before_s or 0.0)
    start_s = time.monotonic()  # like --minutes: once all is fetched
    run.store(finished=None, seconds=None)
    is_complete = True
    if request.cells:
        is_complete = CellTasks(run, options.jobs).execute()
    else:
        for arrival in run.choice.arrivals:
            run.add_build(arrival)
    if is_complete and measuring:
        is_complete = measuring.execute()
    run.find_replaced()
    seconds = None if before_s is None else round(before_s + time.monotonic() - start_s, 3)
    run.store(seconds=seconds)
    end = now_iso() if is_complete else None
    record = run.record.model_copy(update={"finished": end})
    finished_run = grade_run(checkout, run.folder, record, ends=True, rulebook=run.rulebook)
    # Last: a run that is killed before can be resumed, and then gets its causes and reports.
    run.store(finished=end)
    results = finished_run.results
    if results.cells or any(row.blocks for row in results.throughput) or results.law:
        run.folder.link_as_latest(checkout.reports)
    if results.complete and request.speed is None and not results.cells:
        reasons = "; ".join(f"{missing.entry}: {missing.text}" for missing in results.unavailable)
        raise NothingRanError(f"no cell could be run: {reasons}")
    return finished_run


@contextmanager
def _measuring_alone(
    request: Request, tools: Tools, display: Display, *, waits: bool
) -> Iterator[None]:
    """Hold the machine's lock if the request measures; if it `waits`, once no other run does.
    Raises MachineError if another run does, and it does not wait.
    """
    if request.speed is None:
        yield
        return
    holders = set[str]()

    def wait(holder: str) -> None:
        if holder not in holders:
            holders.add(holder)
            display.notice(f"waits for the run that is measuring on this machine: {holder}")
        time.sleep(_LOOK_EVERY_S)

    purpose = f"since {now_iso()}, of {tools.checkout.root}"
    with measuring_alone(purpose, tools.lock_place, wait if waits else None):
        yield

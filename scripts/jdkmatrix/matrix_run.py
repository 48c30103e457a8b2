# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do the stages follow one another in one run?

supply -> run -> evidence -> verdict, and once more for what was not as expected. The cells of a
build start as soon as that build is there, while others are still being fetched.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import RLock

from jdkmatrix.asking import ask
from jdkmatrix.assemble import Grader, assemble
from jdkmatrix.build_faults import faults_of
from jdkmatrix.build_record import build_record, replaced
from jdkmatrix.cell_recordings import RecordingReader, attempt_homes, digest_recordings
from jdkmatrix.confirm import confirm
from jdkmatrix.cores import usable_cores
from jdkmatrix.graded_cells import bug_of
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.seconds import expected_seconds
from jdkmatrix.prologue import prologue
from jdkmatrix.report.display import Display
from jdkmatrix.report.results import Results
from jdkmatrix.run.cells import CellRunner, Runner
from jdkmatrix.run.jtreg import Jtreg
from jdkmatrix.run.record import (
    BuildRecord,
    CellRecord,
    PlannedCell,
    RunRecord,
    UnavailableRecord,
)
from jdkmatrix.run.store import RunFolder, now_iso
from jdkmatrix.run_ids import RunIds
from jdkmatrix.selection import Selection
from jdkmatrix.supply.build import Build, Unavailable
from jdkmatrix.supply.compiler import compilable
from jdkmatrix.supply.fetch import Supplier
from jdkmatrix.tools import digester_of, othervm_of

# The reproducers mostly wait, so more cells than cores run at a time. With so many, 1,073 cells on
# 29 builds had no surprise (two cores); with more, the cores are what all wait for.
_CELLS_PER_CORE = 3


def usual_jobs() -> int:
    """How many cells this machine runs at a time, if nobody says."""
    return _CELLS_PER_CORE * usable_cores()


@dataclass(frozen=True)
class RunOptions:
    """How to run what a request names. `jobs` is the number of cells at a time."""

    jobs: int
    offline: bool = False
    paranoid: bool = False
    out: Path | None = None


class MatrixRun:
    """One run: what it has supplied and run so far. Its callbacks come from several threads.

    `record` is a new one, or what a run that is resumed has stored: all that it does not supply or
    run anew stays as it was.
    """

    def __init__(
        self,
        checkout: Checkout,
        selection: Selection,
        options: RunOptions,
        display: Display,
        folder: RunFolder,
        ids: RunIds,
        record: RunRecord,
    ) -> None:
        self._checkout = checkout
        self._selection = selection
        self._options = options
        self._display = display
        self._folder = folder
        self._ids = ids
        self._lock = RLock()
        self._builds: dict[str, BuildRecord] = {}
        self._jdks: dict[str, Build] = {}
        self._unavailable: list[UnavailableRecord] = []
        self._runner: CellRunner | None = None
        self._tool_jdk: Build | None = None
        self._record = record
        self._reader = RecordingReader(self._read_batch, display.notice)
        self._places: dict[str, int] = {}
        self._missing: set[int] = set()
        self._expected_s = expected_seconds(test.path for test in selection.tests)

    def execute(self, supplier: Supplier, there: Sequence[Build | Unavailable]) -> Results:
        """Supply, run, read and grade; `there` are builds that need no supplying.

        Ctrl-C ends the children; what was finished is kept.

        Raises MachineError if the kit's own tools can't be had, or nothing can be stored.
        """
        jobs, path = self._options.jobs, self._folder.path
        self._display.header(prologue(self._record, self._selection, jobs, path))
        self._plan_cells()
        for build in there:
            if isinstance(build, Build) and build.altered:
                self._display.notice(f"{build.id}: {build.altered}")
        for place, build in enumerate(there, len(self._selection.entries)):
            self._supplied(self._compilable(build, supplier), place)
        self._store()
        try:
            self._in_order(supplier)
        finally:
            self._reader.close()
            if self._runner:
                self._runner.close()
        return assemble(self._record, self._folder, self._selection.ledger, self._selection.rules)

    def _in_order(self, supplier: Supplier) -> None:
        interrupted = not self._until_interrupted(lambda: self._run_cells(supplier))
        self._store()
        cells = self._record.cells
        self._reader.finish(attempt_homes(cells, self._folder))
        whole = not interrupted and all(self._folder.read_cell(cell) for cell in cells)
        done = whole and self._until_interrupted(self._confirm)
        self._find_replaced()
        # Not before: a run that is ended while they are read is resumed, and then has its causes.
        if done:
            self._record = self._record.model_copy(update={"finished": now_iso()})
        self._store()

    def _until_interrupted(self, step: Callable[[], bool | None]) -> bool:
        """Was it done? Ctrl-C ends the children, as does an error: else what is queued would run
        after it was reported.
        """
        try:
            return step() is not False
        except KeyboardInterrupt:
            self._display.notice("interrupted; finished cells are kept")
            if self._runner:
                self._runner.stop()
            return False
        except BaseException:
            if self._runner:
                self._runner.stop()
            raise

    def _run_cells(self, supplier: Supplier) -> None:
        entries = self._selection.entries
        place_of = {entry.id: place for place, entry in enumerate(entries)}
        with ThreadPoolExecutor(1, thread_name_prefix="supply") as background:
            supply = background.submit(
                supplier.supply,
                entries,
                lambda build: self._supplied(
                    self._compilable(self._ids.supplied(build), supplier), place_of[build.entry_id]
                ),
            )
            try:
                self._start_running(supplier)
                supply.result()
                self._display.header([("cached", supplier.checked)])
            except BaseException:
                supplier.stop()  # else leaving this block would wait for every download
                raise
        assert self._runner
        self._runner.finish()

    def _start_running(self, supplier: Supplier) -> None:
        """The tools are there: run the cells of the builds that are, and of each that comes."""
        tool_jdk = supplier.tool_jdk()
        tools = {"tool_jdk": tool_jdk.id}
        request = self._record.request
        runner: Runner
        if request.suite:
            jtreg = Jtreg(
                supplier.jtreg(), tool_jdk.home, self._selection.suite, request.timeout_factor
            )
            tools["jtreg"] = jtreg.version()
            runner = jtreg
        else:
            tests = [test.path for test in self._selection.tests]
            runner = othervm_of(self._checkout, tests, tool_jdk.home, request.timeout_factor)
        with self._lock:
            self._tool_jdk = tool_jdk
            kit = self._record.kit.model_copy(update=tools)
            self._record = self._record.model_copy(update={"kit": kit})
            self._runner = CellRunner(
                runner,
                self._folder,
                jobs=self._options.jobs,
                on_start=self._display.cell_started,
                on_end=self._ended,
                on_failure=self._display.notice,
            )
            for build in tuple(self._builds.values()):
                self._submit(self._runner, build)

    def _plan_cells(self) -> None:
        shares = enumerate(self._selection.shares)
        there = [share for place, share in shares if place not in self._missing]
        tests = [test.path for share in there for test in share]
        self._display.planned(tests, self._expected_s)

    def _compilable(self, build: Build | Unavailable, supplier: Supplier) -> Build | Unavailable:
        """The same; for a user's suite with the way to compile it."""
        if self._record.request.suite is None or isinstance(build, Unavailable):
            return build
        return compilable(build, supplier, self._selection.jdks)

    def _supplied(self, supplied: Build | Unavailable, place: int) -> None:
        """Note what there is of the build in that place of the selection; run its cells."""
        with self._lock:
            if isinstance(supplied, Unavailable):
                record = UnavailableRecord(entry=supplied.entry_id, reasons=supplied.reasons)
                self._unavailable.append(record)
                self._display.notice(f"{record.entry} is unavailable: {record.text}")
                self._missing.add(place)
                self._plan_cells()
                return
            build = build_record(supplied)
            self._builds[build.id] = build
            self._jdks[build.id] = supplied
            self._places[build.id] = place
            if self._runner:
                self._submit(self._runner, build)

    def _submit(self, runner: CellRunner, build: BuildRecord) -> None:
        build = self._asked(build)
        self._store()
        for cell in self._cells_of(build):
            if self._folder.read_cell(cell) is None:
                runner.submit(
                    cell,
                    build,
                    alone=cell.test in self._selection.quiet,
                    recorded=self._is_recorded(cell.test),
                    expected_s=self._expected_s[cell.test],
                )
            else:  # finished before this run was interrupted
                self._show(cell)

    def _is_recorded(self, test: str) -> bool:
        """Where a rule of the ledger can read it, or for who asks: a recorded JVM costs a second of
        CPU time more.
        """
        bug = bug_of(test, self._selection.ledger)
        return self._record.request.record or bool(bug and bug.evidence)

    def _ended(self, cell: CellRecord) -> None:
        planned = PlannedCell(build=cell.build, test=cell.test)
        self._show(planned)
        if self._is_recorded(cell.test):
            self._reader.add(self._folder.cell_folder(planned))

    def _show(self, cell: PlannedCell) -> None:
        """What a cell has found, before its recording is read and compared with others."""
        if found := self._grader(()).grade(cell):
            self._display.cell_ended(found.result, again=found.wants_another and self._confirms)

    def _grader(self, cells: tuple[PlannedCell, ...]) -> Grader:
        with self._lock:
            builds = tuple(self._builds.values())
        record = self._record.model_copy(update={"builds": builds, "cells": cells})
        return Grader(record, self._folder, self._selection.ledger, self._selection.rules)

    @property
    def _confirms(self) -> bool:
        request = self._record.request
        return request.confirm and not request.suite

    def _confirm(self) -> bool:
        """Run again what was not as expected; False if the machine failed an attempt."""
        if not self._confirms:
            return True
        cells = self._record.cells

        def run_again(cell: PlannedCell, attempt: int) -> bool:
            assert self._runner
            stored = self._runner.run_again(cell, self._builds[cell.build], attempt)
            self._reader.finish([self._folder.cell_folder(cell, attempt)])
            return stored

        return confirm(cells, self._grader(cells).grade, run_again, self._display)

    def _asked(self, build: BuildRecord) -> BuildRecord:
        """The build with what it says of itself, before its first cell: is it as promised?"""
        assert self._tool_jdk
        sources, notice = self._checkout.facts_sources, self._display.notice
        jdk = {build.id: self._jdks[build.id]}
        for told in ask(jdk, self._tool_jdk.home, sources, notice).values():
            build = build.model_copy(update={"runtime": told})
        for fault in faults_of((build,), (), self._selection.ledger):
            notice(f"{fault.kind}: {fault.build}: {fault.sentence}")
        self._builds[build.id] = build
        return build

    def _find_replaced(self) -> None:
        """Is each JDK of the user's own what it was when the run began?"""
        for build in self._builds.values():
            if sentence := replaced(self._jdks[build.id]):
                self._builds[build.id] = build.model_copy(update={"replaced": sentence})

    def _read_batch(self, homes: Sequence[Path]) -> None:
        if self._tool_jdk:
            digest_recordings(homes, digester_of(self._checkout, self._tool_jdk.home))

    def _store(self) -> None:
        with self._lock:
            builds = sorted(self._builds.values(), key=lambda build: self._places[build.id])
            self._record = self._record.model_copy(
                update={
                    "builds": tuple(builds),
                    "unavailable": tuple(self._unavailable),
                    "cells": tuple(cell for build in builds for cell in self._cells_of(build)),
                }
            )
            self._folder.write_run(self._record)

    def _cells_of(self, build: BuildRecord) -> list[PlannedCell]:
        tests = self._selection.shares[self._places[build.id]]
        return [PlannedCell(build=build.id, test=test.path) for test in tests]

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are a run's cells executed, read and graded while builds are still arriving?

The cells of a build start as soon as it arrives. Events of all threads go into one queue and are
handled here, one after the other.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

from jdkmatrix.flow.arrivals import Arrival
from jdkmatrix.flow.under_way import UnderWay
from jdkmatrix.grading.cell_recordings import RecordingReader, attempt_homes, digest_recordings
from jdkmatrix.machine.cores import usable_cores
from jdkmatrix.plan.seconds import expected_seconds
from jdkmatrix.records.record import CellRecord, PlannedCell
from jdkmatrix.run.cells.execution import CellTask
from jdkmatrix.run.cells.runner import CellLost, CellRunner, CellStarted, Event, RowShown
from jdkmatrix.vocabulary import MACHINE_LACKS

# Ctrl-C reaches the main thread between two waits.
_WAIT_S = 0.5


class _NoMoreBuilds:
    """Every build has arrived or is unavailable."""


_Event = Event | Arrival | _NoMoreBuilds


class CellTasks:
    """The cells of one run, `jobs` of them at a time."""

    def __init__(self, run: UnderWay, jobs: int) -> None:
        self._run = run
        self._supplier = run.choice.supplier
        self._jobs = jobs
        self._events: SimpleQueue[_Event] = SimpleQueue()
        self._supplying: Thread | None = None
        self._runner: CellRunner | None = None
        self._reader: RecordingReader | None = None
        self._lacks: set[str] = set()
        request, tests = run.record.request, run.selection.tests
        self._expected_s = expected_seconds(test.path for test in tests)
        # Recording costs a second of CPU time a JVM: only for tests with rules, or on request.
        self._recorded_tests = {
            test.path for test in tests if request.record or (test.bug and test.bug.evidence)
        }

    def execute(self) -> bool:
        """Run every cell, then again what was not as expected; return whether all of it is done.

        Ctrl-C ends the children; finished cells are kept. An error ends them, too: queued cells
        would otherwise run after it was reported.
        """
        try:
            try:
                self._run_all()
                self._read(self._homes())
                from jdkmatrix.flow.further_attempts import FurtherAttempts  # not before the cells

                attempts = FurtherAttempts(self._run, self._run_tasks, self._run_alone, self._read)
                return self._whole and attempts.execute()
            except KeyboardInterrupt:
                self._run.display.notice("interrupted; finished cells are kept")
                self._stop()
                self._read(self._homes())
                return False
            except BaseException:
                self._stop()
                raise
        finally:
            for worker in (self._reader, self._runner):
                if worker:
                    worker.close()

    @property
    def _whole(self) -> bool:
        run = self._run
        return all(run.folder.read_cell(cell) for cell in run.record.cells)

    def _stop(self) -> None:
        self._supplier.stop()
        if self._runner:
            self._runner.stop()
        if self._supplying:
            self._supplying.join()

    def _homes(self) -> Iterator[Path]:
        return attempt_homes(self._run.record.cells, self._run.folder)

    def _read(self, homes: Iterable[Path]) -> None:
        if self._reader:  # otherwise nothing was run
            self._reader.finish(homes)

    def _run_all(self) -> None:
        self._run.display.run_begun()
        self._plan()
        self._supplying = Thread(target=self._supply, name="supply")
        self._supplying.start()
        runner = self._start()
        supplying, alone, pending = True, list[CellTask](), 0
        while supplying or pending:
            event = self._next()
            if isinstance(event, Arrival):
                # The first threads take what comes first, before the shorter ones are queued.
                for task in sorted(self._tasks(event), key=lambda task: task.expected_s):
                    if task.cell.test in self._run.selection.quiet:
                        alone.append(task)
                    else:
                        runner.submit(task)
                        pending += 1
            elif isinstance(event, _NoMoreBuilds):
                supplying = False
                self._run.display.header([("cached", self._supplier.check_cost)])
            elif self._show_event(event):
                pending -= 1
        self._run_alone(alone)

    def _start(self) -> CellRunner:
        """The runner of the cells; builds arrive while it is prepared."""
        run, request = self._run, self._run.record.request
        tool_jdk, notice = run.tool_jdk(), run.display.notice
        runner, jtreg = run.tools.runner(run.selection, request, self._supplier, tool_jdk, notice)
        run.store(kit=run.record.kit.model_copy(update={"jtreg": jtreg}))
        read = partial(digest_recordings, digester=run.tools.digester(tool_jdk))
        self._reader = RecordingReader(read, notice)
        self._runner = CellRunner(
            runner,
            run.folder,
            jobs=self._jobs,
            emit=self._events.put,
            first_jobs=usable_cores(),
        )
        return self._runner

    def _supply(self) -> None:
        try:
            for arrival in self._run.choice.arrivals:
                self._events.put(arrival)
            self._events.put(_NoMoreBuilds())
        except BaseException as error:  # for the thread that waits for builds
            self._events.put(error)

    def _next(self) -> _Event:
        while True:
            try:
                event = self._events.get(timeout=_WAIT_S)
            except Empty:
                continue
            if isinstance(event, BaseException):
                raise event
            return event

    def _run_tasks(self, tasks: Sequence[CellTask]) -> int:
        """Run tasks at once; return how many records were stored."""
        assert self._runner
        for task in tasks:
            self._runner.submit(task)
        stored_count, ended_count = 0, 0
        while ended_count < len(tasks):
            event = self._next()
            assert not isinstance(event, Arrival | _NoMoreBuilds)
            ended_count += self._show_event(event)
            stored_count += isinstance(event, CellRecord)
        return stored_count

    def _run_alone(self, tasks: Iterable[CellTask]) -> int:
        """Run tasks one by one, while nothing else runs; return how many records were stored."""
        return sum(self._run_tasks([task]) for task in tasks)

    def _tasks(self, arrival: Arrival) -> Iterator[CellTask]:
        """The tasks of a build that has arrived; cells finished earlier are shown instead."""
        run = self._run
        build = run.add_build(arrival)
        if build is None:
            self._plan()
            return
        for test in arrival.tests:
            cell = PlannedCell(build=build.id, test=test.path)
            if attempts := run.folder.read_attempts(cell):  # before this run was interrupted
                self._show(attempts)
            else:
                is_recorded, rows = test.path in self._recorded_tests, run.record.request.rows
                expected_s = self._expected_s[test.path]
                yield CellTask(cell, build, is_recorded, expected_s=expected_s, rows=rows)

    def _show_event(self, event: Event) -> bool:
        """Show what happened to a task; return whether it has ended."""
        display = self._run.display
        if isinstance(event, CellStarted):
            display.cell_started(event.cell.build, event.cell.test)
            return False
        if isinstance(event, RowShown):
            return True
        if isinstance(event, CellLost):
            if event.reason:
                display.notice(f"{event.cell.build} {event.cell.test}: {event.reason}")
            return True
        assert isinstance(event, CellRecord) and self._reader
        lack = event.status_text
        if lack.startswith(MACHINE_LACKS) and lack not in self._lacks:  # it is on each build
            self._lacks.add(lack)
            display.notice(f"{event.test}: {lack}")
        if event.attempt == 1:
            self._show([event])
            if event.test in self._recorded_tests:
                self._reader.add(self._run.folder.home_of(event))
        return True

    def _plan(self) -> None:
        selection, missing = self._run.selection, self._run.missing
        places = [place for place in range(len(selection.specs)) if place not in missing]
        shares = [share for place in places for share in selection.shares[place].values()]
        tests = [test.path for share in shares for test in share]
        is_suite = self._run.record.request.suite is not None
        self._run.display.plan_cells(tests, self._expected_s, is_suite=is_suite)

    def _show(self, attempts: Sequence[CellRecord]) -> None:
        """Show what a cell found, before its recording is read and it is compared with others."""
        from jdkmatrix.grading.whole_run import Grader  # no cell need wait for it

        run = self._run
        alone = run.record.model_copy(update={"cells": ()})
        graded_cell = Grader(alone, run.folder, run.rulebook).grade(attempts)
        is_repeated = graded_cell.wants_another and run.confirms
        run.display.cell_ended(graded_cell.cell, is_rerun=is_repeated)

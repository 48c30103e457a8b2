# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are a run's cells executed, read and graded while builds are still arriving?

The cells of a build start as soon as it arrives. Events of all threads go into one queue and are
handled here, one after the other.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

from jdkmatrix.flow.arrivals import Arrival
from jdkmatrix.flow.under_way import UnderWay
from jdkmatrix.grading.behaviour_cells import has_observations, rows_to_ask_again
from jdkmatrix.grading.cell_recordings import RecordingReader, attempt_homes, digest_recordings
from jdkmatrix.grading.confirmation import Confirmation, attempts_at_flaky_rows
from jdkmatrix.grading.program_results import program_results
from jdkmatrix.grading.row_cells import has_rows, is_lost, rows_to_confirm
from jdkmatrix.grading.whole_run import Grader
from jdkmatrix.machine.cores import usable_cores
from jdkmatrix.plan.seconds import expected_seconds
from jdkmatrix.records.record import CellRecord, PlannedCell
from jdkmatrix.run.cells.execution import CellTask
from jdkmatrix.run.cells.runner import CellLost, CellRunner, CellStarted, Event, RowShown
from jdkmatrix.vocabulary import MACHINE_LACKS

# Per cell: further rows mostly have the same reason, and each takes two JVMs and their peers.
_MOST_ROWS_SHOWN = 3
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
        self._confirms = request.confirm and not request.suite
        self._asks_again = request.confirm

    def execute(self) -> bool:
        """Run every cell, then again what was not as expected; return whether all of it is done.

        Ctrl-C ends the children; finished cells are kept. An error ends them, too: queued cells
        would otherwise run after it was reported.
        """
        try:
            try:
                self._run_all()
                self._read(self._homes())
                if self._run.record.request.program:
                    return self._whole and self._repeat_programs()
                is_sure = self._whole and (not self._confirms or self._run_again())
                return is_sure and self._show_lost_rows()
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
        run = self._run
        alone = run.record.model_copy(update={"cells": ()})
        graded_cell = Grader(alone, run.folder, run.selection.rulebook).grade(attempts)
        is_repeated = graded_cell.wants_another and self._confirms
        run.display.cell_ended(graded_cell.cell, is_rerun=is_repeated)

    @property
    def _grader(self) -> Grader:
        return Grader(self._run.record, self._run.folder, self._run.selection.rulebook)

    def _attempts(self) -> Iterator[tuple[PlannedCell, tuple[CellRecord, ...]]]:
        """The cells with an attempt, and their attempts."""
        for cell in self._run.record.cells:
            if attempts := self._run.folder.read_attempts(cell):
                yield cell, attempts

    def _run_again(self) -> bool:
        """Run again what needs another attempt; False if the machine failed one."""
        return self._ask_again() and self._confirm() and self._ask_flaky_rows()

    def _confirm(self) -> bool:
        """Run again, alone, what was not as expected; False if the machine failed an attempt.

        Later builds are judged by the rows of earlier ones, so new rows may reveal more surprises.
        """
        run, display, grader = self._run, self._run.display, self._grader
        graded_cells = {
            cell: grader.grade(attempts)
            for cell, attempts in self._attempts()
            if not run.builds[cell.build].refusal
        }
        confirmation, is_complete, rows_came = Confirmation(graded_cells), True, False
        candidates = confirmation.candidates
        if candidates:
            display.confirming(len(candidates), confirmation.most_seconds)
        for number, cell in enumerate(candidates, 1):
            while attempt := confirmation.next_attempt(cell):
                rows = rows_to_confirm(graded_cells[cell].cell)
                task = CellTask(cell, run.builds[cell.build], attempt=attempt, rows=rows)
                is_done = self._run_alone([task])
                self._read([run.folder.cell_folder(cell, attempt)])
                if not (is_done and (attempts := run.folder.read_attempts(cell))):
                    is_complete = False
                    break
                graded_cells[cell] = grader.grade(attempts)
                rows_came |= has_rows(attempts[-1:])
                display.attempt_ended(number, len(candidates), graded_cells[cell].cell)
        return is_complete and (not rows_came or self._confirm())

    def _ask_flaky_rows(self) -> bool:
        """Ask flaky rows more often, and as often on the builds that they are compared with; return
        whether all were.
        """
        run, grader = self._run, self._grader
        graded_cells = {
            cell: grader.grade(attempts)
            for cell, attempts in self._attempts()
            if has_rows(attempts)
        }
        validates = run.record.request.validates
        tasks = [
            CellTask(cell, run.builds[cell.build], attempt=attempt, rows=rows)
            for cell, attempt, rows in attempts_at_flaky_rows(graded_cells, validates=validates)
        ]
        if tasks:
            run.display.notice(
                f"{len(tasks)} attempts at flaky rows, on the build and its baseline"
            )
        return self._run_alone(tasks) == len(tasks)

    def _repeat_programs(self) -> bool:
        """Run programs as often as was asked for, and all again that differ between builds: what
        differs from run to run is no difference of builds. False if an attempt is lost.
        """
        quiet = self._run.selection.quiet
        while tasks := self._repetitions():
            self._run.display.repeating(len(tasks))
            alone = [task for task in tasks if task.cell.test in quiet]
            stored_count = self._run_tasks([task for task in tasks if task not in alone])
            stored_count += self._run_alone(alone)
            self._read(self._homes())
            if stored_count < len(tasks):
                return False
        return True

    def _repetitions(self) -> list[CellTask]:
        """The runs of programs that are still wanted, by what is stored so far."""
        run = self._run
        program = run.record.request.program
        assert program
        results = program_results(run.record, run.folder, run.selection.rulebook.masks)
        unable = {(tally.test, build) for tally in results for build in tally.unable}
        runs_by_test = {
            tally.test: max(program.times, tally.wanted_runs if self._asks_again else 1)
            for tally in results
        }
        return [
            CellTask(
                cell, run.builds[cell.build], cell.test in self._recorded_tests, attempt=attempt
            )
            for cell in run.record.cells
            if (cell.test, cell.build) not in unable
            for attempt in range(
                len(run.folder.read_attempts(cell)) + 1, runs_by_test[cell.test] + 1
            )
        ]

    def _ask_again(self) -> bool:
        """Ask the rows of behaviour that differ between two builds again, on both; return whether
        all were.
        """
        run, grader = self._run, self._grader
        rows = defaultdict[PlannedCell, dict[str, None]](dict)
        for cell, attempts in self._attempts():
            if has_observations(attempts) and (earlier := grader.earlier_behaviour(cell)):
                changed_rows = rows_to_ask_again(
                    earlier, grader.behaviour(cell), run.selection.rulebook
                )
                for build in (earlier.build.id, cell.build):
                    row_cell = PlannedCell(build=build, test=cell.test)
                    rows[row_cell].update(dict.fromkeys(changed_rows))
        tasks = [
            CellTask(
                cell, run.builds[cell.build], is_recorded=False, attempt=2, rows=tuple(of_cell)
            )
            for cell, of_cell in rows.items()
            if of_cell and len(run.folder.read_attempts(cell)) == 1
        ]
        return self._run_alone(tasks) == len(tasks)

    def _show_lost_rows(self) -> bool:
        """Run again the rows that a build has lost, there and where they worked, for JSSE's debug
        lines. A failure costs only these lines.
        """
        run, grader = self._run, self._grader
        for cell, attempts in self._attempts():
            if not has_rows(attempts):
                continue
            lost_rows = [row for row in grader.grade(attempts).cell.rows if is_lost(row)]
            for row in lost_rows[:_MOST_ROWS_SHOWN]:
                for name in filter(None, (row.baseline_build, cell.build)):
                    row_cell = PlannedCell(build=name, test=cell.test)
                    if not run.folder.row_folder(row_cell, row.row).exists():
                        build = run.builds[name]
                        task = CellTask(row_cell, build, is_recorded=False, debugged_row=row.row)
                        self._run_alone([task])
        return True

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which cells are run again once all of them ran, and in which order?

Loaded only then: what grades cells costs a tenth of a start, for which no JVM need wait.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.flow.under_way import UnderWay
from jdkmatrix.grading.behaviour_cells import has_observations, rows_to_ask_again
from jdkmatrix.grading.cell_recordings import attempt_homes
from jdkmatrix.grading.confirmation import Confirmation, attempts_at_flaky_rows
from jdkmatrix.grading.program_results import program_results
from jdkmatrix.grading.row_cells import has_rows, is_lost, rows_to_confirm
from jdkmatrix.grading.whole_run import Grader
from jdkmatrix.records.record import CellRecord, PlannedCell
from jdkmatrix.run.cells.execution import CellTask

# Per cell: further rows mostly have the same reason, and each takes two JVMs and their peers.
_MOST_ROWS_SHOWN = 3


@dataclass(frozen=True)
class FurtherAttempts:
    """Those of one run.

    `run_tasks` runs tasks at once, `run_alone` one by one while nothing else runs; both return how
    many records were stored. `read` reads the recordings of these folders.
    """

    run: UnderWay
    run_tasks: Callable[[Sequence[CellTask]], int]
    run_alone: Callable[[Iterable[CellTask]], int]
    read: Callable[[Iterable[Path]], None]

    def execute(self) -> bool:
        """Run what is wanted by what is stored so far; return whether all of it is done."""
        if self.run.record.request.program:
            return self._repeat_programs()
        is_sure = not self.run.confirms or (
            self._ask_again() and self._confirm() and self._ask_flaky_rows()
        )
        return is_sure and self._show_lost_rows()

    @property
    def _grader(self) -> Grader:
        return Grader(self.run.record, self.run.folder, self.run.rulebook)

    def _attempts(self) -> Iterator[tuple[PlannedCell, tuple[CellRecord, ...]]]:
        """The cells with an attempt, and their attempts."""
        for cell in self.run.record.cells:
            if attempts := self.run.folder.read_attempts(cell):
                yield cell, attempts

    def _repeat_programs(self) -> bool:
        """Run programs as often as was asked for, and all again that differ between builds: what
        differs from run to run is no difference of builds. False if an attempt is lost.
        """
        quiet = self.run.selection.quiet
        while tasks := self._repetitions():
            self.run.display.repeating(len(tasks))
            alone = [task for task in tasks if task.cell.test in quiet]
            stored_count = self.run_tasks([task for task in tasks if task not in alone])
            stored_count += self.run_alone(alone)
            self.read(attempt_homes(self.run.record.cells, self.run.folder))
            if stored_count < len(tasks):
                return False
        return True

    def _repetitions(self) -> list[CellTask]:
        """The runs of programs that are still wanted, by what is stored so far."""
        run = self.run
        program = run.record.request.program
        assert program
        results = program_results(run.record, run.folder, run.rulebook)
        unable = {(tally.test, build) for tally in results for build in tally.unable}
        runs_by_test = {
            tally.test: max(program.times, tally.wanted_runs if run.record.request.confirm else 1)
            for tally in results
        }
        return [
            CellTask(cell, run.builds[cell.build], run.record.request.record, attempt=attempt)
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
        run, grader = self.run, self._grader
        rows = defaultdict[PlannedCell, dict[str, None]](dict)
        for cell, attempts in self._attempts():
            if has_observations(attempts) and (earlier := grader.earlier_behaviour(cell)):
                changed_rows = rows_to_ask_again(earlier, grader.behaviour(cell), run.rulebook)
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
        return self.run_alone(tasks) == len(tasks)

    def _confirm(self) -> bool:
        """Run again, alone, what was not as expected; False if the machine failed an attempt.

        Later builds are judged by the rows of earlier ones, so new rows may reveal more surprises.
        """
        run, display, grader = self.run, self.run.display, self._grader
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
                is_done = self.run_alone([task])
                self.read([run.folder.cell_folder(cell, attempt)])
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
        run, grader = self.run, self._grader
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
        return self.run_alone(tasks) == len(tasks)

    def _show_lost_rows(self) -> bool:
        """Run again the rows that a build has lost, there and where they worked, for JSSE's debug
        lines. A failure costs only these lines.
        """
        run, grader = self.run, self._grader
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
                        self.run_alone([task])
        return True

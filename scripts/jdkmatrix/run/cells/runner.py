# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are a run's cells executed: several at once, each stored when it ends, all stoppable?"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from queue import PriorityQueue
from threading import Lock, Semaphore
from typing import Protocol

from jdkmatrix.errors import OF_THE_MACHINE, MachineError
from jdkmatrix.machine.children import ChildEnd, Children
from jdkmatrix.machine.loopback import check_loopback
from jdkmatrix.machine.trees import plain_files, remove
from jdkmatrix.records.record import CellRecord, PlannedCell
from jdkmatrix.records.store import RunFolder
from jdkmatrix.run.cells.execution import CellTask, Execution
from jdkmatrix.vocabulary import Status

# As for a path in a record (`records/model.py`).
_MOST_NAME = 1_000


class Runner(Protocol):
    """What runs one test on one build: the kit itself (`OtherVm`), or jtreg (`Jtreg`)."""

    def run(self, task: CellTask, folder: Path, children: Children) -> Execution:
        """Make an attempt; what it leaves lies in `folder`. Raises OSError if the disk is full.

        The log of a row that is debugged has JSSE's debug lines. A user's suite has no rows.
        """


@dataclass(frozen=True)
class RowShown:
    """The debug lines of a row are stored."""

    row: str


@dataclass(frozen=True)
class CellStarted:
    """An attempt at a cell has begun."""

    cell: PlannedCell


@dataclass(frozen=True)
class CellLost:
    """An attempt that leaves no record, so that `--resume` makes it again. `reason` says how the
    machine failed it; None if it was interrupted.
    """

    cell: PlannedCell
    reason: str | None


Event = CellStarted | CellRecord | RowShown | CellLost | BaseException


class CellRunner:
    """Runs the cells of one run on up to `jobs` threads, each stored when it ends.

    Until the first task has ended, only `first_jobs` of them run, or all `jobs` if that is None:
    the JVMs of more than one a core start no sooner, and the first row would wait for all of them.

    Events are given to `emit`: for each task that it began, then its record, its loss, or an
    unexpected exception. `close` ends the runner once nothing is queued, `stop` at any time.
    """

    def __init__(
        self,
        runner: Runner,
        folder: RunFolder,
        *,
        jobs: int,
        emit: Callable[[Event], None],
        first_jobs: int | None = None,
    ) -> None:
        self._runner = runner
        self._folder = folder
        self._emit = emit
        self._children = Children()
        self._pool = ThreadPoolExecutor(jobs, thread_name_prefix="cell")
        self._queue: PriorityQueue[tuple[float, int, CellTask]] = PriorityQueue()
        self._count = count()
        running_first = min(jobs, first_jobs or jobs)
        self._slots = Semaphore(running_first)
        self._jobs_left = jobs - running_first
        self._lock = Lock()

    def submit(self, task: CellTask) -> None:
        """Queue one task."""
        self._queue.put((task.expected_s, next(self._count), task))
        self._pool.submit(self._run_shortest)

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()

    def stop(self) -> None:
        """End every child and forget the queued tasks; finished ones are kept."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._children.stop()
        self._pool.shutdown(wait=True)

    def _run_shortest(self) -> None:
        with self._slots:
            self._run_task(self._queue.get_nowait()[2])
        with self._lock:
            jobs_left, self._jobs_left = self._jobs_left, 0
        for _ in range(jobs_left):
            self._slots.release()

    def _run_task(self, task: CellTask) -> None:
        if not task.debugged_row:
            self._emit(CellStarted(task.cell))
        try:
            self._emit(self._run(task))
        except BaseException as error:  # or whoever waits for the task would wait for ever
            self._emit(error)

    def _run(self, task: CellTask) -> CellRecord | RowShown | CellLost:
        """Run a task and store the record of the attempt; a bad cell costs itself alone."""
        cell, row = task.cell, task.debugged_row
        folder, prefix = self._folder.cell_folder(cell, task.attempt), ""
        if row:
            folder, prefix = self._folder.row_folder(cell, row), f"{row}: its debug lines: "
        start_s = time.monotonic()
        try:
            remove(folder)  # what an interrupted run left
            folder.mkdir(parents=True)
            check_loopback()
            execution = self._execute(task, folder)
            if execution.end is ChildEnd.INTERRUPTED:
                return CellLost(cell, None)
            check_loopback()  # or an interface that went down would count against the build
            if row:
                return RowShown(row)
            excess = self._folder.close_cell(cell, task.attempt)
            record = CellRecord(
                build=cell.build,
                test=cell.test,
                ended=execution.end,
                status=execution.status,
                status_text="; ".join(filter(None, (execution.status_text, excess))),
                seconds=round(time.monotonic() - start_s, 3),
                test_seconds=execution.test_seconds,
                cpu_s=execution.resources.cpu_s if execution.resources else None,
                waited_s=execution.resources.waited_s if execution.resources else None,
                artifacts=_artifacts(folder),
                attempt=task.attempt,
            )
            self._folder.write_cell(record)
        except OSError as error:
            return CellLost(cell, f"{prefix}{folder}: {error.strerror or error}")
        except MachineError as error:
            return CellLost(cell, f"{prefix}{error}")
        return record

    def _execute(self, task: CellTask, folder: Path) -> Execution:
        """Run a task; any unexpected exception is an error of the cell, whatever its test left.

        Raises MachineError, and OSError where the machine lacks something.
        """
        if task.build.refusal:
            return Execution.without_process(Status.NOT_RUN, f"Not run. {task.build.refusal}")
        try:
            return self._runner.run(task, folder, self._children)
        except Exception as error:
            lacking = isinstance(error, OSError) and error.errno in OF_THE_MACHINE
            if lacking or isinstance(error, MachineError):
                raise
            text = f"Error. It could not be run or stored: {type(error).__name__}: {error}"
            return Execution.without_process(Status.ERROR, text)


def _artifacts(folder: Path) -> tuple[str, ...]:
    """The files in a folder, except those whose names are too long or not printable."""
    names = (path.relative_to(folder).as_posix() for path in plain_files(folder))
    return tuple(sorted(name for name in names if name.isprintable() and len(name) <= _MOST_NAME))

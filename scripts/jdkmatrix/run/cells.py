# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are a run's cells executed: several at once, each stored when it ends, all stoppable?"""

import shutil
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from queue import PriorityQueue
from typing import Any, Protocol

from jdkmatrix.errors import MachineError
from jdkmatrix.run.execution import Execution
from jdkmatrix.run.process import Children, Ended
from jdkmatrix.run.record import BuildRecord, CellRecord, PlannedCell
from jdkmatrix.run.store import RunFolder


class Runner(Protocol):
    """Who runs one test on one build: the kit itself (`OtherVm`), or jtreg (`Jtreg`)."""

    def run(
        self,
        build: BuildRecord,
        test: str,
        folder: Path,
        *,
        recorded: bool,
        children: Children,
    ) -> Execution:
        """Run it; what it leaves lies in `folder`. Raises OSError if the disk is full."""


@dataclass(frozen=True)
class _Task:
    """One attempt to be made."""

    cell: PlannedCell
    build: BuildRecord
    recorded: bool
    attempt: int


class CellRunner:
    """Runs cells of one run on up to `jobs` threads, the shortest first; those that need it alone,
    after the others.

    `finish` and then `close` end it, or `stop`.

    `on_start`, `on_end` and `on_failure` are called from those threads. A cell that was
    interrupted, or that the machine failed (`on_failure`, with the reason), leaves no record, so
    that `--resume` runs it again.
    """

    def __init__(
        self,
        runner: Runner,
        folder: RunFolder,
        *,
        jobs: int,
        on_start: Callable[[str, str], None],
        on_end: Callable[[CellRecord], None],
        on_failure: Callable[[str], None],
    ) -> None:
        self._runner = runner
        self._folder = folder
        self._on_start = on_start
        self._on_end = on_end
        self._on_failure = on_failure
        self._children = Children()
        self._pool = ThreadPoolExecutor(jobs, thread_name_prefix="cell")
        self._futures: list[Future[None]] = []
        self._queue: PriorityQueue[tuple[float, int, _Task]] = PriorityQueue()
        self._count = count()
        self._alone: list[_Task] = []

    def submit(
        self,
        cell: PlannedCell,
        build: BuildRecord,
        *,
        alone: bool = False,
        recorded: bool = True,
        expected_s: float = 0.0,
    ) -> None:
        """Queue one cell; `alone`: nothing else of this run runs beside it.

        `recorded`: its subject leaves a recording, where the build can. With `expected_s` a test
        is run on all builds before a longer one is, so that each build soon has a row.
        """
        task = _Task(cell, build, recorded, attempt=1)
        if alone:
            self._alone.append(task)
        else:
            self._queue.put((expected_s, next(self._count), task))
            self._futures.append(self._pool.submit(self._run_shortest))

    def finish(self) -> None:
        """Wait for every queued cell."""
        _wait_for(self._futures)
        for task in self._alone:
            _wait_for([self._pool.submit(self._run_first, task)])
        self._alone.clear()

    def run_again(self, cell: PlannedCell, build: BuildRecord, attempt: int) -> bool:
        """One more attempt at a cell, recorded, alone once all are finished; was it stored?

        `on_end` is not called.
        """
        again = self._pool.submit(self._run, _Task(cell, build, recorded=True, attempt=attempt))
        _wait_for([again])
        return again.result() is not None

    def close(self) -> None:
        """End the threads; nothing is queued any more."""
        self._pool.shutdown()

    def stop(self) -> None:
        """End every child and forget the queued cells; finished ones are kept."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._children.stop()
        self._pool.shutdown(wait=True)

    def _run_shortest(self) -> None:
        self._run_first(self._queue.get_nowait()[2])

    def _run_first(self, task: _Task) -> None:
        if record := self._run(task):
            self._on_end(record)

    def _run(self, task: _Task) -> CellRecord | None:
        """Run a task and store its record; None if it has none."""
        cell, build = task.cell, task.build
        self._on_start(cell.build, cell.test)
        folder = self._folder.cell_folder(cell, task.attempt)
        try:
            shutil.rmtree(folder, ignore_errors=True)  # what an interrupted run left
            folder.mkdir(parents=True)
            started = time.monotonic()
            result = self._runner.run(
                build, cell.test, folder, recorded=task.recorded, children=self._children
            )
            if result.ended is Ended.INTERRUPTED:
                return None
            record = CellRecord(
                build=cell.build,
                test=cell.test,
                ended=result.ended,
                status=result.status,
                status_text=result.status_text,
                seconds=round(time.monotonic() - started, 3),
                test_seconds=result.test_seconds,
                cpu_s=result.given.cpu_s if result.given else None,
                waited_s=result.given.waited_s if result.given else None,
                artifacts=_artifacts(folder),
                attempt=task.attempt,
            )
            self._folder.write_cell(record)
        except OSError as error:
            self._on_failure(f"{cell.build} {cell.test}: {folder}: {error.strerror or error}")
            return None
        except MachineError as error:
            self._on_failure(f"{cell.build} {cell.test}: {error}")
            return None
        return record


def _artifacts(folder: Path) -> tuple[str, ...]:
    """The files in there, but for those whose names no report could say."""
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return tuple(sorted(name for name in names if name.isprintable()))


def _wait_for(futures: Sequence[Future[Any]]) -> None:
    pending = set(futures)
    while pending:  # in short waits, so that Ctrl-C reaches the main thread
        done, pending = wait(pending, timeout=0.5)
        for future in done:
            future.result()

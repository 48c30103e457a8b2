# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a run get into `history.sqlite` exactly once, however often it is stored?

One that the history could not take, as another program held it, waits in a folder beside the file,
and the next command that opens the history adds it.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

from pydantic import Field

from jdkmatrix.errors import KitError, MachineError, UsageError, translate_os_errors
from jdkmatrix.history.changes import MIN_SEGMENT_RUNS, FigureStep, find_changes
from jdkmatrix.history.database import WAIT_FOR_LOCK_S, writing
from jdkmatrix.history.table_rows import (
    Row,
    build_rows,
    case_rows,
    cell_rows,
    default_rows,
    run_row,
    throughput_rows,
    topic_rows,
)
from jdkmatrix.machine.files import write_atomically
from jdkmatrix.records.model import Record, read_record
from jdkmatrix.results.document import Results

_SERIES = "entry, variant, subject, baseline, figure"
# Only the newest runs are searched for changes, so that a night costs the same a year on. What was
# found in the older third of them, or before, is settled.
WINDOW_RUNS = 90
_OPEN_RUNS = 60


def add(
    path: Path,
    results: Results,
    parts: Sequence[tuple[str, str]] = (),
    wait_s: float = WAIT_FOR_LOCK_S,
) -> None:
    """Store a run, replacing what is stored of it and of the `parts` it was merged from. Waits for
    `wait_s` at most for another program that holds the file.

    A part is named by its `run` and `started`. The change points of the run's series are then
    found anew from the last `WINDOW_RUNS`. Raises UsageError and MachineError as `writing` does;
    nothing is stored then.
    """
    with writing(path, wait_s) as connection:
        for part in parts:
            connection.execute("DELETE FROM runs WHERE run = ? AND started = ?", part)
        run_id = _put_run(connection, run_row(results))
        for table, rows in (
            ("builds", build_rows(results)),
            ("cells", cell_rows(results)),
            ("cases", case_rows(results)),
            ("throughput", throughput_rows(results)),
            ("topics", topic_rows(results)),
            ("default_changes", default_rows(results)),
        ):
            connection.execute(f"DELETE FROM {table} WHERE run_id = ?", (run_id,))
            _insert(connection, table, ({"run_id": run_id, **row} for row in rows))
        _find_changes(connection, run_id)


def _put_run(connection: sqlite3.Connection, row: Row) -> int:
    """Store the row; return the run's id. A run stored again keeps its id: settled steps name it
    and would be deleted with it.
    """
    key = (row["run"], row["started"])
    cursor = connection.execute("SELECT id FROM runs WHERE run = ? AND started = ?", key)
    if (match := cursor.fetchone()) is None:
        return _insert(connection, "runs", [row])
    settings = ", ".join(f"{column} = ?" for column in row)
    connection.execute(f"UPDATE runs SET {settings} WHERE id = ?", (*row.values(), match[0]))
    return int(match[0])


def _insert(connection: sqlite3.Connection, table: str, rows: Iterable[Row]) -> int:
    """Insert the rows; return the id of the last one."""
    last = 0
    for row in rows:
        columns, marks = ", ".join(row), ", ".join("?" * len(row))
        parameters = tuple(row.values())
        statement = f"INSERT INTO {table} ({columns}) VALUES ({marks})"
        last = connection.execute(statement, parameters).lastrowid or 0
    return last


def _find_changes(connection: sqlite3.Connection, run_id: int) -> None:
    oldest, oldest_open = (_newest_but(connection, n) for n in (WINDOW_RUNS, _OPEN_RUNS))
    query = f"SELECT DISTINCT {_SERIES} FROM points WHERE run_id = ?"
    for series in connection.execute(query, (run_id,)).fetchall():
        condition = "entry = ? AND variant = ? AND subject = ? AND baseline = ? AND figure = ?"
        connection.execute(
            f"DELETE FROM change_points WHERE {condition} AND run_id > ?", (*series, oldest_open)
        )
        points = connection.execute(
            f"SELECT run_id, value FROM points WHERE {condition} AND run_id > ? "
            "ORDER BY time, run_id",
            (*series, oldest),
        ).fetchall()
        if len(points) < 2 * MIN_SEGMENT_RUNS:
            continue
        runs = [run for run, _ in points]
        for change in find_changes([point for _, point in points], series[-1]):
            if runs[change.index] > oldest_open:
                _insert(connection, "change_points", [_change_row(series, change, runs)])


def _newest_but(connection: sqlite3.Connection, count: int) -> int:
    """The id of the run `count` before the newest; 0, which no run has, if there are too few."""
    row = connection.execute(
        "SELECT id FROM runs ORDER BY id DESC LIMIT 1 OFFSET ?", (count,)
    ).fetchone()
    return int(row[0]) if row else 0


def _change_row(series: Sequence[str], change: FigureStep, runs: Sequence[int]) -> Row:
    return {
        **dict(zip(_SERIES.split(", "), series, strict=True)),
        "run_id": runs[change.index],
        "last_run_id": runs[change.index - 1],
        "before": change.old_median,
        "after": change.new_median,
        "runs_before": change.runs_before,
        "runs_after": change.runs_after,
    }


class WaitingRun(Record):
    """A run to be added, and the parts that it was merged from, each by its `run` and `started`."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    parts: tuple[tuple[str, str], ...]
    results: Results


def let_wait(history: Path, results: Results, parts: Sequence[tuple[str, str]]) -> None:
    """Store a run beside the history. Raises MachineError."""
    place = _place(history, results)
    waiting_run = WaitingRun(parts=tuple(parts), results=results)
    with translate_os_errors(MachineError, f"{place.parent}: cannot be made"):
        place.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(place, waiting_run.model_dump_json(by_alias=True))


def waits_no_more(history: Path, results: Results) -> None:
    """Forget what was stored of a run that the history has by now."""
    with suppress(OSError):
        _place(history, results).unlink(missing_ok=True)
        _folder(history).rmdir()  # if it is empty


def add_waiting(history: Path, wait_s: float = WAIT_FOR_LOCK_S) -> None:
    """Add each run that waits, waiting for `wait_s` at most for who holds the file.

    One that is damaged stays. Raises MachineError and UsageError, as `writing` does, or for the
    first one that is damaged, once all others are added.
    """
    damage: KitError | None = None
    for place in sorted(_folder(history).glob("*.json")):
        try:
            waiting_run = read_record(place, WaitingRun)
        except KitError as error:
            if place.exists():  # else another command has added it
                damage = damage or type(error)(f"{error}; remove it")
            continue
        try:
            add(history, waiting_run.results, waiting_run.parts, wait_s)
        except KeyError as error:  # a cell of a build that it does not have
            damage = damage or UsageError(f"{place}: no build {error}; remove it")
            continue
        waits_no_more(history, waiting_run.results)
    if damage:
        raise damage


def _place(history: Path, results: Results) -> Path:
    key = hashlib.sha256(f"{results.started_at}\0{results.run}".encode()).hexdigest()
    return _folder(history) / f"{key[:16]}.json"


def _folder(history: Path) -> Path:
    return history.with_suffix(".waiting")

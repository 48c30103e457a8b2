# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a run get into `history.sqlite` exactly once, however often it is stored?"""

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

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

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are runs kept in `history.sqlite`, by several writers at once, for years?"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.errors import UsageError
from jdkmatrix.evidence.outcomes import Figure
from jdkmatrix.history.schema import MIGRATIONS
from jdkmatrix.report.results import CellResult, Results

# A writer holds the file for milliseconds; longer means that something has stopped with it.
_WAIT_FOR_LOCK_S = 10.0


@dataclass(frozen=True)
class Point:
    """One run's cell of a series. `value` is the figure its verdict rests on, in `unit`."""

    run: str
    started: str
    build: str
    version: str
    outcome: str
    grade: str
    value: float | None
    unit: str | None
    kit: str
    machine: str


@dataclass(frozen=True)
class SeriesKey:
    """Which cells form a series: one test on one entry of `jdks.yaml`."""

    entry: str
    test: str
    bug: str | None


class History:
    """The file `history.sqlite`. Raises UsageError where it is locked, damaged or newer."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, results: Results) -> None:
        """Store a run, in place of what was stored of the same run before."""
        entries = {build.id: build for build in results.builds}
        machine = results.machine
        memory_gib = round(machine.memory_mib / 1024)
        with self._connected() as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("DELETE FROM runs WHERE run = ?", (results.run,))
            connection.execute(
                "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    results.run,
                    results.started,
                    results.finished,
                    results.kit.version,
                    results.kit.commit,
                    f"{machine.os}, {machine.architecture}, {machine.cores} cores,"
                    f" {memory_gib} GiB",
                    machine.kernel,
                ),
            )
            for cell in results.cells:
                build = entries[cell.build]
                figure = _figure(cell)
                connection.execute(
                    f"INSERT INTO cells VALUES ({', '.join('?' * 14)})",
                    (
                        results.run,
                        cell.build,
                        build.entry,
                        build.version,
                        cell.test,
                        cell.bug,
                        cell.expectation,
                        cell.outcome,
                        cell.grade,
                        cell.seconds,
                        figure and figure.name,
                        figure and figure.value,
                        figure and figure.bound,
                        figure and figure.unit,
                    ),
                )

    def series(self, bug: str | None = None) -> dict[SeriesKey, list[Point]]:
        """Every series, or those of one bug; the points in the order in which the runs began."""
        query = """
            SELECT c.entry, c.test, c.bug, r.run, r.started, c.build, c.version, c.outcome, c.grade,
                   c.figure_value, c.figure_unit,
                   r.kit_version || ' ' || coalesce(r.kit_commit, ''), r.machine || ', ' || r.kernel
            FROM cells c JOIN runs r USING (run)
            WHERE ?1 IS NULL OR c.bug = ?1
            ORDER BY c.entry, c.test, r.started
        """
        found: dict[SeriesKey, list[Point]] = {}
        with self._connected() as connection:
            for entry, test, bug_id, *point in connection.execute(query, (bug,)):
                found.setdefault(SeriesKey(entry, test, bug_id), []).append(Point(*point))
        return found

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(
                sqlite3.connect(self._path, timeout=_WAIT_FOR_LOCK_S, isolation_level=None)
            ) as connection:
                connection.execute("PRAGMA foreign_keys = ON")
                self._migrate(connection)
                yield connection
        except sqlite3.OperationalError as error:
            raise UsageError(f"{self._path}: {error}; another program may hold it") from None
        except sqlite3.DatabaseError as error:
            raise UsageError(
                f"{self._path}: damaged: {error}; move it away to begin anew"
            ) from None

    def _migrate(self, connection: sqlite3.Connection) -> None:
        have = _version(connection)
        if have > len(MIGRATIONS):
            raise UsageError(
                f"{self._path}: written by a newer kit (version {have});"
                f" accepted: up to {len(MIGRATIONS)}"
            )
        if have == len(MIGRATIONS):
            return
        connection.execute("BEGIN IMMEDIATE")  # a second writer waits here, then finds it done
        for number in range(_version(connection), len(MIGRATIONS)):
            for statement in MIGRATIONS[number].split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number + 1}")
        connection.execute("COMMIT")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _figure(cell: CellResult) -> Figure | None:
    """The figure that the subject's verdict rests on, the first of its figures."""
    for case in cell.evidence.cases:
        if case.case == "subject" and case.figures:
            return case.figures[0]
    return None

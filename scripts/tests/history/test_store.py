# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs are kept, once each, whoever writes; a file that can't be used is named in one line."""

import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from jdkmatrix.errors import UsageError
from jdkmatrix.history import schema
from jdkmatrix.history.store import History
from jdkmatrix.report.results import Results
from tests.report.conftest import TEST, make_cell, make_results


def made_run(number: int) -> Results:
    return make_results(
        make_cell("temurin-17.0.9+9", "not-reproduced", "fixed"),
        run=f"run-{number}",
        started=f"2026-11-{number % 28 + 1:02}T02:00:00Z",
    )


def test_a_stored_run_comes_back_as_points_of_its_series(tmp_path: Path) -> None:
    history = History(tmp_path / "history.sqlite")
    for number in (2, 1):
        history.add(made_run(number))
    ((key, points),) = history.series("JDK-8293562").items()
    assert (key.entry, key.test, key.bug) == ("temurin-17.0.9+9", TEST, "JDK-8293562")
    assert [point.run for point in points] == ["run-1", "run-2"]
    assert history.series("JDK-0000000") == {}


def test_a_run_stored_again_replaces_itself(tmp_path: Path) -> None:
    history = History(tmp_path / "history.sqlite")
    for _ in range(2):
        history.add(made_run(1))
    ((_, points),) = history.series().items()
    assert len(points) == 1


def test_two_writers_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    with ThreadPoolExecutor(2) as pool:  # a History each: two connections, as two processes have
        list(pool.map(lambda number: History(path).add(made_run(number)), range(20)))
    ((_, points),) = History(path).series().items()
    assert len(points) == 20


def test_a_file_of_an_earlier_version_is_extended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "history.sqlite"
    History(path).add(made_run(1))
    more = (*schema.MIGRATIONS, "ALTER TABLE runs ADD COLUMN note TEXT")
    monkeypatch.setattr("jdkmatrix.history.store.MIGRATIONS", more)
    assert len(History(path).series()) == 1
    columns = sqlite3.connect(path).execute("PRAGMA table_info(runs)").fetchall()
    assert "note" in [column[1] for column in columns]


def test_a_newer_damaged_or_locked_file_is_named_and_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = tmp_path / "newer.sqlite"
    sqlite3.connect(newer).execute("PRAGMA user_version = 99")
    with pytest.raises(UsageError, match=r"newer.sqlite: written by a newer kit \(version 99\)"):
        History(newer).series()
    damaged = tmp_path / "damaged.sqlite"
    damaged.write_bytes(b"not a database" * 100)
    with pytest.raises(UsageError, match=r"damaged.sqlite: damaged: "):
        History(damaged).add(made_run(1))
    assert damaged.read_bytes() == b"not a database" * 100
    locked = tmp_path / "locked.sqlite"
    History(locked).add(made_run(1))
    holder = sqlite3.connect(locked, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    monkeypatch.setattr("jdkmatrix.history.store._WAIT_FOR_LOCK_S", 0.1)
    with pytest.raises(UsageError, match=r"locked.sqlite: database is locked"):
        History(locked).add(made_run(2))


def test_a_hundred_thousand_cells_answer_at_once(tmp_path: Path) -> None:
    history = History(tmp_path / "history.sqlite")
    history.add(made_run(0))
    with sqlite3.connect(tmp_path / "history.sqlite") as connection:
        connection.executemany(
            "INSERT INTO runs SELECT ?, started, finished, kit_version, kit_commit, machine, kernel"
            " FROM runs WHERE run = 'run-0'",
            [(f"more-{number}",) for number in range(1000)],
        )
        connection.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
            INSERT INTO cells SELECT r.run, 'b' || i, 'b' || (i % 10), '17', 't' || i, 'JDK-' || i,
                'fixed', 'not-reproduced', 'as-expected', 1, 'ms', 5, 100, 'ms'
            FROM runs r, n WHERE r.run LIKE 'more-%'
            """
        )
    begin = time.monotonic()
    assert sum(len(points) for points in history.series("JDK-7").values()) == 1000
    assert time.monotonic() - begin < 0.5

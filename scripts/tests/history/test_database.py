# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A file that can't be used is named in one line, and not a byte of it is changed."""

import re
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from jdkmatrix.errors import ExitCode, KitError, MachineError, UsageError
from jdkmatrix.history import database as history_file
from jdkmatrix.history.database import APPLICATION_ID, MIGRATIONS, reading, writing
from jdkmatrix.history.stored_runs import add
from tests.history.kit import made_run, store_runs


def refusals(path: Path) -> set[str]:
    """What writing and reading say; the file stays as it is."""
    content = path.read_bytes()
    texts = set()
    for way in (writing, reading):
        with pytest.raises(UsageError) as error, way(path) as connection:
            connection.execute("SELECT count(*) FROM runs")
        texts.add(str(error.value).removeprefix(f"{path}: "))
        assert error.value.exit_code == ExitCode.USAGE
        assert "\n" not in str(error.value)
    assert path.read_bytes() == content
    return texts


def test_a_newer_file_is_left_alone(tmp_path: Path) -> None:
    path = store_runs(tmp_path / "history.sqlite", made_run(1))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    newest = len(MIGRATIONS)
    assert refusals(path) == {f"written by a newer kit (version 99); accepted: up to {newest}"}


def test_another_programs_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "bookmarks.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    message = "an SQLite file of another program; accepted: a history of runs"
    assert refusals(path) == {message}


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    path.write_bytes(b"not a database " * 300)
    message = "damaged: file is not a database; move it away to begin anew"
    assert refusals(path) == {message}


def test_a_file_with_overwritten_pages_is_left_alone(tmp_path: Path) -> None:
    path = store_runs(tmp_path / "history.sqlite", *(made_run(number) for number in range(1, 5)))
    whole = path.read_bytes()
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("PRAGMA page_size").fetchone()
    for start in range(page, len(whole), page):  # each page in turn, the first has the header
        path.write_bytes(whole[:start] + b"\xa5" * page + whole[start + page :])
        content = path.read_bytes()
        with pytest.raises(UsageError, match="damaged: "), writing(path):
            pass
        assert path.read_bytes() == content


def test_a_file_cut_short_is_left_alone(tmp_path: Path) -> None:
    path = store_runs(tmp_path / "history.sqlite", made_run(1))
    path.write_bytes(path.read_bytes()[:9000])
    content = path.read_bytes()
    with pytest.raises(UsageError, match="damaged: "), writing(path):
        pass
    assert path.read_bytes() == content


def test_a_locked_file_is_waited_for_but_not_for_ever(tmp_path: Path) -> None:
    path = store_runs(tmp_path / "history.sqlite", made_run(1))
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(MachineError, match=r"sqlite: locked by another program for 0\.2 s"):
            add(path, made_run(2), wait_s=0.2)
        with reading(path) as connection:  # which waits for nobody
            assert connection.execute("SELECT run FROM runs").fetchall() == [("run-1",)]


def test_a_reader_of_a_file_that_another_program_took_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = store_runs(tmp_path / "history.sqlite", made_run(1))
    monkeypatch.setattr(history_file, "READER_WAIT_S", 0.2)
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        message = r"sqlite: locked by another program for 0\.2 s"
        with pytest.raises(MachineError, match=message), reading(path):
            pass


def test_a_history_in_a_folder_that_can_t_be_written_is_read() -> None:
    program = (
        "import os, sys; from pathlib import Path; from jdkmatrix.history.database import reading\n"
        "if os.geteuid() == 0: os.seteuid(65534)\n"
        "with reading(Path(sys.argv[1])) as connection:\n"
        "    print(connection.execute('SELECT run FROM runs').fetchall())"
    )
    with tempfile.TemporaryDirectory() as folder:  # pytest's own are for one user alone
        path = store_runs(Path(folder, "history.sqlite"), made_run(1))
        Path(folder).chmod(0o555)
        command = [sys.executable, "-c", program, str(path)]
        process = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert (process.stdout, process.stderr) == ("[('run-1',)]\n", "")
        assert [file.name for file in Path(folder).iterdir()] == [path.name]
        Path(folder).chmod(0o755)


def test_an_older_file_is_extended_by_a_writer_and_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(MIGRATIONS[0])
        connection.execute("PRAGMA user_version = 1")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(
            "INSERT INTO runs VALUES (7, 'old', '2025-12-01T02:00:00Z', NULL, NULL, '0.0.9', NULL,"
            " NULL, NULL, 'Debian', '6', 'x86_64', 2, 8000)"
        )
        connection.commit()
    content = path.read_bytes()
    with reading(path) as connection:
        assert connection.execute("SELECT run FROM runs").fetchall() == [("old",)]
        assert connection.execute("SELECT * FROM points").fetchall() == []
    assert path.read_bytes() == content
    store_runs(path, made_run(1))
    with reading(path) as connection:
        assert connection.execute("SELECT run FROM runs").fetchall() == [("old",), ("run-1",)]
        assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)


def test_migrations_only_add() -> None:
    views: dict[str, str] = {}
    for migration in MIGRATIONS:
        for line in migration.splitlines():
            assert not line.lstrip().upper().startswith(("DROP TABLE", "UPDATE", "DELETE"))
            assert "ALTER" not in line.upper() or " ADD COLUMN " in line
        new_views = dict(re.findall(r"CREATE VIEW (\w+) AS\n(.*?);", migration, re.DOTALL))
        for name in re.findall(r"DROP (.*);", migration):
            assert new_views[name.removeprefix("VIEW ")].startswith(
                views[name.removeprefix("VIEW ")]
            )
        views |= new_views


def test_a_writer_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = store_runs(tmp_path / "history.sqlite", made_run(1))
    with pytest.raises(ZeroDivisionError), writing(path) as connection:
        connection.execute("DELETE FROM runs")
        raise ZeroDivisionError
    with reading(path) as connection:
        assert connection.execute("SELECT count(*) FROM runs").fetchone() == (1,)


def test_a_file_that_is_not_there_or_can_t_be_made_is_named(tmp_path: Path) -> None:
    message = r"none\.sqlite: no history yet; every run"
    with pytest.raises(UsageError, match=message), reading(tmp_path / "none.sqlite"):
        pass
    (tmp_path / "file").touch()
    with pytest.raises(KitError, match=r"history\.sqlite: "):
        store_runs(tmp_path / "file" / "history.sqlite", made_run(1))
    with pytest.raises(KitError, match="unable to open database file"):
        store_runs(tmp_path, made_run(1))

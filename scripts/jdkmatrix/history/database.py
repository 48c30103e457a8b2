# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is `history.sqlite` opened, by several writers and readers at once, for years?

Writers wait for each other; a reader waits for nobody and holds up nobody (write-ahead log).
A file that is not a sound history of this or an older kit is refused before a byte of it changes.
`PRAGMA user_version` is the number of migrations applied, `PRAGMA application_id` tells the file
from other SQLite databases.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from jdkmatrix.errors import MachineError, UsageError, one_line
from jdkmatrix.machine.files import text_of
from jdkmatrix.paths import Checkout

# "JMX3" in ASCII; not in SQLite's own list of application ids.
APPLICATION_ID = 0x4A4D5833
# By their names' order. Each adds tables, columns, views or rows of a view, and never changes or
# drops one, so that a dashboard written for an older version keeps working.
MIGRATIONS = tuple(map(text_of, sorted(Path(__file__).with_name("migrations").glob("*.sql"))))
# A writer holds the file for about a second; longer means that something stopped while holding it.
WAIT_FOR_LOCK_S = 20.0
# Only a program that has locked the whole file holds up a reader.
READER_WAIT_S = 2.0
# Room for a season of nights. With SQLite's default, 2 MB, each series would read every page anew.
_CACHE_KIB = 32 * 1024


def history_file(checkout: Checkout) -> Path:
    """`reports/history.sqlite` of the checkout, or what JDKMATRIX_HISTORY names."""
    override = os.environ.get("JDKMATRIX_HISTORY")
    return Path(override).absolute() if override else checkout.reports / "history.sqlite"


@contextmanager
def writing(path: Path, wait_s: float = WAIT_FOR_LOCK_S) -> Iterator[sqlite3.Connection]:
    """One transaction on the file, created or migrated first; rolled back if the block raises.

    Raises UsageError if the file is damaged, newer or another program's, MachineError if it is
    locked for `wait_s` or can't be written.
    """
    with _translate_errors(path, wait_s):
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path, timeout=wait_s, isolation_level=None)) as connection:
            _check(path, connection)
            if (damage := connection.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
                raise sqlite3.DatabaseError(" ".join(damage.split()))
            _log_ahead(connection)
            connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("BEGIN IMMEDIATE")  # a second writer waits here
            try:
                _check(path, connection)  # it may have been migrated meanwhile
                _migrate(connection)
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A snapshot of the file, which is not changed; an older kit's is migrated in memory.

    Raises UsageError if there is none, or it is damaged, newer or another program's, MachineError
    if it is locked or can't be read.
    """
    if not path.is_file():
        raise UsageError(f"{path}: no history yet; every run, throughput and validate adds to it")
    with _translate_errors(path, READER_WAIT_S), closing(_open(path)) as connection:
        _check(path, connection)
        connection.execute("BEGIN")
        if _version(connection) == len(MIGRATIONS):
            yield connection
            return
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
            connection.backup(copy)
            _migrate(copy)
            yield copy


def _open(path: Path) -> sqlite3.Connection:
    """A read-only connection. In a read-only folder nobody else writes the file either."""
    address = f"file:{quote(str(path.absolute()))}?mode=ro"
    try:
        connection = sqlite3.connect(address, uri=True, timeout=READER_WAIT_S, isolation_level=None)
        connection.execute("PRAGMA schema_version")
    except sqlite3.OperationalError as error:
        # Only in such a folder can SQLite not make its WAL index (sqlite.org/wal.html, section 5).
        if _kind(error) not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
        return sqlite3.connect(f"{address}&immutable=1", uri=True, isolation_level=None)
    return connection


def _log_ahead(connection: sqlite3.Connection) -> None:
    """Set write-ahead logging, which the file keeps. If it is busy, another writer sets it."""
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        if _kind(error) != sqlite3.SQLITE_BUSY:
            raise


@contextmanager
def _translate_errors(path: Path, waited_s: float) -> Iterator[None]:
    """Turn SQLite's and the system's errors into one line that names the file."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if _kind(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            reason = f"locked by another program for {waited_s:g} s"
            raise MachineError(f"{path}: {reason}; try again once that has ended") from None
        raise MachineError(f"{path}: {one_line(str(error))}") from None
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        reason = f"damaged: {one_line(str(error))}"
        raise UsageError(f"{path}: {reason}; move it away to begin anew") from None
    except OSError as error:
        raise MachineError(f"{path}: {error.strerror or error}") from None


def _kind(error: sqlite3.Error) -> int:
    """The primary error code, without SQLite's extended part."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF  # of a text that is no UTF-8 it has none


def _check(path: Path, connection: sqlite3.Connection) -> None:
    """Raise UsageError unless the file is empty or a history up to this kit's version."""
    version = _version(connection)
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    is_history = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    if (tables or version) and not is_history:
        raise UsageError(f"{path}: an SQLite file of another program; accepted: a history of runs")
    if version > len(MIGRATIONS):
        hint = f"accepted: up to {len(MIGRATIONS)}"
        raise UsageError(f"{path}: written by a newer kit (version {version}); {hint}")


def _migrate(connection: sqlite3.Connection) -> None:
    have = _version(connection)
    for number, migration in enumerate(MIGRATIONS[have:], have + 1):
        for statement in _statements(migration):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {number}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _statements(script: str) -> Iterator[str]:
    """The statements of a script, one by one: `executescript` would end the transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])

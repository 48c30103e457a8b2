# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which tables does `reports/history.sqlite` have? Others read them: they only ever grow.

Each migration adds tables or columns, never changes or drops one, so that a dashboard written for
an older version goes on working. `PRAGMA user_version` is the number of migrations applied.
"""

MIGRATIONS: tuple[str, ...] = (
    """
    -- One row a run. Times are ISO 8601 in UTC.
    CREATE TABLE runs (
        run          TEXT PRIMARY KEY,
        started      TEXT NOT NULL,
        finished     TEXT,
        kit_version  TEXT NOT NULL,
        kit_commit   TEXT,
        machine      TEXT NOT NULL,      -- operating system, architecture, cores, memory
        kernel       TEXT NOT NULL
    );
    -- One row a cell. `entry` is the id in jdks.yaml: it stays when a suite's build moves on.
    CREATE TABLE cells (
        run          TEXT NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
        build        TEXT NOT NULL,
        entry        TEXT NOT NULL,
        version      TEXT NOT NULL,      -- java.runtime.version
        test         TEXT NOT NULL,
        bug          TEXT,
        expectation  TEXT NOT NULL,
        outcome      TEXT NOT NULL,
        grade        TEXT NOT NULL,
        seconds      REAL NOT NULL,
        figure       TEXT,               -- name of the figure the verdict rests on
        figure_value REAL,
        figure_bound REAL,
        figure_unit  TEXT,
        PRIMARY KEY (run, build, test)
    );
    CREATE INDEX cells_by_series ON cells (entry, test, run);
    CREATE INDEX cells_by_bug ON cells (bug, run);
    """,
)

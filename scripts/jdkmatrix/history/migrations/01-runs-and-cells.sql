-- SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
-- SPDX-License-Identifier: Apache-2.0
-- One row a run. Times are ISO 8601 in UTC. A run is known by its folder's name and its beginning:
-- graded again or resumed, it replaces its rows; another run in a folder of that name does not.
CREATE TABLE runs (
    id           INTEGER PRIMARY KEY,
    run          TEXT NOT NULL,
    started      TEXT NOT NULL,
    finished     TEXT,               -- NULL: interrupted
    verdict      TEXT,               -- of `matrix validate`: good, bad, undecided
    kit_version  TEXT NOT NULL,
    kit_commit   TEXT,
    jtreg        TEXT,
    tool_jdk     TEXT,
    os           TEXT NOT NULL,
    kernel       TEXT NOT NULL,
    architecture TEXT NOT NULL,
    cores        INTEGER NOT NULL,
    memory_mib   INTEGER NOT NULL,
    UNIQUE (run, started)
);
CREATE INDEX runs_by_time ON runs (started, id);
-- One row a build of a run. `entry` is the id in jdks.yaml: it stays when a suite's build moves on.
-- `variant` is '' for the build as it was supplied, 'local' for one of --jdk, or an overlay's name.
CREATE TABLE builds (
    run_id       INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    build        TEXT NOT NULL,
    entry        TEXT NOT NULL,
    variant      TEXT NOT NULL,
    version      TEXT NOT NULL,
    train        INTEGER NOT NULL,
    source       TEXT NOT NULL,
    sha256       TEXT NOT NULL,
    PRIMARY KEY (run_id, build)
);
-- One row a cell: one test on one build.
CREATE TABLE cells (
    run_id       INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    build        TEXT NOT NULL,
    entry        TEXT NOT NULL,
    variant      TEXT NOT NULL,
    test         TEXT NOT NULL,
    bug          TEXT,
    expectation  TEXT NOT NULL,
    outcome      TEXT NOT NULL,
    grade        TEXT NOT NULL,
    seconds      REAL NOT NULL,      -- of the test itself if jtreg reports it, else of the cell
    blocked_ms   REAL,               -- in the ten places most waited for; NULL: no recording
    figure       TEXT,               -- name of the figure that the verdict rests on
    figure_value REAL,
    figure_bound REAL,
    figure_unit  TEXT,
    PRIMARY KEY (run_id, build, test)
);
CREATE INDEX cells_by_series ON cells (entry, variant, test, run_id);
CREATE INDEX cells_by_bug ON cells (bug, run_id);

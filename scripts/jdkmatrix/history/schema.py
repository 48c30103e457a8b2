# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which tables does `reports/history.sqlite` have? Others read them, so they only ever grow.

Each migration adds tables, columns, views or rows of a view, and never changes or drops one, so
that a dashboard written for an older version keeps working. `PRAGMA user_version` is the number of
migrations applied; `PRAGMA application_id` tells the file from other SQLite databases.
"""

# "JMX3" in ASCII; not in SQLite's own list of application ids.
APPLICATION_ID = 0x4A4D5833

# Every figure of a cell, and the ratios of throughput: of the first view, and part of the next.
_POINTS = """CREATE VIEW points AS
    SELECT c.run_id, CAST(strftime('%s', r.started) AS INTEGER) AS time, c.build, c.entry,
           c.variant, c.test AS subject, '' AS baseline, 'seconds' AS figure, c.seconds AS value
    FROM cells c JOIN runs r ON r.id = c.run_id
    WHERE c.outcome IN ('reproduced', 'not-reproduced')
UNION ALL
    SELECT c.run_id, CAST(strftime('%s', r.started) AS INTEGER), c.build, c.entry,
           c.variant, c.test, '', 'blocked-ms', c.blocked_ms
    FROM cells c JOIN runs r ON r.id = c.run_id
    WHERE c.outcome IN ('reproduced', 'not-reproduced') AND c.blocked_ms IS NOT NULL
UNION ALL
    SELECT t.run_id, CAST(strftime('%s', r.started) AS INTEGER), t.build, t.entry,
           t.variant, t.scenario || ' ' || t.client, t.baseline_entry, t.metric || '-ratio', t.ratio
    FROM throughput t JOIN runs r ON r.id = t.run_id
    WHERE t.ratio IS NOT NULL"""

_RUNS_AND_CELLS = """
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
"""

_THROUGHPUT_AND_CHANGES = f"""
-- One row a figure of a throughput cell. Ratios are build to baseline; `median` and
-- `baseline_median` are absolute, in the metric's own unit; `control` is baseline to baseline.
CREATE TABLE throughput (
    run_id          INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    build           TEXT NOT NULL,
    entry           TEXT NOT NULL,
    variant         TEXT NOT NULL,
    scenario        TEXT NOT NULL,
    client          TEXT NOT NULL,
    baseline        TEXT NOT NULL,
    baseline_entry  TEXT NOT NULL,
    metric          TEXT NOT NULL,
    bugs            TEXT NOT NULL,   -- that the scenario shows, with a space between
    blocks          INTEGER NOT NULL,
    ratio           REAL,
    ci95_low        REAL,
    ci95_high       REAL,
    control_low     REAL,
    control_high    REAL,
    median          REAL,
    baseline_median REAL,
    grade           TEXT NOT NULL,
    PRIMARY KEY (run_id, build, scenario, client, baseline, metric)
);
CREATE INDEX throughput_by_series
    ON throughput (entry, variant, scenario, client, baseline_entry, metric, run_id);
-- Every figure that is watched for changes, whatever it is of: a series is all points with the same
-- entry, variant, subject, baseline and figure. `time` is in seconds since 1970.
{_POINTS};
-- From the run `run_id` on the figure's median is `after` instead of `before`; `last_run_id` is the
-- series' run before. Found anew for each series that a new run belongs to.
CREATE TABLE change_points (
    entry        TEXT NOT NULL,
    variant      TEXT NOT NULL,
    subject      TEXT NOT NULL,
    baseline     TEXT NOT NULL,
    figure       TEXT NOT NULL,
    run_id       INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    last_run_id  INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    before       REAL NOT NULL,
    after        REAL NOT NULL,
    runs_before  INTEGER NOT NULL,
    runs_after   INTEGER NOT NULL,
    PRIMARY KEY (entry, variant, subject, baseline, figure, run_id)
);
CREATE INDEX change_points_by_run ON change_points (run_id);
CREATE INDEX change_points_by_last_run ON change_points (last_run_id);
"""

_SURPRISE = """
-- Is the figure slower, with no known bug that the build has and the baseline has not?
-- 0 or 1; NULL: stored before this column existed.
ALTER TABLE throughput ADD COLUMN surprise INTEGER;
"""

_VALIDATIONS = """
-- One row a topic of a validation: bugs, interoperability, defaults, speed.
CREATE TABLE topics (
    run_id       INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    build        TEXT NOT NULL,
    entry        TEXT NOT NULL,
    variant      TEXT NOT NULL,
    topic        TEXT NOT NULL,
    verdict      TEXT NOT NULL,      -- good, bad, undecided
    sentence     TEXT NOT NULL,
    PRIMARY KEY (run_id, build, topic)
);
-- One row per default that differs from the baseline's. `bug` explains it; '': of vendors.
CREATE TABLE default_changes (
    run_id       INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    build        TEXT NOT NULL,
    entry        TEXT NOT NULL,
    variant      TEXT NOT NULL,
    aspect       TEXT NOT NULL,
    kind         TEXT NOT NULL,      -- added, removed, changed, reordered
    item         TEXT NOT NULL,
    old_value    TEXT NOT NULL,
    new_value    TEXT NOT NULL,
    bug          TEXT,               -- NULL: unexplained
    PRIMARY KEY (run_id, build, aspect, kind, item)
);
CREATE INDEX default_changes_by_item ON default_changes (entry, variant, aspect, item, run_id);
"""

_SERVICES = f"""
-- Of a service: the server in its name, whose TLS answers, and the size of a body that it echoes.
-- NULL: a client, or stored before these columns existed.
ALTER TABLE throughput ADD COLUMN server TEXT;
ALTER TABLE throughput ADD COLUMN layer TEXT;
ALTER TABLE throughput ADD COLUMN echo_bytes INTEGER;
-- As before, and what services cost, by itself: the median of a build and of its baseline, in the
-- metric's own unit. `baseline` is '' there: it tells of no other build.
DROP VIEW points;
{_POINTS}
UNION ALL
    SELECT t.run_id, CAST(strftime('%s', r.started) AS INTEGER), t.build, t.entry,
           t.variant, t.scenario || ' ' || t.client, '', t.metric, t.median
    FROM throughput t JOIN runs r ON r.id = t.run_id
    WHERE t.server IS NOT NULL AND t.median IS NOT NULL
UNION ALL
    SELECT t.run_id, CAST(strftime('%s', r.started) AS INTEGER), b.build, b.entry,
           b.variant, t.scenario || ' ' || t.client, '', t.metric, avg(t.baseline_median)
    FROM throughput t JOIN runs r ON r.id = t.run_id
    JOIN builds b ON b.run_id = t.run_id AND b.build = t.baseline
    WHERE t.server IS NOT NULL AND t.baseline_median IS NOT NULL
    GROUP BY t.run_id, b.build, t.scenario, t.client, t.metric;
"""

_CASES = """
-- One row a case of a run, of whatever kind; rows of a test and topics of a validation, which are
-- part of another case, are left out. `subject` is a test's path, or what else was judged;
-- `entry` is 'run' where it belongs to no build.
CREATE TABLE cases (
    run_id         INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    build          TEXT NOT NULL,
    entry          TEXT NOT NULL,
    variant        TEXT NOT NULL,
    kind           TEXT NOT NULL,
    subject        TEXT NOT NULL,
    baseline_entry TEXT NOT NULL,     -- '': compared with no build
    bug            TEXT,
    outcome        TEXT,
    grade          TEXT NOT NULL,
    status         TEXT NOT NULL,     -- passed, failed, error, skipped
    seconds        REAL NOT NULL,
    PRIMARY KEY (run_id, build, kind, subject, baseline_entry)
);
CREATE INDEX cases_by_series ON cases (entry, variant, kind, subject, run_id);
INSERT INTO cases
    SELECT run_id, build, entry, variant, 'cell', test, '', bug, outcome, grade,
           CASE WHEN grade IN ('as-expected', 'recorded') THEN 'passed'
                WHEN grade IN ('skipped', 'silenced') THEN 'skipped'
                WHEN grade = 'error' THEN 'error' ELSE 'failed' END, seconds
    FROM cells;
"""

MIGRATIONS: tuple[str, ...] = (
    _RUNS_AND_CELLS,
    _THROUGHPUT_AND_CHANGES,
    _SURPRISE,
    _VALIDATIONS,
    _SERVICES,
    _CASES,
)

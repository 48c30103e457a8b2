-- SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
-- SPDX-License-Identifier: Apache-2.0
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
CREATE VIEW points AS
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
    WHERE t.ratio IS NOT NULL;
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

-- SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
-- SPDX-License-Identifier: Apache-2.0
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

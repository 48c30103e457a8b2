-- SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
-- SPDX-License-Identifier: Apache-2.0
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

-- SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
-- SPDX-License-Identifier: Apache-2.0
-- Of a service: the server in its name, whose TLS answers, and the size of a body that it echoes.
-- NULL: a client, or stored before these columns existed.
ALTER TABLE throughput ADD COLUMN server TEXT;
ALTER TABLE throughput ADD COLUMN layer TEXT;
ALTER TABLE throughput ADD COLUMN echo_bytes INTEGER;
-- As before, and what services cost, by itself: the median of a build and of its baseline, in the
-- metric's own unit. `baseline` is '' there: it tells of no other build.
DROP VIEW points;
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
    WHERE t.ratio IS NOT NULL
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

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where did threads wait longest for locks in total? Pure."""

from jdkmatrix.evidence.digest import LockKind, Recording
from jdkmatrix.records.model import Record


class LongestWait(Record):
    """Blocked time of one lock class and frame: how many threads waited to get in, how long."""

    kind: LockKind
    lock_class: str
    frame: str
    threads: int
    count: int
    total_ms: float
    max_ms: float


def longest_waits(recording: Recording, limit: int) -> tuple[LongestWait, ...]:
    """At most `limit` places, the longest sum first; only waits that ended count."""
    rows = sorted(recording.blocked, key=lambda row: -row.total_ms)[:limit]
    return tuple(
        LongestWait(
            kind=row.kind,
            lock_class=row.lock_class,
            frame=row.frame,
            threads=row.threads,
            count=row.count,
            total_ms=row.total_ms,
            max_ms=row.max_ms,
        )
        for row in rows
    )

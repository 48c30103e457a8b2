# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How many requests/s does the law of JDK-8293562 allow? Pure.

A share `p` of the requests needs a new connection, and as many are closed. A request waits
`round_trips`, and the share `p` one more. If every close holds the one lock for its round trips,
the lock limits the rate of closes, and by their share `p` that of requests. The derivation is in
docs/explanation/law.md.
"""

_MS_PER_S = 1000.0


def predicted_requests_per_s(
    *,
    threads: int,
    think_ms: float,
    rtt_ms: float,
    round_trips: int,
    lock_round_trips: int | None,
    closed_share: float,
) -> float | None:
    """The bound in requests/s; None if there is none. `lock_round_trips` is None for a fixed build.

    `closed_share` is closed connections per request, as counted in the sample.
    """
    cycle_ms = think_ms + (round_trips + closed_share) * rtt_ms
    free = threads * _MS_PER_S / cycle_ms if cycle_ms > 0 else None
    held_ms = closed_share * (lock_round_trips or 0) * rtt_ms
    if held_ms <= 0:
        return free
    lock_limit = _MS_PER_S / held_ms
    return lock_limit if free is None else min(free, lock_limit)

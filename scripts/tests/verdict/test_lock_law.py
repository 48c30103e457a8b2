# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""An affected build is bound by the round trip, a fixed one by its threads."""

import pytest

from jdkmatrix.verdict.lock_law import predicted_requests_per_s


@pytest.mark.parametrize(
    ("threads", "rtt_ms", "closed_share", "lock_round_trips", "requests_per_s"),
    [
        (32, 2, 1.0, 1, 500),  # the 500 of the field report
        (128, 2, 1.0, 1, 500),  # whatever the threads
        (128, 2, 0.25, 1, 2000),  # closes are rarer than requests
        (1, 2, 0.0, 1, 1000 / 12),  # but no more than one thread can
        (32, 2, 0.5, None, 32_000 / 13),
        (128, 200, 1.0, None, 128_000 / 410),
        (128, 200, 0.5, 2, 5),
        (256, 200, 0.16, 1, 31.25),  # measured: 25.8, with 25 closed and 155 requests in 6 s
    ],
)
def test_prediction(
    threads: int,
    rtt_ms: float,
    closed_share: float,
    lock_round_trips: int | None,
    requests_per_s: float,
) -> None:
    rate = predicted_requests_per_s(
        threads=threads,
        think_ms=10,
        rtt_ms=rtt_ms,
        round_trips=1,
        lock_round_trips=lock_round_trips,
        closed_share=closed_share,
    )
    assert rate == pytest.approx(requests_per_s)


def test_without_delay_and_think_time_nothing_bounds() -> None:
    rate = predicted_requests_per_s(
        threads=8, think_ms=0, rtt_ms=0, round_trips=1, lock_round_trips=1, closed_share=1
    )
    assert rate is None

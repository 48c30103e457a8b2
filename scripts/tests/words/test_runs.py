# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What did a run cost?"""

import pytest

from jdkmatrix.report.page.page_words import format_duration
from jdkmatrix.words.runs import cost
from tests.report.conftest import make_cell, make_results

QUICK = "2026-11-21T08:00:40Z"


@pytest.mark.parametrize(
    ("cpu_s", "waited_s", "finished_at", "text"),
    [
        (60.0, 90.0, QUICK, "60 s of CPU time in 40 s, 75% of 2 cores."),
        (8.0, 2.0, QUICK, "8 s of CPU time in 40 s, 10% of 2 cores; the rest was waiting."),
        (
            8.0,
            20.0,
            QUICK,
            "8 s of CPU time in 40 s, 10% of 2 cores; other programs had the rest.",
        ),
        (60.0, 0.0, "2026-11-21T09:00:00Z", None),  # resumed after an hour
        (None, None, QUICK, None),
        (60.0, 0.0, None, None),
    ],
)
def test_the_cost_says_who_used_the_cores(
    cpu_s: float | None, waited_s: float | None, finished_at: str | None, text: str | None
) -> None:
    cell = make_cell("temurin-17.0.9+9", "not-reproduced", "fixed")
    results = make_results(cell.model_copy(update={"cpu_s": cpu_s, "waited_s": waited_s}))
    machine = results.machine.model_copy(update={"cores": 2})
    times = {"started_at": "2026-11-21T08:00:00Z", "finished_at": finished_at, "machine": machine}
    assert cost(results.model_copy(update=times)) == text


@pytest.mark.parametrize(
    ("finished_at", "seconds", "took_s"),
    [
        (QUICK, None, 40.0),  # of an earlier kit
        (QUICK, 30.5, 30.5),
        ("2027-11-21T08:00:40Z", 30.5, 30.5),
        ("2025-11-21T08:00:40Z", 30.5, 30.5),
        ("2025-11-21T08:00:40Z", None, None),
        (None, 30.5, None),
    ],
)
def test_a_clock_that_is_set_does_not_change_how_long_a_run_took(
    finished_at: str | None, seconds: float | None, took_s: float | None
) -> None:
    times = {"started_at": "2026-11-21T08:00:00Z", "finished_at": finished_at, "seconds": seconds}
    results = make_results().model_copy(update=times)
    assert results.took_s == took_s
    assert format_duration(results) == {None: "", 30.5: "30 s", 40.0: "40 s"}[took_s]

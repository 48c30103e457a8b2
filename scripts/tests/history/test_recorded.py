# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Series recorded on real builds, with a step or a spike planted (tests/fixtures/history)."""

import json

import pytest

from jdkmatrix.history.changes import find_changes
from tests.conftest import FIXTURES

FIXTURE = FIXTURES / "history" / "nights.json"
NIGHTS = json.loads(FIXTURE.read_text())["nights"]
AFFECTED, FIXED = "temurin-17.0.3+7", "temurin-17.0.9+9"
PLANTED = range(6, len(NIGHTS) - 5)


def recorded_figures(figure: str, build: str) -> list[float]:
    return [night[figure][build] for night in NIGHTS]


def ratios() -> list[float]:
    """Two builds of one run, side by side: what the machine does to both is not in it."""
    pairs = zip(
        recorded_figures("seconds", AFFECTED), recorded_figures("seconds", FIXED), strict=True
    )
    return [affected_figure / fixed_figure for affected_figure, fixed_figure in pairs]


def places(series: list[float], figure: str) -> list[int]:
    return [change.index for change in find_changes(series, figure)]


@pytest.mark.parametrize("night", PLANTED)
def test_the_night_is_found_from_which_on_an_affected_build_was_run(night: int) -> None:
    series = (
        recorded_figures("blocked_ms", FIXED)[:night]
        + recorded_figures("blocked_ms", AFFECTED)[night:]
    )
    assert places(series, "blocked-ms") == [night]


@pytest.mark.parametrize("night", range(len(NIGHTS)))
def test_a_single_night_of_an_affected_build_is_no_step(night: int) -> None:
    series = recorded_figures("blocked_ms", FIXED)
    series[night] = recorded_figures("blocked_ms", AFFECTED)[night]
    assert places(series, "blocked-ms") == []


@pytest.mark.parametrize("build", [AFFECTED, FIXED])
def test_blocked_time_of_one_build_does_not_step(build: str) -> None:
    assert places(recorded_figures("blocked_ms", build), "blocked-ms") == []


def test_a_ratio_does_not_step_though_the_machine_got_quieter() -> None:
    """Which the seconds of either build show, as their environment changed and they did not."""
    assert places(ratios(), "seconds-ratio") == []
    (affected_step,) = places(recorded_figures("seconds", AFFECTED), "seconds")
    (fixed_step,) = places(recorded_figures("seconds", FIXED), "seconds")
    assert abs(affected_step - fixed_step) <= 1


@pytest.mark.parametrize("night", PLANTED)
def test_a_planted_step_of_a_recorded_ratio_is_found_within_a_night(night: int) -> None:
    series = [ratio * (0.6 if n >= night else 1) for n, ratio in enumerate(ratios())]
    (step,) = places(series, "seconds-ratio")
    assert abs(step - night) <= 1


@pytest.mark.parametrize("night", range(len(NIGHTS)))
def test_a_spike_of_a_recorded_ratio_is_no_step(night: int) -> None:
    series = ratios()
    series[night] *= 0.1
    assert places(series, "seconds-ratio") == []

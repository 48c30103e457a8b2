# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A step that lasts is found where it happened; noise, spikes and short series are not.

False alarms over 1,000 series each of pure noise (log ratio 0.2, as two shared cores have), with
the settings of `changes.py`: see `test_noise_alone_is_hardly_ever_a_change`.
"""

import numpy as np
import pytest

from jdkmatrix.history.changes import MIN_SEGMENT_RUNS, FigureStep, find_changes
from tests.conftest import FIXTURES

RATIO = "requests-per-s-ratio"
RECORDED = FIXTURES / "history" / "nights.json"


def noisy(count: int, seed: int, kind: str = "normal", spread: float = 0.2) -> list[float]:
    """`count` ratios around 1; `kind` is how they spread on the logarithmic scale."""
    rng = np.random.default_rng(seed)
    if kind == "heavy-tailed":
        noise = rng.standard_t(3, count) * spread / np.sqrt(3)
    else:
        noise = rng.normal(0, spread, count)
    if kind == "drifting":  # half of a night's deviation is still there the next night
        for night in range(1, count):
            noise[night] += 0.5 * noise[night - 1]
    return [float(level) for level in np.exp(noise)]


def places(series: list[float], figure: str = RATIO) -> list[int]:
    return [change.index for change in find_changes(series, figure)]


def test_a_planted_step_is_found_on_its_night() -> None:
    off_by = []
    for seed in range(200):
        series = noisy(60, seed)
        series[40:] = [level / 2 for level in series[40:]]
        (change,) = find_changes(series, RATIO)
        off_by.append(abs(change.index - 40))
        assert change.new_median / change.old_median == pytest.approx(0.5, rel=0.3)
        assert (change.runs_before, change.runs_after) == (change.index, 60 - change.index)
    print(f"nights off: {sorted(off_by)[-10:]}, {off_by.count(0)} of 200 exact")
    assert sum(nights <= 1 for nights in off_by) >= 190


@pytest.mark.parametrize("nights", [20, 60, 200, 400])
def test_a_collapse_is_found_after_four_nights_however_long_the_history(nights: int) -> None:
    series = noisy(nights, 1)
    assert places([*series, *(level / 30 for level in noisy(4, 2))]) == [nights]
    assert places([*series, *(level / 30 for level in noisy(3, 2))]) == []


@pytest.mark.parametrize("seed", range(20))
def test_a_spike_or_two_are_no_change(seed: int) -> None:
    series = noisy(60, seed)
    series[30] = 0.005
    assert places(series) == []
    series[31] = 40.0
    assert places(series) == []


# Counted over the seeds 0 to 999; the bound leaves room for other seeds, not for another method.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "nights", "most_steps"),
    [
        ("normal", 20, 2),
        ("normal", 60, 2),
        ("heavy-tailed", 60, 2),
        ("drifting", 20, 60),
        ("drifting", 60, 60),
    ],
)
def test_noise_alone_is_hardly_ever_a_change(kind: str, nights: int, most_steps: int) -> None:
    alarms = sum(bool(places(noisy(nights, seed, kind))) for seed in range(1000))
    print(f"{kind}, {nights} nights: {alarms} of 1000")
    assert alarms <= most_steps


def test_a_step_up_and_back_are_two_changes() -> None:
    series = [*noisy(20, 1), *(3 * level for level in noisy(10, 2)), *noisy(20, 3)]
    assert places(series) == [20, 30]


def test_a_step_needs_enough_runs_on_both_sides() -> None:
    old_level = [1.0] * 20
    assert places([*old_level, *[0.1] * (MIN_SEGMENT_RUNS - 1)]) == []
    assert find_changes([*old_level, *[0.1] * MIN_SEGMENT_RUNS], RATIO) == (
        FigureStep(20, 1.0, 0.1, 20, MIN_SEGMENT_RUNS),
    )
    assert places([1.0] * 4 + [0.1] * 3) == []


@pytest.mark.parametrize(
    ("figure", "old_level", "too_little", "enough"),
    [
        (RATIO, 1.0, 0.9, 0.8),
        ("seconds", 20.0, 24.0, 27.0),
        ("seconds", 0.1, 0.3, 3.0),
        ("blocked-ms", 20.0, 400.0, 3000.0),
    ],
)
def test_a_step_must_be_worth_a_look(
    figure: str, old_level: float, too_little: float, enough: float
) -> None:
    assert places([old_level] * 20 + [too_little] * 20, figure) == []
    assert places([old_level] * 20 + [enough] * 20, figure) == [20]


def test_zeros_are_figures_too() -> None:
    assert places([0.0] * 20, "blocked-ms") == []
    assert places([0.0] * 10 + [5000.0] * 10, "blocked-ms") == [10]

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A step that lasts is found where it happened; noise, spikes and short series are not."""

import numpy as np
import pytest

from jdkmatrix.history.changes import MIN_SEGMENT_RUNS, find_changes


def noisy(median: float, count: int, seed: int, spread: float = 0.2) -> list[float]:
    """`count` figures around `median`, with the noise of two shared cores (log ratio)."""
    noise = np.random.default_rng(seed).normal(0, spread, count)
    return [float(value) for value in median * np.exp(noise)]


@pytest.mark.parametrize("seed", range(20))
def test_a_planted_step_is_found_within_two_runs(seed: int) -> None:
    changes = find_changes(noisy(100, 40, seed) + noisy(200, 20, seed + 1000))
    assert [abs(change.index - 40) <= 2 for change in changes] == [True]
    assert changes[0].ratio == pytest.approx(2, rel=0.25)


@pytest.mark.parametrize("seed", range(20))
def test_noise_and_spikes_are_no_change(seed: int) -> None:
    values = noisy(100, 60, seed)
    assert find_changes(values) == ()
    values[30:32] = [4000.0, 3000.0]
    assert find_changes(values) == ()


def test_a_step_needs_enough_runs_on_both_sides() -> None:
    before = [5.0] * 20
    assert find_changes(before + [2500.0] * (MIN_SEGMENT_RUNS - 1)) == ()
    (change,) = find_changes(before + [2500.0] * MIN_SEGMENT_RUNS)
    assert (change.index, change.before, change.after) == (20, 5.0, 2500.0)


def test_a_step_of_a_few_percent_is_not_worth_a_word() -> None:
    assert find_changes([100.0] * 20 + [110.0] * 20) == ()


def test_zeros_are_figures_too() -> None:
    assert find_changes([0.0] * 20) == ()
    assert [change.index for change in find_changes([0.0] * 10 + [50.0] * 10)] == [10]

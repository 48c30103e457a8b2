# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A build is told by the end that it is nearer to; between them by none."""

import pytest

from jdkmatrix.bisect.likeness import slowdown_of
from jdkmatrix.bisect.search import BugState
from jdkmatrix.vocabulary import Metric, SpeedGrade
from tests.bisect.compared_kit import make_comparison


@pytest.mark.parametrize(
    ("bad", "ratio", "spread", "state"),
    [
        (0.01, 0.95, 1.5, BugState.GOOD),
        (0.01, 0.012, 3.0, BugState.BAD),
        (0.01, 0.08, 1.1, BugState.BAD),
        (0.01, 0.12, 1.1, BugState.GOOD),
        (0.01, 0.1, 1.5, None),
        (0.01, 0.005, 50.0, BugState.BAD),
        (0.01, 0.95, 20.0, None),
        (0.8, 0.81, 1.02, BugState.BAD),
        (0.8, 0.99, 1.02, BugState.GOOD),
        (0.8, 0.99, 1.3, None),
    ],
)
def test_nearer_to_which_end(
    bad: float, ratio: float, spread: float, state: BugState | None
) -> None:
    slowdown = slowdown_of(make_comparison(bad))
    assert slowdown is not None
    # A small loss for another reason is graded slower too, and is none of the fault sought.
    assert slowdown.state_of(make_comparison(ratio, spread)) is state


def test_a_cost_that_rose_is_told_the_same_way() -> None:
    slowdown = slowdown_of(make_comparison(8.0, metric=Metric.CPU_US_PER_REQUEST))
    assert slowdown is not None
    cost = Metric.CPU_US_PER_REQUEST
    assert slowdown.state_of(make_comparison(7.0, metric=cost)) is BugState.BAD
    assert slowdown.state_of(make_comparison(1.1, metric=cost)) is BugState.GOOD
    assert slowdown.state_of(make_comparison(0.9, metric=Metric.REQUESTS_PER_S)) is None


def test_no_end_without_a_slow_down() -> None:
    assert slowdown_of(make_comparison(0.5, grade=SpeedGrade.INCONCLUSIVE)) is None
    slowdown = slowdown_of(make_comparison(0.5))
    assert slowdown is not None
    assert slowdown.state_of(make_comparison(0.4, 9.0, grade=SpeedGrade.INCONCLUSIVE)) is None
    assert slowdown.state_of(make_comparison(None, grade=SpeedGrade.INCONCLUSIVE)) is None

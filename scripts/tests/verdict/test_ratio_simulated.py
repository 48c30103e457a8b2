# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How often does a whole comparison, early end included, err on a machine as noisy as ours?

Noise as measured on two shared cores: a machine that drifts over the blocks,
requests/s with a standard deviation of the paired log ratio of 10 to 20 %, CPU time per request
with 3 to 8 %, and one sample in twenty that something else disturbed threefold.
"""

import math
import random

import pytest

from jdkmatrix.cli.throughput import DEFAULT_BLOCKS
from jdkmatrix.verdict.ratio import Triple, early_grade, is_settled, judge
from jdkmatrix.vocabulary import SpeedGrade

DRIFT = 0.10
DISTURBED = 0.05
GRADED = (SpeedGrade.SLOWER, SpeedGrade.FASTER)
# Standard deviation of the paired log ratio: of requests/s, of CPU time per request. The last is
# that of samples in turns.
NOISES = [(0.10, 0.03), (0.15, 0.05), (0.20, 0.08), (0.03, 0.04)]


class Machine:
    """Makes samples of one figure."""

    def __init__(self, rng: random.Random, sd: float, worse: int) -> None:
        self._rng = rng
        self._sd = sd / math.sqrt(2)  # of one sample, two of which make a ratio
        self._worse = worse
        self._drift = 0.0

    def block(self, effect: float) -> Triple:
        self._drift += self._rng.gauss(0, DRIFT)
        return Triple(*(self._sample(log) for log in (0, 0, math.log1p(effect))))

    def _sample(self, log: float) -> float:
        noise = self._rng.gauss(0, self._sd)
        if self._rng.random() < DISTURBED:
            noise += self._worse * abs(self._rng.gauss(0, 3 * self._sd))
        return math.exp(self._drift + log + noise)


def comparison(
    rng: random.Random, noise: tuple[float, float], cpu_effect: float, blocks: int
) -> tuple[SpeedGrade, SpeedGrade]:
    """The grades of requests/s and of CPU time per request of one comparison."""
    rate, cost = Machine(rng, noise[0], -1), Machine(rng, noise[1], 1)
    rates: list[Triple] = []
    costs: list[Triple] = []
    for _ in range(blocks):
        rates.append(rate.block(0))
        costs.append(cost.block(cpu_effect))
        early_grades = (
            early_grade(rates, higher_is_better=True),
            early_grade(costs, higher_is_better=False),
        )
        if is_settled(early_grades):
            break
    return (
        judge(rates, higher_is_better=True).grade,
        judge(costs, higher_is_better=False).grade,
    )


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("blocks", [2, 4, 8, DEFAULT_BLOCKS])
def test_of_40_comparisons_of_a_build_with_itself_at_most_one_is_graded(
    noise: tuple[float, float], blocks: int
) -> None:
    rng = random.Random(8293562)
    for _ in range(5):
        grades = [comparison(rng, noise, 0.0, blocks) for _ in range(40)]
        assert sum(any(grade in GRADED for grade in pair) for pair in grades) <= 1


@pytest.mark.parametrize(
    ("cpu_effect", "noise"),
    [(0.10, NOISES[0]), (0.10, NOISES[1]), (0.20, NOISES[1]), (0.20, NOISES[2])],
)
def test_a_planted_slow_down_is_found_in_nine_of_ten_runs(
    cpu_effect: float, noise: tuple[float, float]
) -> None:
    rng = random.Random(8293562)
    grades = [comparison(rng, noise, cpu_effect, DEFAULT_BLOCKS)[1] for _ in range(100)]
    assert sum(grade is SpeedGrade.SLOWER for grade in grades) >= 90


def test_ten_percent_at_eight_percent_noise_needs_more_blocks_than_the_default() -> None:
    rng = random.Random(8293562)
    grades = [comparison(rng, NOISES[2], 0.10, blocks)[1] for blocks in (20, 60) for _ in range(60)]
    assert sum(grade is SpeedGrade.SLOWER for grade in grades[:60]) < 54
    assert sum(grade is SpeedGrade.SLOWER for grade in grades[60:]) >= 54
    assert SpeedGrade.FASTER not in grades

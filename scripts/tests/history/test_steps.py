# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are the segments of a series those that ruptures' KernelCPD finds?"""

import math
import random
import time

import numpy as np
import pytest
import ruptures

from jdkmatrix.history.steps import segment_ends
from jdkmatrix.history.stored_runs import WINDOW_RUNS

SERIES = 200
# 592 series a night; a step's window takes 3 ms of CPU time beside other work.
MOST_CPU_S = 0.1


def series(kind: str, chance: random.Random) -> list[float]:
    """A series of 8 to 150 values with up to three steps, in units of its noise."""
    values = [chance.gauss(0, 1) for _ in range(chance.choice((8, 9, 12, 20, 40, 90, 150)))]
    if kind == "drifting":
        for night in range(1, len(values)):
            values[night] += 0.5 * values[night - 1]
    if kind == "spikes":
        values = [value + chance.choice((0,) * 9 + (50,)) for value in values]
    for _ in range(chance.randint(0, 3)):
        place, height = chance.randrange(len(values)), chance.choice((-20, -3, -1, 0.5, 2, 8))
        values[place:] = [value + height for value in values[place:]]
    return [float(round(value)) for value in values] if kind == "whole" else values


@pytest.mark.parametrize("kind", ["normal", "drifting", "spikes", "whole"])
def test_they_are_those_of_ruptures(kind: str) -> None:
    chance = random.Random(8293562)
    divided = 0
    for _ in range(SERIES):
        values = series(kind, chance)
        penalty = chance.choice((0.3, 1.0, 2.0)) * math.log(len(values))
        search = ruptures.KernelCPD(kernel="rbf", min_size=4, params={"gamma": 0.1})
        expected = search.fit(np.array(values).reshape(-1, 1)).predict(pen=penalty)
        assert segment_ends(values, gamma=0.1, penalty=penalty, least_length=4) == expected
        divided += len(expected) > 1
    assert divided > SERIES / 4


def test_the_window_of_a_night_is_searched_in_milliseconds() -> None:
    values = [random.Random(night).gauss(0, 1) for night in range(WINDOW_RUNS)]
    began = time.process_time()
    segment_ends(values, gamma=0.1, penalty=math.log(WINDOW_RUNS), least_length=4)
    assert time.process_time() - began < MOST_CPU_S

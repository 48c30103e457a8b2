# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are the segments of a series those that ruptures' KernelCPD finds?"""

import math
import random
import time

import numpy as np
import pytest

from jdkmatrix.history.changes import segment_ends
from jdkmatrix.history.stored_runs import WINDOW_RUNS

SERIES = 200
# 592 series a night; a step's window takes 3 ms of CPU time beside other work.
MOST_CPU_S = 0.1


def series(kind: str, chance: random.Random) -> list[float]:
    """A series of 8 to 150 values with up to three steps, in units of its noise."""
    points = [chance.gauss(0, 1) for _ in range(chance.choice((8, 9, 12, 20, 40, 90, 150)))]
    if kind == "drifting":
        for night in range(1, len(points)):
            points[night] += 0.5 * points[night - 1]
    if kind == "spikes":
        points = [point + chance.choice((0,) * 9 + (50,)) for point in points]
    for _ in range(chance.randint(0, 3)):
        place, height = chance.randrange(len(points)), chance.choice((-20, -3, -1, 0.5, 2, 8))
        points[place:] = [point + height for point in points[place:]]
    return [float(round(point)) for point in points] if kind == "whole" else points


@pytest.mark.parametrize("kind", ["normal", "drifting", "spikes", "whole"])
def test_they_are_those_of_ruptures(kind: str) -> None:
    import ruptures  # with SciPy; each worker would spend two seconds on it

    chance = random.Random(8293562)
    stepped_series = 0
    for _ in range(SERIES):
        points = series(kind, chance)
        penalty = chance.choice((0.3, 1.0, 2.0)) * math.log(len(points))
        search = ruptures.KernelCPD(kernel="rbf", min_size=4, params={"gamma": 0.1})
        expected = search.fit(np.array(points).reshape(-1, 1)).predict(pen=penalty)
        assert segment_ends(points, gamma=0.1, penalty=penalty, least_length=4) == expected
        stepped_series += len(expected) > 1
    assert stepped_series > SERIES / 4


def test_the_window_of_a_night_is_searched_in_milliseconds() -> None:
    points = [random.Random(night).gauss(0, 1) for night in range(WINDOW_RUNS)]
    start_s = time.process_time()
    segment_ends(points, gamma=0.1, penalty=math.log(WINDOW_RUNS), least_length=4)
    assert time.process_time() - start_s < MOST_CPU_S

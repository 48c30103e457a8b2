# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How often does something fail that fails by chance? Pure.

The interval of Clopper and Pearson (Biometrika 26, 1934): at least as wide as it says, whatever the
rate is.
"""

from collections.abc import Callable
from math import comb

_CONFIDENCE = 0.95
_HALVINGS = 50


def exact_interval(failures: int, runs: int) -> tuple[float, float]:
    """The lowest and the highest rate that `failures` in `runs` agree with, at 95 %."""
    tail = (1 - _CONFIDENCE) / 2
    low = 0.0 if failures == 0 else _root(lambda rate: _at_least(failures, runs, rate) > tail)
    high = 1.0 if failures == runs else _root(lambda rate: _at_most(failures, runs, rate) < tail)
    return low, high


def _at_least(failures: int, runs: int, rate: float) -> float:
    return 1 - _at_most(failures - 1, runs, rate)


def _at_most(failures: int, runs: int, rate: float) -> float:
    return sum(comb(runs, n) * rate**n * (1 - rate) ** (runs - n) for n in range(failures + 1))


def _root(is_above: Callable[[float], bool]) -> float:
    """The rate from which on a condition holds, by halving."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if is_above(middle) else (middle, high)
    return (low + high) / 2

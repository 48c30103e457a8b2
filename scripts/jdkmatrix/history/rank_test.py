# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Do two samples differ in level? The two-sided test of Mann and Whitney (1947). Pure."""

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence

# Up to this many values in one sample, and without ties, all orders are counted, as in SciPy.
_MOST_EXACT = 8


def rank_test(first: Sequence[float], second: Sequence[float]) -> float:
    """The probability that samples of one distribution differ at least as much as these two.

    Neither may be empty. With ties, or more than `_MOST_EXACT` values in both, it is the normal
    approximation, corrected for ties and for continuity.
    """
    ascending = sorted(second)
    # Pairs in which the first sample's value is greater; an equal pair is half of one.
    pairs = (
        sum(bisect_left(ascending, number) + bisect_right(ascending, number) for number in first)
        / 2
    )
    all_pairs = len(first) * len(second)
    greater = max(pairs, all_pairs - pairs)
    ties = [count for count in Counter([*first, *second]).values() if count > 1]
    if ties or min(len(first), len(second)) > _MOST_EXACT:
        return _approximate(greater, len(first), len(second), ties)
    return _exact(round(all_pairs - greater), len(first), len(second))


def _approximate(greater: float, first: int, second: int, ties: Sequence[int]) -> float:
    count = first + second
    tie_term = sum(size**3 - size for size in ties) / (count * (count - 1))
    variance = first * second / 12 * (count + 1 - tie_term)
    if variance <= 0:  # all values are equal
        return 1.0
    deviations = (greater - first * second / 2 - 0.5) / math.sqrt(variance)
    return min(1.0, math.erfc(deviations / math.sqrt(2)))


def _exact(fewest: int, first: int, second: int) -> float:
    """Twice the share of all orders of the values in which this few pairs, or fewer, are greater.

    The number of orders with n such pairs is the coefficient of q**n in the Gaussian binomial
    coefficient: the product of (1 - q**(larger + k)) / (1 - q**k), of which `fewest` terms suffice.
    """
    smaller, larger = sorted((first, second))
    orders = [1, *[0] * fewest]
    for k in range(1, smaller + 1):
        for n in range(fewest, larger + k - 1, -1):
            orders[n] -= orders[n - larger - k]
        for n in range(k, fewest + 1):
            orders[n] += orders[n - k]
    return min(1.0, 2 * sum(orders) / math.comb(first + second, first))

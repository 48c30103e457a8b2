# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where does a series step to another level? Pure.

The segments are those of least total cost. What one costs is how much its values differ by a
Gaussian kernel (Arlot, Celisse and Harchaoui 2019): a spike costs as much as any clearly different
value, however high it is. They are searched by PELT (Killick, Fearnhead and Eckley 2012), with the
kernel, the least length and the pruning of ruptures' KernelCPD.
"""

import math
from collections.abc import Sequence
from itertools import accumulate

# Values nearer than this (in the kernel's exponent) are as different as this, as in ruptures.
_LEAST_EXPONENT = 0.01


def segment_ends(
    points: Sequence[float], *, gamma: float, penalty: float, least_length: int
) -> list[int]:
    """Where the segments of a series end, the last at the series' end.

    The kernel of two values is exp(-gamma * difference**2), `penalty` is what each segment costs
    besides, `least_length` how many values it has. Takes time with the square of the length.
    """
    scale = math.sqrt(gamma)
    levels = [point * scale for point in points]
    self_kernel = math.exp(-_LEAST_EXPONENT)  # the kernel of a value and itself
    # Of the values up to each end: the least cost, and where the last segment begins then.
    costs, begins = [0.0], [0]
    # Of each begin: the kernel's sum over all pairs of values from there to the current end.
    sums: list[float] = []
    first = 0  # an earlier begin costs too much
    for end, level in enumerate(levels, 1):
        sums.append(0.0)
        differences = [level - earlier for earlier in reversed(levels[first:end])]
        kernels = [
            math.exp(-square) if (square := d * d) > _LEAST_EXPONENT else self_kernel
            for d in differences
        ]
        kernel_sums = list(accumulate(kernels))[::-1]
        sums[first:] = [
            s + 2 * a - self_kernel for s, a in zip(sums[first:], kernel_sums, strict=True)
        ]
        possible = [first, *range(max(first + 1, least_length), end - least_length + 1)]
        totals = [costs[b] + self_kernel * (end - b) - sums[b] / (end - b) for b in possible]
        minimum = min(totals)
        costs.append(minimum + penalty)
        begins.append(possible[totals.index(minimum)])
        first = next(b for b, t in zip(possible, totals, strict=True) if t < costs[end])
    ends = [len(points)]
    while begin := begins[ends[-1]]:
        ends.append(begin)
    return ends[::-1]

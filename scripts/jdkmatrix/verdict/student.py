# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How many standard errors has an interval to each side? The quantile of Student's t. Pure."""

import math

# Newton's steps double the number of exact digits; from 1e-8 on, the next is within rounding.
_CLOSE = 1e-8


def t_quantile(freedom: int, probability: float) -> float:
    """The t that is not exceeded with this probability, 0.5 or more but less than 1.

    `freedom` is the degrees of freedom, 1 or more. With t = tan(angle) * sqrt(freedom), the
    probability that |t| is less is a finite sum (Abramowitz and Stegun 26.7.3, 26.7.4). It is
    concave in the angle, so Newton's steps from 0 never go too far.
    """
    target = 2 * probability - 1
    # Its derivative is this times cos(angle) ** (freedom - 1).
    slope = 2 / math.sqrt(math.pi)
    slope *= math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2))
    angle = 0.0
    while True:
        lack = target - _probability_within(angle, freedom)
        step = lack / (slope * math.cos(angle) ** (freedom - 1))
        angle += step
        if step <= _CLOSE * angle:
            return math.tan(angle) * math.sqrt(freedom)


def _probability_within(angle: float, freedom: int) -> float:
    is_odd = freedom % 2
    term = math.sin(angle) * (math.cos(angle) if is_odd else 1)
    total = angle if is_odd else 0.0
    square = math.cos(angle) ** 2
    for n in range(2 + is_odd, freedom + 1, 2):
        total += term
        term *= square * (n - 1) / n
    return total * 2 / math.pi if is_odd else total

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is the quantile of Student's t the one that SciPy gives?"""

import math

import pytest

from jdkmatrix.verdict.student import t_quantile

PROBABILITIES = (0.6, 0.75, 0.9, 0.95, 0.975, 0.99, 0.995, 0.999, 0.9999)


@pytest.mark.parametrize("probability", PROBABILITIES)
def test_it_is_scipy_s_for_every_number_of_blocks(probability: float) -> None:
    from scipy import special  # only who runs this test spends the time

    for freedom in range(1, 1001):
        expected = float(special.stdtrit(freedom, probability))
        assert math.isclose(t_quantile(freedom, probability), expected, rel_tol=1e-10), freedom


@pytest.mark.parametrize("freedom", [1, 2, 3, 40, 1000])
def test_half_of_all_values_are_below_zero(freedom: int) -> None:
    assert t_quantile(freedom, 0.5) == 0
    # The density at 0; there SciPy's own quantile is off by 4e-4 for 4 degrees of freedom.
    density = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2))
    density /= math.sqrt(freedom * math.pi)
    assert t_quantile(freedom, 0.5 + 1e-7) == pytest.approx(1e-7 / density, rel=1e-8)

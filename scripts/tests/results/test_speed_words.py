# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The sentence on a throughput cell has its figures and bounds as they are."""

import pytest

from jdkmatrix.results.speed_words import reason_of
from tests.report.speed_kit import make_speed


@pytest.mark.parametrize(
    ("minimum_effect", "told"), [(0.05, "5%"), (0.015, "1.5%"), (0.125, "12.5%"), (1.5, "150%")]
)
def test_the_bound_is_the_one_that_was_used(minimum_effect: float, told: str) -> None:
    reason = reason_of(make_speed("slower", minimum_effect=minimum_effect))
    assert f"minimum effect {told})" in reason


def test_one_block_is_no_blocks() -> None:
    assert "(1 block, minimum effect" in reason_of(make_speed("inconclusive", blocks=1))

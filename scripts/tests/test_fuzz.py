# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The inputs of a test that fuzzes are counted."""

import pytest
from hypothesis import strategies

from tests.fuzz import fuzzed, inputs_of

INPUTS = 7


@fuzzed(INPUTS, number=strategies.integers())
def test_each_input_is_counted(number: int) -> None:
    assert isinstance(number, int)


def test_the_count_is_that_of_the_test(request: pytest.FixtureRequest) -> None:
    (item,) = (one for one in request.session.items if one.name == "test_each_input_is_counted")
    assert inputs_of(item) >= INPUTS

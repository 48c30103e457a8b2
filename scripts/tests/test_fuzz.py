# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The inputs of a test that fuzzes are counted, and so is what it takes."""

import gc
import os
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import strategies

from tests.fuzz import CLEAR_REFS, Memory, fuzz, inputs_of

INPUTS = 7


@fuzz(INPUTS, number=strategies.integers())
def test_each_input_is_counted(number: int) -> None:
    assert isinstance(number, int)


def test_the_count_is_that_of_the_test() -> None:
    item = cast(pytest.Item, SimpleNamespace(function=test_each_input_is_counted))
    count = inputs_of(item)
    test_each_input_is_counted()
    assert inputs_of(item) - count >= INPUTS


@fuzz(INPUTS, number=strategies.integers())
def test_an_input_pays_for_no_collection_of_what_was_kept_before(number: int) -> None:
    assert not gc.isenabled()


def test_what_is_kept_is_collected_between_inputs() -> None:
    test_an_input_pays_for_no_collection_of_what_was_kept_before()
    assert gc.isenabled()


@pytest.mark.skipif(
    not os.access(CLEAR_REFS, os.W_OK),
    reason="an environment that can not be made here: a /proc that can be written to",
)
def test_a_test_pays_for_the_memory_that_it_takes_itself() -> None:
    large = 64 << 20
    ballast = bytearray(large)
    memory = Memory()
    assert memory.taken_bytes() < large / 2
    bytearray(large)  # given back at once: the peak counts
    assert memory.taken_bytes() > large / 2
    assert len(ballast) == large

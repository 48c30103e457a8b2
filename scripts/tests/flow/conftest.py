# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What each run of these tests asks alike: which tests has the kit's own suite?"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from jdkmatrix.config.suite import find_tests
from jdkmatrix.plan import selected_tests
from tests.conftest import ROOT


@cache
def tests_of_the_kit() -> tuple[str, ...]:
    return find_tests(ROOT / "test")


@pytest.fixture(autouse=True, scope="module")
def suite_read_once() -> Iterator[None]:
    """Its 420 sources are read once: they took a fifth of the CPU time of these tests."""

    def find(suite: Path) -> tuple[str, ...]:
        return tests_of_the_kit() if suite == ROOT / "test" else find_tests(suite)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(selected_tests, "find_tests", find)
        yield

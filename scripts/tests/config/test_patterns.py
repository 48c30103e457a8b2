# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A regular expression that is none is refused, wherever it comes from, and never a traceback."""

import warnings

import pytest
from pydantic import ValidationError

from jdkmatrix.config.patterns import compile_pattern
from jdkmatrix.records.request import ProgramRequest


@pytest.mark.parametrize(
    "pattern",
    ["(", "a{" + "9" * 5_000 + "}", "a{9999999999999}", "(" * 3_000 + ")" * 3_000, "x" * 999 + "("],
    ids=["bracket", "digits", "count", "depth", "length"],
)
def test_what_is_none_is_one_line(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"not a regular expression: .*; accepted: Python's `re`$"):
        compile_pattern(pattern)
    with pytest.raises(ValidationError):
        ProgramRequest(fails_with=pattern)  # as a stored run of anybody's may have it


def test_a_pattern_of_which_python_warns_is_taken_in_silence() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compile_pattern("[[a]").search("[")

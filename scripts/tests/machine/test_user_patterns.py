# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A user's pattern is searched for as `re` does, and not for ever."""

import re
import time

import pytest

from jdkmatrix.machine.user_patterns import PatternSearches

ENDLESS = "a" * 1_000_000 + "b"


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("CR expected", "x\nCR expected\n"),
        ("CR expected", "CR\nexpected"),
        ("^b$", "a\nb\nc"),
        ("^b+$", "a\nbb\nc"),
        ("a.*c", "a\nc"),
        ("\udc80+", "x\udc80"),
        ("ü{2}", "süüß"),
        ("a\r+\nb", "a\r\nb"),
        (r"\+", "1 + 1"),
    ],
)
def test_it_answers_as_re_does(pattern: str, text: str) -> None:
    assert PatternSearches().has(pattern, text) == bool(re.search(pattern, text, re.MULTILINE))


def test_one_that_does_not_end_is_ended() -> None:
    """Also one that only takes the square of the length; and none is tried twice."""
    searches = PatternSearches(most_s=1)
    assert searches.has("(a+)+$", ENDLESS) is None
    assert searches.has("[ab]*a+$", ENDLESS) is None
    begin = time.monotonic()
    for length in range(100, 150):
        assert searches.has("(a+)+$", ENDLESS[length:]) is None
    assert time.monotonic() - begin < 5

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What could narrow a gap between two builds is named, and nothing where there is none."""

import pytest

from jdkmatrix.bisect.conclusion import narrowing
from jdkmatrix.config import version

AT_HAND = "; --jdk DIR adds local builds"
GAPS = [
    (
        "17.0.3+7",
        "17.0.7+7",
        "releases 17.0.4 to 17.0.6 (scripts/matrix jdks add temurin 17.0.5), and builds of 17.0.7",
    ),
    ("17.0.3+7", "17.0.7+1", "releases 17.0.4 to 17.0.6 (scripts/matrix jdks add temurin 17.0.5)"),
    (
        "21.0.4+7",
        "21.0.6",
        "release 21.0.5 (scripts/matrix jdks add temurin 21.0.5), and",
    ),
    ("17.0.2+8", "17.0.3+7", "only builds of 17.0.3"),
    ("25+36", "25.0.1+8", "only builds of 25.0.1"),
    ("28-ea+3", "28-ea+18", "builds of one release"),
    ("21.0.13+9", "21.0.13.1+2", "builds of one release"),
    (
        "8u412-b08",
        "8u504-ga",
        "releases of 8u (scripts/matrix jdks add temurin VERSION), and",
    ),
]


@pytest.mark.parametrize(("older", "newer", "choices"), GAPS)
def test_what_lies_between(older: str, newer: str, choices: str) -> None:
    text = narrowing(version.parse(older), version.parse(newer))
    assert text
    assert text.startswith(f"between {older} and {newer}: {choices}")
    assert text.endswith(AT_HAND)


@pytest.mark.parametrize(("older", "newer"), [("28-ea+17", "28-ea+18"), ("17.0.6+9", "17.0.7+1")])
def test_neighbours_leave_nothing_to_narrow(older: str, newer: str) -> None:
    assert narrowing(version.parse(older), version.parse(newer)) is None

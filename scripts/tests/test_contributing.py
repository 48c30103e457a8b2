# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""CONTRIBUTING.md names places and commands that there are."""

import re
from pathlib import Path

import pytest

# Where a row's paths begin: most rows leave away what all have in common.
ROOTS = ("", "scripts", "scripts/jdkmatrix", "scripts/jdkmatrix/report", "test")
# A pattern, a command's own word, or a variable: no place.
NO_PLACE = re.compile(r"[<>*=]|^(?:-|@)|^[A-Z_]+(?:\.\.\.)?$")


def places(text: str) -> list[str]:
    """Those in the table's second column."""
    rows = re.findall(r"^\| [^|]+ \| (.+) \|$", text, re.MULTILINE)[1:]
    return [
        word
        for row in rows
        for code in re.findall(r"`([^`]+)`", row)
        for word in code.split()
        if ("/" in word or "." in word) and not NO_PLACE.search(word)
    ]


def missing(words: list[str], root: Path) -> list[str]:
    """Those that are nowhere in the checkout."""
    return [word for word in words if not any((root / place / word).exists() for place in ROOTS)]


def test_each_place_is_there(root: Path) -> None:
    names = places((root / "CONTRIBUTING.md").read_text())
    assert len(names) > 30
    assert missing(names, root) == []


@pytest.mark.parametrize("absent_path", ["scripts/jdkmatrix/gone/", "tests/cli/test_gone.py"])
def test_one_that_is_gone_is_named(absent_path: str, root: Path) -> None:
    table = "| to add | touch |\n| --- | --- |\n"
    assert missing(places(f"{table}| a thing | `{absent_path}` and `jdks.yaml` |\n"), root) == [
        absent_path
    ]

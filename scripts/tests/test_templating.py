# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Control characters of a test's text in what the kit writes as text."""

from pathlib import Path

import pytest
from hypothesis.strategies import text

from jdkmatrix.templating import templates, without_controls
from tests.fuzz import fuzzed


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[2J", "\\x1b[2J"),
        ("a\rb\x9b", "a\\rb\\x9b"),
        ("\u202eabc", "\\u202eabc"),
        ("two\nlines\tof größe ✓", "two\nlines\tof größe ✓"),
    ],
)
def test_a_template_of_text_shows_control_characters(
    tmp_path: Path, hostile: str, shown: str
) -> None:
    (tmp_path / "one.md.j2").write_text("| {{ reason }} |")
    template = templates(tmp_path, is_html=False).get_template("one.md.j2")
    assert template.render(reason=hostile) == f"| {shown} |"


@fuzzed(200, hostile=text())
def test_no_control_character_is_left(hostile: str) -> None:
    left = without_controls(hostile)
    assert not [c for c in left if c < " " and c not in "\n\t"]
    assert not [c for c in left if "\x7f" <= c <= "\x9f"]
    assert without_controls(left) == left

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Control characters of a test's text in what the kit writes as text."""

from pathlib import Path

import pytest
from hypothesis.strategies import text

from jdkmatrix.templating import code, fence_text, jira, show_in_form, show_in_jira, templates
from jdkmatrix.texts import plain, without_controls
from tests.fuzz import fuzz


@pytest.mark.parametrize(
    ("hostile", "literal"),
    [
        ("\x1b[2J", r"\\x1b\[2J"),
        ("a\rb\x9b", r"a\\rb\\x9b"),
        ("\u202eabc", r"\\u202eabc"),
        ("two\nlines\tof größe ✓", "two lines of größe ✓"),
        (
            "A.<init> took worst_request_ms",
            r"A.\<init> took worst_request_ms",
        ),
        ("Socket.read < A.close", "Socket.read < A.close"),
        ("> x", r"\> x"),
        # GFM 0.29, section 6.9: bare links, addresses; GitHub's mentions, which no backslash ends.
        ("at https://x.y/z", r"at https\://x.y/z"),
        ("Www.x.y", r"Www\.x.y"),
        ("ask @somebody or a@b.example", "ask @&#8288;somebody or a@&#8288;b.example"),
        ("Thread@1f32e575 (http: no)", "Thread@1f32e575 (http: no)"),
        ("# x", r"\# x"),
        ("1. x | _y_", r"1\. x \| \_y\_"),
        ("-x 17.0.3+7, 4 of 5 & more", "-x 17.0.3+7, 4 of 5 & more"),
        ("&lt;", r"\&lt;"),
    ],
)
def test_a_text_is_shown_as_it_is_by_markdown(tmp_path: Path, hostile: str, literal: str) -> None:
    (tmp_path / "one.md.j2").write_text("| {{ reason }} |")
    template = templates(tmp_path, is_html=False).get_template("one.md.j2")
    assert template.render(reason=hostile) == f"| {literal} |"


@pytest.mark.parametrize(
    ("hostile", "literal"),
    [
        ("A$B.deplete() took worst_request_ms", "A$B.deplete() took worst_request_ms"),
        ("java 17.0.3+7, 4 of 5 & more", "java 17.0.3+7, 4 of 5 & more"),
        ("A.<init> {x} [y] ~z~ a|b", r"A.<init> \{x} \[y] \~z\~ a\|b"),
        ("*x* _y_ -z- --build", r"\*x\* \_y\_ \-z\- \-\-build"),
        ("a\\\\b &lt; https://x :)", r"a&#92;&#92;b &#38;lt; https&#58;//x :\)"),
        ("- x", r"\- x"),
        ("# x", "&#35; x"),
        ("h1. x", "h&#8288;1. x"),
        ("two\nlines\u202e", r"two lines&#92;u202e"),
    ],
)
def test_a_text_is_shown_as_it_is_by_jira(tmp_path: Path, hostile: str, literal: str) -> None:
    (tmp_path / "one.txt.j2").write_text("{{ reason }}")
    template = templates(tmp_path, is_html=False, escape=jira).get_template("one.txt.j2")
    assert template.render(reason=hostile) == literal


@pytest.mark.parametrize("end", ["{noformat}", "{NoFormat:x}"])
def test_no_text_ends_its_own_block(end: str) -> None:
    assert show_in_jira(f"a\n{end}\nb").count("{noformat}") == 2
    assert end.lower() not in show_in_jira(end).lower()[11:-11]
    assert show_in_form("a\n=== Frequency ===") == "a\n === Frequency ==="


@fuzz(200, hostile=text())
def test_no_control_character_is_left(hostile: str) -> None:
    text = without_controls(hostile)
    assert not [c for c in text if c < " " and c not in "\n\t"]
    assert not [c for c in text if "\x7f" <= c <= "\x9f"]
    assert without_controls(text) == text


@pytest.mark.parametrize(
    ("hostile", "literal"),
    [
        ("\n::stop-commands::x", "\n\\x3a:stop-commands::x"),
        (" \t::error::x", " \t\\x3a:error::x"),
        ("a ##[error]x ##vso[task]", "a \\x23#[error]x \\x23#vso[task]"),
        ("Class::method, ## of", "Class::method, ## of"),
    ],
)
def test_no_line_is_a_command_of_a_ci_server(hostile: str, literal: str) -> None:
    assert plain(hostile) == literal


def test_code_ends_where_its_text_does() -> None:
    assert code("a `b` |") == "``a `b` |``"
    assert code("`|`", in_table=True) == r"`` `\|` ``"
    assert fence_text("a\n```\nb") == "````\na\n```\nb\n````"

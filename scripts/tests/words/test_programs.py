# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What a program lacks that breaks in the same way on every build."""

import pytest

from jdkmatrix.results.programs import ProgramGroup
from jdkmatrix.verdict.program_groups import Form
from jdkmatrix.words.programs import sentences_of, want_of


def group_of(*lines: str, ending: str = "exit code 1") -> ProgramGroup:
    return ProgramGroup(
        group="A", builds=("a",), ending=ending, lines=lines, sentence="", variations=None
    )


@pytest.mark.parametrize(
    ("exception", "want"),
    [
        ("java.lang.ArrayIndexOutOfBoundsException: Index 0", "arguments: they come after `--`"),
        ("java.lang.ArrayIndexOutOfBoundsException: 0", "arguments: they come after `--`"),
        ("java.util.NoSuchElementException: No line", "its input, which is empty here"),
        ("java.awt.HeadlessException: ", "a display, and gets none"),
    ],
)
def test_it_is_told_what_it_may_lack(exception: str, want: str) -> None:
    line = f'Exception in thread "main" {exception}'
    assert want in want_of(group_of("begins", line))
    assert want_of(group_of(line, ending="exit code 0")) == ""
    assert want_of(group_of(f"prints {line}")) == ""


def test_nothing_is_guessed() -> None:
    assert want_of(group_of('Exception in thread "main" java.net.SocketException: reset')) == ""
    assert want_of(group_of()) == ""


def test_groups_that_are_alike_at_first_are_told_apart_further_on() -> None:
    texts = (("x", "c", "e"), ("a", "c", "e"), ("a", "d", "e"), ("a", "d", "f"), ("a", "d"))
    forms = [Form(("exit code 0",), lines, ()) for lines in texts]
    assert sentences_of(forms) == [
        "prints `x`",
        "prints `c`",
        "prints `e`",
        "prints `f`",
        "ends with exit code 0",
    ]

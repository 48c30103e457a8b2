# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Builds that say the same are one group; what differs from run to run is no difference."""

import pytest

from jdkmatrix.verdict.program_groups import (
    Form,
    Reply,
    Stretch,
    first_difference,
    form_of,
    groups_of,
    letter_of,
    stretches,
)


def reply(*lines: str, ending: str = "exit code 0") -> Reply:
    return Reply(ending, lines)


def groups(**replies: list[Reply]) -> list[tuple[str, ...]]:
    forms = {build: form_of(of_build) for build, of_build in replies.items()}
    return [group.builds for group in groups_of(forms)]


@pytest.mark.parametrize(
    "first, second",
    [
        (reply("chain of 8"), reply("chain of 9")),
        (reply("HTTP/1.1 200"), reply("HTTP/1.1 500")),
        (reply("a", "X-A: b"), reply("a")),
        (reply("a"), reply("a", ending="exit code 1")),
    ],
)
def test_one_digit_header_or_status_makes_two_groups(first: Reply, second: Reply) -> None:
    assert groups(a=[first], b=[second], c=[first]) == [("a", "c"), ("b",)]


def test_what_varies_on_each_build_makes_none() -> None:
    a = [reply("port 4711", "ok"), reply("port 4712", "ok")]
    b = [reply("port 4713", "ok"), reply("port 4714", "ok")]
    assert groups(a=a, b=b) == [("a", "b")]
    assert form_of(a).replies[0].lines == ("port …", "ok")
    assert form_of(a).variations == ("port 4711", "port 4712")


def test_what_differs_beside_it_still_does() -> None:
    a = [reply("port 1 status 200"), reply("port 2 status 200")]
    b = [reply("port 3 status 404"), reply("port 4 status 404")]
    assert groups(a=a, b=b) == [("a",), ("b",)]


def test_what_varies_on_some_builds_alone_is_a_difference() -> None:
    assert groups(a=[reply("200"), reply("200")], b=[reply("200"), reply("500")]) == [
        ("a",),
        ("b",),
    ]


def test_answers_without_a_common_shape_are_one_group_of_builds() -> None:
    a = [reply("x"), reply("x y", "z")]
    b = [reply(), reply("u v w")]
    assert groups(a=a, b=b, c=[reply("x")]) == [("a", "b"), ("c",)]


def test_the_first_difference() -> None:
    forms = [Form((reply("a", "b"),)), Form((reply("a", "c"),)), Form((reply("a"),))]
    assert first_difference(forms) == ("b", "c", None)
    assert first_difference(forms[:1]) is None
    assert first_difference([Form((reply("a"),)), Form((reply("a", ending="x"),))]) is None


def test_a_release_line_is_cut_where_the_group_changes() -> None:
    forms = {name: form_of([reply(text)]) for name, text in zip("abcd", "1121", strict=True)}
    assert list(stretches("abcd", groups_of(forms))) == [
        Stretch("A", "a", "b", ("a", "b")),
        Stretch("B", "c", "c", ("c",)),
        Stretch("A", "d", "d", ("d",)),
    ]


def test_letters_do_not_run_out() -> None:
    assert [letter_of(n) for n in (0, 25, 26, 52)] == ["A", "Z", "A1", "A2"]

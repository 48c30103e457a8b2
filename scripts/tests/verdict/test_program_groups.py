# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Builds that say the same are one group; what differs from run to run is no difference."""

import random

import pytest

from jdkmatrix.verdict.program_groups import (
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
    assert form_of(a).lines == ("port …", "ok")
    assert form_of(a).variations == ("port 4711", "port 4712")


def test_what_differs_beside_it_still_does() -> None:
    a = [reply("port 1 status 200"), reply("port 2 status 200")]
    b = [reply("port 3 status 404"), reply("port 4 status 404")]
    assert groups(a=a, b=b) == [("a",), ("b",)]


def test_what_some_builds_say_now_and_then_is_no_difference() -> None:
    a, b = [reply("200")] * 5, [reply("200")] * 4 + [reply("500")]
    forms = {"a": form_of(a), "b": form_of(b), "c": form_of([reply("404")] * 5)}
    like_a, like_c = groups_of(forms)
    assert like_a.builds == ("a", "b") and like_a.varying == ("b",)
    assert like_a.variations == ("200", "500") and like_a.form.lines == ("200",)
    assert like_c.builds == ("c",) and like_c.variations is None


def test_it_is_one_in_many_runs_or_if_it_never_says_that() -> None:
    replies_of_b = [reply("200")] * 8 + [reply("500")] * 12
    assert groups(a=[reply("200")] * 20, b=replies_of_b) == [("a",), ("b",)]
    assert groups(a=[reply("404")] * 5, b=[reply("200"), reply("500")]) == [("a",), ("b",)]


def test_a_build_that_varies_is_taken_for_what_it_mostly_says() -> None:
    a, b, c = [reply("200")] * 5, [reply("500")] * 5, [reply("500")] * 4 + [reply("200")]
    assert groups(a=a, b=b, c=c) == [("a",), ("b", "c")]


def test_another_line_of_builds_that_vary_still_differs() -> None:
    """A race in the one, a status in the other: as LongChain of the reports that were seen."""
    race = ["broken pipe", "received fatal alert: x"]
    a = [reply(race[n % 2], "chain of 9: ok") for n in range(5)]
    b = [reply(race[0], "chain of 9: too long")] * 5
    c = [reply(race[0], "chain of 9: ok")] * 5
    forms = {"a": form_of(a), "b": form_of(b), "c": form_of(c)}
    assert [group.builds for group in groups_of(forms)] == [("a", "c"), ("b",)]
    assert form_of(a).lines == ("…", "chain of 9: ok")
    firm = first_difference([forms["a"].lines, forms["b"].lines])
    assert firm == ("chain of 9: ok", "chain of 9: too long")


def test_a_line_more_or_less_leaves_the_others_as_they_are() -> None:
    form = form_of([reply("begin", "tick", "end 1"), reply("begin", "tick", "tick", "end 2")])
    assert form.lines == ("begin", "tick", "…")
    assert form_of([reply("a", "c"), reply("a", "b", "c")]).lines == ("a", "…", "c")


def test_what_follows_very_many_lines_is_compared_as_a_whole() -> None:
    """Aligned, 20,000 lines of 110 kinds took 2 s for each run."""
    many = tuple(f"line {n % 110}" for n in range(2_000))
    same_ends = form_of([reply("a", *many), reply("b", *many)])
    assert same_ends.lines == ("…", *many)
    assert form_of([reply(*many, "a", "x"), reply(*many, "b", "x")]).lines == (*many, "…")


def test_answers_without_a_common_shape_are_one_group_of_builds() -> None:
    a = [reply("x"), reply("x y", "z")]
    b = [reply(), reply("u v w")]
    assert groups(a=a, b=b, c=[reply("q")]) == [("a", "b"), ("c",)]


@pytest.mark.parametrize("rate, runs", [(0.2, 5), (0.1, 20), (0.5, 20)])
def test_a_race_on_each_build_rarely_makes_groups(rate: float, runs: int) -> None:
    draw = random.Random(1)
    wrong_count = 0
    for _ in range(100):
        texts = {
            f"b{n}": [reply("x y" if draw.random() < rate else "z") for _ in range(runs)]
            for n in range(12)
        }
        wrong_count += len(groups(**texts)) > 1
    assert wrong_count <= 100 * 0.05


def test_the_first_difference() -> None:
    assert first_difference([("a", "b"), ("a", "c"), ("a",)]) == ("b", "c", None)
    assert first_difference([("a",)]) is None
    assert first_difference([("…", "b"), ("x", "c")]) == ("b", "c")
    assert first_difference([("…", "b"), ("x", "b")]) == ("…", "x")


def test_a_release_line_is_cut_where_the_group_changes() -> None:
    forms = {name: form_of([reply(text)]) for name, text in zip("abcd", "1121", strict=True)}
    assert list(stretches("abcd", groups_of(forms))) == [
        Stretch("A", "a", "b", ("a", "b")),
        Stretch("B", "c", "c", ("c",)),
        Stretch("A", "d", "d", ("d",)),
    ]


def test_letters_do_not_run_out() -> None:
    assert [letter_of(n) for n in (0, 25, 26, 52)] == ["A", "Z", "A1", "A2"]

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a known change seen in what a single build does, and nothing said where it can't be?"""

from typing import Any

import pytest

from jdkmatrix.config.known_changes import KnownChange
from jdkmatrix.verdict.change_presence import is_changed, signs_in_defaults, signs_in_rows


def change(**kinds: Any) -> KnownChange:
    return KnownChange.model_validate(
        {"bug": "JDK-8000000", "title": "x", "since": {17: "17.0.12+7"}, **kinds}
    )


def pattern(kind: str, **texts: str) -> dict[str, str]:
    return {"aspect": "algorithms", "item": "TLS_RSA_*", "kind": kind, **texts}


ASPECTS = {"algorithms": {"RC4": "", "TLS_RSA_*": ""}, "property": {"TLS_RSA_size": "10"}}
LACKING = {"algorithms": {"RC4": ""}}


@pytest.mark.parametrize(
    ("kind", "aspects", "answer"),
    [
        ("added", ASPECTS, True),
        ("added", LACKING, False),
        ("removed", ASPECTS, False),
        ("removed", LACKING, True),
        ("added", {}, None),  # the aspect is not known of this build
    ],
)
def test_an_item_that_is_there_or_not(
    kind: str, aspects: dict[str, dict[str, str]], answer: bool | None
) -> None:
    assert is_changed(signs_in_defaults(change(changes=[pattern(kind)]), aspects)) is answer


@pytest.mark.parametrize(
    ("older", "newer", "answer"),
    [("5", "10", True), ("10", "20", False), ("5", "20", None), ("1*", "10", None)],
)
def test_an_item_whose_value_is_the_older_or_the_newer_one(
    older: str, newer: str, answer: bool | None
) -> None:
    entry = {"aspect": "property", "item": "*", "kind": "changed", "from": older, "to": newer}
    assert is_changed(signs_in_defaults(change(changes=[entry]), ASPECTS)) is answer


def test_signs_that_contradict_each_other_are_no_answer() -> None:
    known_change = change(changes=[pattern("added"), pattern("removed")])
    signs = signs_in_defaults(known_change, ASPECTS)
    assert [sign.is_changed for sign in signs] == [True, False]
    assert is_changed(signs) is None


@pytest.mark.parametrize(
    ("texts", "answer"),
    [
        ({"limit.get.a": "refused"}, True),
        ({"limit.get.a": "200 ok"}, False),
        ({"limit.get.a": "refused", "limit.get.b": "200 ok"}, None),
        ({"limit.get.a": "no answer"}, None),  # neither of both
        ({"reuse.get": "refused"}, None),  # another row
        ({}, None),
    ],
)
def test_rows_with_the_older_or_the_newer_text(texts: dict[str, str], answer: bool | None) -> None:
    rows = change(behaviour=[{"rows": ["limit.*"], "from": "200 *", "to": "refused*"}])
    assert is_changed(signs_in_rows(rows, texts)) is answer


@pytest.mark.parametrize(("side", "answer"), [("from", True), ("to", False)])
def test_of_rows_with_one_text_given_any_other_is_the_other_side(side: str, answer: bool) -> None:
    rows = change(behaviour=[{"rows": ["limit.*"], side: "200 *"}])
    (sign,) = signs_in_rows(rows, {"limit.get.a": "refused"})
    assert sign.is_changed is answer
    assert sign.state == "limit.get.a: refused"


def test_of_many_items_the_first_are_shown() -> None:
    aspects = {"algorithms": {f"TLS_RSA_{n}": "" for n in range(9)}}
    (sign,) = signs_in_defaults(change(changes=[pattern("added")]), aspects)
    assert sign.state.endswith("TLS_RSA_4 and 4 more")

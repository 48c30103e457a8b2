# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is one change, what is none, and which rules does a build break?"""

from collections.abc import Mapping

import pytest

from jdkmatrix.config import version
from jdkmatrix.config.accepted_changes import AcceptedChange
from jdkmatrix.config.behaviour import AbsoluteRule, Behaviour, KnownBreach, RowMask
from jdkmatrix.config.known_changes import KnownChange, VendorVersion
from jdkmatrix.verdict.behaviour import (
    BehaviourDifference,
    ChangeRules,
    RowAttempts,
    Rows,
    Sight,
    breaches,
    changed_rows,
    difference,
)
from jdkmatrix.verdict.edits import Edit, edit_of
from jdkmatrix.vocabulary import ObservationStatus
from jdkmatrix.words.behaviour import change_text, difference_lines

SEEN, ABSENT, HANGS = (
    ObservationStatus.SEEN,
    ObservationStatus.ABSENT,
    ObservationStatus.HANGS,
)
OLD, NEW = (
    VendorVersion(version.parse("17.0.12+7"), "x"),
    VendorVersion(version.parse("17.0.19+10"), "x"),
)
ALERT = RowMask(
    id="alert",
    name="alert",
    pattern=r"\(\w+\) ",
    replacement="",
    hides={"(a) b": "b"},
    keeps=("a",),
)
BEHAVIOUR = Behaviour(masks=(ALERT,))


def rows(texts: Mapping[str, str | tuple[str, ...]]) -> Rows:
    """Gold rows with these texts; of `-` the build lacks what the row is about."""
    return {
        row: RowAttempts(
            tuple(
                Sight(ABSENT if text == "-" else SEEN, text)
                for text in ((of_row,) if isinstance(of_row, str) else of_row)
            ),
            is_gold=True,
        )
        for row, of_row in texts.items()
    }


def compare(
    older: Mapping[str, str | tuple[str, ...]],
    newer: Mapping[str, str | tuple[str, ...]],
    *known_changes: KnownChange,
    acceptances: tuple[AcceptedChange, ...] = (),
) -> BehaviourDifference:
    return difference(
        rows(older),
        rows(newer),
        (OLD, NEW),
        ChangeRules(BEHAVIOUR, known_changes, acceptances),
    )


@pytest.mark.parametrize(
    ("older", "newer", "edit"),
    [
        ("GET /a | Accept: x | Host: h", "GET /a | Accept: y | Host: h", Edit("x", "y")),
        ("POST /b | Accept: x | Host: h", "POST /b | Accept: y | Host: h", Edit("x", "y")),
        ("GET | A: x || GET | A: x", "GET | A: y || GET | A: y", Edit("x", "y")),
        ("200 abc", "ProtocolException: CR expected", Edit("*", "ProtocolException: CR expected")),
        ("IOException: x", "200 abc", Edit("IOException: x", "*")),
        ("one two", "three four five", Edit("one two", "three four five")),
    ],
)
def test_edits(older: str, newer: str, edit: Edit) -> None:
    assert edit_of(older, newer) == edit


def test_the_same_is_no_change() -> None:
    delta = compare({"a.b": "x", "a.c": "y"}, {"a.b": "x", "a.c": "y"})
    assert (delta.clusters, delta.masked_changes, delta.compared_count) == ((), (), 2)


def test_rows_with_one_edit_are_one_cluster() -> None:
    old = {f"sent.{n}": f"{n} | Accept: x | h" for n in ("GET", "PUT", "POST")} | {"b.b": "200 y"}
    new = {f"sent.{n}": f"{n} | Accept: y | h" for n in ("GET", "PUT", "POST")} | {"b.b": "404 y"}
    clusters = compare(old, new).clusters
    assert [cluster.rows for cluster in clusters] == [
        ("sent.GET", "sent.PUT", "sent.POST"),
        ("b.b",),
    ]
    assert all(cluster.is_open and cluster.has_gold for cluster in clusters)


def test_a_change_under_a_mask_is_a_line() -> None:
    delta = compare({"a.b": "X: none", "a.c": "p"}, {"a.b": "X: (alert) none", "a.c": "q"})
    (masked_change,) = delta.masked_changes
    assert (masked_change.masks, masked_change.rows) == (("alert",), ("a.b",))
    assert delta.changed_rows == ("a.c",)
    assert "masked: 1 row: alert" in difference_lines(delta)


def test_a_row_that_differs_from_itself_flickers() -> None:
    delta = compare({"a.b": ("x", "y"), "a.c": "p"}, {"a.b": ("y", "y"), "a.c": ("q", "q")})
    assert (delta.flickering, delta.changed_rows) == (("a.b",), ("a.c",))


def test_what_one_build_lacks_is_absent_and_not_changed() -> None:
    delta = compare({"a.b": "x", "a.c": "-", "a.d": "-"}, {"a.b": "-", "a.c": "y", "a.d": "-"})
    assert (delta.absent, delta.clusters) == (("a.b", "a.c"), ())


def change(**changes: object) -> KnownChange:
    whole = {"title": "t", "since": {17: "17.0.12+7..17.0.19+10"}, "bug": "JDK-8000000"}
    return KnownChange.model_validate(whole | changes)


def test_a_known_change_explains_its_rows_in_its_direction() -> None:
    pattern = {"rows": ["sent.*"], "from": "*x", "to": "*y"}
    delta = compare({"sent.a": "1 x"}, {"sent.a": "1 y"}, change(behaviour=[pattern]))
    assert [(c.name, c.is_explained) for c in delta.clusters] == [("JDK-8000000", True)]
    for texts in (("1 y", "1 x"), ("1 x", "1 z")):
        delta = compare({"sent.a": texts[0]}, {"sent.a": texts[1]}, change(behaviour=[pattern]))
        assert [c.is_open for c in delta.clusters] == [True]
    of_other_builds = change(behaviour=[pattern], since={17: "17.0.20.1+1"})
    assert compare({"sent.a": "1 x"}, {"sent.a": "1 y"}, of_other_builds).clusters[0].is_open


def test_an_unreported_change_has_a_name_and_no_excuse() -> None:
    for bug, name in ((None, "unreported"), ("KIT-1", "KIT-1")):
        of_nobody = change(bug=bug, unreported=True, behaviour=[{"rows": ["*"]}])
        (cluster,) = compare({"a.b": "x"}, {"a.b": "y"}, of_nobody).clusters
        assert (cluster.name, cluster.title, cluster.is_open) == (name, "t", True)


def test_who_accepted_a_change_is_named() -> None:
    acceptance = AcceptedChange.model_validate(
        {"id": "i", "rows": ["a.*"], "build": "b", "by": "A. Engineer", "reason": "wanted"}
    )
    first, second = compare(
        {"a.b": "x", "b.b": "x"}, {"a.b": "y", "b.b": "y"}, acceptances=(acceptance,)
    ).clusters
    assert (first.rows, first.is_open) == (("b.b",), True)
    assert (second.accepted_by, second.accepted_for, second.is_open) == (
        "A. Engineer",
        "wanted",
        False,
    )


def test_changed_rows_are_asked_again() -> None:
    old, new = rows({"a.b": "x", "a.c": "X: n"}), rows({"a.b": "y", "a.c": "X: (a) n", "a.d": "z"})
    assert changed_rows(old, new, BEHAVIOUR.masks) == ("a.b",)


HANG = AbsoluteRule(name="hangs", sentence="it hangs", status=HANGS)


def hanging(*row_ids: str) -> Rows:
    return {row: RowAttempts((Sight(HANGS, "hangs in X.y"),)) for row in row_ids}


def test_a_rule_is_broken_on_one_build_alone() -> None:
    behaviour = Behaviour(rules=(HANG,))
    (breach,) = breaches(hanging("a.b", "a.c"), NEW.version, behaviour)
    assert (breach.rule, breach.rows, breach.name) == ("hangs", ("a.b", "a.c"), None)
    (breach,) = breaches(hanging("a.b", "a.c"), NEW.version, behaviour, hanging("a.b"))
    assert breach.rows == ("a.c",)
    unsteady_rows = {"a.b": RowAttempts((Sight(HANGS, "hangs"), Sight(SEEN, "x")))}
    assert breaches(unsteady_rows, NEW.version, behaviour) == ()


def test_a_known_breach_has_its_name() -> None:
    entry = KnownBreach(rows=("a.*",), unreported=True, title="t")
    rule = HANG.model_copy(update={"known_breaches": (entry,)})
    first, second = breaches(hanging("a.b", "b.b"), NEW.version, Behaviour(rules=(rule,)))
    assert (first.rows, first.name) == (("b.b",), None)
    assert (second.rows, second.name, second.title) == (("a.b",), "unreported", "t")


def test_long_texts_are_cut_around_their_difference() -> None:
    text = change_text("x" * 500 + "old", "x" * 500 + "new")
    assert text.endswith("xxold -> ..." + "x" * 12 + "new") and len(text) < 60

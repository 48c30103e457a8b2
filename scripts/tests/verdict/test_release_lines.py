# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is it seen what came to several release lines at once, and which line lacks it?"""

from dataclasses import replace

import pytest

from jdkmatrix.config import version
from jdkmatrix.config.behaviour import Behaviour
from jdkmatrix.config.known_changes import KnownChange, VendorVersion
from jdkmatrix.verdict.behaviour import RowAttempts, Sight
from jdkmatrix.verdict.release_lines import (
    LineBuild,
    compare_updates,
    find_common_changes,
    what_lacks,
)
from jdkmatrix.vocabulary import ObservationStatus
from jdkmatrix.words.behaviour import common_change_lines, lines_of_change
from tests.docs.behaviour_page import find_undone, why_unexplained

KNOWN = KnownChange.model_validate(
    {
        "bug": "JDK-1234567",
        "title": "Trailers",
        "since": {17: "17.0.20+1..17.0.21.1+1", 21: "21.0.8+9..21.0.13.1+1"},
        "behaviour": [{"rows": ["a.*"], "from": "200*", "to": "CR*"}],
    }
)


def build(text: str, row: str, vendor: str = "v", **rows: str) -> LineBuild:
    texts = {"a.b": row, **rows}
    attempts = {
        name: RowAttempts((Sight(ObservationStatus.SEEN, text),), is_gold=True)
        for name, text in texts.items()
    }
    return LineBuild(f"{vendor}-{text}", VendorVersion(version.parse(text), vendor), attempts)


LINES = [
    build("25.0.5.1+2", "CR expected"),
    build("17.0.20+1", "200 'ok'"),
    build("17.0.21.1+1", "CR expected"),
    build("21.0.8+9", "200 'ok'"),
    build("21.0.13.1+1", "CR expected"),
    build("25.0.4+1", "200 'ok'"),
    build("26.0.2.1+1", "200 'ok'"),
]


@pytest.mark.parametrize("known_changes", [(), (KNOWN,)])
def test_what_came_to_several_lines_is_one_change(known_changes: tuple[KnownChange, ...]) -> None:
    updates = compare_updates(LINES, Behaviour(), known_changes)
    changes = find_common_changes(updates, Behaviour())
    expected = "17.0.21.1, 21.0.13.1, 25.0.5.1: not 26.0.2.1"
    if known_changes:  # in 25 nothing explains it
        expected = "17.0.21.1, 21.0.13.1: not 26.0.2.1"
    assert [lines_of_change(change) for change in changes] == [expected]
    (line,) = common_change_lines(changes)
    assert line.startswith(f"{expected}: {'JDK-1234567: Trailers' if known_changes else 'unexp'}")


def test_a_line_of_one_build_is_compared_with_the_newest_of_the_line_before() -> None:
    pairs = [(u.older.name, u.newer.name) for u in compare_updates(LINES, Behaviour(), ())]
    assert pairs == [
        ("v-17.0.20+1", "v-17.0.21.1+1"),
        ("v-21.0.8+9", "v-21.0.13.1+1"),
        ("v-25.0.4+1", "v-25.0.5.1+2"),
        ("v-25.0.5.1+2", "v-26.0.2.1+1"),
    ]


def test_builds_of_other_images_are_no_neighbours() -> None:
    image = {"lacks": "curves (jdk.crypto.ec)", "row": "c.d", "pattern": "needs curves"}
    behaviour = Behaviour.model_validate({"images": [image]})
    lacking = {"c.d": "X: needs curves"}
    lines = [
        build("11.0.2+7", "x", **lacking),
        build("11.0.3+7", "x", **{"c.d": "alert 47"}),
        build("11.0.5+10", "y", **lacking),
        build("11.0.7+10", "y"),
        build("12.0.2+10", "y", **lacking),
    ]
    pairs = [(u.older.name, u.newer.name) for u in compare_updates(lines, behaviour, ())]
    assert pairs == [
        ("v-11.0.2+7", "v-11.0.5+10"),
        ("v-11.0.3+7", "v-11.0.7+10"),
        ("v-11.0.5+10", "v-12.0.2+10"),
    ]
    assert what_lacks(lines[0], behaviour) == ("curves (jdk.crypto.ec)",)
    assert len(compare_updates(lines, Behaviour(), ())) == 4


def test_what_came_to_one_line_is_none() -> None:
    updates = compare_updates(LINES[1:4], Behaviour(), ())
    assert [len(update.delta.clusters) for update in updates] == [1, 1]  # 21.0.8 lacks it again
    assert find_common_changes(updates, Behaviour()) == ()


@pytest.mark.parametrize(
    ("text", "names"), [("200 'ok'", 1), ("CR expected", 0), ("another", 0), (None, 0)]
)
def test_a_line_lacks_it_that_does_as_before(text: str | None, names: int) -> None:
    """A line that does something else, or had it before, is not named."""
    oldest, newest = (build(number, text or "") for number in ("11.0.30+1", "11.0.32+1"))
    if text is None:
        del newest.rows["a.b"]  # type: ignore[attr-defined]
    updates = compare_updates([oldest, newest, *LINES[1:5]], Behaviour(), ())
    (change,) = find_common_changes(updates, Behaviour())
    assert len(change.lacking) == names


def test_a_masked_difference_is_no_other_text() -> None:
    mask = {
        "id": "port",
        "name": "ports",
        "pattern": r":\d+",
        "replacement": "",
        "hides": {"a:1": "a"},
        "keeps": ["a"],
    }
    behaviour = Behaviour.model_validate({"masks": [mask]})
    lines = [build("11.0.30+1", "200 'ok':1"), build("11.0.32+1", "200 'ok':1"), *LINES[1:5]]
    (change,) = find_common_changes(compare_updates(lines, behaviour, ()), behaviour)
    assert [build.name for build in change.lacking] == ["v-11.0.32+1"]


def test_a_release_that_has_it_too_is_named_with_the_updates() -> None:
    lines = [*LINES, build("27.0.1+1", "CR expected")]
    updates = compare_updates(lines, Behaviour(), [KNOWN])
    sentences = [lines_of_change(change) for change in find_common_changes(updates, Behaviour())]
    assert sentences == ["17.0.21.1, 21.0.13.1, 27.0.1: not 26.0.2.1"]


def test_of_an_entry_without_texts_nobody_knows_which_build_has_it() -> None:
    unclear = KnownChange.model_validate(
        {
            "title": "x",
            "unreported": True,
            "since": {25: "25.0.5+1"},
            "behaviour": [{"rows": ["*"]}],
        }
    )
    lines = [build("26.0.2.1+1", "x"), build("27.0.1+1", "y"), build("28-ea+18", "x")]
    updates = compare_updates(lines, Behaviour(), [unclear])
    clusters = [cluster for update in updates for cluster in update.delta.clusters]
    assert [cluster.title for cluster in clusters] == ["x (one of the two alone has it)"] * 2
    assert find_common_changes(updates, Behaviour()) == ()


def test_what_a_release_lacks_of_the_one_before_is_one_change() -> None:
    rows = {"a.c": "CR x", "a.d": "CR y"}, {"a.c": "200 x", "a.d": "200 y"}
    older = build("25.0.5.1+2", "CR expected", **rows[0])
    newer = build("26.0.2.1+1", "200 'ok'", **rows[1])
    (update,) = compare_updates([older, newer], Behaviour(), [KNOWN])
    (cluster,) = update.delta.clusters
    assert (cluster.name, len(cluster.rows)) == ("JDK-1234567", 3)
    assert cluster.title == "Trailers (the older one alone has it)"
    (update,) = compare_updates(
        [replace(older, rows=newer.rows), replace(newer, rows=older.rows)], Behaviour(), [KNOWN]
    )
    (cluster,) = update.delta.clusters
    assert cluster.title == "Trailers"
    within_a_line = build("25.0.6+1", "200 'ok'", **rows[1])
    (update,) = compare_updates([older, within_a_line], Behaviour(), [KNOWN])
    assert {cluster.name for cluster in update.delta.clusters} == {None}


@pytest.mark.parametrize(
    ("older", "newer", "reason"),
    [
        (LINES[2], LINES[1], "one fits the reverse: JDK-1234567, Trailers"),
        (build("17.0.1+1", "x"), build("17.0.2+1", "y", "w"), "of different vendors (v and w)"),
        (build("17.0.1+1", "x"), build("21.0.2+1", "y"), "all of a release lies between"),
        (build("17.0.1+1", "x"), build("17.0.2+1", "y"), "1 row changed so"),
    ],
)
def test_without_an_id_it_is_said_why(older: LineBuild, newer: LineBuild, reason: str) -> None:
    if "reverse" in reason:  # builds are sorted by version: this one is the newer
        older, newer = (
            replace(b, build=VendorVersion(version.parse(v), "v"))
            for b, v in ((older, "17.0.30+1"), (newer, "17.0.31+1"))
        )
    updates = compare_updates([older, newer], Behaviour(), ())
    (cluster,) = updates[0].delta.clusters
    assert reason in why_unexplained(cluster, updates[0], [KNOWN])
    assert (find_undone(cluster, [KNOWN]) is KNOWN) is ("reverse" in reason)

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What runs on the build beneath an overlay? What is judged by other builds alone."""

from pathlib import Path

import pytest

from jdkmatrix.paths import Checkout
from jdkmatrix.plan.selection import Selection
from jdkmatrix.records.request import Request

ROWS, OF_BUG = "interop/QuickRows.java", "keepalive/DisconnectWaitsForSilentPeer.java"
PATCH = "test/planted/alpn-ignored-17.diff"


def cells(
    root: Path, overlay_patch: str | None, tests: tuple[str, ...] = (ROWS, OF_BUG)
) -> list[tuple[str, str]]:
    request = Request(builds=("debian-17.0.12+7",), tests=tests, overlay_patch=overlay_patch)
    plan = Selection.resolve(Checkout(root), request).plan()
    return [(row.build.partition("+overlay-")[2], row.test.path) for row in plan]


def test_rows_run_on_the_plain_build_too(root: Path) -> None:
    assert cells(root, None) == [("", ROWS), ("", OF_BUG)]
    assert cells(root, str(root / PATCH)) == [
        ("", ROWS),
        ("alpn-ignored-17", ROWS),
        ("alpn-ignored-17", OF_BUG),
    ]


def test_each_variant_of_a_test_is_in_one_shard(root: Path) -> None:
    """Between the two variants of a test lies a cut."""
    patch = str(root / PATCH)
    request = Request(builds=("debian-17.0.12+7",), tests=(ROWS, OF_BUG), overlay_patch=patch)
    whole = Selection.resolve(Checkout(root), request)
    rows = [(row.build, row.test) for row in whole.plan()]
    for count in (2, 3):
        parts = [whole.restrict_cells(shard) for shard in whole.shards(count)]
        assert [(row.build, row.test) for part in parts for row in part.plan()] == rows


SKIP_HANGS, SENT_TWICE = (
    "tls13/SkipHangsAfterTwoCloses.java",
    "http/RejectedExpectContinueSentTwice.java",
)
DIFF = "--- a/java/net/URL.java\n+++ b/java/net/URL.java\n@@ -1,1 +1,1 @@\n-8314978\n+8314978 \n"
FIXES = [
    ("8315422: it ends\n\n", (SKIP_HANGS, SENT_TWICE), ["JDK-8315422"]),
    ("", (SKIP_HANGS,), ["JDK-8315422"]),
    ("", ("tls13",), []),
    ("See 9999999, and 83154220.\n", (SKIP_HANGS, SENT_TWICE), ["JDK-8315422", "JDK-8314978"]),
]


@pytest.mark.parametrize(("prose", "tests", "bugs"), FIXES)
def test_what_a_diff_fixes_is_what_it_names_or_else_what_is_asked_for(
    root: Path, tmp_path: Path, prose: str, tests: tuple[str, ...], bugs: list[str]
) -> None:
    patch = tmp_path / "x.diff"
    patch.write_text(prose + DIFF)
    request = Request(builds=("debian-17.0.12+7",), tests=tests, overlay_patch=str(patch))
    overlay = Selection.resolve(Checkout(root), request).overlay
    assert overlay
    assert set(overlay.bugs) == set(bugs)


def test_what_a_fix_is_for_runs_without_it_too(root: Path, tmp_path: Path) -> None:
    patch = tmp_path / "8315422.diff"
    patch.write_text(DIFF)
    assert cells(root, str(patch), (SKIP_HANGS, SENT_TWICE)) == [
        ("", SKIP_HANGS),
        ("8315422", SKIP_HANGS),
        ("8315422", SENT_TWICE),
    ]
    request = Request(bugs=("8315422",), overlay_patch=str(patch), builds=("debian-17",))
    plan = Selection.resolve(Checkout(root), request).plan()
    assert [row.overlay is None for row in plan] == [False]  # fixed there: nothing to compare with

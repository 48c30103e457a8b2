# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What runs on the build beneath an overlay? What is judged by other builds alone."""

from pathlib import Path

from jdkmatrix.paths import Checkout
from jdkmatrix.plan.selection import Selection
from jdkmatrix.records.record import Request

ROWS, OF_BUG = "interop/QuickRows.java", "keepalive/DisconnectWaitsForSilentPeer.java"
PATCH = "test/planted/alpn-ignored-17.diff"


def cells(root: Path, overlay_patch: str | None) -> list[tuple[str, str]]:
    request = Request(
        builds=("debian-17.0.12+7",), tests=(ROWS, OF_BUG), overlay_patch=overlay_patch
    )
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

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is it said what came to several release lines at once, and why a change has no id?"""

from collections.abc import Iterator, Sequence

from jdkmatrix.config.known_changes import KnownChange
from jdkmatrix.texts import count_of
from jdkmatrix.verdict.behaviour import Cluster
from jdkmatrix.verdict.release_lines import (
    CommonChange,
    LineBuild,
    UpdateDifference,
    find_undone,
)
from jdkmatrix.words.behaviour import cluster_text

NONE_COMMON = "no change of rows of test/behave came to several release lines"


def lines_of_change(change: CommonChange) -> str:
    """`17.0.21.1, 21.0.13.1, 25.0.5.1: not 26.0.2.1`."""
    names = _versions(change.builds)
    return f"{names}: not {_versions(change.lacking)}" if change.lacking else names


def common_change_lines(changes: Sequence[CommonChange]) -> Iterator[str]:
    """One line for each change that came to several lines."""
    for change in changes:
        cluster = change.first
        name = f"{cluster.name}: {cluster.title}" if cluster.name else "unexplained"
        yield f"{lines_of_change(change)}: {name}: {cluster_text(cluster)}"


def why_unexplained(
    cluster: Cluster, update: UpdateDifference, known_changes: Sequence[KnownChange]
) -> str:
    """Why a change has no id; of one without an entry, what may lie behind it."""
    if cluster.title:
        return "no id of it is public"
    if reverse_change := find_undone(cluster, known_changes):
        name = f"{reverse_change.name}, " if reverse_change.bug else ""
        return f"no entry fits, but one fits the reverse: {name}{reverse_change.title}"
    older, newer = update.older, update.newer
    if older.version.train != newer.version.train:
        return "no entry fits, and all of a release lies between the two"
    if older.build.vendor != newer.build.vendor:
        vendors = f"{older.build.vendor} and {newer.build.vendor}"
        return f"no entry fits, and the two are of different vendors ({vendors})"
    return f"no entry fits; {count_of(len(cluster.rows), 'row')} changed so"


def _versions(builds: Sequence[LineBuild]) -> str:
    return ", ".join(dict.fromkeys(build.version.release for build in builds))

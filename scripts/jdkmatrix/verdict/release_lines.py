# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What changed from update to update of several release lines, and what came to several at once?
Pure.

A change that came to some lines and not to others is either on its way, or was a mistake there.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from jdkmatrix.config.behaviour import Behaviour
from jdkmatrix.config.known_changes import KnownChange, VendorVersion
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.verdict.behaviour import (
    BehaviourDifference,
    ChangeRules,
    Cluster,
    RowChange,
    Rows,
    difference,
    hide_masked,
    is_absent,
)

_NEWER_ONE, _UNKNOWN_OWNER = "the newer one", "one of the two"


@dataclass(frozen=True)
class LineBuild:
    """One build, and what its rows showed."""

    name: str
    build: VendorVersion
    rows: Rows

    @property
    def version(self) -> JdkVersion:
        """Its version."""
        return self.build.version


@dataclass(frozen=True)
class UpdateDifference:
    """What changed from a build to the next one."""

    older: LineBuild
    newer: LineBuild
    delta: BehaviourDifference


@dataclass(frozen=True)
class CommonChange:
    """A change that several updates brought: the clusters of each, by its newer build.

    `lacking` are the newest builds of the other lines that still do as the older ones did. A line
    that is in neither does something else, or had the change before its first build at hand.
    """

    clusters: tuple[tuple[LineBuild, Cluster], ...]
    lacking: tuple[LineBuild, ...]

    @property
    def first(self) -> Cluster:
        """The cluster of the oldest line."""
        return self.clusters[0][1]

    @property
    def builds(self) -> tuple[LineBuild, ...]:
        """The first build of each line that has it, and again that of a line that lost it."""
        return tuple(build for build, _ in self.clusters)


def compare_updates(
    builds: Sequence[LineBuild], behaviour: Behaviour, known_changes: Sequence[KnownChange]
) -> tuple[UpdateDifference, ...]:
    """Each build compared with the one before it whose image lacks no more and no less. A line with
    one build at hand is compared with the newest of the line before it.
    """
    updates = []
    for older, newer in _neighbours(builds, behaviour):
        pair = older.build, newer.build
        rules = ChangeRules(behaviour, known_changes)
        delta = difference(older.rows, newer.rows, pair, rules)
        if older.version.train != newer.version.train:
            clusters = tuple(_join_by_entry(delta.clusters, known_changes))
            delta = replace(delta, clusters=clusters)
        updates.append(UpdateDifference(older, newer, delta))
    return tuple(updates)


def find_common_changes(
    updates: Sequence[UpdateDifference], behaviour: Behaviour
) -> tuple[CommonChange, ...]:
    """What came to at least two lines, the widest first: changes by the same entry, or, where none
    explains them, with the same edit.
    """
    groups: defaultdict[object, list[tuple[LineBuild, Cluster]]] = defaultdict(list)
    for update in updates:
        for cluster in update.delta.clusters:
            if cluster.title and cluster.title.endswith(f"({_UNKNOWN_OWNER} alone has it)"):
                continue  # which of the two is not known
            key = (cluster.name, cluster.title) if cluster.name else cluster.edit
            groups[key].append((update.newer, cluster))
    newest = [
        line[-1]
        for line in _lines(
            {u.older.name: u.older for u in updates} | {u.newer.name: u.newer for u in updates}
        )
    ]
    changes = []
    for clusters in groups.values():
        trains = {build.version.train for build, _ in clusters}
        if len(trains) > 1:
            example = clusters[0][1].example
            other_lines = (build for build in newest if build.version.train not in trains)
            lacking = tuple(build for build in other_lines if _lacks(build, example, behaviour))
            changes.append(CommonChange(tuple(clusters), lacking))
    return tuple(sorted(changes, key=lambda change: -len(change.first.rows)))


def what_lacks(build: LineBuild, behaviour: Behaviour) -> tuple[str, ...]:
    """What the image of a build lacks, by its rows."""
    return tuple(
        image.lacks
        for image in behaviour.images
        if image.row in build.rows and image.is_shown_by(build.rows[image.row].first.text)
    )


def _join_by_entry(
    clusters: Sequence[Cluster], known_changes: Sequence[KnownChange]
) -> Iterator[Cluster]:
    """Between releases no entry says which of the two has an update's change: rows that one would
    explain in either direction are one cluster of its name, which says so.
    """
    groups: defaultdict[str, list[Cluster]] = defaultdict(list)
    for cluster in clusters:
        entries = ((entry, _which_has_it(cluster, entry)) for entry in known_changes)
        entry, owner = next(((e, o) for e, o in entries if o), (None, ""))
        if cluster.name or entry is None:
            yield cluster
        else:
            title = entry.title + ("" if owner == _NEWER_ONE else f" ({owner} alone has it)")
            is_unreported = entry.unreported
            groups[title].append(
                replace(cluster, name=entry.name, title=title, is_unreported=is_unreported)
            )
    for members in groups.values():
        rows = tuple(row for member in members for row in member.rows)
        has_gold = any(member.has_gold for member in members)
        yield replace(members[0], rows=rows, has_gold=has_gold)


def _which_has_it(cluster: Cluster, change: KnownChange) -> str:
    """Which of two builds has that change, by the texts of a row; empty if none of them fits."""
    row, old, new = cluster.example.row, cluster.example.older_text, cluster.example.newer_text
    is_forward, is_reverse = change.changes_row(row, old, new), change.changes_row(row, new, old)
    if is_forward and is_reverse:  # an entry without from and to: one with an id may be of both
        return _UNKNOWN_OWNER if change.unreported else ""
    return _NEWER_ONE if is_forward else "the older one" if is_reverse else ""


def _neighbours(
    builds: Sequence[LineBuild], behaviour: Behaviour
) -> Iterator[tuple[LineBuild, LineBuild]]:
    line_before: list[LineBuild] = []
    for line in _lines({build.name: build for build in builds}):
        newest: dict[tuple[str, ...], LineBuild] = {}
        for build in (*line_before, *line) if len(line) == 1 else line:
            older = newest.get(what_lacks(build, behaviour))
            if older is not None and build in line:
                yield older, build
            newest[what_lacks(build, behaviour)] = build
        line_before = line


def _lines(builds: dict[str, LineBuild]) -> list[list[LineBuild]]:
    sequence = sorted(builds.values(), key=lambda build: (build.version, build.name))
    return [list(line) for _, line in groupby(sequence, key=lambda build: build.version.train)]


def _lacks(build: LineBuild, example: RowChange, behaviour: Behaviour) -> bool:
    if is_absent(example.row, build.rows):
        return False
    texts = (build.rows[example.row].first.text, example.older_text, example.newer_text)
    newest_text, old_text, new_text = (
        hide_masked(example.row, text, behaviour.masks) for text in texts
    )
    return newest_text == old_text != new_text

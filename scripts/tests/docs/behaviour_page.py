# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What did each update at hand change in what a JDK does? The page
`docs/reference/behaviour-changes.md`, from the rows of many builds.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from pydantic import Field

from jdkmatrix.config import version
from jdkmatrix.config.behaviour import Behaviour
from jdkmatrix.config.known_changes import KnownChange, VendorVersion
from jdkmatrix.config.ledger import jbs_page
from jdkmatrix.results.document import Results
from jdkmatrix.results.published import PublishedPart
from jdkmatrix.texts import count_of
from jdkmatrix.verdict.behaviour import Cluster, RowAttempts, Sight
from jdkmatrix.verdict.release_lines import (
    LineBuild,
    UpdateDifference,
    compare_updates,
    find_common_changes,
    what_lacks,
)
from jdkmatrix.vocabulary import ObservationStatus
from jdkmatrix.words.behaviour import change_text, headline, lines_of_change, name_rows

_HEAD = """\
<!-- SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors -->
<!-- SPDX-License-Identifier: Apache-2.0 -->

# What updates changed in what a JDK does

Rows of [test/behave](../../test/behave/README.md) on {builds}, measured until {day}; {rows} each at
most. Each build is compared with the one before it at hand whose image lacks no more and no less
(`images` in [behave.yaml](../../test/behave/behave.yaml)), a line of which one build is at hand
with the newest of the line before. Rows that changed alike are one line: its id as
[test/changes.yaml](../../test/changes.yaml) has it, or *unexplained* and why; how many rows, one of
them, and what it showed before and after. A row that differed was asked again within its line; what
then differed from itself has no verdict.

`UPDATE_BEHAVIOUR="RUN..." scripts/test tests/docs/test_behaviour_changes.py` writes this page.
"""


class ObservedRow(PublishedPart):
    """One row: its `attempts` are lists of (status, text), and `builds` has for each build the
    number of its list there.
    """

    is_gold: bool = Field(alias="gold")
    attempts: list[tuple[tuple[ObservationStatus, str], ...]] = Field(default_factory=list)
    builds: dict[str, int] = Field(default_factory=dict)


class ObservedBuilds(PublishedPart):
    """Builds by id, each with its version and `java.vendor`; `day` is that of the newest run."""

    day: str
    builds: dict[str, tuple[str, str]]
    rows: dict[str, ObservedRow]


def collect_observations(runs: Iterable[Results]) -> ObservedBuilds:
    """The rows of these runs. Of a build in several runs, the first counts for each row."""
    runs = sorted(runs, key=lambda results: results.started_at)
    builds: dict[str, tuple[str, str]] = {}
    rows: dict[str, ObservedRow] = {}
    for results in runs:
        for build in results.builds:
            builds.setdefault(build.id, (build.version, build.java_vendor))
        for cell in results.cells:
            for observation in cell.observations:
                row = rows.setdefault(observation.row, ObservedRow(gold=observation.is_gold))
                texts = (observation.text, *observation.further_texts)
                attempts = tuple((observation.status, text) for text in texts)
                if attempts not in row.attempts:
                    row.attempts.append(attempts)
                row.builds.setdefault(cell.build, row.attempts.index(attempts))
    builds_seen = {build for row in rows.values() for build in row.builds}
    return ObservedBuilds(
        day=max((results.started_at for results in runs), default="")[:10],
        builds={build: about for build, about in builds.items() if build in builds_seen},
        rows=dict(sorted(rows.items())),
    )


def line_builds(snapshot: ObservedBuilds) -> tuple[LineBuild, ...]:
    """The builds as they are compared."""
    return tuple(
        LineBuild(
            build,
            VendorVersion(version.parse(version_text), vendor),
            {
                row: RowAttempts(
                    tuple(
                        Sight(*sight) for sight in row_attempts.attempts[row_attempts.builds[build]]
                    ),
                    row_attempts.is_gold,
                )
                for row, row_attempts in snapshot.rows.items()
                if build in row_attempts.builds
            },
        )
        for build, (version_text, vendor) in snapshot.builds.items()
    )


def behaviour_changes(
    snapshot: ObservedBuilds, behaviour: Behaviour, known_changes: Sequence[KnownChange]
) -> str:
    """The Markdown page."""
    updates = compare_updates(line_builds(snapshot), behaviour, known_changes)
    head = _HEAD.format(
        builds=count_of(len(snapshot.builds), "build"),
        day=snapshot.day,
        rows=count_of(len(snapshot.rows), "row"),
    )
    lines = [head, "## To several lines at once", ""]
    for change in find_common_changes(updates, behaviour):
        first = next(u for u in updates if u.newer is change.builds[0])
        lines.append(
            f"* {lines_of_change(change)}: {_cluster_line(change.first, first, known_changes)}"
        )
    for train, of_train in groupby(updates, key=lambda update: update.newer.version.train):
        lines += ["", f"## {train}"]
        for update in of_train:
            lines += [
                "",
                f"### {update.older.name} to {update.newer.name}",
                "",
                *(f"Both lack {part}.\n" for part in what_lacks(update.newer, behaviour)),
                *_update(update, known_changes),
            ]
    return "\n".join(lines) + "\n"


def _update(update: UpdateDifference, known_changes: Sequence[KnownChange]) -> Iterator[str]:
    delta = update.delta
    yield f"{headline(delta)[:1].upper()}{headline(delta)[1:]}."
    rest = [f"* {_cluster_line(cluster, update, known_changes)}" for cluster in delta.clusters]
    for change in delta.masked_changes:
        rest.append(f"* Masked: {count_of(len(change.rows), 'row')}: {', '.join(change.masks)}.")
    if delta.flickering:
        rest.append(f"* Flickering, so without a verdict: {name_rows(delta.flickering)}.")
    if delta.absent:
        rest.append(f"* Absent on one of the two: {name_rows(delta.absent)}.")
    yield from ["", *rest] if rest else []


def _cluster_line(
    cluster: Cluster, update: UpdateDifference, known_changes: Sequence[KnownChange]
) -> str:
    example = cluster.example
    text = _code(change_text(example.older_text, example.newer_text))
    rows = f"{len(cluster.rows)} rows, such as" if len(cluster.rows) > 1 else "Row"
    return f"{_reason(cluster, update, known_changes)}. {rows} `{example.row}`: {text}"


def _reason(
    cluster: Cluster, update: UpdateDifference, known_changes: Sequence[KnownChange]
) -> str:
    if cluster.is_explained and cluster.name:
        page = jbs_page(cluster.name) if cluster.name != "vendors" else None
        return f"{f'[{cluster.name}]({page})' if page else cluster.name}: {cluster.title}"
    title = f"{cluster.title}: " if cluster.title else ""
    name = f", {cluster.name}" if cluster.name and cluster.name != "unreported" else ""
    return f"*unexplained{name}*: {title}{why_unexplained(cluster, update, known_changes)}"


def _code(text: str) -> str:
    """The text as code of Markdown, whatever backticks it has."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


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


def find_undone(cluster: Cluster, known_changes: Sequence[KnownChange]) -> KnownChange | None:
    """The known change whose reverse this is: the older build has it, the newer one does not."""
    row, old, new = cluster.example.row, cluster.example.older_text, cluster.example.newer_text
    changes = (
        change
        for change in known_changes
        if change.changes_row(row, new, old) and not change.changes_row(row, old, new)
    )
    return next(changes, None)

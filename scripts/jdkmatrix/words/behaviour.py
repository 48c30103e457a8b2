# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is it said what an update changed in what a JDK does, and which rules it breaks?"""

from collections.abc import Iterator, Sequence

from jdkmatrix.texts import count_of
from jdkmatrix.verdict.behaviour import BehaviourDifference, Breach, Cluster
from jdkmatrix.verdict.release_lines import CommonChange, LineBuild

TOPIC = "behaviour"
NO_ROW_COMPARED = "no row could be compared"
_MOST_NAMED = 3
_MOST_REASONS = 6
_MOST_OF_A_TEXT = 160
_COMMON = 12
NONE_COMMON = "no change of rows of test/behave came to several release lines"


def change_text(older: str, newer: str) -> str:
    """Both texts, each cut around the first place where they differ."""
    start = next(
        (n for n, pair in enumerate(zip(older, newer, strict=False)) if pair[0] != pair[1]),
        min(len(older), len(newer)),
    )
    longest = max(len(older), len(newer))
    first = 0 if longest <= _MOST_OF_A_TEXT else max(0, start - _COMMON)
    return f"{_part(older, first)} -> {_part(newer, first)}"


def _part(text: str, first: int) -> str:
    part = text[first : first + _MOST_OF_A_TEXT]
    head = "..." if first else ""
    return f"{head}{part}{'...' if len(text) > first + len(part) else ''}"


def headline(delta: BehaviourDifference) -> str:
    """`12 of 312 rows changed, 3 of them for no known reason`."""
    rows = delta.changed_rows
    unknown = sum(len(cluster.rows) for cluster in delta.clusters if not cluster.is_explained)
    if not rows:
        return f"none of {count_of(delta.compared_count, 'row')} changed"
    counts = f"{len(rows)} of {count_of(delta.compared_count, 'row')} changed"
    if unknown == len(rows):
        return f"{counts} for no known reason"
    return f"{counts}, {unknown or 'none'} of them for no known reason"


def difference_lines(delta: BehaviourDifference) -> Iterator[str]:
    """What changed, one line for each cluster, and what has no verdict."""
    yield from map(cluster_line, delta.clusters)
    for masked_change in delta.masked_changes:
        rows = count_of(len(masked_change.rows), "row")
        yield f"masked: {rows}: {', '.join(masked_change.masks)}"
    if delta.flickering:
        yield f"flickering, so no verdict: {name_rows(delta.flickering)}"
    if delta.absent:
        yield f"absent on one of the two: {name_rows(delta.absent)}"


def cluster_line(cluster: Cluster) -> str:
    """`unexplained: 3 rows, such as sent.url.get: GET /x ... -> GET /x ...`."""
    return f"{_reason(cluster)}: {cluster_text(cluster)}"


def cluster_text(cluster: Cluster) -> str:
    """`3 rows, such as sent.url.get: GET /x ... -> GET /x ...`."""
    example = cluster.example
    text = change_text(example.older_text, example.newer_text)
    rows = f"{len(cluster.rows)} rows, such as " if len(cluster.rows) > 1 else ""
    return f"{rows}{example.row}: {text}"


def _bad_change(cluster: Cluster) -> str:
    """What an entry calls it, or one row of it: all of them, with their texts, are on the page."""
    rows = count_of(len(cluster.rows), "row")
    if cluster.title:
        return f"{cluster.name}: {cluster.title} ({rows})"
    return cluster_line(cluster)


def _reason(cluster: Cluster) -> str:
    words = f"{cluster.name}: {cluster.title}" if cluster.name else "unexplained"
    if cluster.accepted_by:
        words += f" (accepted by {cluster.accepted_by}: {cluster.accepted_for})"
    return words


def breach_lines(broken_rules: Sequence[Breach]) -> Iterator[str]:
    """The rules that a build breaks, those first that no entry knows."""
    for breach in broken_rules:
        reason = f" ({breach.name}: {breach.title})" if breach.name else ""
        yield f"{breach.sentence}{reason}: {name_rows(breach.rows)}: {_part(breach.example, 0)}"


def _broken_rule(breach: Breach) -> str:
    """The rule, the ledger's entry if one knows it, and how many rows break it."""
    if not breach.title:
        return next(breach_lines([breach]))
    return f"{breach.sentence} ({breach.name}: {breach.title}; {count_of(len(breach.rows), 'row')})"


def name_rows(rows: Sequence[str]) -> str:
    """`12 rows: a, b, c and 9 more`."""
    return f"{count_of(len(rows), 'row')}: {_name_some(rows, _MOST_NAMED)}"


def _name_some(names: Sequence[str], limit: int) -> str:
    """`a, b, c and 9 more`."""
    surplus = len(names) - limit
    rest = f" and {surplus} more" if surplus > 0 else ""
    return f"{', '.join(names[:limit])}{rest}"


def cell_sentence(
    count: int,
    delta: BehaviourDifference | None,
    broken_rules: Sequence[Breach],
    baseline: str | None,
) -> str:
    """What the rows of a cell show, what is not as expected first."""
    parts = list(breach_lines([b for b in broken_rules if not b.name]))
    if delta:
        odd = [cluster for cluster in delta.clusters if cluster.has_gold and not cluster.name]
        parts += [cluster_line(cluster) for cluster in odd[:_MOST_NAMED]]
        parts.append(f"{headline(delta)} against {baseline}")
    else:
        parts.append(f"{count_of(count, 'row')}; no earlier build to compare with")
    known_breaches = sum(len(breach.rows) for breach in broken_rules if breach.name)
    if known_breaches:
        parts.append(f"{count_of(known_breaches, 'row')} with known breaches of a rule")
    return f"{'; '.join(parts)}."


def topic_sentence(delta: BehaviourDifference, new_breaches: Sequence[Breach]) -> str:
    """A validation's sentence: what speaks against the build, then the counts. It names the first
    few; the page has all.
    """
    breach_rows = {row for breach in new_breaches for row in breach.rows}
    bad = [c for c in delta.clusters if c.is_bad and not breach_rows.issuperset(c.rows)]
    faults = [*map(_broken_rule, new_breaches), *map(_bad_change, bad)]
    parts = faults[:_MOST_NAMED]
    if len(faults) > _MOST_NAMED:
        parts.append(f"{len(faults) - _MOST_NAMED} more of the kind")
    explanations = dict.fromkeys(c.name for c in delta.clusters if c.name and c.is_explained)
    names = [name for name in explanations if name]
    reasons = f" (explained by {_name_some(names, _MOST_REASONS)})" if names else ""
    parts.append(f"{headline(delta)}{reasons}")
    people = dict.fromkeys(c.accepted_by for c in delta.clusters if c.accepted_by)
    if people:
        parts.append(f"accepted by {', '.join(filter(None, people))}")
    if delta.flickering:
        parts.append(f"flickering: {name_rows(delta.flickering)}")
    return "; ".join(parts)


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


def _versions(builds: Sequence[LineBuild]) -> str:
    return ", ".join(dict.fromkeys(build.version.release for build in builds))

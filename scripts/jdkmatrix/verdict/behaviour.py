# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What changed from one build to another in what they do, and which absolute rules does a build
break? Pure.

Rows with the same edit are one cluster. A change that vanishes under masks is counted under their
names; a row that differs between the attempts at one build flickers, and has no verdict.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from jdkmatrix.config.accepted_changes import AcceptedChange
from jdkmatrix.config.behaviour import AbsoluteRule, Behaviour, KnownBreach, RowMask
from jdkmatrix.config.known_changes import VENDORS, KnownChange, VendorVersion
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.verdict.edits import Edit, edit_of
from jdkmatrix.vocabulary import ObservationStatus


@dataclass(frozen=True)
class ChangeRules:
    """How rows are compared, which changes are known, and which somebody has accepted."""

    behaviour: Behaviour = field(default_factory=Behaviour)
    known_changes: Sequence[KnownChange] = ()
    accepted_changes: Sequence[AcceptedChange] = ()


class Sight(NamedTuple):
    """What a row showed in one attempt."""

    status: ObservationStatus
    text: str


@dataclass(frozen=True)
class RowAttempts:
    """A row on one build: what it showed in each attempt, at least one."""

    attempts: tuple[Sight, ...]
    is_gold: bool = False

    @property
    def first(self) -> Sight:
        """What it showed first."""
        return self.attempts[0]


Rows = Mapping[str, RowAttempts]


@dataclass(frozen=True)
class RowChange:
    """One row that differs, with both of its texts."""

    row: str
    older_text: str
    newer_text: str
    is_gold: bool = False


@dataclass(frozen=True)
class Cluster:
    """Rows that changed alike, `example` the first of them.

    `name` is the bug that explains it, or that an entry names it as unreported or as a difference
    between vendors; None if nothing does. `accepted_by` is who took it, and `accepted_for` why.
    """

    rows: tuple[str, ...]
    example: RowChange
    edit: Edit
    has_gold: bool
    name: str | None = None
    title: str | None = None
    is_unreported: bool = False
    accepted_by: str | None = None
    accepted_for: str | None = None

    @property
    def is_explained(self) -> bool:
        """Whether a bug, or a difference between vendors, explains it."""
        return self.name is not None and not self.is_unreported

    @property
    def is_of_bug(self) -> bool:
        """Whether a bug explains it, which came with a version."""
        return self.is_explained and self.name != VENDORS

    @property
    def is_open(self) -> bool:
        """Whether it is neither explained nor accepted."""
        return not self.is_explained and self.accepted_by is None

    @property
    def is_bad(self) -> bool:
        """Whether it speaks against an update: it is open, and of a gold row."""
        return self.is_open and self.has_gold


@dataclass(frozen=True)
class MaskedChange:
    """Rows whose change vanishes under these masks."""

    masks: tuple[str, ...]
    rows: tuple[str, ...]


@dataclass(frozen=True)
class Breach:
    """Rows that break an absolute rule. `name` and `title` are of the ledger's entry, if any."""

    rule: str
    sentence: str
    rows: tuple[str, ...]
    example: str
    name: str | None = None
    title: str | None = None
    is_unreported: bool = False


@dataclass(frozen=True)
class BehaviourDifference:
    """What changed between two builds. `absent` has rows that one of the two lacks."""

    compared_count: int
    gold_count: int
    clusters: tuple[Cluster, ...]
    masked_changes: tuple[MaskedChange, ...] = ()
    flickering: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()

    @property
    def changed_rows(self) -> tuple[str, ...]:
        """The rows of all clusters."""
        return tuple(row for cluster in self.clusters for row in cluster.rows)


def flickers(row: str, attempts: RowAttempts, masks: Sequence[RowMask]) -> bool:
    """Whether the attempts at a row differ by more than what masks hide."""
    return (
        len({(sight.status, hide_masked(row, sight.text, masks)) for sight in attempts.attempts})
        > 1
    )


def changed_rows(older: Rows, newer: Rows, masks: Sequence[RowMask]) -> tuple[str, ...]:
    """The rows that both builds have and that differ by more than what masks hide."""
    return tuple(
        row
        for row in _common_rows(older, newer)
        if older[row].first != newer[row].first
        and _hide_all(row, older[row].first, masks) != _hide_all(row, newer[row].first, masks)
    )


def difference(
    older: Rows, newer: Rows, builds: tuple[VendorVersion, VendorVersion], rules: ChangeRules
) -> BehaviourDifference:
    """Compare two builds, each row with its explanation, if any entry has one."""
    masks = rules.behaviour.masks
    common_rows = _common_rows(older, newer)
    unsteady = tuple(
        row
        for row in common_rows
        if flickers(row, older[row], masks) or flickers(row, newer[row], masks)
    )
    hidden_rows: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    changes: list[tuple[RowChange, Edit]] = []
    differing = set(changed_rows(older, newer, masks))
    for row in common_rows:
        old, new = older[row].first, newer[row].first
        if row in unsteady or old == new:
            continue
        if row not in differing:
            hidden_rows[_names(row, old, new, masks)].append(row)
            continue
        edit = edit_of(hide_masked(row, old.text, masks), hide_masked(row, new.text, masks))
        is_gold = older[row].is_gold or newer[row].is_gold
        changes.append((RowChange(row, old.text, new.text, is_gold), edit))
    between = [change for change in rules.known_changes if change.is_between(*builds)]
    clusters = _clusters(changes, between, rules.accepted_changes)
    return BehaviourDifference(
        compared_count=len(common_rows),
        gold_count=sum(newer[row].is_gold for row in common_rows),
        clusters=tuple(sorted(clusters, key=_rank)),
        masked_changes=tuple(
            MaskedChange(names, tuple(rows)) for names, rows in sorted(hidden_rows.items())
        ),
        flickering=unsteady,
        absent=tuple(
            row
            for row in dict.fromkeys((*older, *newer))
            if is_absent(row, older) != is_absent(row, newer)
        ),
    )


def breaches(
    rows: Rows, build: JdkVersion, behaviour: Behaviour, baseline: Rows | None = None
) -> tuple[Breach, ...]:
    """The absolute rules that rows break in every attempt; with a baseline, only rows that do not
    break the same rule there, or that it lacks.
    """
    of_rule: defaultdict[tuple[int, int | None], list[str]] = defaultdict(list)
    for row, attempts in rows.items():
        for number, rule in enumerate(behaviour.rules):
            if _breaks(row, attempts, rule) and not (
                baseline and row in baseline and _breaks(row, baseline[row], rule)
            ):
                of_rule[number, _excuse(row, rule, build)].append(row)
    return tuple(
        _breach(behaviour.rules[rule], breach, of_rows, rows[of_rows[0]].first.text)
        for (rule, breach), of_rows in sorted(
            of_rule.items(), key=lambda pair: (pair[0][1] is not None, pair[0][0])
        )
    )


def _breach(rule: AbsoluteRule, breach: int | None, rows: list[str], text: str) -> Breach:
    of_ledger: KnownBreach | None = None if breach is None else rule.known_breaches[breach]
    return Breach(
        rule=rule.name,
        sentence=rule.sentence,
        rows=tuple(rows),
        example=text,
        name=(of_ledger.bug or "unreported") if of_ledger else None,
        title=of_ledger.title if of_ledger else None,
        is_unreported=of_ledger is not None and of_ledger.unreported,
    )


def _breaks(row: str, attempts: RowAttempts, rule: AbsoluteRule) -> bool:
    return all(rule.is_broken_by(row, *sight) for sight in attempts.attempts)


def _excuse(row: str, rule: AbsoluteRule, build: JdkVersion) -> int | None:
    fitting = (n for n, breach in enumerate(rule.known_breaches) if breach.explains(row, build))
    return next(fitting, None)


def _common_rows(older: Rows, newer: Rows) -> tuple[str, ...]:
    return tuple(row for row in newer if not (is_absent(row, older) or is_absent(row, newer)))


def is_absent(row: str, rows: Rows) -> bool:
    """Whether a build lacks what the row is about."""
    return row not in rows or rows[row].first.status is ObservationStatus.ABSENT


def hide_masked(row: str, text: str, masks: Sequence[RowMask]) -> str:
    """The text of that row without what masks hide."""
    for mask in masks:
        text = mask.hide(row, text)
    return text


def _hide_all(row: str, sight: Sight, masks: Sequence[RowMask]) -> Sight:
    return Sight(sight.status, hide_masked(row, sight.text, masks))


def _names(row: str, old: Sight, new: Sight, masks: Sequence[RowMask]) -> tuple[str, ...]:
    """The one mask that makes the texts equal, or all that change one of them."""
    for mask in masks:
        if mask.hide(row, old.text) == mask.hide(row, new.text):
            return (mask.name,)
    return tuple(
        mask.name
        for mask in masks
        if any(mask.hide(row, sight.text) != sight.text for sight in (old, new))
    )


def _clusters(
    changes: Sequence[tuple[RowChange, Edit]],
    between: Sequence[KnownChange],
    accepted_changes: Sequence[AcceptedChange],
) -> list[Cluster]:
    """Rows of one explanation are a cluster, whatever their edits; so are the others with one."""
    members: defaultdict[tuple[int | None, int | None, Edit | None], list[RowChange]]
    members = defaultdict(list)
    edits: dict[tuple[int | None, int | None, Edit | None], Edit] = {}
    for change, edit in changes:
        texts = (change.row, change.older_text, change.newer_text)
        by_change = _first(known_change.changes_row(*texts) for known_change in between)
        by_person = _first(acceptance.has_row(change.row) for acceptance in accepted_changes)
        key = (by_change, by_person, edit if by_change is None else None)
        members[key].append(change)
        edits.setdefault(key, edit)
    return [
        _cluster(
            rows,
            edits[key],
            None if key[0] is None else between[key[0]],
            None if key[1] is None else accepted_changes[key[1]],
        )
        for key, rows in members.items()
    ]


def _cluster(
    changes: Sequence[RowChange],
    edit: Edit,
    reason: KnownChange | None,
    acceptance: AcceptedChange | None,
) -> Cluster:
    return Cluster(
        rows=tuple(change.row for change in changes),
        example=changes[0],
        edit=edit,
        has_gold=any(change.is_gold for change in changes),
        name=reason.name if reason else None,
        title=reason.title if reason else None,
        is_unreported=reason is not None and reason.unreported,
        accepted_by=acceptance.person if acceptance else None,
        accepted_for=acceptance.reason if acceptance else None,
    )


def _first(answers: Iterable[bool]) -> int | None:
    return next((number for number, answer in enumerate(answers) if answer), None)


def _rank(cluster: Cluster) -> tuple[bool, bool, int, str]:
    """What nothing explains comes first, then the larger."""
    return cluster.is_explained, not cluster.is_open, -len(cluster.rows), cluster.rows[0]

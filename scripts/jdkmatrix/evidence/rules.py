# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which rules does a recording meet: those of known bugs, and those for waiting of any origin?

Pure: a digest's recording and rules in, findings out.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Protocol

from pydantic import BaseModel, ConfigDict

from jdkmatrix.evidence.cause import Rule, cause_of
from jdkmatrix.evidence.digest import Blocked, Holder, Recording
from jdkmatrix.evidence.reading import OpenWait, open_waits_of

GENERIC = "generic"
_MS_PER_S = 1000


class BugRule(Protocol):
    """A bug of the ledger; `evidence` is its rule, None if a recording can't show it."""

    @property
    def id(self) -> str:
        """`JDK-8293562`."""

    @property
    def evidence(self) -> Rule | None:
        """Where threads wait, what holders are inside of, the bound."""


class AnyRule(Protocol):
    """A generic rule, as `config.rules.GenericRule` describes it."""

    @property
    def id(self) -> str:
        """Its name."""

    @property
    def title(self) -> str:
        """What it means if it fires, as a sentence without a full stop."""

    @property
    def kinds(self) -> Sequence[str]:
        """Kinds of lock that it looks at."""

    @property
    def blocked_in(self) -> Sequence[str]:
        """Globs of frames that threads wait in."""

    @property
    def held_over(self) -> Sequence[str]:
        """Events that a holder must sit in; any, if empty."""

    @property
    def min_blocked_ms(self) -> int:
        """The least waiting that counts."""

    @property
    def min_threads(self) -> int:
        """The least number of threads that counts."""

    @property
    def times_baseline(self) -> float | None:
        """How many times the baseline's waiting a second it takes; None: needs no baseline."""


class Finding(BaseModel):
    """A rule that fired. `bug` is `generic` where the ledger knows none.

    `blocked_ms` is the waiting that counted, summed over `threads`; `baseline_ms` what the baseline
    has there, in as long a time; `bound_ms` what it took.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    rule: str
    bug: str
    sentence: str
    frames: tuple[str, ...]
    lock_classes: tuple[str, ...]
    threads: int
    blocked_ms: float
    bound_ms: float
    baseline_ms: float | None = None


def findings(
    recording: Recording,
    bugs: Iterable[BugRule],
    rules: Iterable[AnyRule],
    baseline: Recording | None = None,
) -> tuple[Finding, ...]:
    """Every rule that fires, those of bugs first; a place that a bug explains is not told twice.

    A rule with `times_baseline` stays silent without a baseline.
    """
    known = [found for bug in bugs if (found := _of_bug(recording, bug))]
    explained = {frame for found in known for frame in found.frames}
    places = defaultdict(list)
    for group in recording.blocked:
        if group.frame not in explained:
            places[group.frame].append(group)
    generic = [
        found
        for rule in rules
        for frame, groups in places.items()
        if (found := _of_place(rule, frame, groups, recording, baseline))
    ]
    return (*known, *sorted(generic, key=lambda found: -found.blocked_ms))


def _of_bug(recording: Recording, bug: BugRule) -> Finding | None:
    rule = bug.evidence
    if rule is None:
        return None
    still = [wait for wait in open_waits_of(recording) if wait.frame in rule.blocked_in]
    sentence = cause_of(recording, rule) or _still_waiting(still, rule)
    if sentence is None:
        return None
    groups = [group for group in recording.blocked if group.frame in rule.blocked_in]
    return Finding(
        rule=bug.id,
        bug=bug.id,
        sentence=f"{sentence}.",
        frames=_distinct(rule.blocked_in),
        lock_classes=_distinct([*(g.lock_class for g in groups), *(w.lock_class for w in still)]),
        threads=max(_threads(groups), sum(wait.threads for wait in still)),
        blocked_ms=round(sum(group.total_ms for group in groups), 3),
        bound_ms=rule.min_blocked_ms,
    )


def _still_waiting(still: Sequence[OpenWait], rule: Rule) -> str | None:
    """The sentence of waits that had not ended, if they are enough and the holder fits."""
    held = [
        wait.holder
        for wait in still
        if wait.holder and {wait.holder.frame, wait.holder.waits_in} & set(rule.held_in)
    ]
    if sum(wait.waited_ms_at_least for wait in still) < rule.min_blocked_ms:
        return None
    if rule.held_in and not held:
        return None
    count = sum(wait.threads for wait in still)
    frames = " and ".join(_distinct(wait.frame for wait in still))
    longest_ms = max(wait.waited_ms_at_least for wait in still)
    text = (
        f"{'1 thread' if count == 1 else f'{count} threads'} still waited to enter {frames} when"
        f" the recording ended, for {_seconds(longest_ms)} at least"
    )
    return f"{text}, while '{held[0].thread}' sat in {held[0].waits_in}" if held else text


def _of_place(
    rule: AnyRule,
    frame: str,
    groups: Sequence[Blocked],
    recording: Recording,
    baseline: Recording | None,
) -> Finding | None:
    if not any(fnmatchcase(frame, glob) for glob in rule.blocked_in):
        return None
    groups = [group for group in groups if group.kind in rule.kinds]
    blocked_ms = _counted_ms(rule, groups)
    if blocked_ms < rule.min_blocked_ms or _threads(groups) < rule.min_threads:
        return None
    had_ms: float | None = None
    if rule.times_baseline is not None:
        if baseline is None:
            return None
        had = [g for g in baseline.blocked if g.frame == frame and g.kind in rule.kinds]
        had_ms = _counted_ms(rule, had) * recording.duration_ms / max(1.0, baseline.duration_ms)
        if blocked_ms <= rule.times_baseline * had_ms:
            return None
    return Finding(
        rule=rule.id,
        bug=GENERIC,
        sentence=_sentence(rule, frame, groups, blocked_ms, had_ms),
        frames=(frame,),
        lock_classes=_distinct(group.lock_class for group in groups),
        threads=_threads(groups),
        blocked_ms=round(blocked_ms, 3),
        bound_ms=rule.min_blocked_ms,
        baseline_ms=None if had_ms is None else round(had_ms, 3),
    )


def _counted_ms(rule: AnyRule, groups: Iterable[Blocked]) -> float:
    if not rule.held_over:
        return sum(group.total_ms for group in groups)
    return sum(holder.explained_ms for group in groups for holder in _holders(rule, group))


def _holders(rule: AnyRule, group: Blocked) -> list[Holder]:
    return [h for h in group.holders if not rule.held_over or h.event in rule.held_over]


def _sentence(
    rule: AnyRule, frame: str, groups: Sequence[Blocked], blocked_ms: float, had_ms: float | None
) -> str:
    count = _threads(groups)
    who = "1 thread" if count == 1 else f"{count} threads"
    locks = " and ".join(_distinct(group.lock_class for group in groups))
    text = f"{rule.title}: {who} waited {_seconds(blocked_ms)} in {frame} for {locks}"
    held = [h for group in groups for h in _holders(rule, group)]
    if held:
        most = max(held, key=lambda holder: holder.explained_ms)
        guess = ", inferred" if most.inferred else ""
        text += f" while '{most.thread}' sat in {most.waits_in} ({most.event}{guess})"
    if had_ms is not None:
        text += f"; the baseline has {_seconds(had_ms)} in as long a time"
    return f"{text}."


def _threads(groups: Sequence[Blocked]) -> int:
    if not groups:
        return 0
    listed = {thread for group in groups for thread in group.thread_ids}
    return max(len(listed), *(group.threads for group in groups))


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _seconds(ms: float) -> str:
    return f"{ms:.0f} ms" if ms < _MS_PER_S else f"{ms / _MS_PER_S:.1f} s"

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
from jdkmatrix.evidence.digest import Blocked, Holder, OpenWait, Recording

GENERIC = "generic"
Wait = Blocked | OpenWait
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

    `blocked_ms` is the waiting that had ended, `open_ms` at least that which had not, both summed
    over `threads`; `bound_ms` is what it took, `baseline_ms` what the baseline has there in as long
    a time.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    rule: str
    bug: str
    sentence: str
    frames: tuple[str, ...]
    lock_classes: tuple[str, ...]
    threads: int
    blocked_ms: float
    open_ms: float
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
    generic = [
        found
        for rule in rules
        for frame, waits in _places(recording).items()
        if frame not in explained and (found := _of_place(rule, frame, waits, recording, baseline))
    ]
    return (*known, *sorted(generic, key=lambda found: -(found.blocked_ms + found.open_ms)))


def _of_bug(recording: Recording, bug: BugRule) -> Finding | None:
    rule = bug.evidence
    if rule is None:
        return None
    sentence = cause_of(recording, rule)
    if sentence is None:
        return None
    places = _places(recording)
    waits = [wait for frame in rule.blocked_in for wait in places.get(frame, ())]
    return Finding(
        rule=bug.id,
        bug=bug.id,
        sentence=f"{sentence}.",
        frames=_distinct(wait.frame for wait in waits),
        lock_classes=_distinct(wait.lock_class for wait in waits),
        threads=_threads(waits),
        blocked_ms=_ended_ms(waits),
        open_ms=_open_ms(waits),
        bound_ms=rule.min_blocked_ms,
    )


def _of_place(
    rule: AnyRule,
    frame: str,
    waits: Sequence[Wait],
    recording: Recording,
    baseline: Recording | None,
) -> Finding | None:
    if not any(fnmatchcase(frame, glob) for glob in rule.blocked_in):
        return None
    waits = [wait for wait in waits if wait.kind in rule.kinds]
    counted_ms = _counted_ms(rule, waits)
    if counted_ms < rule.min_blocked_ms or _threads(waits) < rule.min_threads:
        return None
    had_ms: float | None = None
    if rule.times_baseline is not None:
        if baseline is None:
            return None
        had = [wait for wait in _places(baseline).get(frame, ()) if wait.kind in rule.kinds]
        had_ms = _counted_ms(rule, had) * recording.duration_ms / max(1.0, baseline.duration_ms)
        if counted_ms <= rule.times_baseline * had_ms:
            return None
    return Finding(
        rule=rule.id,
        bug=GENERIC,
        sentence=_sentence(rule, frame, waits, counted_ms, had_ms),
        frames=(frame,),
        lock_classes=_distinct(wait.lock_class for wait in waits),
        threads=_threads(waits),
        blocked_ms=_ended_ms(waits),
        open_ms=_open_ms(waits),
        bound_ms=rule.min_blocked_ms,
        baseline_ms=None if had_ms is None else round(had_ms, 3),
    )


def _places(recording: Recording) -> dict[str, list[Wait]]:
    """Every wait by the frame that wanted the lock."""
    places: defaultdict[str, list[Wait]] = defaultdict(list)
    waits: tuple[Wait, ...] = (*recording.blocked, *recording.open_waits)
    for wait in waits:
        places[wait.frame].append(wait)
    return places


def _counted_ms(rule: AnyRule, waits: Sequence[Wait]) -> float:
    """What a rule counts; a wait that has not ended says nothing of its holder's event."""
    if not rule.held_over:
        return _ended_ms(waits) + _open_ms(waits)
    return sum(holder.explained_ms for holder in _holders(rule, waits))


def _ended_ms(waits: Iterable[Wait]) -> float:
    return round(sum(wait.total_ms for wait in waits if isinstance(wait, Blocked)), 3)


def _open_ms(waits: Iterable[Wait]) -> float:
    return round(sum(wait.waited_ms_at_least for wait in waits if isinstance(wait, OpenWait)), 3)


def _holders(rule: AnyRule, waits: Iterable[Wait]) -> list[Holder]:
    return [
        holder
        for wait in waits
        if isinstance(wait, Blocked)
        for holder in wait.holders
        if not rule.held_over or holder.event in rule.held_over
    ]


def _sentence(
    rule: AnyRule, frame: str, waits: Sequence[Wait], counted_ms: float, had_ms: float | None
) -> str:
    count = _threads(waits)
    who = "1 thread" if count == 1 else f"{count} threads"
    locks = " and ".join(_distinct(wait.lock_class for wait in waits))
    text = f"{rule.title}: {who} waited {_seconds(counted_ms)} in {frame} for {locks}"
    held = _holders(rule, waits)
    if held:
        most = max(held, key=lambda holder: holder.explained_ms)
        guess = ", inferred" if most.inferred else ""
        text += f" while '{most.thread}' sat in {most.waits_in} ({most.event}{guess})"
    if had_ms is not None:
        text += f"; the baseline has {_seconds(had_ms)} in as long a time"
    return f"{text}."


def _threads(waits: Sequence[Wait]) -> int:
    """Distinct threads: those with ended waits are listed, the others may be among them."""
    ended = [wait for wait in waits if isinstance(wait, Blocked)]
    still = sum(wait.threads for wait in waits if isinstance(wait, OpenWait))
    listed = {thread for wait in ended for thread in wait.thread_ids}
    return max([len(listed), still, *(wait.threads for wait in ended)])


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _seconds(ms: float) -> str:
    return f"{ms:.0f} ms" if ms < _MS_PER_S else f"{ms / _MS_PER_S:.1f} s"

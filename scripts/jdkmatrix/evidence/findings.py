# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which rules does a recording meet: those of known bugs, and those for waiting of any origin?

Pure: a digest's recording and rules in, findings out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from jdkmatrix.config.ledger import Bug, EvidenceRule
from jdkmatrix.config.recording_rules import GenericRule
from jdkmatrix.evidence.against import RecordingBaseline
from jdkmatrix.evidence.cause import (
    Symptom,
    busy_cause_of,
    cause_of,
    slow_cause_of,
    slow_rows,
    spinning_ms,
)
from jdkmatrix.evidence.digest import Holder, Recording, Wait
from jdkmatrix.evidence.places import (
    counted_ms,
    ended_ms,
    holders,
    open_ms,
    queued_once,
    thread_count,
    waits_by_frame,
)
from jdkmatrix.evidence.recording_difference import LEAST_MS_PER_S

GENERIC = "generic"
_MS_PER_S = 1000


@dataclass(frozen=True)
class PlaceWaiting:
    """What a generic rule counts: `waited_ms` in all, and the holder that explains most of it.

    `other_builds` is how many builds it is compared with, None if with a baseline or nothing.
    """

    title: str
    waited_ms: float
    holder: Holder | None
    other_builds: int | None = None


@dataclass(frozen=True)
class Match:
    """A rule that fired, as results/finding.py stores it, and what `shows` it."""

    rule: str
    bug: str
    shows: Symptom | PlaceWaiting
    frames: tuple[str, ...]
    lock_classes: tuple[str, ...]
    threads: int
    blocked_ms: float
    open_ms: float
    bound_ms: float
    baseline_ms: float | None = None


def findings(
    recording: Recording,
    bugs: Iterable[Bug],
    rules: Iterable[GenericRule],
    reference: RecordingBaseline | None = None,
) -> tuple[Match, ...]:
    """The rules that fire, those of bugs first; a place that a bug explains is reported once.

    A rule with `times_baseline` stays silent if there is nothing to compare with, and ignores
    waits that the baseline's settings would have hidden.
    """
    bug_matches = [match for bug in bugs if (match := _of_bug(recording, bug))]
    explained_frames = {frame for match in bug_matches for frame in match.frames}
    generic = [
        place_match
        for rule in rules
        for frame, waits in waits_by_frame(recording).items()
        if frame not in explained_frames
        and (place_match := _of_place(rule, frame, waits, recording, reference))
    ]
    return (
        *bug_matches,
        *sorted(generic, key=lambda match: -(match.blocked_ms + match.open_ms)),
    )


def _of_bug(recording: Recording, bug: Bug) -> Match | None:
    rule = bug.evidence
    if rule is None:
        return None
    if rule.busy_in:
        return _of_busy(recording, bug.id, rule)
    shows: Symptom | None
    if rule.blocked_in:
        shows = cause_of(recording, rule)
        places = waits_by_frame(recording)
        waits = [wait for frame in rule.blocked_in for wait in places.get(frame, ())]
        frames = _distinct(wait.frame for wait in waits)
    else:
        shows = slow_cause_of(recording, rule)
        rows = {frame: slow_rows(recording, frame, rule) for frame in rule.slow_in}
        frames = tuple(frame for frame in rule.slow_in if rows[frame])[:1]
        waits = rows[frames[0]] if frames else []
    return _of_waits(bug.id, bug.id, shows, frames, waits, rule.bound_ms) if shows else None


def _of_waits(
    rule: str,
    bug: str,
    shows: Symptom | PlaceWaiting,
    frames: tuple[str, ...],
    waits: Sequence[Wait],
    bound_ms: float,
    baseline_ms: float | None = None,
) -> Match:
    return Match(
        rule=rule,
        bug=bug,
        shows=shows,
        frames=frames,
        lock_classes=_distinct(wait.lock_class for wait in waits),
        threads=thread_count(waits),
        blocked_ms=ended_ms(waits),
        open_ms=open_ms(waits),
        bound_ms=bound_ms,
        baseline_ms=baseline_ms,
    )


def _of_busy(recording: Recording, bug: str, rule: EvidenceRule) -> Match | None:
    shows = busy_cause_of(recording, rule)
    if shows is None:
        return None
    return Match(
        rule=bug,
        bug=bug,
        shows=shows,
        frames=(shows.frame,),
        lock_classes=(),
        threads=shows.threads,
        blocked_ms=round(sum(spinning_ms(recording, rule)), 3),
        open_ms=0,
        bound_ms=rule.min_busy_ms,
    )


def _of_place(
    rule: GenericRule,
    frame: str,
    waits: Sequence[Wait],
    recording: Recording,
    reference: RecordingBaseline | None,
) -> Match | None:
    if not any(fnmatchcase(frame, glob) for glob in rule.blocked_in):
        return None
    waits = [wait for wait in waits if wait.kind in rule.kinds]
    waited_ms = counted_ms(waits, rule.held_over)
    if waited_ms < rule.min_blocked_ms or thread_count(waits) < rule.min_threads:
        return None
    if queued_once(waits) and waited_ms < rule.min_single_wait_ms * thread_count(waits):
        return None
    bound_ms: float = rule.min_blocked_ms
    had_ms: float | None = None
    if rule.times_baseline is not None:
        if reference is None:
            return None
        had_ms = reference.had_ms(frame, rule.kinds, rule.held_over, recording.duration_ms)
        shown_ms = waited_ms - reference.unseen_ms(waits, recording.settings)
        # In an hour any place adds up to seconds: below this, no change is reported either.
        bound_ms = max(bound_ms, LEAST_MS_PER_S * recording.duration_ms / _MS_PER_S)
        if shown_ms < bound_ms or shown_ms <= rule.times_baseline * had_ms:
            return None
    shows = PlaceWaiting(
        title=rule.title,
        waited_ms=waited_ms,
        holder=max(
            holders(waits, rule.held_over), key=lambda holder: holder.explained_ms, default=None
        ),
        other_builds=len(reference.recordings) if reference and reference.by_class else None,
    )
    baseline_ms = None if had_ms is None else round(had_ms, 3)
    return _of_waits(rule.id, GENERIC, shows, (frame,), waits, bound_ms, baseline_ms)


def _distinct(names: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, names)))

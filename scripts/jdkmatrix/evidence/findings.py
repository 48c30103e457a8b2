# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which rules does a recording meet: those of known bugs, and those for waiting of any origin?

Pure: a digest's recording and rules in, findings out.
"""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from jdkmatrix.config.ledger import Bug, EvidenceRule
from jdkmatrix.config.recording_rules import GenericRule
from jdkmatrix.evidence.against import RecordingBaseline
from jdkmatrix.evidence.cause import (
    busy_cause_of,
    busy_frame,
    cause_of,
    slow_cause_of,
    slow_rows,
    spinning_ms,
)
from jdkmatrix.evidence.digest import Recording, Wait
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
from jdkmatrix.records.model import Record
from jdkmatrix.texts import count_of

GENERIC = "generic"
_MS_PER_S = 1000


class Finding(Record):
    """A rule that fired. `bug` is `generic` where the ledger knows none.

    `blocked_ms` sums ended waits, `open_ms` is a lower bound of those still open, both over
    `threads`; `bound_ms` is the threshold, `baseline_ms` the baseline's waiting there, scaled to
    the same duration. Waits for a peer have no `lock_classes`. If threads spun, `blocked_ms` is for
    how long.
    """

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
    bugs: Iterable[Bug],
    rules: Iterable[GenericRule],
    reference: RecordingBaseline | None = None,
) -> tuple[Finding, ...]:
    """The rules that fire, those of bugs first; a place that a bug explains is reported once.

    A rule with `times_baseline` stays silent if there is nothing to compare with, and ignores
    waits that the baseline's settings would have hidden.
    """
    bug_findings = [finding for bug in bugs if (finding := _of_bug(recording, bug))]
    explained_frames = {frame for finding in bug_findings for frame in finding.frames}
    generic = [
        place_finding
        for rule in rules
        for frame, waits in waits_by_frame(recording).items()
        if frame not in explained_frames
        and (place_finding := _of_place(rule, frame, waits, recording, reference))
    ]
    return (
        *bug_findings,
        *sorted(generic, key=lambda finding: -(finding.blocked_ms + finding.open_ms)),
    )


def _of_bug(recording: Recording, bug: Bug) -> Finding | None:
    rule = bug.evidence
    if rule is None:
        return None
    if rule.busy_in:
        return _of_busy(recording, bug.id, rule)
    if rule.blocked_in:
        sentence = cause_of(recording, rule)
        places = waits_by_frame(recording)
        waits = [wait for frame in rule.blocked_in for wait in places.get(frame, ())]
        frames = _distinct(wait.frame for wait in waits)
    else:
        sentence = slow_cause_of(recording, rule)
        rows = {frame: slow_rows(recording, frame, rule) for frame in rule.slow_in}
        frames = tuple(frame for frame in rule.slow_in if rows[frame])[:1]
        waits = rows[frames[0]] if frames else []
    return _of_waits(bug.id, bug.id, sentence, frames, waits, rule.bound_ms) if sentence else None


def _of_waits(
    rule: str,
    bug: str,
    sentence: str,
    frames: tuple[str, ...],
    waits: Sequence[Wait],
    bound_ms: float,
    baseline_ms: float | None = None,
) -> Finding:
    """The finding of these waits; `sentence` has no full stop."""
    return Finding(
        rule=rule,
        bug=bug,
        sentence=f"{sentence}.",
        frames=frames,
        lock_classes=_distinct(wait.lock_class for wait in waits),
        threads=thread_count(waits),
        blocked_ms=ended_ms(waits),
        open_ms=open_ms(waits),
        bound_ms=bound_ms,
        baseline_ms=baseline_ms,
    )


def _of_busy(recording: Recording, bug: str, rule: EvidenceRule) -> Finding | None:
    sentence = busy_cause_of(recording, rule)
    if sentence is None:
        return None
    spun_ms = spinning_ms(recording, rule)
    return Finding(
        rule=bug,
        bug=bug,
        sentence=f"{sentence}.",
        frames=(busy_frame(recording, rule),),
        lock_classes=(),
        threads=len(spun_ms),
        blocked_ms=round(sum(spun_ms), 3),
        open_ms=0,
        bound_ms=rule.min_busy_ms,
    )


def _of_place(
    rule: GenericRule,
    frame: str,
    waits: Sequence[Wait],
    recording: Recording,
    reference: RecordingBaseline | None,
) -> Finding | None:
    if not any(fnmatchcase(frame, glob) for glob in rule.blocked_in):
        return None
    waits = [wait for wait in waits if wait.kind in rule.kinds]
    waited_ms = counted_ms(waits, rule.held_over)
    if waited_ms < rule.min_blocked_ms or thread_count(waits) < rule.min_threads:
        return None
    if queued_once(waits) and waited_ms < rule.min_single_wait_ms * thread_count(waits):
        return None
    sentence = _sentence(rule, frame, waits, waited_ms)
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
        sentence += f"; {reference.phrase} {_seconds(had_ms)} there over the same length of time"
    baseline_ms = None if had_ms is None else round(had_ms, 3)
    return _of_waits(rule.id, GENERIC, sentence, (frame,), waits, bound_ms, baseline_ms)


def _sentence(rule: GenericRule, frame: str, waits: Sequence[Wait], waited_ms: float) -> str:
    """What the rule found, without a full stop."""
    subject = count_of(thread_count(waits), "thread")
    locks = " and ".join(_distinct(wait.lock_class for wait in waits))
    text = f"{rule.title}: {subject} waited {_seconds(waited_ms)} in {frame} for {locks}"
    lock_holders = holders(waits, rule.held_over)
    if lock_holders:
        holder = max(lock_holders, key=lambda h: h.explained_ms)
        guess = ", inferred" if holder.inferred else ""
        text += f" while '{holder.thread}' sat in {holder.waits_in} ({holder.event}{guess})"
    return text


def _distinct(names: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, names)))


def _seconds(ms: float) -> str:
    return f"{ms:.0f} ms" if ms < _MS_PER_S else f"{ms / _MS_PER_S:.1f} s"

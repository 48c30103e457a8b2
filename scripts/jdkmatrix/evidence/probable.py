# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which bugs do thread dumps make probable, although they lack what would prove it?

The waiters of a bug's rule and its holder are there, or a thread is in its frames, on a build that
may have it; but nothing says for how long, or who has the lock. Pure.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jdkmatrix.config.ledger import Bug, EvidenceRule, Ledger, StuckRule
from jdkmatrix.config.tags import has_change
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.evidence.activities import is_for_peer, short
from jdkmatrix.evidence.digest import PINNED, Recording
from jdkmatrix.evidence.stack_group import StackGroup
from jdkmatrix.plan.expectation import expect
from jdkmatrix.vocabulary import Expectation

# A thread that spun on 11.0.7 got 13 % of a core, where 27 others wanted the two that there were.
_SPINNING_SHARE = 0.1
_AND = " ... "
# It uses no CPU time, which dumps in JSON do not have.
_PARKED = "Unsafe.park"


@dataclass(frozen=True)
class Subject:
    """Threads that are alike; `name` is the first one's, None if nothing tells it."""

    threads: int
    name: str | None


@dataclass(frozen=True)
class PossibleOwner:
    """Who may have a lock, in `frame`; None for a named owner of whom only its read is left."""

    subject: Subject
    frame: str | None


@dataclass(frozen=True)
class Queueing:
    """Threads that want a lock in `frames`; `is_owned` if a dump names who has it."""

    subject: Subject
    frames: tuple[str, ...]
    owner: PossibleOwner | None
    is_owned: bool


@dataclass(frozen=True)
class PeerRead:
    """Threads that wait for a peer in `frame`; `proof_ms` of that prove the bug."""

    subject: Subject
    frame: str
    proof_ms: int


@dataclass(frozen=True)
class Running:
    """Threads that run in `frame`: for `cpu_share` of their life, or in each of `dumps`."""

    subject: Subject
    frame: str
    dumps: int
    cpu_share: float | None


@dataclass(frozen=True)
class Standing:
    """Threads that stood for `stood_ms` (0: unknown) in `place`, which is a hint at `bug`."""

    subject: Subject
    place: str
    stood_ms: float
    bug: str
    alike: str | None


Sign = Queueing | PeerRead | Running | Standing


def by_rule(
    recording: Recording, bug: Bug, build: JdkVersion | None, ledger: Ledger
) -> Sign | None:
    """What makes `bug` probable by its rule; None if nothing does, or the build cannot have it."""
    if not bug.evidence or not recording.stacks or not may_have(recording, bug, build, ledger):
        return None
    return _by_evidence(recording, bug.evidence)


def by_hint(
    recording: Recording,
    bug: Bug,
    build: JdkVersion | None,
    ledger: Ledger,
    answers: Iterable[EvidenceRule],
) -> Sign | None:
    """The same by the bug's frames alone, in stacks that no rule of `answers` explains."""
    if not bug.hint or not recording.stacks or not may_have(recording, bug, build, ledger):
        return None
    rule_frames = {
        frame
        for rule in answers
        for frame in (*rule.blocked_in, *rule.held_in, *rule.slow_in, *rule.busy_in)
    }
    groups = [group for group in recording.stacks if rule_frames.isdisjoint(group.frames)]
    return _by_frames(recording, groups, bug.id, bug.hint)


def may_have(recording: Recording, bug: Bug, build: JdkVersion | None, ledger: Ledger) -> bool:
    """Whether the ledger does not rule the bug out, or the dump shows what the build lacks."""
    if build is None:
        return True
    expectation = expect(bug, build, ledger)
    if expectation is not Expectation.NOT_APPLICABLE:
        return expectation is not Expectation.FIXED
    if has_change(build, bug.fixed) or (bug.introduced and not has_change(build, bug.introduced)):
        return False
    lacking = [
        condition
        for condition in ledger.conditions_of(bug)
        if condition.since and has_change(build, condition.since) is False
    ]
    return bool(lacking) and all(
        condition.shown_by
        and any(set(condition.shown_by) <= set(group.frames) for group in recording.stacks)
        for condition in lacking
    )


def _by_evidence(recording: Recording, rule: EvidenceRule) -> Sign | None:
    return _queue(recording, rule) or _slow(recording, rule) or _busy(recording, rule)


def _lasts(recording: Recording, group: StackGroup, frames: Iterable[str]) -> bool:
    """Whether each dump shows the group in one of the frames; of a timed series, without a move."""
    if _dump_count(recording) == 1:
        return True
    if group.dumps == 1 or (recording.duration_ms and not group.stood_ms):
        return False
    return not set(frames).isdisjoint(group.lasting)


def _dump_count(recording: Recording) -> int:
    return recording.hang.dumps if recording.hang else 1


def _queue(recording: Recording, rule: EvidenceRule) -> Sign | None:
    """Threads that wait where the rule says, and a thread that may have the lock."""
    waiters = [
        group
        for group in recording.stacks
        if group.lock and group.lock.frame in rule.blocked_in
        if _lasts(recording, group, rule.blocked_in)
    ]
    threads = sum(group.threads for group in waiters)
    if not waiters or threads < rule.min_blocked_at_once:
        return None
    holder = _holder(recording, waiters, rule)
    if rule.held_in and holder is None:
        return None
    locks = [group.lock for group in waiters if group.lock]
    return Queueing(
        subject=_subject(waiters),
        frames=tuple(dict.fromkeys(short(lock.frame) for lock in locks)),
        owner=holder,
        is_owned=any(lock.owner and not lock.owner.inferred for lock in locks),
    )


def _holder(
    recording: Recording, waiters: Sequence[StackGroup], rule: EvidenceRule
) -> PossibleOwner | None:
    """Who is in a frame of a holder: the owner that the dump names, or else any thread there."""
    held_in = set(rule.held_in)
    for group in waiters:
        owner = group.lock.owner if group.lock else None
        if owner and not owner.inferred:
            frame = next((frame for frame in owner.frames if frame in held_in), None)
            is_reading = owner.is_cut and is_for_peer(owner.frames)
            if frame is None and not is_reading:
                return None
            return PossibleOwner(Subject(1, owner.thread), frame and short(frame))
    for group in recording.stacks:
        frame = next((frame for frame in group.frames if frame in held_in), None)
        if frame and group not in waiters and is_for_peer(group.frames):
            return PossibleOwner(_subject([group]), short(frame))
    return None


def _slow(recording: Recording, rule: EvidenceRule) -> Sign | None:
    """A thread that waits for a peer where the rule says."""
    if rule.slow_over and set(rule.slow_over) == {PINNED}:
        return None
    for frame in rule.slow_in:
        for group in recording.stacks:
            if frame in group.frames and is_for_peer(group.frames):
                if not _lasts(recording, group, [frame]):
                    continue
                return PeerRead(_subject([group]), short(frame), rule.min_slow_ms)
    return None


def _busy(recording: Recording, rule: EvidenceRule) -> Sign | None:
    """A thread that runs where the rule says, in each dump or all its life.

    Where two dumps have CPU times, these decide: evidence/cause.py.
    """
    count = _dump_count(recording)
    for group in recording.stacks:
        frame = next((frame for frame in rule.busy_in if frame in group.lasting), None)
        if frame is None or not group.state.startswith("RUNNABLE"):
            continue
        if not set(rule.busy_outside).isdisjoint(group.frames):
            continue
        has_spun = count == 1 and (group.cpu_share or 0) >= _SPINNING_SHARE
        is_lasting = count > 1 and group.dumps == count and group.cpu_share is None
        if has_spun or is_lasting:
            return Running(_subject([group]), short(frame), count, group.cpu_share)
    return None


def _by_frames(
    recording: Recording, stacks: Iterable[StackGroup], bug: str, rule: StuckRule
) -> Sign | None:
    """Threads that have stood in the frames of a bug that nothing proves."""
    groups = [group for group in stacks if _is_stuck(recording, group, rule)]
    threads = sum(group.threads for group in groups)
    is_single = _dump_count(recording) == 1 and not rule.passing
    if not groups or threads < (rule.in_one_dump if is_single else rule.min_threads):
        return None
    pattern = next(text for text in rule.stuck_in if _meets(groups[0].frames, text))
    return Standing(
        subject=_subject(groups),
        place=pattern.rpartition(_AND)[2],
        stood_ms=max(group.stood_ms for group in groups),
        bug=bug,
        alike=rule.alike,
    )


def _is_stuck(recording: Recording, group: StackGroup, rule: StuckRule) -> bool:
    count = _dump_count(recording)
    if not any(_meets(group.frames, text) for text in rule.stuck_in):
        return False
    if rule.for_peer and not is_for_peer(group.frames):
        return False
    if any(_meets(group.frames, text) for text in rule.stuck_outside):
        return False
    owner = group.lock.owner if group.lock else None
    if rule.unread and owner and is_for_peer(owner.frames):
        return False
    limit = rule.max_cpu_share
    is_parked = group.frames[0].endswith(_PARKED)
    if limit is not None and not is_parked and (group.cpu_share is None or group.cpu_share > limit):
        return False
    if count == 1 or rule.passing:
        return rule.in_one_dump > 0 or rule.passing
    if recording.duration_ms:
        return group.stood_ms >= rule.min_stuck_ms
    return group.dumps == count and group.changed_frames == 0


def _meets(frames: Sequence[str], pattern: str) -> bool:
    """Whether a stack has the pattern's frames in this order, the innermost first."""
    rest = iter(frames)
    return all(
        any(frame.endswith(f".{name}") or frame == name for frame in rest)
        for name in pattern.split(_AND)
    )


def _subject(groups: Sequence[StackGroup]) -> Subject:
    return Subject(sum(group.threads for group in groups), groups[0].names[0])

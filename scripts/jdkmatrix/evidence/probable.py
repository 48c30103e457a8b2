# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which bugs do thread dumps make probable, although they lack what would prove it?

The waiters of a bug's rule and its holder are there, or a thread is in its frames, on a build that
may have it; but nothing says for how long, or who has the lock. Pure.
"""

from collections.abc import Iterable, Sequence

from jdkmatrix.config.ledger import Bug, EvidenceRule, Ledger, StuckRule
from jdkmatrix.config.tags import has_change
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.evidence.activities import is_for_peer, short
from jdkmatrix.evidence.cause import AT_ONCE, duration
from jdkmatrix.evidence.digest import PINNED, Recording
from jdkmatrix.evidence.stack_group import StackGroup
from jdkmatrix.plan.expectation import expect
from jdkmatrix.records.model import Record
from jdkmatrix.texts import count_of
from jdkmatrix.vocabulary import Expectation

# A thread that spun on 11.0.7 got 13 % of a core, where 27 others wanted the two that there were.
_SPINNING_SHARE = 0.1
_AND = " ... "
# It uses no CPU time, which dumps in JSON do not have.
_PARKED = "Unsafe.park"
_TWICE = "jcmd PID Thread.print -l, twice, 10 s apart, tells"


class Suspicion(Record):
    """What makes a bug probable, what would prove it, and what else looks the same."""

    sentence: str
    proof: str
    alike: str | None = None


def at_once(sentence: str) -> Suspicion:
    """Of a rule that fired by a lock's owner alone, in dumps that have no times."""
    return Suspicion(
        sentence=sentence.removeprefix(AT_ONCE), proof=f"{_TWICE} for how long they wait."
    )


def by_rule(
    recording: Recording, bug: Bug, build: JdkVersion | None, ledger: Ledger
) -> Suspicion | None:
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
) -> Suspicion | None:
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


def _by_evidence(recording: Recording, rule: EvidenceRule) -> Suspicion | None:
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


def _queue(recording: Recording, rule: EvidenceRule) -> Suspicion | None:
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
    waiting = "waits" if threads == 1 else "wait"
    sentence = f"{_subject(waiters)} {waiting} to enter {_places(waiters)}"
    owners = [group.lock.owner for group in waiters if group.lock and group.lock.owner]
    is_named = any(not owner.inferred for owner in owners)
    proof = f"{_TWICE} for how long they wait"
    if holder:
        sentence += f" while {holder}"
        proof += "" if is_named else ", and who has the lock"
    return Suspicion(sentence=f"{sentence}.", proof=f"{proof}.")


def _holder(recording: Recording, waiters: Sequence[StackGroup], rule: EvidenceRule) -> str | None:
    """Who is in a frame of a holder: the owner that the dump names, or else any thread there."""
    held_in = set(rule.held_in)
    for group in waiters:
        owner = group.lock.owner if group.lock else None
        if owner and not owner.inferred:
            frame = next((frame for frame in owner.frames if frame in held_in), None)
            if frame is None and owner.is_cut and is_for_peer(owner.frames):
                return f"'{owner.thread}', which has the lock, waits for a peer"
            return f"'{owner.thread}' is in {short(frame)}" if frame else None
    for group in recording.stacks:
        frame = next((frame for frame in group.frames if frame in held_in), None)
        if frame and group not in waiters and is_for_peer(group.frames):
            return f"{_subject([group])} {_is(group)} in {short(frame)}"
    return None


def _slow(recording: Recording, rule: EvidenceRule) -> Suspicion | None:
    """A thread that waits for a peer where the rule says."""
    if rule.slow_over and set(rule.slow_over) == {PINNED}:
        return None
    for frame in rule.slow_in:
        for group in recording.stacks:
            if frame in group.frames and is_for_peer(group.frames):
                if not _lasts(recording, group, [frame]):
                    continue
                return Suspicion(
                    sentence=f"{_subject([group])} {_is(group)} in {short(frame)}, waiting for"
                    " the peer.",
                    proof=f"{_TWICE} for how long: {duration(rule.min_slow_ms)} or more proves it.",
                )
    return None


def _busy(recording: Recording, rule: EvidenceRule) -> Suspicion | None:
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
        if count == 1 and (group.cpu_share or 0) >= _SPINNING_SHARE:
            detail = f"has used {group.cpu_share:.0%} of a core since it began"
        elif count > 1 and group.dumps == count and group.cpu_share is None:
            detail = f"is there in all of {count} dumps"
        else:
            continue
        return Suspicion(
            sentence=f"{_subject([group])} runs in {short(frame)}, and {detail}.",
            proof=_PROOF_OF_SPINNING if group.cpu_share is None else f"{_TWICE} what it uses.",
            alike="a thread that has much to encrypt",
        )
    return None


_PROOF_OF_SPINNING = (
    "dumps of 8, and in JSON, have no CPU times; top -H -p PID shows whether the thread uses a"
    " whole core."
)


def _by_frames(
    recording: Recording, stacks: Iterable[StackGroup], bug: str, rule: StuckRule
) -> Suspicion | None:
    """Threads that have stood in the frames of a bug that nothing proves."""
    groups = [group for group in stacks if _is_stuck(recording, group, rule)]
    threads = sum(group.threads for group in groups)
    if threads < rule.min_threads or not groups:
        return None
    longest_ms = max(group.stood_ms for group in groups)
    pattern = next(text for text in rule.stuck_in if _meets(groups[0].frames, text))
    place = pattern.rpartition(_AND)[2]
    stay = f"sat {duration(longest_ms)}" if longest_ms else _is(*groups)
    return Suspicion(
        sentence=f"{_subject(groups)} {stay} in {place}.",
        proof=(
            f"no dump does; scripts/matrix has {bug.removeprefix('JDK-')} --jdk PATH tells whether"
            " the build has it."
        ),
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
        return rule.in_one_dump or rule.passing
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


def _subject(groups: Sequence[StackGroup]) -> str:
    threads = sum(group.threads for group in groups)
    return f"'{groups[0].names[0]}'" if threads == 1 else count_of(threads, "thread")


def _is(*groups: StackGroup) -> str:
    return "is" if sum(group.threads for group in groups) == 1 else "are"


def _places(groups: Sequence[StackGroup]) -> str:
    return " and ".join(dict.fromkeys(short(group.lock.frame) for group in groups if group.lock))

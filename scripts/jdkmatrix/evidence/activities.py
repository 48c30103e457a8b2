# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do the threads of a dump or a recording do? Pure. `words/threads.py` says it in sentences.

Threads are active apart by what they wait for, where, and who has the lock; not by who called it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fnmatch import fnmatchcase

from jdkmatrix.config.recording_rules import ActivityRule
from jdkmatrix.evidence.digest import PINNED, Recording, Wait
from jdkmatrix.evidence.stack_group import StackGroup, WantedLock

# Frames that read from or write to a socket, in 8 to 28; the plumbing above them is no deeper.
_PEER = re.compile(
    r"(?:Socket(?:\w*putStream|Impl|Dispatcher|ChannelImpl)\.\w*(?:[rR]ead|[wW]rite))"
    r"|sun\.nio\.ch\.NioSocketImpl\.park"
)
_PLUMBING_FRAMES = 12
_OF_JDK = re.compile(r"(?:java|javax|jdk|sun|com\.sun)\.")
_LOCKS = "java.util.concurrent.locks."
# From this share of the time on a thread is called busy.
_BUSY_SHARE = 0.5


class Doing(StrEnum):
    """What threads do. For BY_RULE a rule says it; from CLASS_INITIALIZATION on, a state does."""

    BY_RULE = "by rule"
    PEER = "peer"
    PINNED = "pinned"
    LOCK = "lock"
    BUSY = "busy"
    CLASS_INITIALIZATION = "class initialization"
    RUNNING = "running"
    BLOCKED = "blocked"
    ASLEEP = "asleep"
    WAITING = "waiting"


_BY_STATE = {
    "RUNNABLE (class init": Doing.CLASS_INITIALIZATION,
    "RUNNABLE": Doing.RUNNING,
    "BLOCKED": Doing.BLOCKED,
    "TIMED_WAITING (sleeping": Doing.ASLEEP,
    "TIMED_WAITING": Doing.WAITING,
    "WAITING": Doing.WAITING,
}


class OwnerLack(StrEnum):
    """Why a dump has no owner of a lock: no thread has the monitor, or dumps do not name it."""

    NO_THREAD = "nobody"
    NO_NAME = "unnamed"


@dataclass(frozen=True)
class Place:
    """Where the program went into the JDK, and the method of the program that did, if known."""

    frame: str
    caller: str | None = None


@dataclass(frozen=True)
class Owner:
    """Who has a lock in a dump, or had it in a recording, where, and what a rule says of that."""

    thread: str
    place: Place
    is_inferred: bool = False
    is_past: bool = False
    says: str | None = None


@dataclass(frozen=True)
class LockWanted:
    """The lock that threads wait for, and who has it; None if a recording does not tell."""

    lock_class: str
    owner: Owner | OwnerLack | None


@dataclass(frozen=True)
class Action:
    """What threads do in a place: `says` is a rule's text, `helper_gone` its note on a thread that
    the dump lacks, `peer` the host and port of the longest wait.
    """

    doing: Doing
    says: str = ""
    helper_gone: str | None = None
    lock: LockWanted | None = None
    peer: tuple[str, int] | None = None


@dataclass(frozen=True)
class Activity:
    """What `threads` do, all the same; `name` is one's. Times in ms, 0 if nothing says how long.

    `waits` is how many waits of a recording this sums, None for what a dump shows.
    """

    place: Place
    action: Action
    threads: int
    name: str | None
    waited_ms: float
    max_ms: float
    waits: int | None = None
    note: str | None = None
    is_idle: bool = False

    def plus(self, addend: "Activity") -> "Activity":
        """This one and another at the same place."""
        return replace(
            self,
            threads=self.threads + addend.threads,
            waited_ms=self.waited_ms + addend.waited_ms,
            max_ms=max(self.max_ms, addend.max_ms),
            waits=self.waits and addend.waits and self.waits + addend.waits,
        )


def activities(
    recording: Recording, rules: Sequence[ActivityRule]
) -> tuple[tuple[Activity, ...], int]:
    """What threads are active in, the longest and largest first; and how many are idle."""
    by_place: dict[tuple[Place, Action], Activity] = {}
    for activity in (*_of_dumps(recording, rules), *_of_recording(recording, rules)):
        key = activity.place, activity.action
        by_place[key] = by_place[key].plus(activity) if key in by_place else activity
    active = [activity for activity in by_place.values() if not activity.is_idle]
    active.sort(key=lambda activity: (-activity.waited_ms, -activity.threads))
    idle_threads = sum(activity.threads for activity in by_place.values() if activity.is_idle)
    return tuple(active), idle_threads


def _of_dumps(recording: Recording, rules: Sequence[ActivityRule]) -> Iterator[Activity]:
    all_frames = {frame for group in recording.stacks for frame in group.frames}
    for group in recording.stacks:
        place, action, rule = _doing(group, rules)
        if rule and rule.helper and rule.helper not in all_frames:
            action = replace(action, helper_gone=rule.helper_gone)
        yield Activity(
            place=place,
            action=action,
            threads=group.threads,
            name=group.names[0],
            waited_ms=group.threads * group.stood_ms,
            max_ms=group.stood_ms,
            note=rule.note if rule else None,
            is_idle=rule is not None and rule.idle,
        )


def _doing(
    group: StackGroup, rules: Sequence[ActivityRule]
) -> tuple[Place, Action, ActivityRule | None]:
    """Where the threads of a group are, what they do there, and the rule that says so."""
    if group.lock:
        place = Place(short(group.lock.frame))
        action = Action(Doing.LOCK, lock=_wanted_lock(group.lock, rules))
        return place, action, _lock_rule_of(group.lock.frame, rules)
    rule = rule_of(group.frames, rules, group.state)
    if rule:
        return Place(short(_frame_of(rule, group.frames))), Action(Doing.BY_RULE, rule.says), rule
    if is_for_peer(group.frames):
        return _about(group.frames), Action(Doing.PEER), None
    doing = next(doing for state, doing in _BY_STATE.items() if group.state.startswith(state))
    # No line says for which lock; but it is the innermost frame that wants it.
    is_blocked = group.state.startswith("BLOCKED")
    return (
        Place(short(group.frames[0])) if is_blocked else _about(group.frames),
        Action(doing),
        None,
    )


def _wanted_lock(lock: WantedLock, rules: Sequence[ActivityRule]) -> LockWanted:
    """For which lock a group waits, who has it, and what that thread does."""
    name = lock.lock_class.removeprefix(_LOCKS)
    if lock.owner is None:
        return LockWanted(
            name, OwnerLack.NO_THREAD if lock.kind == "monitor" else OwnerLack.NO_NAME
        )
    frames = lock.owner.frames
    rule = rule_of(frames, rules)
    place = Place(short(_frame_of(rule, frames))) if rule else _about(frames)
    says = rule.says if rule and not rule.idle else None
    owner = Owner(lock.owner.thread, place, is_inferred=lock.owner.inferred, says=says)
    return LockWanted(name, owner)


def _of_recording(recording: Recording, rules: Sequence[ActivityRule]) -> Iterator[Activity]:
    """What a recording has of waits for peers and locks, and of busy threads."""
    if recording.source == "recording":
        for wait in recording.waits:
            yield _of_wait(wait, rules)
    for thread in recording.busy:
        if thread.places and thread.busy_ms >= _BUSY_SHARE * recording.duration_ms:
            yield Activity(
                place=_about(thread.places[0].path),
                action=Action(Doing.BUSY),
                threads=1,
                name=thread.thread,
                waited_ms=thread.busy_ms,
                max_ms=thread.busy_ms,
            )


def _of_wait(wait: Wait, rules: Sequence[ActivityRule]) -> Activity:
    if wait.lock_class is not None:
        rule = _lock_rule_of(wait.frame, rules)
        place, action = Place(short(wait.frame)), Action(Doing.LOCK, lock=_lock_of(wait))
    else:
        rule = rule_of(wait.path, rules, for_peer=wait.kind != PINNED)
        place = Place(short(_frame_of(rule, wait.path) if rule else wait.frame))
        longest = wait.longest
        peer = (longest.host, longest.port) if longest and longest.host else None
        action = Action(Doing.PEER, peer=peer)
        if wait.kind == PINNED:
            action = Action(Doing.PINNED, peer=peer)
        elif rule:
            action = Action(Doing.BY_RULE, rule.says, peer=peer)
    return Activity(
        place=place,
        action=action,
        threads=wait.threads,
        name=wait.longest.thread if wait.longest else None,
        waited_ms=wait.total_ms,
        max_ms=wait.max_ms,
        waits=wait.count,
        note=rule.note if rule else None,
    )


def _lock_of(wait: Wait) -> LockWanted:
    assert wait.lock_class
    holder = wait.holder
    owner = Owner(holder.thread, Place(short(holder.waits_in)), is_past=True) if holder else None
    return LockWanted(wait.lock_class.removeprefix(_LOCKS), owner)


def rule_of(
    frames: Sequence[str],
    rules: Sequence[ActivityRule],
    state: str | None = None,
    *,
    for_peer: bool | None = None,
) -> ActivityRule | None:
    """The first rule that a stack meets. Without `state`, in any; `for_peer` by default as seen."""
    reads = is_for_peer(frames) if for_peer is None else for_peer
    for rule in rules:
        if rule.for_lock or (rule.for_peer and not reads):
            continue
        if rule.states and state is not None and not state.startswith(rule.states):
            continue
        if any(_matches(frame, rule) for frame in frames):
            return rule
    return None


def _lock_rule_of(frame: str, rules: Sequence[ActivityRule]) -> ActivityRule | None:
    """The rule on the lock that threads want in that frame."""
    return next((rule for rule in rules if rule.for_lock and _matches(frame, rule)), None)


def is_for_peer(frames: Sequence[str]) -> bool:
    """Whether a thread reads from or writes to a socket, by its innermost frames."""
    return any(_PEER.search(frame) for frame in frames[:_PLUMBING_FRAMES])


def _matches(frame: str, rule: ActivityRule) -> bool:
    return any(fnmatchcase(frame, glob) for glob in rule.frames)


def _frame_of(rule: ActivityRule, frames: Sequence[str]) -> str:
    """The frame that a sentence names: of the first pattern that is there, the outermost."""
    return next(
        frame for glob in rule.frames for frame in reversed(frames) if fnmatchcase(frame, glob)
    )


def _about(frames: Sequence[str]) -> Place:
    program = next((n for n, frame in enumerate(frames) if not _OF_JDK.match(frame)), None)
    if program is None:
        return Place(short(frames[0]))
    caller = short(frames[program])
    return Place(short(frames[program - 1]), caller) if program else Place(caller)


def short(frame: str) -> str:
    """`SSLSocketImpl.close` of a JDK's frame, all of a program's own."""
    return ".".join(frame.split(".")[-2:]) if _OF_JDK.match(frame) else frame

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do the threads of a dump or a recording do, in a few sentences? Pure.

Threads are active apart by what they wait for, where, and who has the lock; not by who called it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from jdkmatrix.config.thread_rules import ActivityRule
from jdkmatrix.evidence.cause import duration
from jdkmatrix.evidence.digest import PINNED, Recording, Wait
from jdkmatrix.evidence.hang import lock_phrase
from jdkmatrix.evidence.stack_group import StackGroup
from jdkmatrix.texts import count_of

MOST_LINES = 5
# Frames that read from or write to a socket, in 8 to 28; the plumbing above them is no deeper.
_PEER = re.compile(
    r"(?:Socket(?:\w*putStream|Impl|Dispatcher|ChannelImpl)\.\w*(?:[rR]ead|[wW]rite))"
    r"|sun\.nio\.ch\.NioSocketImpl\.park"
)
_PLUMBING_FRAMES = 12
_OF_JDK = re.compile(r"(?:java|javax|jdk|sun|com\.sun)\.")
_LOCKS = "java.util.concurrent.locks."
_BY_STATE = {
    "RUNNABLE (class init": "waiting for a class that another thread initializes",
    "RUNNABLE": "running",
    "BLOCKED": "waiting for a lock",
    "TIMED_WAITING (sleeping": "asleep",
    "TIMED_WAITING": "waiting",
    "WAITING": "waiting",
}
# From this share of the time on a thread is called busy.
_BUSY_SHARE = 0.5


@dataclass(frozen=True)
class _Activity:
    """What `threads` do, all the same; `place` and `says` tell what, `extent` how long."""

    place: str
    says: str
    threads: int
    name: str
    waited_ms: float
    max_ms: float
    extent: str = ""
    note: str | None = None
    is_idle: bool = False

    def plus(self, addend: "_Activity") -> "_Activity":
        """This one and another at the same place."""
        return replace(
            self,
            threads=self.threads + addend.threads,
            waited_ms=self.waited_ms + addend.waited_ms,
            max_ms=max(self.max_ms, addend.max_ms),
        )

    def sentence(self) -> str:
        """`20 threads sat 30 s in SSLSocketImpl.startHandshake, waiting for the peer.`"""
        subject = f"'{self.name}'" if self.threads == 1 else count_of(self.threads, "thread")
        verb = "is" if self.threads == 1 else "are"
        stay = self.extent or (f"sat {duration(self.max_ms)}" if self.max_ms else verb)
        return f"{subject} {stay} in {self.place}, {self.says}."


def activity_sentences(
    recording: Recording, rules: Sequence[ActivityRule], limit: int = MOST_LINES
) -> tuple[str, ...]:
    """At most `limit` sentences, the longest and largest first, then what is left in one more.

    A note on what bounds a wait follows its sentence.
    """
    activities = _merge([*_of_dumps(recording, rules), *_of_recording(recording, rules)])
    active = [activity for activity in activities if not activity.is_idle]
    active.sort(key=lambda activity: (-activity.waited_ms, -activity.threads))
    lines = [
        activity.sentence() + (f" {_capital(activity.note)}." if activity.note else "")
        for activity in active[:limit]
    ]
    rest = _rest(active[limit:], [activity for activity in activities if activity.is_idle])
    return (*lines, *rest)


def _rest(remainder: Sequence[_Activity], idle: Sequence[_Activity]) -> Iterator[str]:
    """How many threads no sentence is about."""
    parts = [
        f"{count_of(sum(activity.threads for activity in rows), 'thread')} {text}"
        for rows, text in ((remainder, "elsewhere"), (idle, "idle"))
        if rows
    ]
    if parts:
        yield f"{' and '.join(parts)}."


def _merge(activities: Iterable[_Activity]) -> list[_Activity]:
    """Those at the same place as one."""
    by_place: dict[tuple[str, str], _Activity] = {}
    for activity in activities:
        key = activity.place, activity.says
        by_place[key] = by_place[key].plus(activity) if key in by_place else activity
    return list(by_place.values())


def _of_dumps(recording: Recording, rules: Sequence[ActivityRule]) -> Iterator[_Activity]:
    all_frames = {frame for group in recording.stacks for frame in group.frames}
    for group in recording.stacks:
        place, says, rule = _doing(group, rules)
        if rule and rule.helper and rule.helper not in all_frames:
            says += f"; {rule.helper_gone}"
        yield _Activity(
            place=place,
            says=says,
            threads=group.threads,
            name=group.names[0],
            waited_ms=group.threads * group.stood_ms,
            max_ms=group.stood_ms,
            note=rule.note if rule else None,
            is_idle=rule is not None and rule.idle,
        )


def _doing(
    group: StackGroup, rules: Sequence[ActivityRule]
) -> tuple[str, str, ActivityRule | None]:
    """Where the threads of a group are, what they do there, and the rule that says so."""
    if group.lock:
        lock_rule = _lock_rule_of(group.lock.frame, rules)
        return short(group.lock.frame), _waiting_for_lock(group, rules), lock_rule
    rule = rule_of(group.frames, rules, group.state)
    if rule:
        return short(_frame_of(rule, group.frames)), rule.says, rule
    if is_for_peer(group.frames):
        return _about(group.frames), "waiting for the peer", None
    text = next(text for state, text in _BY_STATE.items() if group.state.startswith(state))
    return _about(group.frames), text, None


def _waiting_for_lock(group: StackGroup, rules: Sequence[ActivityRule]) -> str:
    """For which lock a group waits, who has it, and what that thread does."""
    lock = group.lock
    assert lock
    lock_text, relation = lock_phrase(lock.lock_class.removeprefix(_LOCKS))
    if lock.owner is None:
        owner_text = "which no thread of the dump has" if lock.kind == "monitor" else _UNNAMED
        return f"waiting for {lock_text}, {owner_text}"
    guess = " (inferred)" if lock.owner.inferred else ""
    rule = rule_of(lock.owner.frames, rules)
    place = short(_frame_of(rule, lock.owner.frames)) if rule else _about(lock.owner.frames)
    says = f", {rule.says}" if rule and not rule.idle else ""
    owner = f"'{lock.owner.thread}'{guess}"
    return f"waiting for {lock_text} {relation} {owner}, which is in {place}{says}"


_UNNAMED = "whose owner is not named: jcmd PID Thread.print -l names it"


def _of_recording(recording: Recording, rules: Sequence[ActivityRule]) -> Iterator[_Activity]:
    """What a recording has of waits for peers and locks, and of busy threads."""
    if recording.source == "recording":
        for wait in recording.waits:
            yield _of_wait(wait, rules)
    for thread in recording.busy:
        if thread.places and thread.busy_ms >= _BUSY_SHARE * recording.duration_ms:
            yield _Activity(
                place=_about(thread.places[0].path),
                says="mostly",
                threads=1,
                name=thread.thread,
                waited_ms=thread.busy_ms,
                max_ms=thread.busy_ms,
                extent=f"was busy for {duration(thread.busy_ms)}",
            )


def _of_wait(wait: Wait, rules: Sequence[ActivityRule]) -> _Activity:
    if wait.lock_class is not None:
        lock_text, relation = lock_phrase(wait.lock_class.removeprefix(_LOCKS))
        says = f"waiting for {lock_text}"
        if wait.holder:
            says += (
                f" {relation} '{wait.holder.thread}', which was in {short(wait.holder.waits_in)}"
            )
        lock_rule = _lock_rule_of(wait.frame, rules)
        place, note = short(wait.frame), lock_rule.note if lock_rule else None
    else:
        rule = rule_of(wait.path, rules, for_peer=wait.kind != PINNED)
        place = short(_frame_of(rule, wait.path) if rule else wait.frame)
        says = rule.says if rule else "waiting for the peer"
        if wait.kind == PINNED:
            says = "keeping the carrier of a virtual thread"
        note = rule.note if rule else None
        if wait.longest and wait.longest.host:
            says += f" (longest for {wait.longest.host}:{wait.longest.port})"
    upto = "" if wait.count == 1 else "up to "
    in_all = "" if wait.count == 1 else f", {duration(wait.total_ms)} in all,"
    return _Activity(
        place=place,
        says=says,
        threads=wait.threads,
        name=wait.longest.thread if wait.longest else "1 thread",
        waited_ms=wait.total_ms,
        max_ms=wait.max_ms,
        extent=f"waited {upto}{duration(wait.max_ms)}{in_all}",
        note=note,
    )


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


def _about(frames: Sequence[str]) -> str:
    """Where the program went into the JDK, and the method of the program that did."""
    program = next((n for n, frame in enumerate(frames) if not _OF_JDK.match(frame)), None)
    if program is None:
        return short(frames[0])
    caller = short(frames[program])
    return f"{short(frames[program - 1])}, called by {caller}" if program else caller


def short(frame: str) -> str:
    """`SSLSocketImpl.close` of a JDK's frame, all of a program's own."""
    return ".".join(frame.split(".")[-2:]) if _OF_JDK.match(frame) else frame


def _capital(text: str) -> str:
    """A note as a sentence of its own; a property's name keeps its letters."""
    first = text.split()[0]
    return text if "." in first or first.startswith("-") else text[0].upper() + text[1:]

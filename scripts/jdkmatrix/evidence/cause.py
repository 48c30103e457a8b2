# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a recording show a bug's own waiting or spinning? `words/waiting.py` says it in a sentence.

Pure. The rules come from the ledger. Waits match by frame, so monitors (8, 11) and locks (17) are
treated alike. Times are in ms, frames are `package.Class.method`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from jdkmatrix.config.ledger import EvidenceRule
from jdkmatrix.evidence.digest import PINNED, BusyThread, Holder, Recording, Wait
from jdkmatrix.evidence.places import counted_ms, ended_ms, open_ms, thread_count

# A cause must account for most of the waiting, or of what a thread does. On fixed builds, class
# loading inside the lock makes first requests wait some 300 ms in total; closes explain under 5 %
# of that.
_LEAST_SHARE = 0.5
# From this share on, the explained part is not separated from the whole.
_NEARLY_ALL = 0.95


class CauseSource(StrEnum):
    """What a cause was read from."""

    RECORDING = "recording"
    FACTS = "facts"
    REASON = "reason"


class Inference(StrEnum):
    """How much of the waiting is explained by holders that a recording does not name."""

    ALL_NAMED = "all named"
    PARTLY = "partly"
    MOSTLY = "mostly"


@dataclass(frozen=True)
class LockHolding:
    """Who held a lock, and in which call: that of whoever explains most.

    `thread` is None if several did, one at a time. `part_ms` is how much of the ended waits this
    explains, None if nearly all; `in_ended` is False if only open waits show it.
    """

    thread: str | None
    frame: str
    inference: Inference
    part_ms: float | None = None
    in_ended: bool = True


@dataclass(frozen=True)
class LockWaiting:
    """Threads that wanted a lock in `frames`, where they waited longest first.

    `threads` are those whose waits ended, after `ended_ms` in all; `open_threads` still waited when
    the recording ended, for `open_ms` at least. A snapshot has neither time, nor open waits.
    """

    frames: tuple[str, ...]
    threads: int
    ended_ms: float = 0.0
    open_threads: int = 0
    open_ms: float = 0.0
    holding: LockHolding | None = None

    @property
    def is_snapshot(self) -> bool:
        """Whether nothing says how long they waited."""
        return not self.open_threads and not self.ended_ms


@dataclass(frozen=True)
class PeerWaiting:
    """Threads that sat in `frame`, the longest for `max_ms`, and there in `inner_frame`.

    With `is_pinned` a virtual thread kept its carrier, else the wait was for the peer.
    """

    threads: int
    max_ms: float
    frame: str
    inner_frame: str
    is_single: bool
    is_pinned: bool


@dataclass(frozen=True)
class Spinning:
    """Threads that were busy in `frame`, and outside of some, for `max_ms` at most."""

    threads: int
    max_ms: float
    frame: str
    outside_frames: tuple[str, ...]


Symptom = LockWaiting | PeerWaiting | Spinning


def symptom_of(recording: Recording, rule: EvidenceRule) -> Symptom | None:
    """What the recording shows of the bug; None if nothing."""
    return (
        cause_of(recording, rule)
        or slow_cause_of(recording, rule)
        or busy_cause_of(recording, rule)
    )


def cause_of(recording: Recording, rule: EvidenceRule) -> LockWaiting | None:
    """The waits for a lock that the rule is about, or None if the recording does not show them.

    Distinguishes waits that ended from waits still open when the recording ended.
    """
    waits = [wait for wait in recording.lock_waits if wait.frame in rule.blocked_in]
    open_waits = [wait for wait in waits if wait.is_open]
    ended_waits = [wait for wait in waits if not wait.is_open]
    if not open_waits and not ended_ms(waits):
        return _cause_at_once(waits, rule)
    if counted_ms(waits, ()) < rule.min_blocked_ms:
        return None
    holding = _explain_holding(waits, rule) if rule.held_in else None
    if rule.held_in and holding is None:
        return None
    return LockWaiting(
        frames=_frames(ended_waits or waits),
        threads=thread_count(ended_waits) if ended_waits else 0,
        ended_ms=ended_ms(waits),
        open_threads=sum(wait.threads for wait in open_waits),
        open_ms=open_ms(waits),
        holding=holding,
    )


def rule_ms(recording: Recording, rule: EvidenceRule) -> float:
    """How much waiting, or spinning, of all threads the rule counts, in ms, below its bound too.

    The longest of what it looks for: waits for a lock, with `held_in` as far as a holder sat there;
    waits for a peer, each group with one that is long enough; busy time.
    """
    waits = [wait for wait in recording.lock_waits if wait.frame in rule.blocked_in]
    held_ms = _explained_ms(_holders(waits, rule))
    slow_waits = {
        id(row): row for frame in rule.slow_in for row in slow_rows(recording, frame, rule)
    }
    return max(
        held_ms if rule.held_in else counted_ms(waits, ()),
        sum(wait.total_ms for wait in slow_waits.values()),
        sum(_busy_ms(thread, rule) for thread in recording.busy) if rule.busy_in else 0.0,
    )


def _cause_at_once(waits: Sequence[Wait], rule: EvidenceRule) -> LockWaiting | None:
    """As cause_of, for a snapshot, where no wait has a length.

    Reports waits for a lock whose named owner holds it where a fixed build would not. Without
    `held_in` one snapshot proves nothing, and an inferred owner may have released the lock.
    """

    def held_by(wait: Wait) -> list[Holder]:
        return [holder for holder in _holders([wait], rule) if not holder.inferred]

    held_waits = [wait for wait in waits if held_by(wait)]
    holders = [holder for wait in held_waits for holder in held_by(wait)]
    if not holders:
        return None
    holding = _holding(holders, rule)
    return LockWaiting(_frames(held_waits), thread_count(held_waits), holding=holding)


def slow_cause_of(recording: Recording, rule: EvidenceRule) -> PeerWaiting | None:
    """As cause_of, for threads that waited for a peer, even if nobody waited for them."""
    for frame in rule.slow_in:
        rows = slow_rows(recording, frame, rule)
        if rows:
            longest = max(rows, key=lambda row: row.max_ms)
            return PeerWaiting(
                threads=thread_count(rows),
                max_ms=longest.max_ms,
                frame=frame,
                inner_frame=longest.frame,
                is_single=sum(row.count for row in rows) == 1,
                is_pinned=longest.kind == PINNED,
            )
    return None


def slow_rows(recording: Recording, frame: str, rule: EvidenceRule) -> list[Wait]:
    """The waits inside `frame` that are long enough, and by an event that the rule accepts."""
    return [
        wait
        for wait in recording.waits
        if frame in wait.path and wait.max_ms >= rule.min_slow_ms
        if not rule.slow_over or wait.kind in rule.slow_over
    ]


def busy_cause_of(recording: Recording, rule: EvidenceRule) -> Spinning | None:
    """As cause_of, for threads that were busy and got nothing done."""
    spun_ms = spinning_ms(recording, rule)
    if not spun_ms:
        return None
    return Spinning(len(spun_ms), max(spun_ms), busy_frame(recording, rule), rule.busy_outside)


def busy_frame(recording: Recording, rule: EvidenceRule) -> str:
    """The rule's frame in which threads were busy longest."""

    def busy_ms(frame: str) -> float:
        places = (place for thread in recording.busy for place in thread.places)
        return sum(place.busy_ms for place in places if frame in place.path)

    return max(rule.busy_in, key=busy_ms)


def spinning_ms(recording: Recording, rule: EvidenceRule) -> list[float]:
    """How long each thread was busy as the rule says, if for most of the time that it was busy."""
    spun = [(thread, _busy_ms(thread, rule)) for thread in recording.busy]
    return [
        busy_ms
        for thread, busy_ms in spun
        if busy_ms >= rule.min_busy_ms and busy_ms > _LEAST_SHARE * thread.busy_ms
    ]


def _busy_ms(thread: BusyThread, rule: EvidenceRule) -> float:
    return sum(
        place.busy_ms
        for place in thread.places
        if not set(rule.busy_in).isdisjoint(place.path)
        and set(rule.busy_outside).isdisjoint(place.path)
    )


def _explain_holding(waits: Sequence[Wait], rule: EvidenceRule) -> LockHolding | None:
    """What the holders sat in, or None if that does not account for the waiting."""
    holders = _holders(waits, rule)
    least_ms = max(rule.min_blocked_ms, _LEAST_SHARE * counted_ms(waits, ()))
    if _explained_ms(holders) < least_ms:
        return None
    ended_holders = _holders([wait for wait in waits if not wait.is_open], rule)
    part_ms = _explained_ms(ended_holders)
    is_part = bool(ended_holders) and part_ms < _NEARLY_ALL * ended_ms(waits)
    return replace(
        _holding(ended_holders or holders, rule),
        part_ms=part_ms if is_part else None,
        in_ended=bool(ended_holders),
    )


def _holders(waits: Iterable[Wait], rule: EvidenceRule) -> list[Holder]:
    """The holders that sat where the rule says."""
    return [
        holder
        for wait in waits
        for holder in wait.holders
        if not set(rule.held_in).isdisjoint(holder.path)
    ]


def _holding(holders: Sequence[Holder], rule: EvidenceRule) -> LockHolding:
    names = {holder.thread for holder in holders}
    is_single = len(names) == 1 and all(holder.threads == 1 for holder in holders)
    longest = max(holders, key=lambda holder: holder.explained_ms)
    return LockHolding(
        thread=names.pop() if is_single else None,
        frame=next(frame for frame in longest.path if frame in rule.held_in),
        inference=_inference(holders),
    )


def _explained_ms(holders: Iterable[Holder]) -> float:
    return sum(holder.explained_ms for holder in holders)


def _inference(holders: Sequence[Holder]) -> Inference:
    inferred_ms = _explained_ms(holder for holder in holders if holder.inferred)
    if inferred_ms == 0:
        return Inference.ALL_NAMED
    is_rest_larger = _explained_ms(holders) - inferred_ms > inferred_ms
    return Inference.PARTLY if is_rest_larger else Inference.MOSTLY


def _frames(waits: Sequence[Wait]) -> tuple[str, ...]:
    """Where they waited, longest first, or of a snapshot most threads."""

    def size(frame: str) -> tuple[float, int]:
        rows = [wait for wait in waits if wait.frame == frame]
        return sum(wait.total_ms for wait in rows), sum(wait.threads for wait in rows)

    return tuple(sorted(dict.fromkeys(w.frame for w in waits), key=size, reverse=True))

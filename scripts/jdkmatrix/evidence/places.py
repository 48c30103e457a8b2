# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where did threads wait, and how much of that counts? Sums over a digest's rows. Pure."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from pydantic import Field

from jdkmatrix.config.recording_rules import LockKind
from jdkmatrix.evidence.digest import Holder, Recording, Wait
from jdkmatrix.records.model import Record

# Of all threads, in ms: what is less is no reason to look there.
_LEAST_MS = 100


def waits_by_frame(recording: Recording) -> dict[str, list[Wait]]:
    """Every wait for a lock, ended or open, by the frame that wanted the lock."""
    places: defaultdict[str, list[Wait]] = defaultdict(list)
    for wait in recording.lock_waits:
        places[wait.frame].append(wait)
    return places


def counted_ms(waits: Sequence[Wait], held_over: Collection[str]) -> float:
    """All waiting, or with `held_over` the part in which a holder sat in one of these events.

    A wait that has not ended does not show its holder's event.
    """
    if not held_over:
        return ended_ms(waits) + open_ms(waits)
    return sum(holder.explained_ms for holder in holders(waits, held_over))


def ended_ms(waits: Iterable[Wait]) -> float:
    """The sum of waits that had ended."""
    return round(sum(wait.total_ms for wait in waits if not wait.is_open), 3)


def open_ms(waits: Iterable[Wait]) -> float:
    """A lower bound of the sum of waits that had not ended."""
    return round(sum(wait.total_ms for wait in waits if wait.is_open), 3)


def holders(waits: Iterable[Wait], held_over: Collection[str]) -> list[Holder]:
    """The holders in ended waits; with `held_over` only those in one of these events."""
    return [
        holder
        for wait in waits
        for holder in wait.holders
        if not wait.is_open and (not held_over or holder.event in held_over)
    ]


def thread_count(waits: Sequence[Wait]) -> int:
    """At least how many threads waited: those still waiting may have ended waits as well."""
    ended_waits = [wait for wait in waits if not wait.is_open]
    open_threads = sum(wait.threads for wait in waits if wait.is_open)
    thread_ids = {thread for wait in ended_waits for thread in wait.thread_ids}
    return max([len(thread_ids), open_threads, *(wait.threads for wait in ended_waits)])


def queued_once(waits: Sequence[Wait]) -> bool:
    """Whether most threads waited once and none still waits, as threads that start together do."""
    if any(wait.is_open for wait in waits):
        return False
    return sum(wait.count for wait in waits) < 2 * thread_count(waits)


class LockPlace(Record):
    """A lock class, and a frame in which threads waited to get in."""

    kind: LockKind
    lock_class: str
    frame: str
    threads: int


class LongestWait(LockPlace):
    """Blocked time of one lock class and frame: how many threads waited to get in, how long."""

    count: int
    total_ms: float
    max_ms: float


class LastHolder(Record):
    """Who had a lock in the last thread dump, and what it sat in; `path` as in Holder."""

    thread: str
    frame: str
    waits_in: str
    path: tuple[str, ...]
    inferred: bool


class StillWaiting(LockPlace):
    """Waits for a lock that had not ended when the recording did, as its thread dumps show them.

    `waited_ms_at_least` is the sum over the threads.
    """

    thread_ids: tuple[int, ...]
    waited_ms_at_least: float = Field(validation_alias="total_ms")
    holder: LastHolder | None


def longest_waits(recording: Recording, limit: int) -> tuple[LongestWait, ...]:
    """At most `limit` places, the longest sum first; only waits that ended count."""
    waits = [wait for wait in recording.lock_waits if not wait.is_open]
    waits.sort(key=lambda wait: -wait.total_ms)
    return tuple(LongestWait.model_validate(w, from_attributes=True) for w in waits[:limit])


def open_waits(recording: Recording, limit: int) -> tuple[StillWaiting, ...]:
    """At most `limit` places, the longest sum first; only waits that had not ended count."""
    waits = [wait for wait in recording.lock_waits if wait.is_open]
    waits.sort(key=lambda wait: -wait.total_ms)
    return tuple(StillWaiting.model_validate(w, from_attributes=True) for w in waits[:limit])


def longest_wait(recording: Recording) -> Wait | None:
    """The place where threads waited longest for a lock; None if for less than a tenth of a second
    in all.
    """
    wait = max(recording.lock_waits, key=lambda wait: wait.total_ms, default=None)
    return wait if wait and wait.total_ms >= _LEAST_MS else None

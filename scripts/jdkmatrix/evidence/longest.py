# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where did threads wait longest for locks in total? Pure."""

from pydantic import Field

from jdkmatrix.config.recording_rules import LockKind
from jdkmatrix.evidence.digest import Recording, Wait
from jdkmatrix.records.model import Record

# Of all threads, in ms: what is less is no reason to look there.
_LEAST_MS = 100


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

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where did threads wait longest for locks in total? Pure."""

from pydantic import Field

from jdkmatrix.config.recording_rules import LockKind
from jdkmatrix.evidence.cause import duration
from jdkmatrix.evidence.digest import Recording
from jdkmatrix.records.model import Record
from jdkmatrix.texts import count_of

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


def longest_waiting(recording: Recording) -> str:
    """The place where threads waited longest for a lock, in a sentence without a full stop; "" if
    they waited for less than a tenth of a second in all.
    """
    wait = max(recording.lock_waits, key=lambda wait: wait.total_ms, default=None)
    if wait is None or wait.total_ms < _LEAST_MS:
        return ""
    verb = (
        ("is" if wait.threads == 1 else "are") + " still waiting after"
        if wait.is_open
        else "waited"
    )
    text = (
        f"{count_of(wait.threads, 'thread')} {verb} {duration(wait.total_ms)} to enter {wait.frame}"
    )
    holder = wait.holder
    return f"{text} while '{holder.thread}' sat in {holder.waits_in}" if holder else text

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where did threads wait, and how much of that counts? Sums over a digest's rows. Pure."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from jdkmatrix.evidence.digest import Holder, Recording, Wait


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

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which waiting appeared, grew, shrank or went between two sets of recordings?

Pure. Compares any two sets: affected and fixed, yesterday and today, 11 and 17. Rows are therefore
identified by the waiting frame only (a monitor on one side may be a ReentrantLock on the other),
and figures are per second of recording.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from jdkmatrix.evidence.digest import PINNED, Recording, Wait

# Less waiting than this, a hundredth of one thread's time, is never reported.
LEAST_MS_PER_S = 10.0
# Two recordings of the same build on a busy machine differ by this much.
LEAST_FACTOR = 2.0


class WaitChange(StrEnum):
    """What became of one row, in the order in which rows are listed."""

    APPEARED = "appeared"
    GREW = "grew"
    SHRANK = "shrank"
    WENT = "went"
    SAME = "same"


class WaitKind(StrEnum):
    """What a row is about: waiting for a lock, or for a peer."""

    BLOCKED = "blocked"
    SLOW = "slow"


@dataclass(frozen=True)
class Side:
    """One place in the code on one side. Per second of recording; open waits are included.

    `threads` is the most in any recording, `still_waiting` the threads whose wait had not ended.
    """

    ms_per_s: float = 0.0
    waits_per_s: float = 0.0
    threads: int = 0
    still_waiting: int = 0
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True)
class WaitDifference:
    """One place in the code on both sides."""

    subject: WaitKind
    frame: str
    change: WaitChange
    old: Side
    new: Side


def difference(
    baseline: Sequence[Recording], candidate: Sequence[Recording]
) -> tuple[WaitDifference, ...]:
    """All places that reach LEAST_MS_PER_S on either side, by WaitChange, then by difference.

    A side without recordings, or of no duration, has no waiting.
    """
    old = _sides(baseline)
    new = _sides(candidate)
    rows = []
    for key in sorted(old.keys() | new.keys()):
        old_side, new_side = old.get(key, Side()), new.get(key, Side())
        if max(old_side.ms_per_s, new_side.ms_per_s) >= LEAST_MS_PER_S:
            change = _change(old_side.ms_per_s, new_side.ms_per_s)
            rows.append(WaitDifference(key[0], key[1], change, old_side, new_side))
    order = list(WaitChange)
    return tuple(
        sorted(
            rows,
            key=lambda row: (
                order.index(row.change),
                -abs(row.new.ms_per_s - row.old.ms_per_s),
            ),
        )
    )


def _change(old: float, new: float) -> WaitChange:
    """What became of a rate. A side below the bound is nothing if also well below the other."""
    larger, smaller = max(old, new), min(old, new)
    if larger < LEAST_FACTOR * smaller:
        return WaitChange.SAME
    if smaller >= LEAST_MS_PER_S:
        return WaitChange.GREW if new > old else WaitChange.SHRANK
    return WaitChange.APPEARED if new > old else WaitChange.WENT


def _sides(recordings: Iterable[Recording]) -> dict[tuple[WaitKind, str], Side]:
    places: defaultdict[tuple[WaitKind, str], list[Wait]] = defaultdict(list)
    duration_ms = 0.0
    for recording in recordings:
        duration_ms += recording.duration_ms
        for wait in recording.waits:
            if wait.kind != PINNED:  # a read has an event of its own
                subject = WaitKind.SLOW if wait.lock_class is None else WaitKind.BLOCKED
                places[subject, wait.frame].append(wait)
    if duration_ms <= 0:
        return {}
    per_s = 1000 / duration_ms
    return {
        key: Side(
            ms_per_s=sum(wait.total_ms for wait in waits) * per_s,
            waits_per_s=sum(wait.count for wait in waits if not wait.is_open) * per_s,
            threads=max(wait.threads for wait in waits),
            still_waiting=sum(wait.threads for wait in waits if wait.is_open),
            kinds=tuple(sorted({wait.kind for wait in waits})),
        )
        for key, waits in places.items()
    }

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a recording show a bug's own blocked time, and how does one say so in a sentence?

Pure. The rule comes from the ledger; monitors (8, 11) and locks (17) are joined by frame.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

from jdkmatrix.evidence.digest import Blocked, Holder, Recording

# A sentence of cause must account for most of the waiting. On fixed builds, class loading inside
# the lock makes first requests wait some 300 ms in all, of which closes explain under 5 %.
_LEAST_SHARE = 0.5
# From here on the sentence need not tell the part from the whole.
_NEARLY_ALL = 0.95
_MS_PER_S = 1000


class Rule(Protocol):
    """What the ledger says of a bug's evidence: frames are `package.Class.method`."""

    @property
    def blocked_in(self) -> tuple[str, ...]:
        """Where threads wait; any of them."""

    @property
    def held_in(self) -> tuple[str, ...]:
        """What a holder is inside of meanwhile; any of them, empty if it does not matter."""

    @property
    def min_blocked_ms(self) -> int:
        """The least waiting, summed over threads, that counts."""


def cause_of(recording: Recording, rule: Rule) -> str | None:
    """The cause in one sentence without a full stop, or None if the recording does not show it.

    Speaks of waits that ended: a wait still open when the recording ends has left no event.
    """
    groups = [group for group in recording.blocked if group.frame in rule.blocked_in]
    total_ms = sum(group.total_ms for group in groups)
    if total_ms < rule.min_blocked_ms:
        return None
    waited = f"{_threads(groups)} waited {_duration(total_ms)} to enter {_frames(groups)}"
    if not rule.held_in:
        return waited
    holders = [holder for group in groups for holder in group.holders if _is_in(holder, rule)]
    explained_ms = sum(holder.explained_ms for holder in holders)
    if explained_ms < max(rule.min_blocked_ms, _LEAST_SHARE * total_ms):
        return None
    part = "" if explained_ms >= _NEARLY_ALL * total_ms else f", {_duration(explained_ms)} of it"
    return (
        f"{waited}{part} while {_holding_threads(holders)} sat in {_held_call(holders, rule)}"
        f"{_inferred(holders)}"
    )


def _is_in(holder: Holder, rule: Rule) -> bool:
    return any(frame in rule.held_in for frame in holder.path)


def _threads(groups: Iterable[Blocked]) -> str:
    listed = {thread for group in groups for thread in group.thread_ids}
    count = max(len(listed), *(group.threads for group in groups))
    return "1 thread" if count == 1 else f"{count} threads"


def _frames(groups: Iterable[Blocked]) -> str:
    """Where they waited, longest first: `KeepAliveCache.get and put`."""
    total_ms: dict[str, float] = {}
    for group in groups:
        total_ms[group.frame] = total_ms.get(group.frame, 0) + group.total_ms
    methods: dict[str, list[str]] = {}
    for frame in sorted(total_ms, key=lambda frame: -total_ms[frame]):
        owner, _, method = frame.rpartition(".")
        methods.setdefault(owner.rpartition(".")[2], []).append(method)
    return ", ".join(f"{owner}.{' and '.join(names)}" for owner, names in methods.items())


def _holding_threads(holders: Sequence[Holder]) -> str:
    names = {holder.thread for holder in holders}
    if len(names) == 1 and all(holder.threads == 1 for holder in holders):
        return f"one thread ({names.pop()})"
    return "one thread at a time"


def _held_call(holders: Sequence[Holder], rule: Rule) -> str:
    longest = max(holders, key=lambda holder: holder.explained_ms)
    frame = next(frame for frame in longest.path if frame in rule.held_in)
    return ".".join(frame.split(".")[-2:])


def _inferred(holders: Sequence[Holder]) -> str:
    inferred_ms = sum(holder.explained_ms for holder in holders if holder.inferred)
    if inferred_ms == 0:
        return ""
    named_ms = sum(holder.explained_ms for holder in holders) - inferred_ms
    return " (holder partly inferred)" if named_ms > inferred_ms else " (holder inferred)"


def _duration(ms: float) -> str:
    if ms < _MS_PER_S:
        return f"{ms:.0f} ms"
    return f"{ms / _MS_PER_S:.1f} s" if ms < 10 * _MS_PER_S else f"{ms / _MS_PER_S:.0f} s"

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a recording show a bug's own waiting or spinning, and which sentence says so?

Pure. The rules come from the ledger. Waits match by frame, so monitors (8, 11) and locks (17) are
treated alike.
"""

from collections.abc import Iterable, Sequence

from jdkmatrix.config.ledger import EvidenceRule
from jdkmatrix.evidence.digest import (
    PINNED,
    BusyThread,
    Holder,
    LockWait,
    OpenHolder,
    OpenWait,
    Recording,
    Slow,
)
from jdkmatrix.texts import count_of

# A sentence of cause must account for most of the waiting, or of what a thread does. On fixed
# builds, class loading inside the lock makes first requests wait some 300 ms in total; closes
# explain under 5 % of that.
_LEAST_SHARE = 0.5
# From this share on, the sentence does not separate the explained part from the whole.
_NEARLY_ALL = 0.95
_MS_PER_S = 1000


def shown_by(recording: Recording, rule: EvidenceRule) -> str | None:
    """What the recording shows of the bug, in a sentence without a full stop; None if nothing."""
    return (
        cause_of(recording, rule)
        or slow_cause_of(recording, rule)
        or busy_cause_of(recording, rule)
    )


def cause_of(recording: Recording, rule: EvidenceRule) -> str | None:
    """The cause in one sentence without a full stop, or None if the recording does not show it.

    Distinguishes waits that ended from waits still open when the recording ended.
    """
    groups = [group for group in recording.blocked if group.frame in rule.blocked_in]
    waits = [wait for wait in recording.open_waits if wait.frame in rule.blocked_in]
    if not waits and not any(group.total_ms for group in groups):
        return _cause_at_once(groups, rule)
    ended_ms = sum(group.total_ms for group in groups)
    open_ms = sum(wait.waited_ms_at_least for wait in waits)
    if ended_ms + open_ms < rule.min_blocked_ms:
        return None
    still_waiting = sum(wait.threads for wait in waits)
    verb = "was" if still_waiting == 1 else "were"
    open_phrase = f"{count_of(still_waiting, 'thread')} {verb} still waiting"
    at_least = f"at least {duration(open_ms)} in all"
    if not groups:
        place = _frames((wait.frame, wait.waited_ms_at_least) for wait in waits)
        text = f"{open_phrase} to enter {place} when the recording ended, {at_least}"
    else:
        place = _frames((group.frame, group.total_ms) for group in groups)
        text = f"{_threads(groups)} waited {duration(ended_ms)} to enter {place}"
    holding = _explain_holding(groups, waits, rule) if rule.held_in else ""
    if holding is None:
        return None
    ending = f", and {open_phrase} when the recording ended, {at_least}" if groups and waits else ""
    return text + holding + ending


def _cause_at_once(groups: Sequence[LockWait], rule: EvidenceRule) -> str | None:
    """As cause_of, for a snapshot, where no wait has a length.

    Reports waits for a lock whose named owner holds it where a fixed build would not. Without
    `held_in` one snapshot proves nothing, and an inferred owner may have released the lock.
    """

    def held_by(group: LockWait) -> list[Holder]:
        return [
            holder for holder in group.holders if not holder.inferred and _is_in(holder.path, rule)
        ]

    held_groups = [group for group in groups if held_by(group)]
    holders = [holder for group in held_groups for holder in held_by(group)]
    if not holders:
        return None
    place = _frames((group.frame, group.threads) for group in held_groups)
    return (
        f"in a thread dump, {_threads(held_groups)} waited to enter {place} while"
        f" {_holding_threads(holders)} sat in {_held_call(holders, rule)}"
    )


def slow_cause_of(recording: Recording, rule: EvidenceRule) -> str | None:
    """As cause_of, for threads that waited for a peer, even if nobody waited for them."""
    for frame in rule.slow_in:
        rows = slow_rows(recording, frame, rule)
        if rows:
            longest = max(rows, key=lambda row: row.max_ms)
            threads = count_of(max(row.threads for row in rows), "thread")
            upto = "" if sum(row.count for row in rows) == 1 else "up to "
            detail = "" if longest.frame == frame else f"{_short(longest.frame)}, "
            waiting = "keeping its carrier" if longest.event == PINNED else "waiting for the peer"
            return (
                f"{threads} sat {upto}{duration(longest.max_ms)} in {_short(frame)}"
                f" ({detail}{waiting})"
            )
    return None


def slow_rows(recording: Recording, frame: str, rule: EvidenceRule) -> list[Slow]:
    """The waits inside `frame` that are long enough, and by an event that the rule accepts."""
    return [
        row
        for row in recording.slow
        if frame in row.path and row.max_ms >= rule.min_slow_ms
        if not rule.slow_over or row.event in rule.slow_over
    ]


def busy_cause_of(recording: Recording, rule: EvidenceRule) -> str | None:
    """As cause_of, for threads that were busy and got nothing done."""
    spun_ms = spinning_ms(recording, rule)
    if not spun_ms:
        return None
    is_single = len(spun_ms) == 1
    subject = (
        "1 thread was busy for" if is_single else f"{len(spun_ms)} threads were busy for up to"
    )
    frames = " or ".join(_short(frame) for frame in rule.busy_outside)
    return f"{subject} {duration(max(spun_ms))} in {_short(busy_frame(recording, rule))}" + (
        f", outside {frames}" if frames else ""
    )


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


def _explain_holding(
    groups: Sequence[LockWait], waits: Sequence[OpenWait], rule: EvidenceRule
) -> str | None:
    """What the holders sat in, or None if that does not account for the waiting."""
    holders = [h for group in groups for h in group.holders if _is_in(h.path, rule)]
    open_held = [w for w in waits if w.holder and _is_in(_open_path(w.holder), rule)]
    ended_ms = sum(group.total_ms for group in groups)
    explained_ms = sum(holder.explained_ms for holder in holders)
    all_ms = ended_ms + sum(wait.waited_ms_at_least for wait in waits)
    all_explained_ms = explained_ms + sum(wait.waited_ms_at_least for wait in open_held)
    if all_explained_ms < max(rule.min_blocked_ms, _LEAST_SHARE * all_ms):
        return None
    if not holders:
        held_by = [wait.holder for wait in open_held if wait.holder]
        return f", while {_holders_of_open(held_by, rule)}"
    part = "" if explained_ms >= _NEARLY_ALL * ended_ms else f", {duration(explained_ms)} of it"
    return (
        f"{part} while {_holding_threads(holders)} sat in {_held_call(holders, rule)}"
        f"{_note_inferred(holders)}"
    )


def _is_in(path: Iterable[str], rule: EvidenceRule) -> bool:
    return any(frame in rule.held_in for frame in path)


def _open_path(holder: OpenHolder) -> tuple[str, ...]:
    return holder.path or (holder.waits_in, holder.frame)


def _holders_of_open(holders: Sequence[OpenHolder], rule: EvidenceRule) -> str:
    names = sorted({holder.thread for holder in holders})
    subject = f"one thread ({names[0]})" if len(names) == 1 else "one thread at a time"
    frame = next(frame for frame in _open_path(holders[0]) if frame in rule.held_in)
    note = " (holder inferred)" if any(holder.inferred for holder in holders) else ""
    return f"{subject} sat in {_short(frame)}{note}"


def _threads(groups: Iterable[LockWait]) -> str:
    thread_ids = {thread for group in groups for thread in group.thread_ids}
    return count_of(max(len(thread_ids), *(group.threads for group in groups)), "thread")


def _frames(waits: Iterable[tuple[str, float]]) -> str:
    """Where they waited, longest first: `KeepAliveCache.get and put`."""
    total_ms: dict[str, float] = {}
    for frame, ms in waits:
        total_ms[frame] = total_ms.get(frame, 0) + ms
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


def _held_call(holders: Sequence[Holder], rule: EvidenceRule) -> str:
    longest = max(holders, key=lambda holder: holder.explained_ms)
    return _short(next(frame for frame in longest.path if frame in rule.held_in))


def _short(frame: str) -> str:
    return ".".join(frame.split(".")[-2:])


def _note_inferred(holders: Sequence[Holder]) -> str:
    inferred_ms = sum(holder.explained_ms for holder in holders if holder.inferred)
    if inferred_ms == 0:
        return ""
    named_ms = sum(holder.explained_ms for holder in holders) - inferred_ms
    return " (holder partly inferred)" if named_ms > inferred_ms else " (holder inferred)"


def duration(ms: float) -> str:
    """`300 ms`, `2.5 s`, `49 s`."""
    if ms < _MS_PER_S:
        return f"{ms:.0f} ms"
    return f"{ms / _MS_PER_S:.1f} s" if ms < 10 * _MS_PER_S else f"{ms / _MS_PER_S:.0f} s"

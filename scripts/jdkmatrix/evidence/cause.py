# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a recording show a bug's own waiting or spinning, and which sentence says so?

Pure. The rules come from the ledger. Waits match by frame, so monitors (8, 11) and locks (17) are
treated alike.
"""

from collections.abc import Iterable, Sequence

from jdkmatrix.config.ledger import EvidenceRule
from jdkmatrix.evidence.digest import PINNED, BusyThread, Holder, Recording, Wait
from jdkmatrix.evidence.places import counted_ms, ended_ms, open_ms, thread_count
from jdkmatrix.texts import count_of

# A sentence of cause must account for most of the waiting, or of what a thread does. On fixed
# builds, class loading inside the lock makes first requests wait some 300 ms in total; closes
# explain under 5 % of that.
_LEAST_SHARE = 0.5
# From this share on, the sentence does not separate the explained part from the whole.
_NEARLY_ALL = 0.95
_MS_PER_S = 1000
# A sentence on a snapshot begins so.
AT_ONCE = "in a thread dump, "


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
    waits = [wait for wait in recording.lock_waits if wait.frame in rule.blocked_in]
    open_waits = [wait for wait in waits if wait.is_open]
    ended_waits = [wait for wait in waits if not wait.is_open]
    if not open_waits and not ended_ms(waits):
        return _cause_at_once(waits, rule)
    if counted_ms(waits, ()) < rule.min_blocked_ms:
        return None
    holding = _explain_holding(waits, rule) if rule.held_in else ""
    if holding is None:
        return None
    threads = sum(wait.threads for wait in open_waits)
    open_phrase = f"{count_of(threads, 'thread')} {'was' if threads == 1 else 'were'} still waiting"
    ending = f"when the recording ended, at least {duration(open_ms(waits))} in all"
    if not ended_waits:
        return f"{open_phrase} to enter {_frames(waits)} {ending}{holding}"
    place = f"{duration(ended_ms(waits))} to enter {_frames(ended_waits)}"
    text = f"{_threads(ended_waits)} waited {place}{holding}"
    return text + (f", and {open_phrase} {ending}" if open_waits else "")


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


def _cause_at_once(waits: Sequence[Wait], rule: EvidenceRule) -> str | None:
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
    place = f"{_threads(held_waits)} waited to enter {_frames(held_waits)}"
    return f"{AT_ONCE}{place}{_holding(holders, rule)}"


def slow_cause_of(recording: Recording, rule: EvidenceRule) -> str | None:
    """As cause_of, for threads that waited for a peer, even if nobody waited for them."""
    for frame in rule.slow_in:
        rows = slow_rows(recording, frame, rule)
        if rows:
            longest = max(rows, key=lambda row: row.max_ms)
            upto = "" if sum(row.count for row in rows) == 1 else "up to "
            detail = "" if longest.frame == frame else f"{_short(longest.frame)}, "
            waiting = "keeping its carrier" if longest.kind == PINNED else "waiting for the peer"
            return (
                f"{_threads(rows)} sat {upto}{duration(longest.max_ms)} in {_short(frame)}"
                f" ({detail}{waiting})"
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


def _explain_holding(waits: Sequence[Wait], rule: EvidenceRule) -> str | None:
    """What the holders sat in, or None if that does not account for the waiting."""
    holders = _holders(waits, rule)
    least_ms = max(rule.min_blocked_ms, _LEAST_SHARE * counted_ms(waits, ()))
    if _explained_ms(holders) < least_ms:
        return None
    ended_holders = _holders([wait for wait in waits if not wait.is_open], rule)
    part = ""
    if not ended_holders:
        part = ","
    elif _explained_ms(ended_holders) < _NEARLY_ALL * ended_ms(waits):
        part = f", {duration(_explained_ms(ended_holders))} of it"
    return part + _holding(ended_holders or holders, rule)


def _holders(waits: Iterable[Wait], rule: EvidenceRule) -> list[Holder]:
    """The holders that sat where the rule says."""
    return [
        holder
        for wait in waits
        for holder in wait.holders
        if not set(rule.held_in).isdisjoint(holder.path)
    ]


def _holding(holders: Sequence[Holder], rule: EvidenceRule) -> str:
    """Who sat in what: the call of whoever explains most."""
    names = {holder.thread for holder in holders}
    is_single = len(names) == 1 and all(holder.threads == 1 for holder in holders)
    subject = f"one thread ({names.pop()})" if is_single else "one thread at a time"
    longest = max(holders, key=lambda holder: holder.explained_ms)
    call = next(frame for frame in longest.path if frame in rule.held_in)
    return f" while {subject} sat in {_short(call)}{_note_inferred(holders)}"


def _explained_ms(holders: Iterable[Holder]) -> float:
    return sum(holder.explained_ms for holder in holders)


def _threads(waits: Sequence[Wait]) -> str:
    return count_of(thread_count(waits), "thread")


def _frames(waits: Sequence[Wait]) -> str:
    """Where they waited, longest first, or of a snapshot most threads: `Cache.get and put`."""

    def size(frame: str) -> tuple[float, int]:
        rows = [wait for wait in waits if wait.frame == frame]
        return sum(wait.total_ms for wait in rows), sum(wait.threads for wait in rows)

    methods: dict[str, list[str]] = {}
    for frame in sorted(dict.fromkeys(w.frame for w in waits), key=size, reverse=True):
        owner, _, method = frame.rpartition(".")
        methods.setdefault(owner.rpartition(".")[2], []).append(method)
    return ", ".join(f"{owner}.{' and '.join(names)}" for owner, names in methods.items())


def _short(frame: str) -> str:
    return ".".join(frame.split(".")[-2:])


def _note_inferred(holders: Sequence[Holder]) -> str:
    inferred_ms = _explained_ms(holder for holder in holders if holder.inferred)
    if inferred_ms == 0:
        return ""
    named_ms = _explained_ms(holders) - inferred_ms
    return " (holder partly inferred)" if named_ms > inferred_ms else " (holder inferred)"


def duration(ms: float) -> str:
    """`300 ms`, `2.5 s`, `49 s`."""
    if ms < _MS_PER_S:
        return f"{ms:.0f} ms"
    return f"{ms / _MS_PER_S:.1f} s" if ms < 10 * _MS_PER_S else f"{ms / _MS_PER_S:.0f} s"

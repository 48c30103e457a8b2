# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where did threads wait, spin or use the CPU, by a recording?

Only the sentence of a finding has a full stop.
"""

from collections.abc import Sequence

from jdkmatrix.evidence.cause import (
    Inference,
    LockHolding,
    LockWaiting,
    PeerWaiting,
    Spinning,
    Symptom,
)
from jdkmatrix.evidence.digest import Wait
from jdkmatrix.evidence.findings import Match, PlaceWaiting
from jdkmatrix.evidence.recording_difference import Side, WaitDifference, WaitKind
from jdkmatrix.evidence.self_time import Growth
from jdkmatrix.results.finding import Finding
from jdkmatrix.texts import count_of

_MS_PER_S = 1000
# A sentence on a snapshot begins so.
IN_DUMP = "in a thread dump, "
_NOTES = {
    Inference.ALL_NAMED: "",
    Inference.PARTLY: " (holder partly inferred)",
    Inference.MOSTLY: " (holder inferred)",
}
_PARTS = {
    "records": "its records",
    "handshake": "its handshake",
    "other": "code that TLS is not part of",
}


def duration(ms: float) -> str:
    """`300 ms`, `2.5 s`, `49 s`."""
    if ms < _MS_PER_S:
        return f"{ms:.0f} ms"
    return f"{ms / _MS_PER_S:.1f} s" if ms < 10 * _MS_PER_S else f"{ms / _MS_PER_S:.0f} s"


def short_frame(frame: str) -> str:
    """`SSLSocketImpl.close` of a frame."""
    return ".".join(frame.split(".")[-2:])


def symptom_sentence(symptom: Symptom) -> str:
    """What a recording shows of a bug."""
    match symptom:
        case PeerWaiting():
            return _peer_waiting(symptom)
        case Spinning():
            return _spinning(symptom)
        case _:
            return _lock_waiting(symptom)


def _lock_waiting(symptom: LockWaiting) -> str:
    """`12 threads waited 48 s to enter KeepAliveCache.get while one thread (x) sat in X.close`."""
    holding = _holding(symptom.holding) if symptom.holding else ""
    frames = _frames(symptom.frames)
    threads = count_of(symptom.threads, "thread")
    if symptom.is_snapshot:
        return f"{IN_DUMP}{threads} waited to enter {frames}{holding}"
    verb = "was" if symptom.open_threads == 1 else "were"
    still_open = f"{count_of(symptom.open_threads, 'thread')} {verb} still waiting"
    ending = f"when the recording ended, at least {duration(symptom.open_ms)} in all"
    if not symptom.threads:
        return f"{still_open} to enter {frames} {ending}{holding}"
    text = f"{threads} waited {duration(symptom.ended_ms)} to enter {frames}{holding}"
    return text + (f", and {still_open} {ending}" if symptom.open_threads else "")


def _frames(frames: Sequence[str]) -> str:
    """`Cache.get and put`."""
    methods: dict[str, list[str]] = {}
    for frame in frames:
        owner, _, method = frame.rpartition(".")
        methods.setdefault(owner.rpartition(".")[2], []).append(method)
    return ", ".join(f"{owner}.{' and '.join(names)}" for owner, names in methods.items())


def _holding(holding: LockHolding) -> str:
    part = "" if holding.in_ended else ","
    if holding.part_ms is not None:
        part = f", {duration(holding.part_ms)} of it"
    subject = f"one thread ({holding.thread})" if holding.thread else "one thread at a time"
    note = _NOTES[holding.inference]
    return f"{part} while {subject} sat in {short_frame(holding.frame)}{note}"


def _peer_waiting(symptom: PeerWaiting) -> str:
    upto = "" if symptom.is_single else "up to "
    inner = "" if symptom.inner_frame == symptom.frame else f"{short_frame(symptom.inner_frame)}, "
    waiting = "keeping its carrier" if symptom.is_pinned else "waiting for the peer"
    return (
        f"{count_of(symptom.threads, 'thread')} sat {upto}{duration(symptom.max_ms)} in"
        f" {short_frame(symptom.frame)} ({inner}{waiting})"
    )


def _spinning(symptom: Spinning) -> str:
    verb = "was busy for" if symptom.threads == 1 else "were busy for up to"
    frames = " or ".join(map(short_frame, symptom.outside_frames))
    return (
        f"{count_of(symptom.threads, 'thread')} {verb} {duration(symptom.max_ms)} in"
        f" {short_frame(symptom.frame)}" + (f", outside {frames}" if frames else "")
    )


def finding_of(match: Match) -> Finding:
    """What is stored of a rule that fired."""
    fields = {name: getattr(match, name) for name in Finding.model_fields if name != "sentence"}
    return Finding(sentence=f"{_match_sentence(match)}.", **fields)


def _match_sentence(match: Match) -> str:
    place = match.shows
    if not isinstance(place, PlaceWaiting):
        return symptom_sentence(place)
    locks = " and ".join(match.lock_classes)
    text = (
        f"{place.title}: {count_of(match.threads, 'thread')} waited {_seconds(place.waited_ms)} in"
        f" {match.frames[0]} for {locks}"
    )
    if holder := place.holder:
        guess = ", inferred" if holder.inferred else ""
        text += f" while '{holder.thread}' sat in {holder.waits_in} ({holder.event}{guess})"
    if match.baseline_ms is None:
        return text
    reference = _reference(place.other_builds)
    return f"{text}; {reference} {_seconds(match.baseline_ms)} there over the same length of time"


def _reference(other_builds: int | None) -> str:
    if other_builds is None:
        return "the baseline has"
    if other_builds == 1:
        return "the other fixed build has at most"
    return f"{other_builds} other fixed builds have at most"


def _seconds(ms: float) -> str:
    return f"{ms:.0f} ms" if ms < _MS_PER_S else f"{ms / _MS_PER_S:.1f} s"


def longest_waiting(wait: Wait) -> str:
    """The place where threads waited longest for a lock."""
    verb = "waited"
    if wait.is_open:
        verb = f"{'is' if wait.threads == 1 else 'are'} still waiting after"
    threads = count_of(wait.threads, "thread")
    text = f"{threads} {verb} {duration(wait.total_ms)} to enter {wait.frame}"
    holder = wait.holder
    return f"{text} while '{holder.thread}' sat in {holder.waits_in}" if holder else text


def wait_change(row: WaitDifference) -> str:
    """What became of one place's waiting, with its figures."""
    verb = "waiting to enter" if row.subject is WaitKind.BLOCKED else "waiting for the peer in"
    sides = f"{_side(row.old)} before, {_side(row.new)} after"
    return f"{row.change}: {verb} {short_frame(row.frame)}, {sides}"


def _side(side: Side) -> str:
    if side == Side():
        return "none"
    text = f"{side.ms_per_s:.0f} ms a second by {count_of(side.threads, 'thread')}"
    return text + (f" ({side.still_waiting} still waiting)" if side.still_waiting else "")


def growth_phrase(growth: Growth) -> str:
    """Where most of the growth of a request's CPU time is."""
    text = f"most of it in {_PARTS[growth.part]}, {growth.grown_us:,.0f} µs more per request"
    if method := growth.method:
        figures = f"{method.new_us:,.0f} µs by its samples, {method.old_us:,.0f} before"
        text += f", mainly {short_frame(method.method)} ({figures})"
    return text

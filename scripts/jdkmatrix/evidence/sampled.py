# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do sampled thread dumps say of blocked time, in the words of a recording's digest? Pure.

For JDKs without Flight Recorder. A sample stands for the time until the next one, so short waits
are seen by chance and long ones to within the distance of two samples. Owners are exact here.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, takewhile
from typing import Any

from jdkmatrix.evidence.digest import Recording
from jdkmatrix.evidence.thread_dumps import DumpedThread, ThreadDump, parse_thread_dumps

_SAMPLE = re.compile(r"^# sampled at (\d+)$", re.MULTILINE)
_JDK = re.compile(r"(?:java|javax|jdk|sun|com\.sun)\.")
_THREAD_START = re.compile(r"java\.lang\.Thread\.run(?:With)?$")
# Code that carries bytes or waits for anybody: it says nothing of what for. As Frames.java has it.
_PLUMBING = re.compile(
    r"(?:java\.(?:net|io|nio|lang|util\.concurrent)|sun\.(?:nio|misc)|jdk\.internal)\."
)
# What a recording would have called it, by how a path begins: reads and writes of a peer.
_NETWORK = {
    "jdk.SocketRead": re.compile(
        r"(?:Socket\w*InputStream|SocketImpl|SocketChannelImpl)\.\w*[rR]ead"
    ),
    "jdk.SocketWrite": re.compile(
        r"(?:Socket\w*OutputStream|SocketImpl|SocketChannelImpl)\.\w*[wW]rite"
    ),
}
_ANY_EVENT = "jdk.ThreadDump"
_BIN_MS = 1000
_MOST_IDS = 1024
_NOT_TOLD = "?"

# A wait is told by kind and class of the lock, the frame that wants it, the way into the JDK.
_Place = tuple[str, str, str, str]


@dataclass(frozen=True)
class Sample:
    """One dump and the time it stands for."""

    epoch_ms: int
    for_ms: float
    dump: ThreadDump


@dataclass
class _Held:
    threads: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    samples: set[int] = field(default_factory=set)


@dataclass
class _Group:
    waits_ms: list[float] = field(default_factory=list)
    threads: set[int] = field(default_factory=set)
    held: dict[tuple[str, ...], _Held] = field(default_factory=lambda: defaultdict(_Held))


def parse_samples(text: str) -> tuple[Sample, ...]:
    """The samples in a file of `run.sampler`; one that was cut short is left out."""
    marks = list(_SAMPLE.finditer(text))
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    taken = [
        (int(mark[1]), dumps[0])
        for mark, end in zip(marks, ends, strict=True)
        if (dumps := parse_thread_dumps(text[mark.end() : end]))
    ]
    if not taken:
        return ()
    between = [after[0] - before[0] for before, after in pairwise(taken)]
    last = sum(between) / len(between) if between else 0.0
    return tuple(
        Sample(at, length, dump) for (at, dump), length in zip(taken, [*between, last], strict=True)
    )


def recording_of(samples: Sequence[Sample], file: str, pid: int) -> Recording:
    """The samples of one JVM as the digest of a recording, source "sampled".

    Raises ValueError without samples.
    """
    if not samples:
        raise ValueError("no samples")
    duration_ms = sum(sample.for_ms for sample in samples)
    ids = {(t.id, t.name) for sample in samples for t in sample.dump.threads}
    groups = _groups(samples)
    digest = {
        "file": file,
        "pid": pid,
        "jvm": {"version": None, "name": None, "args": None},
        "start_epoch_ms": samples[0].epoch_ms,
        "duration_ms": duration_ms,
        "finished": True,
        "threads": len(ids),
        "settings": {},
        "blocked": [
            _row(place, group, duration_ms * len(ids))
            for place, group in sorted(groups.items(), key=lambda item: -sum(item[1].waits_ms))
        ],
        "timeline": {"bin_ms": _BIN_MS, "blocked_threads": _timeline(samples)},
        "open_waits": [],
        "slow": [],
        "source": "sampled",
        "error": None,
    }
    return Recording.model_validate(digest)


def _groups(samples: Sequence[Sample]) -> dict[_Place, _Group]:
    groups: defaultdict[_Place, _Group] = defaultdict(_Group)
    going_on: dict[tuple[int, str], tuple[_Place, float]] = {}
    for n, sample in enumerate(samples):
        still: dict[tuple[int, str], tuple[_Place, float]] = {}
        for thread in sample.dump.threads:
            if thread.wants is None:
                continue
            who = (thread.id, thread.name)
            place = _place(thread)
            before = going_on.get(who)
            waited_ms = before[1] if before and before[0] == place else 0.0
            still[who] = (place, waited_ms + sample.for_ms)
            group = groups[place]
            group.threads.add(thread.id)
            owner = sample.dump.owner_of(thread.wants)
            if owner and owner.frames:
                held = group.held[_path(owner, thread)]
                held.threads[owner.name] += sample.for_ms
                held.samples.add(n)
        for who, (place, waited_ms) in going_on.items():
            if who not in still or still[who][0] != place:
                groups[place].waits_ms.append(waited_ms)
        going_on = still
    for place, waited_ms in going_on.values():
        groups[place].waits_ms.append(waited_ms)
    return groups


def _place(thread: DumpedThread) -> _Place:
    if thread.wants is None:
        raise ValueError(f"{thread.name} waits for no lock")
    lock = thread.wants
    return lock.kind.value, lock.lock_class, thread.waits_in, _entry(thread.frames)


def _entry(frames: Sequence[str]) -> str:
    """Where the program went into the JDK; without a program, where the thread began."""
    entry = _NOT_TOLD
    for frame in frames:
        if not _JDK.match(frame):
            break
        if not _THREAD_START.match(frame):
            entry = frame
    return entry if entry != _NOT_TOLD else frames[0]


def _path(owner: DumpedThread, waiter: DumpedThread) -> tuple[str, ...]:
    """From the owner's wait out to where it has the lock: its outermost frame of that class."""
    wanted_in = waiter.waits_in.rpartition(".")[0]
    inside = [n for n, frame in enumerate(owner.frames) if frame.rpartition(".")[0] == wanted_in]
    end = inside[-1] if inside else owner.frames.index(_entry(owner.frames))
    return owner.frames[: end + 1]


def _row(place: _Place, group: _Group, thread_time_ms: float) -> dict[str, Any]:
    kind, lock_class, frame, entry_frame = place
    waits = sorted(group.waits_ms)
    total_ms = sum(waits)
    return {
        "kind": kind,
        "lock_class": lock_class,
        "frame": frame,
        "entry_frame": entry_frame,
        "count": len(waits),
        "total_ms": round(total_ms, 3),
        "p50_ms": waits[(len(waits) - 1) // 2],
        "p99_ms": waits[(len(waits) - 1) * 99 // 100],
        "max_ms": waits[-1],
        "share_of_thread_time": round(total_ms / thread_time_ms, 6) if thread_time_ms else 0.0,
        "threads": len(group.threads),
        "thread_ids": sorted(group.threads)[:_MOST_IDS],
        "holders": sorted(
            (_holder(path, held) for path, held in group.held.items()),
            key=lambda holder: -float(holder["explained_ms"]),
        ),
    }


def _holder(path: tuple[str, ...], held: _Held) -> dict[str, Any]:
    return {
        "thread": max(held.threads, key=lambda name: held.threads[name]),
        "threads": len(held.threads),
        "frame": path[-1],
        "waits_in": _activity(path),
        "path": list(path),
        "event": _event(path),
        "host": None,
        "port": None,
        "bytes": 0,
        "timeout_ms": 0,
        "count": len(held.samples),
        "explained_ms": round(sum(held.threads.values()), 3),
        "inferred": False,
    }


def _activity(path: Sequence[str]) -> str:
    """What the owner did below the last frame, which has the lock; as Frames.activity says it.

    Past the plumbing, the outermost frame of the same package: SSLSocketImpl.close for a read.
    """
    below = path[:-1]
    plumbing = len(_plumbing(below))
    if plumbing == len(below):
        return path[max(0, len(path) - 2)]
    wanted = _package(below[plumbing])
    same = list(takewhile(lambda frame: _package(frame) == wanted, below[plumbing:]))
    return same[-1]


def _event(path: Sequence[str]) -> str:
    plumbing = _plumbing(path)
    for event, frame in _NETWORK.items():
        if any(frame.search(one) for one in plumbing):
            return event
    return _ANY_EVENT


def _plumbing(path: Sequence[str]) -> list[str]:
    return list(takewhile(_PLUMBING.match, path))


def _package(frame: str) -> str:
    return frame.rpartition(".")[0].rpartition(".")[0]


def _timeline(samples: Iterable[Sample]) -> list[int]:
    bins: dict[int, int] = {}
    start_ms: int | None = None
    for sample in samples:
        start_ms = sample.epoch_ms if start_ms is None else start_ms
        n = (sample.epoch_ms - start_ms) // _BIN_MS
        blocked = sum(thread.wants is not None for thread in sample.dump.threads)
        bins[n] = max(bins.get(n, 0), blocked)
    return [bins.get(n, 0) for n in range(max(bins) + 1)]

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What can a recording not show, or another not that it is compared with? Pure.

`words/unseen.py` says it in sentences.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import inf

from jdkmatrix.config.version import JdkVersion
from jdkmatrix.evidence.digest import Recording, Setting, Wait

Settings = Mapping[str, Setting]

_EVENTS = {
    "monitor": ("jdk.JavaMonitorEnter",),
    "lock": ("jdk.ThreadPark",),
    # A monitor in 8 and 11, a ReentrantLock since.
    "cleaner-queue": ("jdk.JavaMonitorEnter", "jdk.ThreadPark"),
}
# Whose waits a recording is asked for, and where waits that are open and busy threads are.
_WAITS = ("jdk.JavaMonitorEnter", "jdk.ThreadPark", "jdk.SocketRead")
_DUMP = "jdk.ThreadDump"
_SAMPLE = "jdk.ExecutionSample"
# The threshold in jtreg/jfr/blocking.jfc; shorter waits do not tell a fixed build from others.
_KIT_THRESHOLD_MS = 1.0
# JEP 491: from this train on, a virtual thread that waits for a monitor leaves its carrier.
_FIRST_UNPINNED_TRAIN = 24
# Releases from before the ledger's first: 7u80, 1.7.0_80, 6; not 1.8.0_504.
_UNLISTED = re.compile(r"(?!1\.8)(?:1\.)?(?P<train>[1-7])(?=u|\.|$)")
_COMPARED = ("jdk.JavaMonitorEnter", "jdk.ThreadPark", "jdk.SocketRead", "jdk.SocketWrite")


class Gap(StrEnum):
    """What is not seen: of the ledger, by an event's setting, between dumps, of the baseline."""

    LEDGER = "ledger"
    SETTINGS = "settings"
    OFF = "off"
    NO_STACKS = "no stacks"
    SHORT = "short"
    THROTTLED = "throttled"
    OPEN_WAITS = "open waits"
    BUSY = "busy"
    ONE_DUMP = "one dump"
    UNDATED_DUMPS = "undated dumps"
    BETWEEN_DUMPS = "between dumps"
    CPU_TIMES = "CPU times"
    VIRTUAL_THREADS = "virtual threads"
    PINNED_THREADS = "pinned threads"
    UNFINISHED = "unfinished"
    BASELINE_SETTINGS = "baseline settings"
    BASELINE_EVENTS = "baseline events"


@dataclass(frozen=True)
class Unseen:
    """One gap; of an `event` where it is by a setting, with its `limit` in ms or JFR's words.

    The limit of LEDGER is a train, that of threads how many show. `events` are those that the
    baseline lacks: below so many ms, or all (inf).
    """

    gap: Gap
    event: str = ""
    limit: float | str = 0
    events: tuple[tuple[str, float], ...] = ()


def unlisted_train(recording: Recording) -> str | None:
    """The train of the recording's JDK if it is older than the ledger's first."""
    match = _UNLISTED.match(recording.jvm.version or "")
    return match["train"] if match else None


def unseen_of(
    recording: Recording, build: JdkVersion | None, baseline: Recording | None
) -> Iterator[Unseen]:
    """What the recording, or its comparison with the baseline, cannot show."""
    if train := unlisted_train(recording):
        yield Unseen(Gap.LEDGER, limit=train)
    if recording.source == "sampled":
        yield from _between_dumps(recording)
    else:
        yield from unseen_by_settings(recording.settings)
    if baseline:
        yield from unseen_in_baseline(baseline.settings, recording.settings)
    # What is not recorded of their waits, as recordings of 21.0.8, 25.0.2 and 26.0.2 show.
    if recording.virtual_threads.used:
        is_pinned = build is not None and build.train < _FIRST_UNPINNED_TRAIN
        gap = Gap.PINNED_THREADS if is_pinned else Gap.VIRTUAL_THREADS
        yield Unseen(gap, limit=recording.virtual_threads.shown)
    if not recording.finished:
        yield Unseen(Gap.UNFINISHED)


def unseen_by_settings(settings: Settings) -> Iterator[Unseen]:
    """What a recording with these settings cannot show."""
    if not settings:
        yield Unseen(Gap.SETTINGS)
        return
    for event in _WAITS:
        setting = settings.get(event)
        if setting is None or not setting.enabled:
            yield Unseen(Gap.OFF, event)
            continue
        if not setting.stack_trace:
            yield Unseen(Gap.NO_STACKS, event)
        if setting.threshold_ms is not None and setting.threshold_ms > _KIT_THRESHOLD_MS:
            yield Unseen(Gap.SHORT, event, setting.threshold_ms)
        if setting.is_throttled:
            yield Unseen(Gap.THROTTLED, event, setting.throttle or "")
    if _is_off(settings.get(_DUMP)):
        yield Unseen(Gap.OPEN_WAITS, _DUMP)
        if _is_off(settings.get(_SAMPLE)):
            yield Unseen(Gap.BUSY, _SAMPLE)


def _is_off(setting: Setting | None) -> bool:
    return setting is None or not setting.enabled


def _between_dumps(recording: Recording) -> Iterator[Unseen]:
    if recording.hang and recording.hang.dumps == 1:
        yield Unseen(Gap.ONE_DUMP)
        return
    yield Unseen(Gap.BETWEEN_DUMPS if recording.duration_ms else Gap.UNDATED_DUMPS)
    if recording.hang and recording.stacks and all(g.cpu_share is None for g in recording.stacks):
        yield Unseen(Gap.CPU_TIMES)


def unseen_below_ms(kind: str, reference: Settings, settings: Settings) -> float:
    """Waits shorter than this may be recorded with `settings` but not with `reference`; 0 for
    none, inf for all.

    `kind` is a lock's, or the event of a wait for a peer. Unknown settings hide nothing.
    """
    return max(_below_ms(event, reference, settings) for event in _EVENTS.get(kind, (kind,)))


def unseen_ms(waits: Iterable[Wait], reference: Settings, settings: Settings) -> float:
    """An upper bound, in ms, of this waiting with `settings` that is in waits too short for
    `reference`.

    In each row that is at most the number of waits times the threshold.
    """
    return sum(
        min(wait.total_ms, wait.count * unseen_below_ms(wait.kind, reference, settings))
        for wait in waits
    )


def unseen_in_baseline(baseline: Settings, settings: Settings) -> Iterator[Unseen]:
    """What the baseline could not show, if anything."""
    if not baseline:
        yield Unseen(Gap.BASELINE_SETTINGS)
        return
    events = tuple(
        (event, below_ms)
        for event in _COMPARED
        if not _is_off(settings.get(event)) and (below_ms := _below_ms(event, baseline, settings))
    )
    if events:
        yield Unseen(Gap.BASELINE_EVENTS, events=events)


def _below_ms(event: str, reference: Settings, settings: Settings) -> float:
    if not reference:
        return 0.0
    reference_setting, setting = reference.get(event), settings.get(event)
    if reference_setting is None or _is_off(reference_setting) or not reference_setting.stack_trace:
        return inf
    least_ms = (setting and setting.threshold_ms) or 0.0
    return (
        reference_setting.threshold_ms
        if reference_setting.threshold_ms and reference_setting.threshold_ms > least_ms
        else 0.0
    )

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which waits of one recording could another not show because of its settings? Pure."""

from collections.abc import Iterable, Iterator, Mapping
from math import inf

from jdkmatrix.evidence.digest import Setting, Wait

Settings = Mapping[str, Setting]

_EVENTS = {
    "monitor": ("jdk.JavaMonitorEnter",),
    "lock": ("jdk.ThreadPark",),
    # A monitor in 8 and 11, a ReentrantLock since.
    "cleaner-queue": ("jdk.JavaMonitorEnter", "jdk.ThreadPark"),
}
_COMPARED = ("jdk.JavaMonitorEnter", "jdk.ThreadPark", "jdk.SocketRead", "jdk.SocketWrite")


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


def unseen_in_baseline(baseline: Settings, settings: Settings) -> Iterator[str]:
    """One sentence on what the baseline could not show, or none."""
    if not baseline:
        yield (
            "The baseline does not include its settings: what looks new may have been hidden there."
        )
        return
    parts = []
    for event in _COMPARED:
        setting = settings.get(event)
        below_ms = _below_ms(event, baseline, settings)
        if setting and setting.enabled and below_ms:
            parts.append(event if below_ms == inf else f"{event} below {below_ms:g} ms")
    if parts:
        yield (
            f"The baseline was recorded without {', '.join(parts)}: such waits in this recording"
            " are not reported as new."
        )


def _below_ms(event: str, reference: Settings, settings: Settings) -> float:
    if not reference:
        return 0.0
    reference_setting, setting = reference.get(event), settings.get(event)
    if (
        reference_setting is None
        or not reference_setting.enabled
        or not reference_setting.stack_trace
    ):
        return inf
    least_ms = (setting and setting.threshold_ms) or 0.0
    return (
        reference_setting.threshold_ms
        if reference_setting.threshold_ms and reference_setting.threshold_ms > least_ms
        else 0.0
    )

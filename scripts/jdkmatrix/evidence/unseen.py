# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which waits of one recording could another not show because of its settings? Pure."""

from collections.abc import Iterable, Iterator, Mapping
from math import inf

from jdkmatrix.evidence.digest import LockWait, Setting
from jdkmatrix.evidence.places import Wait

Settings = Mapping[str, Setting]

_EVENTS = {
    "monitor": ("jdk.JavaMonitorEnter",),
    "lock": ("jdk.ThreadPark",),
    # A monitor in 8 and 11, a ReentrantLock since.
    "cleaner-queue": ("jdk.JavaMonitorEnter", "jdk.ThreadPark"),
}
_COMPARED = ("jdk.JavaMonitorEnter", "jdk.ThreadPark", "jdk.SocketRead", "jdk.SocketWrite")


def unseen_below_ms(kind: str, there: Settings, here: Settings) -> float:
    """Waits shorter than this may be recorded `here` but not `there`; 0 for none, inf for all.

    `kind` is a lock's, or the event of a wait for a peer. Unknown settings hide nothing.
    """
    return max(_below_ms(event, there, here) for event in _EVENTS.get(kind, (kind,)))


def unseen_ms(waits: Iterable[Wait], there: Settings, here: Settings) -> float:
    """An upper bound, in ms, of this waiting `here` that is in waits too short for `there`.

    In each row that is at most the number of waits times the threshold.
    """
    unseen = 0.0
    for wait in waits:
        below_ms = unseen_below_ms(wait.kind, there, here)
        if isinstance(wait, LockWait):
            unseen += min(wait.total_ms, wait.count * below_ms)
        else:
            unseen += min(wait.waited_ms_at_least, wait.threads * below_ms)
    return unseen


def unseen_in_baseline(baseline: Settings, here: Settings) -> Iterator[str]:
    """One sentence on what the baseline could not show, or none."""
    if not baseline:
        yield (
            "The baseline does not include its settings: what looks new may have been hidden there."
        )
        return
    parts = []
    for event in _COMPARED:
        setting = here.get(event)
        below_ms = _below_ms(event, baseline, here)
        if setting and setting.enabled and below_ms:
            parts.append(event if below_ms == inf else f"{event} below {below_ms:g} ms")
    if parts:
        yield (
            f"The baseline was recorded without {', '.join(parts)}: such waits in this recording"
            " are not reported as new."
        )


def _below_ms(event: str, there: Settings, here: Settings) -> float:
    if not there:
        return 0.0
    was, now = there.get(event), here.get(event)
    if was is None or not was.enabled or not was.stack_trace:
        return inf
    least_ms = (now and now.threshold_ms) or 0.0
    return was.threshold_ms if was.threshold_ms and was.threshold_ms > least_ms else 0.0

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does time pass here as the kernel counts it?

libfaketime, preloaded, may stop the monotonic clock or change its pace. Then no deadline ends a
test that hangs, and what tests measure of a JDK is wrong. Another date alone does no harm.
"""

import os
import time

REMEDY = "run it without what changes the clock (libfaketime in LD_PRELOAD)"
# times(2) counts ticks of 10 ms; nothing is known that changes its answer.
_LOOK_S = 0.05
_PAUSE_S = 0.01
# Off by less is what the ticks, or a pause between two readings, may do.
_MOST_OFF = 2.0
# A busy machine pauses this process between the same two readings, and not each time.
_LOOKS = 3


def clock_fault() -> str | None:
    """Why deadlines mean nothing here; None if the monotonic clock keeps the kernel's pace."""
    text = None
    for _ in range(_LOOKS):
        try:
            kernel_s, clock_s = _seconds_of_both()
        except OSError as error:  # by a preloaded library that changes only one of the clocks
            return f"sleeping fails: {error.strerror}"
        if kernel_s / _MOST_OFF <= clock_s <= kernel_s * _MOST_OFF:
            return None
        text = f"in {kernel_s * 1000:.0f} ms the monotonic clock goes on by {clock_s * 1000:.0f} ms"
    return text


def _seconds_of_both() -> tuple[float, float]:
    """How far the kernel's count and the monotonic clock go on in the same short time."""
    kernel_s, clock_s = os.times().elapsed, time.monotonic()
    end_s = kernel_s + _LOOK_S
    while (now_s := os.times().elapsed) < end_s:
        time.sleep(_PAUSE_S)
    return now_s - kernel_s, time.monotonic() - clock_s

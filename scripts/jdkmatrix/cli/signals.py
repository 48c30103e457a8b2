# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What ends a run like Ctrl-C? A cancelled job (SIGTERM) or a closed terminal (SIGHUP)."""

import signal
from types import FrameType
from typing import NoReturn

from jdkmatrix.bootstrap import HELD_BACK


def end_as_by_ctrl_c() -> None:
    """Let SIGTERM and SIGHUP raise KeyboardInterrupt, unless they are ignored, as under nohup.

    Those that came while this Python was starting come now (`bootstrap.start`).
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _interrupt)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD_BACK)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    # timeout(1) signals the process and then its group: the second must not interrupt storing.
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt

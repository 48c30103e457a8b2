# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A JVM ended before its test did: by itself, or because of what it stands on?"""

import re
import signal
from collections.abc import Iterable
from pathlib import Path

from jdkmatrix.errors import MachineError
from jdkmatrix.machine.complaint import refusal_in
from jdkmatrix.vocabulary import ENDED_EARLY

_EXIT_CODE = re.compile(r"\[exit code: (-?\d+)\]")
# A shell's word for a signal; a JVM that handles one of these ends so, too.
_SIGNAL_CODES = 128
# Nobody sends them but a person, the OOM killer, a limit or a seccomp filter.
_FROM_OUTSIDE = (
    signal.SIGHUP,
    signal.SIGINT,
    signal.SIGKILL,
    signal.SIGTERM,
    signal.SIGXCPU,
    signal.SIGXFSZ,
    signal.SIGSYS,
)
# On the processors that the kit runs on, HotSpot gets it for a page of a file that is not there.
_LOST_PAGE = re.compile(r"^# +SIGBUS ", re.MULTILINE)


def early_end(code: int, texts: Iterable[str]) -> tuple[str, str]:
    """The first word of the status of a test whose JVM ended with `code`, and the reason that its
    text ends with, if there is one.

    The code is minus the number of a signal, or 128 plus it. `texts` are what the JVM printed, and
    its crash logs.
    """
    text_list = list(texts)
    if refusal := next(filter(None, map(refusal_in, text_list)), None):
        return "Not run", f": {refusal}"
    if any(map(_LOST_PAGE.search, text_list)):
        return "Not run", ": SIGBUS, as where a disk is full or a mapped file was cut"
    number = _signal_of(code)
    if number in _FROM_OUTSIDE:
        name = signal.Signals(number).name
        return "Error", f": ended from outside, by {name}"
    return "Failed", ""


def ending_signal(status_text: str) -> int | None:
    """The number of the signal that ended a JVM, by the status of its test; None for none."""
    return _signal_of(exit_code_in(status_text))


def exit_code_in(status_text: str) -> int:
    """The exit code in the status of a test whose JVM ended early; 0 without one."""
    match = _EXIT_CODE.search(status_text) if ENDED_EARLY in status_text else None
    return int(match[1]) if match else 0


def _signal_of(code: int) -> int | None:
    number = -code if code < 0 else code - _SIGNAL_CODES
    return number if 0 < number < signal.NSIG else None


def check_jdk(home: Path) -> None:
    """Raises MachineError if the JDK under test was removed."""
    if not any((home / "bin" / name).exists() for name in ("java", "java.exe")):
        raise MachineError(f"{home}: the JDK was removed while it was tested")

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Why did a JVM end before its test did, by itself or because of what it stands on, and which line
of its output says so?
"""

import re
import signal
from collections.abc import Iterable
from pathlib import Path

from jdkmatrix.errors import MachineError
from jdkmatrix.machine.files import start_of
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
_LONGEST = 300
# What a JVM prints when it fails, whatever it has printed before.
_SIGNS = (
    "java.lang.OutOfMemoryError",
    "NoSuchAlgorithmException",
    "UnsupportedClassVersionError",
    " cannot go on: ",  # AcceptLoop.java of a peer
)
# What a JVM prints before or after the reason; it tells nothing by itself.
_HEADLINES = re.compile(
    r"Error occurred during initialization of VM|Error: Could not create the Java Virtual Machine"
    r"|Error: A (fatal exception|JNI error) has occurred"
    r"|A fatal error has been detected by the Java Runtime Environment|Picked up \w+OPTIONS:"
)
# What a JVM prints when it cannot start or has no memory left: a line on that, then one on why. The
# lines of a fatal error begin with #.
_REFUSAL = re.compile(
    r"^(?:# )?(Error occurred during initialization of (?:VM|boot layer)"
    r"|There is insufficient memory for the Java Runtime Environment to continue)\.?"
    r"\n(?:# )?(.+)$",
    re.MULTILINE,
)
# javac's first error, and the symbol that it could not find, a few lines below.
_COMPILE_ERROR = re.compile(r"^(?:\S*/)?(\S+:\d+: error: .+|error: .+)$", re.MULTILINE)
_SYMBOL = re.compile(r"(?:(?!.*: error: ).*\n){1,4} +symbol: +(.+)")
_WARNING = re.compile(r"(.* VM )?warning:", re.IGNORECASE)


def refusal_in(text: str) -> str | None:
    """Why a JVM could not start, or had no memory left, in its own words; None if it could."""
    match = _REFUSAL.search(text)
    return f"{match[1]}: {match[2].strip()}"[:_LONGEST] if match else None


def compile_error_in(text: str) -> str | None:
    """The first error of javac, with the symbol that it could not find; None for no error."""
    match = _COMPILE_ERROR.search(text)
    if match is None:
        return None
    symbol = _SYMBOL.match(text, match.end() + 1)
    return (f"{match[1]}: {symbol[1]}" if symbol else match[1])[:_LONGEST]


def complaint_in(log: Path) -> str | None:
    """The first line that gives a reason; a line with a sure sign precedes all others.

    Headlines and warnings are returned only if there is nothing else; None if there is no line.
    """
    text = start_of(log)
    lines = told_lines(text)
    reasons = [line for line in lines if not _HEADLINES.match(line)]
    plain_lines = [line for line in reasons if not _WARNING.match(line)]
    sure_lines = [line for line in lines if any(sign in line for sign in _SIGNS)]
    return next((line[:_LONGEST] for line in (*sure_lines, *plain_lines, *reasons, *lines)), None)


def told_lines(text: str) -> list[str]:
    """The lines of a program's output that say something, without stack frames."""
    # The lines of a fatal error begin with #.
    lines = (line.lstrip("# ").strip() for line in text.split("\n") if not line.startswith("\tat "))
    return [line for line in lines if line]


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

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which line of a JVM's output says why it ended?"""

import re
from pathlib import Path

from jdkmatrix.machine.bounded import start_of

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

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What line of a JVM's output says why it ended?"""

import re
from pathlib import Path

_LONGEST = 300
# What a JVM prints on the way to its end, whatever it has said before.
_SIGNS = (
    "java.lang.OutOfMemoryError",
    "NoSuchAlgorithmException",
    "UnsupportedClassVersionError",
    " cannot go on: ",  # AcceptLoop.java of a peer
)
# What a JVM says before the reason, or after it: none tells anything itself.
_HEADLINES = re.compile(
    r"Error occurred during initialization of VM|Error: Could not create the Java Virtual Machine"
    r"|Error: A (fatal exception|JNI error) has occurred"
    r"|A fatal error has been detected by the Java Runtime Environment|Picked up \w+OPTIONS:"
)
# What a JVM says when it cannot start or go on for want of memory, and then why, a line each. The
# lines of a fatal error begin with #.
_REFUSAL = re.compile(
    r"^(?:# )?(Error occurred during initialization of (?:VM|boot layer)"
    r"|There is insufficient memory for the Java Runtime Environment to continue)\.?"
    r"\n(?:# )?(.+)$",
    re.MULTILINE,
)
# javac's first error, and what it could not find, which it says a few lines below.
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
    """The first line that gives a reason, a sure sign of one before all others.

    Headlines and warnings are given only where there is nothing else; None for no line at all.
    """
    text = log.read_text(encoding="utf-8", errors="replace")
    lines = told_lines(text)
    reasons = [line for line in lines if not _HEADLINES.match(line)]
    unwarned = [line for line in reasons if not _WARNING.match(line)]
    signed = [line for line in lines if any(sign in line for sign in _SIGNS)]
    return next((line[:_LONGEST] for line in (*signed, *unwarned, *reasons, *lines)), None)


def told_lines(text: str) -> list[str]:
    """The lines of a program's output that say something, without stack frames."""
    # The lines of a fatal error begin with #.
    lines = (line.lstrip("# ").strip() for line in text.split("\n") if not line.startswith("\tat "))
    return [line for line in lines if line]

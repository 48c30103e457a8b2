# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does JSSE say of one handshake? The lines of `-Djavax.net.debug` that tell of it.

A line is `javax.net.ssl|LEVEL|thread id|thread|time|File.java:N|message`, of JSSE's SSLLogger.
Times, threads and line numbers are left out, so that two builds can be laid side by side.
"""

from collections.abc import Iterator
from pathlib import Path

_LOGGER = "javax.net.ssl|"
_PARTS = 7
# What 21 and 25 say where others name the file.
_NO_PLACE = "null:-1"
_MOST_BYTES = 1 << 20
# From the end: there it says why. A handshake that works has some thirty.
_MOST_LINES = 40
_LONGEST = 200
# What each handshake says of what it lacks, or of each extension.
_IDLE = (
    "Ignore",
    "Unsupported ",
    "Unavailable ",
    "Consumed extension",
    "KeyLimit",
    "Signature algorithm",
    "No X.509 cert selected",
    "Populated with extension",
)


def debug_lines(folder: Path) -> tuple[str, ...]:
    """Those in the logs of the JVMs of that folder, the last of them; none where there are none."""
    lines = [line for log in sorted(folder.glob("jvm-*.log")) for line in _lines(log)]
    return tuple(lines[-_MOST_LINES:])


def _lines(log: Path) -> Iterator[str]:
    with log.open("rb") as opened:
        text = opened.read(_MOST_BYTES).decode("utf-8", "replace")
    before = ""
    for line in text.split("\n"):
        parts = line.split("|", _PARTS - 1)
        if not line.startswith(_LOGGER) or len(parts) < _PARTS:
            continue
        place, message = parts[5].partition(".java")[0], parts[6].strip().removesuffix("(").strip()
        where = "" if place == _NO_PLACE else f"{place}: "
        told = f"{parts[1]} {where}{message}"[:_LONGEST]
        if told != before and not message.startswith(_IDLE):
            yield "".join(c if c.isprintable() else "?" for c in told)
        before = told

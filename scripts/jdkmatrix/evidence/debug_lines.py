# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does JSSE log about one handshake? The lines of `-Djavax.net.debug` that describe it.

JSSE's SSLLogger writes `javax.net.ssl|LEVEL|thread id|thread|time|File.java:N|message`. Times,
threads and line numbers are left out, so that two builds can be compared side by side.
"""

from collections.abc import Iterator
from pathlib import Path

from jdkmatrix.machine.files import open_plain

_LOGGER = "javax.net.ssl|"
_PARTS = 7
# What 21 and 25 log where others name the file.
_NO_PLACE = "null:-1"
_MOST_BYTES = 1 << 20
# The last lines, which say why it failed. A handshake that works has some thirty.
_MOST_LINES = 40
_LONGEST = 200
# What every handshake logs about what it lacks, or about each extension.
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
    """The last lines in the logs of the folder's JVMs; empty if there are none."""
    lines = [line for log in sorted(folder.glob("jvm-*.log")) for line in _lines(log)]
    return tuple(lines[-_MOST_LINES:])


def _lines(log: Path) -> Iterator[str]:
    with open_plain(log) as stream:
        text = stream.read(_MOST_BYTES).decode("utf-8", "replace")
    previous_line = ""
    for line in text.split("\n"):
        parts = line.split("|", _PARTS - 1)
        if not line.startswith(_LOGGER) or len(parts) < _PARTS:
            continue
        place, message = parts[5].partition(".java")[0], parts[6].strip().removesuffix("(").strip()
        prefix = "" if place == _NO_PLACE else f"{place}: "
        log_line = f"{parts[1]} {prefix}{message}"[:_LONGEST]
        if log_line != previous_line and not message.startswith(_IDLE):
            yield "".join(c if c.isprintable() else "?" for c in log_line)
        previous_line = log_line

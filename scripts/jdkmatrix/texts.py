# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does the kit print a text that may contain anything, and a number of things?

What a test, a server or a JDK said is shown, but obeyed neither by a terminal nor by a CI server
that reads the log. `templating.py` has Markdown and HTML.
"""

import json
import re
import shlex
from typing import Any

# Control characters except tab and new line, separators of lines and paragraphs (Unicode's Cc, Zl,
# Zp), and Bidi_Control (UAX #9).
_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
# GitHub's runner obeys "::" after blanks at the start of a line, and "##[" anywhere in it
# (ActionCommand.cs); Azure Pipelines "##vso[", TeamCity "##teamcity[".
_COMMAND = re.compile(r"^(\s*):(?=:)", re.MULTILINE)
_COMMAND_WITHIN = re.compile(r"#(?=#\w*\[)")


def without_controls(text: str) -> str:
    """A text with its control and direction characters as escapes; new lines and tabs stay.

    A terminal obeys ESC, and U+202E and the like reverse what is read.
    """
    return _CONTROL.sub(lambda match: ascii(match[0])[1:-1], text)


def plain(text: str) -> str:
    """A text for a terminal or a log, without control characters or commands to a CI server."""
    return _COMMAND_WITHIN.sub(r"\\x23", _COMMAND.sub(r"\1\\x3a", without_controls(text)))


def command_line(*words: object) -> str:
    """The line that a shell takes for just these words, whatever they hold: for whoever pastes it.

    What a terminal would obey becomes an escape within its word.
    """
    return shlex.join(" ".join(without_controls(str(word)).split("\n")) for word in words)


def quote_again(line: str) -> str:
    """A line of a command that was stored, perhaps elsewhere: its words, and nothing that a shell
    obeys. One that is none becomes a single word.
    """
    try:
        return command_line(*shlex.split(line))
    except ValueError:
        return command_line(line)


def document_text(schema: int, **fields: Any) -> str:
    """A document that `--json` prints: the number of its schema comes first in each."""
    return json.dumps({"schema": schema, **fields}, indent=1) + "\n"


def count_of(number: int, noun: str) -> str:
    """`1 cell`, `2 cells`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a reproducer's own header say? Its paragraphs, by the words that they begin with."""

import re
from pathlib import Path

from jdkmatrix.machine.bounded import text_of

_FIRST_COMMENT = re.compile(r"/\*\n(?P<text>.*?)\n \*/", re.DOTALL)
_LINE_START = re.compile(r"^ \* ?", re.MULTILINE)
_PARAGRAPH = re.compile(
    r"(?P<name>What goes wrong|What it takes|Workaround|Evidence): (?P<text>.+)", re.DOTALL
)


def paragraphs(reproducer: Path) -> dict[str, str]:
    """`What goes wrong`, `What it takes`, `Workaround`, `Evidence`, each as one line of text."""
    comment = _FIRST_COMMENT.search(text_of(reproducer))
    text = _LINE_START.sub("", comment["text"]) if comment else ""
    matches = (_PARAGRAPH.match(paragraph) for paragraph in text.split("\n\n"))
    return {match["name"]: _sentence(match["text"]) for match in matches if match}


def _sentence(text: str) -> str:
    line = " ".join(text.split())
    return line[:1].upper() + line[1:]

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which exceptions does a log have, with their stacks? Pure."""

import re
from collections.abc import Iterable, Iterator

# A name, as in `java.net.SocketException: reset`, behind whatever a logger puts before it. No part
# of a name is tried twice.
_NAME = re.compile(r"[\w$.]++")
_ENDINGS = ("Exception", "Error")
_STACK_LINE = re.compile(r"^\s*(?:at\s+\S|Caused by: |Suppressed: |\.\.\. \d+ (?:more|common))")
# Of an endless one, as of a StackOverflowError, the first say enough; and so do the first of a log.
_MOST_LINES = 200
_MOST_STACKS = 2_000
_MOST_CHARACTERS = 1_000


def stacks_in(lines: Iterable[str]) -> dict[str, int]:
    """Each exception with the lines below it, and how often it is there; numbers are left out."""
    counts: dict[str, int] = {}
    for stack in _stacks(lines):
        if stack in counts or len(counts) < _MOST_STACKS:
            counts[stack] = counts.get(stack, 0) + 1
    return counts


def _stacks(lines: Iterable[str]) -> Iterator[str]:
    stack: list[str] = []
    for line in lines:
        text = line.rstrip()[:_MOST_CHARACTERS]
        if stack and _STACK_LINE.match(text):
            if len(stack) < _MOST_LINES:
                stack.append(text.strip())
            continue
        if stack:
            yield "\n".join(stack)
            stack = []
        for match in _NAME.finditer(text):
            if _is_exception(match[0]):
                stack = [text[match.start() :]]
                break
    if stack:
        yield "\n".join(stack)


def _is_exception(name: str) -> bool:
    package, _, simple_name = name.rstrip(".").rpartition(".")
    return bool(package) and simple_name[:1].isupper() and simple_name.endswith(_ENDINGS)

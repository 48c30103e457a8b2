# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which exceptions does a log have, with their stacks, whatever stands before its lines? Pure."""

import html
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

# A name, as in `java.net.SocketException: reset`, behind whatever a logger puts before it. No part
# of a name is tried twice.
_NAME = re.compile(r"[\w$.]++")
_ENDINGS = ("Exception", "Error")
# With the columns of a log, a CI server or a mail before it.
_STACK_LINE = re.compile(
    r"(?:^|(?<=[\s>|:\]]))(?:at\s+\S+\(|at\s+\S+$|(?:Caused by|Wrapped by|Suppressed): "
    r"|\.\.\. \d+ (?:more|common))"
)
# As JSON has a frame of a list, and a string of several lines that nobody has unpacked.
_FRAME = re.compile(r"[\w$./@<>-]+\([^()]*\)")
_WRITTEN_LINE = re.compile(r"\\n(?:\\t|\s)*at |\"\\tat ")
_CLASS_FIELDS = ("class", "className", "declaringClass")
_METHOD_FIELDS = ("method", "methodName")
_TAG = re.compile(r"</?(?:br|p|pre|div|li|td|tr|span|code)\b[^<>]*>", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
# Of an endless one, as of a StackOverflowError, the first say enough; and so do the first of a log.
_MOST_LINES = 200
_MOST_STACKS = 2_000
_MOST_CHARACTERS = 1_000
# So many lines of other programs may stand between two of a stack.
_MOST_BETWEEN = 50
# A whole stack in a field of JSON.
_MOST_JSON = 100_000


def stacks_in(lines: Iterable[str]) -> dict[str, int]:
    """Each exception with the lines below it, and how often it is there; numbers are left out."""
    counts: dict[str, int] = {}
    for stack in _stacks(lines):
        if stack in counts or len(counts) < _MOST_STACKS:
            counts[stack] = counts.get(stack, 0) + 1
    return counts


@dataclass
class _Stack:
    """One that is being read; `prefix` stands before its lines, `first_prefix` before the first."""

    lines: list[str]
    first_prefix: str
    prefix: str | None = None
    between: int = 0

    def takes(self, text: str) -> bool:
        """Whether a line is of it, or of another program whose log is in the same file."""
        match = _STACK_LINE.search(text)
        if match and self.prefix in (None, prefix := _general(text[: match.start()])):
            self.prefix, self.between = prefix, 0
            if len(self.lines) < _MOST_LINES:
                self.lines.append(text[match.start() :].strip())
            return True
        self.between += 1
        prefix = self.first_prefix if self.prefix is None else self.prefix
        is_others = bool(prefix) and not _general(text).startswith(prefix)
        return is_others and self.between <= _MOST_BETWEEN and _name_at(text) is None


def _stacks(lines: Iterable[str]) -> Iterator[str]:
    stack: _Stack | None = None
    for text in _plain(lines):
        if stack and stack.takes(text):
            continue
        if stack:
            yield "\n".join(stack.lines)
        begin = _name_at(text)
        stack = None if begin is None else _Stack([text[begin:]], _general(text[:begin]))
    if stack:
        yield "\n".join(stack.lines)


def _plain(lines: Iterable[str]) -> Iterator[str]:
    """The lines as they were logged, out of JSON and HTML."""
    for line in lines:
        text = line.rstrip()
        for part in _parts(text[:_MOST_JSON]):
            part = part[:_MOST_CHARACTERS]
            yield html.unescape(_TAG.sub("", part)) if "<" in part or "&" in part else part


def _parts(text: str) -> Iterable[str]:
    """The lines that are in a line: in an object of JSON, or with their ends written as \\n."""
    if text.endswith("}"):
        return _json_lines(text)
    if not _WRITTEN_LINE.search(text):
        return (text,)
    return text.replace("\\r", "").replace("\\n", "\n").replace("\\t", "\t").splitlines()


def _json_lines(text: str) -> Iterable[str]:
    """The lines of the longest text in an object that has any of a stack; else the line itself."""
    begin = text.find("{")
    try:
        texts = [*_texts(json.loads(text[begin:]) if begin >= 0 else None)]
    except (ValueError, RecursionError):
        return (text,)
    of_stacks = [part for part in texts if _name_at(part) is not None or _STACK_LINE.search(part)]
    return (max(of_stacks, key=len) if of_stacks else text).splitlines()


def _texts(document: Any) -> Iterator[str]:
    if isinstance(document, str):
        yield document
    elif isinstance(document, dict | list):
        stack = _stack_of(document) if isinstance(document, dict) else _frames(document)
        if stack:
            yield stack
        for part in document.values() if isinstance(document, dict) else document:
            yield from _texts(part)


def _stack_of(fields: dict[str, Any]) -> str | None:
    """An object with the name of an exception and its frames, as Java prints that."""
    parts = list(fields.values())
    texts = (part for part in parts if isinstance(part, str) and _NAME.fullmatch(part))
    name = next((text for text in texts if _is_exception(text)), None)
    frames = next((text for part in parts if (text := _frames(part))), None)
    if not name or not frames:
        return None
    message = fields.get("message")
    causes = (_stack_of(part) for part in parts if isinstance(part, dict))
    cause = next((text for text in causes if text), None)
    first = f"{name}: {message}" if isinstance(message, str) else name
    return "\n".join([first, frames, *([f"Caused by: {cause}"] if cause else [])])


def _frames(parts: Any) -> str | None:
    """A list of the lines of a stack, or of its frames, as Java prints them."""
    if not isinstance(parts, list) or not parts:
        return None
    lines = [_line(part) for part in parts]
    return "\n".join(line for line in lines if line) if all(lines) else None


def _line(part: Any) -> str | None:
    if isinstance(part, str):
        return f"at {part}" if _FRAME.fullmatch(part) else part
    if not isinstance(part, dict):
        return None
    names = [
        next((part[name] for name in names if name in part), None)
        for names in (_CLASS_FIELDS, _METHOD_FIELDS)
    ]
    return f"at {names[0]}.{names[1]}()" if all(names) else None


def _general(text: str) -> str:
    """What stands before a line, without its numbers and the blanks at its end."""
    return _DIGITS.sub("0", text).rstrip()


def _name_at(text: str) -> int | None:
    """Where the first name of an exception begins."""
    names = (match for match in _NAME.finditer(text) if _is_exception(match[0]))
    return next((match.start() for match in names), None)


def _is_exception(name: str) -> bool:
    package, _, simple_name = name.rstrip(".").rpartition(".")
    return bool(package) and simple_name[:1].isupper() and simple_name.endswith(_ENDINGS)

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which lines does a hunk show, and does it change anything but comments? Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from unidiff.patch import Hunk, PatchedFile


@dataclass(frozen=True)
class Replacement:
    """A hunk as two texts: the `old` lines, which the `new` ones replace from line `start` on.

    `head` and `tail` count the lines of context with which both begin and end.
    """

    start: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    head: int
    tail: int
    is_of_comments: bool

    @classmethod
    def of_hunk(cls, hunk: Hunk) -> "Replacement":
        """The change that a hunk of a unified diff means."""
        old = tuple(_text(line.value) for line in hunk if line.is_context or line.is_removed)
        new = tuple(_text(line.value) for line in hunk if line.is_context or line.is_added)
        places = [place for place, line in enumerate(hunk) if line.is_added or line.is_removed]
        head = places[0] if places else len(old)
        tail = len(list(hunk)) - 1 - places[-1] if places else 0
        is_of_comments = _of_comments(hunk)
        return cls(int(hunk.source_start), old, new, head, tail, is_of_comments)

    def reverse(self) -> "Replacement":
        """The change that takes this one back."""
        return Replacement(
            self.start, self.new, self.old, self.head, self.tail, self.is_of_comments
        )

    def with_fuzz(self, fuzz: int) -> "Replacement":
        """The change without the outermost lines of context: as patch(1) does, `fuzz` at the
        longer end, and at the other end only what is beyond the same distance.
        """
        longest = max(self.head, self.tail)
        head, tail = (max(0, fuzz + side - longest) for side in (self.head, self.tail))
        return Replacement(
            self.start + head,
            self.old[head : len(self.old) - tail],
            self.new[head : len(self.new) - tail],
            self.head - head,
            self.tail - tail,
            self.is_of_comments,
        )


def changes_of(file: PatchedFile) -> tuple[Replacement, ...]:
    """The hunks of a file."""
    return tuple(Replacement.of_hunk(hunk) for hunk in file)


def _of_comments(hunk: Hunk) -> bool:
    """Whether every line that the hunk changes is blank, or a comment and nothing else.

    A hunk shows a part of a file, so this is certain only where the part says so itself: lines
    that begin with `*` are a comment if all lines up to its end do. What is not certain is code.
    """
    if any('"""' in line.value for line in hunk):
        return False
    for is_other in ("is_added", "is_removed"):
        lines = [line for line in hunk if not getattr(line, is_other)]
        flags = _comment_flags([_text(line.value).strip() for line in lines])
        pairs = zip(lines, flags, strict=True)
        if not all(line.is_context or flag for line, flag in pairs):
            return False
    return True


def _comment_flags(lines: Sequence[str]) -> list[bool]:
    """For each line whether it is a comment alone; all False if where one ends is not certain."""
    first = next(filter(None, lines), "")
    is_open = first.startswith("*")
    flags = []
    for line in lines:
        if is_open and line and not line.startswith("*") and "*/" not in line:
            return [False] * len(lines)  # code that only began like a comment
        if is_open or line.startswith("/*"):
            _, end, rest = line[0 if is_open else 2 :].partition("*/")
            is_open = not end
            flags.append(not rest.strip())
        else:
            flags.append(not line or line.startswith("//"))
            is_open = "/*" in line.rpartition("*/")[2] and not line.startswith("//")
    return flags


def _text(line: str) -> str:
    return line.rstrip("\r\n")

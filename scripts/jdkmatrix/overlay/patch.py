# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a unified diff applied to a source file? Pure.

A hunk applies where the lines that it shows are found, nearest to the line it names; as patch(1)
has it, two lines of context at each end may differ. One that only adds lines and shows none cannot
be placed: it applies only to the very file that the diff was made from, recognised by the blob id
in the diff's `index` line. One of comments cannot change code: where it does not fit, it is left
out.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from unidiff.errors import UnidiffParseError
from unidiff.patch import Hunk, PatchedFile, PatchSet

HAS_CHANGE = "these sources have this change already"
# patch(1), -F: "The default fuzz factor is 2".
_MOST_FUZZ = 2
_HUNK = re.compile(r"@@ -\d+(?:,(?P<old>\d{1,9}))? \+\d+(?:,(?P<new>\d{1,9}))? @@")
_INDEX = re.compile(r"^index (?P<blob>[0-9a-f]{7,40})\.\.", re.MULTILINE)


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


class PatchError(Exception):
    """The text is no patch, or does not apply; the message is the reason, one line."""


def parse_patch(text: str) -> tuple[PatchedFile, ...]:
    """The files of a unified diff. Raises PatchError."""
    try:
        files = tuple(PatchSet.from_string(text))
    except (UnidiffParseError, ValueError) as error:  # ValueError: a number of thousands of digits
        raise PatchError(f"not a unified diff: {str(error).splitlines()[0]}") from None
    if not any(len(file) for file in files):
        raise PatchError("not a unified diff: it changes nothing")
    _without_prefixes(files)
    return files


@dataclass(frozen=True)
class PatchedText:
    """A source file with its hunks applied; `notes` say what was not taken word for word."""

    text: str
    notes: tuple[str, ...] = ()


def apply(original: str, file: PatchedFile) -> PatchedText:
    """`original` with the hunks of `file` applied. Raises PatchError.

    First every hunk must fit word for word. If one does not, and the file has what the hunks make
    of it, it has the change already. Otherwise two lines of context at each end may differ.
    """
    try:
        return _apply(original, file, most_fuzz=0)
    except PatchError:
        if has_change(original, file):
            raise PatchError(HAS_CHANGE) from None
        return _apply(original, file, _MOST_FUZZ)


def has_change(original: str, file: PatchedFile) -> bool:
    """Whether each hunk's new lines are in `original`, in their order, word for word."""
    lines, position, count = original.splitlines(), 0, 0
    for change in changes_of(file):
        undo = change.reverse()
        if change.is_of_comments or not undo.old:
            continue
        offset = _nearest(lines, undo.old, undo.start - 1, position)
        if offset is None:
            return False
        position, count = offset + len(undo.old), count + 1
    return count > 0


def _apply(original: str, file: PatchedFile, most_fuzz: int) -> PatchedText:
    lines = original.splitlines()
    output: list[str] = []
    notes: list[str] = []
    position = 0
    shift = 0
    for change in changes_of(file):
        if change.old:
            place = _place(lines, change, shift, position, most_fuzz)
            if place is None and change.is_of_comments:
                notes.append(f"the hunk of comments at line {change.start} is left out")
                continue
            if place is None:
                raise PatchError(f"the hunk at line {change.start} does not apply")
            offset, fuzz = place
            if fuzz:
                notes.append(f"the hunk at line {change.start} with fuzz {fuzz}")
            change = change.with_fuzz(fuzz)
            shift = offset - (change.start - 1)
        else:
            if not file.is_added_file:
                _require_origin(original, file, change)
            offset = change.start
        output += lines[position:offset]
        output += change.new
        position = offset + len(change.old)
    return PatchedText("\n".join(output + lines[position:]) + "\n", tuple(notes))


def _place(
    lines: Sequence[str], change: Replacement, shift: int, first: int, most_fuzz: int
) -> tuple[int, int] | None:
    """The index of the line where a change applies, and the fuzz that it needs; None if nowhere.

    A comment must fit word for word: where it is left out, nothing is lost.
    """
    longest = max(change.head, change.tail)
    for fuzz in range(1 + (0 if change.is_of_comments else min(most_fuzz, longest))):
        part = change.with_fuzz(fuzz)
        if part.old:
            offset = _nearest(lines, part.old, part.start - 1 + shift, first)
            if offset is not None:
                return offset, fuzz
    return None


def changes_code(file: PatchedFile) -> bool:
    """Whether a hunk changes more than comments, as far as it shows."""
    return not all(change.is_of_comments for change in changes_of(file))


def prose_of(text: str) -> str:
    """A diff without its hunks and without the paths of its files: what its author says of it."""
    lines = []
    counts = [0, 0]  # of the hunk's old and new lines
    for line in text.splitlines():
        if any(count > 0 for count in counts):
            counts = [
                count - (line[:1] in (sign, " ", ""))
                for count, sign in zip(counts, "-+", strict=True)
            ]
        elif match := _HUNK.match(line):
            counts = [int(match[side] or 1) for side in ("old", "new")]
        elif not line.startswith(("---", "+++", "diff ", "index ")):
            lines.append(line)
    return "\n".join(lines)


def blob_id(text: str) -> str:
    """The id that git gives a file with this content."""
    content = text.encode()
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _without_prefixes(files: Sequence[PatchedFile]) -> None:
    """Treat `old/` and `new/` of webrevs, or `jdk.orig/` and `jdk/`, as `a/` and `b/`.

    unidiff takes two paths that differ from their third character on for a rename. The prefix of a
    file that only one side has is known from the diff's other files.
    """
    prefixes = {"old", "new"}
    for file in files:
        (old, source), (new, target) = map(_split_first, (file.source_file, file.target_file))
        if file.is_rename and source and source == target:
            prefixes |= {old, new}
            file.source_file, file.target_file = f"a/{source}", f"b/{target}"
    for file in files:
        (old, source), (new, target) = map(_split_first, (file.source_file, file.target_file))
        if file.is_added_file and new in prefixes:
            file.target_file = f"b/{target}"
        if file.is_removed_file and old in prefixes:
            file.source_file = f"a/{source}"


def _split_first(name: str) -> tuple[str, str]:
    """A path's first folder, and the rest."""
    first, _, rest = name.lstrip("./").partition("/")
    return first, rest


def _require_origin(original: str, file: PatchedFile, change: Replacement) -> None:
    index = _INDEX.search(str(file.patch_info))
    subject = f"the hunk at line {change.start} shows no line of the file"
    if index is None:
        raise PatchError(f"{subject}, and the diff names no blob (a line 'index ...')")
    blob = blob_id(original)
    if not blob.startswith(index["blob"]):
        raise PatchError(f"{subject}; it is for blob {index['blob']}, this is {blob[:12]}")


def _nearest(lines: Sequence[str], context: Sequence[str], start: int, first: int) -> int | None:
    last = len(lines) - len(context)
    places = sorted(range(first, last + 1), key=lambda offset: abs(offset - start))
    window = tuple(context)
    return next(
        (offset for offset in places if tuple(lines[offset : offset + len(window)]) == window), None
    )

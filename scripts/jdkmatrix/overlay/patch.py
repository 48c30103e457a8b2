# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a unified diff applied to a source file? Pure.

A hunk applies where the lines that it shows are found, nearest to the line it names. One that
only adds lines and shows none cannot be placed: it applies only to the very file that the diff
was made from, recognised by the blob id in the diff's `index` line.
"""

import hashlib
import re
from collections.abc import Sequence

from unidiff.errors import UnidiffParseError
from unidiff.patch import Hunk, PatchedFile, PatchSet

_INDEX = re.compile(r"^index (?P<blob>[0-9a-f]{7,40})\.\.", re.MULTILINE)


class PatchError(Exception):
    """The text is no patch, or does not apply; the message is the reason, one line."""


def parse_patch(text: str) -> tuple[PatchedFile, ...]:
    """The files of a unified diff. Raises PatchError."""
    try:
        files = tuple(PatchSet.from_string(text))
    except UnidiffParseError as error:
        raise PatchError(f"not a unified diff: {str(error).splitlines()[0]}") from None
    if not any(len(file) for file in files):
        raise PatchError("not a unified diff: it changes nothing")
    _without_prefixes(files)
    return files


def apply(original: str, file: PatchedFile) -> str:
    """`original` with the hunks of `file` applied. Raises PatchError."""
    lines = original.splitlines()
    output: list[str] = []
    position = 0
    shift = 0
    for hunk in file:
        context = [_text(line.value) for line in hunk if line.is_context or line.is_removed]
        if context:
            start = hunk.source_start - 1
            offset = _nearest(lines, context, start + shift, position)
            if offset is None:
                raise PatchError(f"the hunk at line {hunk.source_start} does not apply")
            shift = offset - start
        else:
            if not file.is_added_file:
                _require_origin(original, file, hunk)
            offset = hunk.source_start
        output += lines[position:offset]
        output += [_text(line.value) for line in hunk if line.is_context or line.is_added]
        position = offset + len(context)
    return "\n".join(output + lines[position:]) + "\n"


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


def _require_origin(original: str, file: PatchedFile, hunk: Hunk) -> None:
    index = _INDEX.search(str(file.patch_info))
    subject = f"the hunk at line {hunk.source_start} shows no line of the file"
    if index is None:
        raise PatchError(f"{subject}, and the diff names no blob (a line 'index ...')")
    blob = blob_id(original)
    if not blob.startswith(index["blob"]):
        raise PatchError(f"{subject}; it is for blob {index['blob']}, this is {blob[:12]}")


def _nearest(lines: list[str], context: list[str], start: int, first: int) -> int | None:
    last = len(lines) - len(context)
    places = sorted(range(first, last + 1), key=lambda offset: abs(offset - start))
    return next(
        (offset for offset in places if lines[offset : offset + len(context)] == context), None
    )


def _text(line: str) -> str:
    return line.rstrip("\r\n")

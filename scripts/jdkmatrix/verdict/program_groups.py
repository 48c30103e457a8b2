# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which builds said the same, and where do the other_tokens differ first? Pure.

A build that was asked more than once may have said something else each time. Where its replies
have the same shape, what varies in them is left out, and the rest is compared.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

VARIES = "…"
_TOKEN = re.compile(r"\d+|[^\W\d_]+|.", re.DOTALL)
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Reply:
    """What one run of a program said: how it ended, and its lines, masked."""

    ending: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Form:
    """What a build says whenever it is asked: `replies` has several if their shapes differ.
    `variations` are two replies' lines that differ, the first such.
    """

    replies: tuple[Reply, ...]
    variations: tuple[str, str] | None = None

    @property
    def key(self) -> tuple[Reply, ...]:
        """Equal for builds that say the same. What has no shape in common is only known to vary."""
        if len(self.replies) == 1:
            return self.replies
        endings = sorted({reply.ending for reply in self.replies})
        return tuple(Reply(ending, (VARIES,)) for ending in endings)


@dataclass(frozen=True)
class Likeness:
    """Builds that say the same, in the order in which they were given."""

    letter: str
    form: Form
    builds: tuple[str, ...]


@dataclass(frozen=True)
class Stretch:
    """Neighbours of a release line that are in one group: from build `first` to `last`."""

    letter: str
    first: str
    last: str
    builds: tuple[str, ...]


def form_of(replies: Sequence[Reply]) -> Form:
    """What a build says, by all its replies, at least one."""
    distinct = tuple(dict.fromkeys(replies))
    if len(distinct) == 1:
        return Form(distinct)
    variations = _first_variation(distinct)
    common_reply = distinct[0]
    for reply in distinct[1:]:
        whole = _merge(common_reply, reply)
        if whole is None:
            sorted_replies = sorted(distinct, key=lambda reply: (reply.ending, reply.lines))
            return Form(tuple(sorted_replies), variations)
        common_reply = whole
    return Form((common_reply,), variations)


def groups_of(forms: Mapping[str, Form]) -> tuple[Likeness, ...]:
    """The groups of builds, in the order of their first members."""
    builds_by_key: dict[tuple[Reply, ...], list[str]] = {}
    for build, form in forms.items():
        builds_by_key.setdefault(form.key, []).append(build)
    return tuple(
        Likeness(letter_of(number), forms[builds[0]], tuple(builds))
        for number, builds in enumerate(builds_by_key.values())
    )


def letter_of(number: int) -> str:
    """A, B, ... Z, A1, B1, ..."""
    round_number, place = divmod(number, len(_LETTERS))
    return f"{_LETTERS[place]}{round_number or ''}"


def stretches(builds: Sequence[str], groups: Iterable[Likeness]) -> Iterator[Stretch]:
    """The builds of one release line, oldest first, cut where the group changes."""
    letters = {build: group.letter for group in groups for build in group.builds}
    members = (build for build in builds if build in letters)
    for letter, run in groupby(members, letters.__getitem__):
        names = tuple(run)
        yield Stretch(letter, names[0], names[-1], names)


def first_difference(forms: Sequence[Form]) -> tuple[str | None, ...] | None:
    """What each form has where not all of them are alike for the first time: a line, or None if
    that has ended before. None if only their endings differ, or nothing does.
    """
    texts = [form.replies[0].lines for form in forms]
    for place in range(max(map(len, texts), default=0)):
        lines = tuple(text[place] if place < len(text) else None for text in texts)
        if len(set(lines)) > 1:
            return lines
    return None


def _merge(first: Reply, second: Reply) -> Reply | None:
    """Both replies, with what differs left out; None if they have not the same shape."""
    if first.ending != second.ending or len(first.lines) != len(second.lines):
        return None
    lines = [_merge_line(*pair) for pair in zip(first.lines, second.lines, strict=True)]
    if None in lines:
        return None
    return Reply(first.ending, tuple(line for line in lines if line is not None))


def _merge_line(first: str, second: str) -> str | None:
    if first == second:
        return first
    tokens, other_tokens = _TOKEN.findall(first), _TOKEN.findall(second)
    if len(tokens) != len(other_tokens):
        return None
    pairs = zip(tokens, other_tokens, strict=True)
    return "".join(token if token == other_token else VARIES for token, other_token in pairs)


def _first_variation(replies: Sequence[Reply]) -> tuple[str, str]:
    forms = [Form((reply,)) for reply in replies[:2]]
    lines = first_difference(forms)
    if lines is None:
        return replies[0].ending, replies[1].ending
    return lines[0] or "", lines[1] or ""

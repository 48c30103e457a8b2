# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which builds said the same, and where do the others differ first? Pure.

A build that was asked more than once may have said something else each time: a form has `…` for
what varies. A build that varies is like those that always say what it says now and then, unless its
runs are too many for that to be chance.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import reduce
from itertools import groupby, zip_longest
from math import comb

VARIES = "…"
_TOKEN = re.compile(r"\d+|[^\W\d_]+|.", re.DOTALL)
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MOST_ALIGNED = 2_000
# How likely it may be that any build is wrongly told apart from one that never varied: shared by
# all pairs of builds (Bonferroni).
_ERROR = 0.05


@dataclass(frozen=True)
class Reply:
    """What one run of a program said: how it ended, and its lines, masked."""

    ending: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Form:
    """What a build says whenever it is asked: how it ends, and its lines with `…` for what varies.
    `replies` are those of its runs.
    """

    endings: tuple[str, ...]
    lines: tuple[str, ...]
    replies: tuple[Reply, ...] = field(compare=False)

    @property
    def variations(self) -> tuple[str, str] | None:
        """Two replies' lines that differ, the first such; None if none do."""
        distinct = tuple(dict.fromkeys(self.replies))
        return _first_variation(*distinct[:2]) if len(distinct) > 1 else None


@dataclass(frozen=True)
class Likeness:
    """Builds that say the same, in the order in which they were given. `varying` are those among
    them that say something else now and then, `variations` two lines of the first.
    """

    letter: str
    form: Form
    builds: tuple[str, ...]
    varying: tuple[str, ...]
    variations: tuple[str, str] | None


@dataclass(frozen=True)
class Stretch:
    """Neighbours of a release line that are in one group: from build `first` to `last`."""

    letter: str
    first: str
    last: str
    builds: tuple[str, ...]


def form_of(replies: Sequence[Reply]) -> Form:
    """What a build says, by all its replies, at least one."""
    endings = tuple(sorted({reply.ending for reply in replies}))
    lines = replies[0].lines
    for reply in replies[1:]:
        lines = _merge(lines, reply.lines)
    return Form(endings, lines, tuple(replies))


def groups_of(forms: Mapping[str, Form]) -> tuple[Likeness, ...]:
    """The groups of builds, in the order of their first members."""
    order = list(forms)
    # First those that never vary: a build that does may be like some of them.
    builds_by_form: dict[Form, list[str]] = {}
    for build in sorted(order, key=lambda build: forms[build].variations is not None):
        form = forms[build]
        builds_by_form.setdefault(_likest(form, builds_by_form, len(forms)) or form, []).append(
            build
        )
    groups = [(sorted(builds, key=order.index), form) for form, builds in builds_by_form.items()]
    groups.sort(key=lambda group: order.index(group[0][0]))
    return tuple(
        _likeness(letter_of(number), form, builds, forms)
        for number, (builds, form) in enumerate(groups)
    )


def _likeness(
    letter: str, form: Form, builds: Sequence[str], forms: Mapping[str, Form]
) -> Likeness:
    varying = tuple(build for build in builds if forms[build].variations)
    variations = forms[varying[0]].variations if varying else None
    return Likeness(letter, form, tuple(builds), varying, variations)


def _likest(form: Form, forms: Iterable[Form], build_count: int) -> Form | None:
    """Which of these forms a build's may be, by chance; None if it is none of them."""
    if form.variations is None:
        return None
    chances = {candidate: _chance(form, candidate) for candidate in forms}
    likest = max(chances, key=lambda candidate: chances[candidate], default=form)
    return likest if chances.get(likest, 0.0) > _ERROR / max(1, comb(build_count, 2)) else None


def _chance(form: Form, other_form: Form) -> float:
    """How likely runs of one and the same program differ as much as these, at most."""
    if form == other_form:
        return 1.0
    texts = [_texts_of(form), _texts_of(other_form)]
    if len({len(lines) for of_form in texts for lines in of_form}) > 1:  # none is in its place
        texts = [[("\n".join(lines),) for lines in of_form] for of_form in texts]
    places = zip(*(zip(*of_form, strict=True) for of_form in texts), strict=True)
    return min(_chance_of_line(lines, other_lines) for lines, other_lines in places)


def _texts_of(form: Form) -> list[tuple[str, ...]]:
    return [(reply.ending, *reply.lines) for reply in form.replies]


def _chance_of_line(lines: Sequence[str], other_lines: Sequence[str]) -> float:
    """The same of one line of each run, by Fisher's exact test where one of them never varies."""
    constant_lines, varying_lines = sorted((lines, other_lines), key=lambda texts: len(set(texts)))
    if len(set(varying_lines)) == 1:
        return float(constant_lines[0] == varying_lines[0])
    if len(set(constant_lines)) > 1:
        return float(
            _may_be_alike(reduce(_merge_line, constant_lines), reduce(_merge_line, varying_lines))
        )
    count = varying_lines.count(constant_lines[0])
    chance = comb(len(varying_lines), count) / comb(
        len(constant_lines) + len(varying_lines), len(constant_lines) + count
    )
    return chance if count else 0.0


def _may_be_alike(pattern: str, other_pattern: str) -> bool:
    """Whether two lines with `…` have nothing that differs beside it."""
    tokens, other_tokens = _TOKEN.findall(pattern), _TOKEN.findall(other_pattern)
    return len(tokens) != len(other_tokens) or all(
        token == other_token or VARIES in (token, other_token)
        for token, other_token in zip(tokens, other_tokens, strict=True)
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


def first_difference(
    texts: Sequence[tuple[str, ...]],
) -> tuple[str | None, ...] | None:
    """What each of these texts has where they differ first, if possible in what never varies: a
    line, or None if it has ended before. None if they are equal.
    """
    places = [lines for lines in zip_longest(*texts) if len(set(lines)) > 1]
    firm_places = (lines for lines in places if not any(VARIES in (line or "") for line in lines))
    return next(firm_places, places[0] if places else None)


def _merge(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """The lines of both, with what differs left out. What follows many lines is left out whole if
    it differs: to align it might take minutes.
    """
    if first == second:
        return first
    head, other_head = first[:_MOST_ALIGNED], second[:_MOST_ALIGNED]
    rest, other_rest = first[_MOST_ALIGNED:], second[_MOST_ALIGNED:]
    lines: list[str] = []
    for _, start, end, other_start, other_end in SequenceMatcher(
        None, head, other_head
    ).get_opcodes():
        part, other_part = head[start:end], other_head[other_start:other_end]
        if len(part) == len(other_part):
            lines += map(_merge_line, part, other_part)
        else:
            lines.append(VARIES)
    return (*lines, *(rest if rest == other_rest else (VARIES,)))


def _merge_line(first: str, second: str) -> str:
    """The line of both, with the words that differ left out, or all if their shapes differ."""
    if first == second:
        return first
    tokens, other_tokens = _TOKEN.findall(first), _TOKEN.findall(second)
    if len(tokens) != len(other_tokens):
        return VARIES
    pairs = zip(tokens, other_tokens, strict=True)
    return "".join(token if token == other_token else VARIES for token, other_token in pairs)


def _first_variation(first: Reply, second: Reply) -> tuple[str, str]:
    lines = first_difference((first.lines, second.lines))
    return (lines[0] or "", lines[1] or "") if lines else (first.ending, second.ending)

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does one text of a row become another? The edit is what rows of a cluster share. Pure."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

# A row that ends in an exception begins with its class, as `test/behave/lib/Failure.java` has it.
_FAILURE = re.compile(r"[A-Z]\w*(Exception|Error)\b")
_WORD = re.compile(r"\w+|\s+|[^\w\s]")
# Texts that share less than this are taken as a whole: no words of theirs belong together.
_LEAST_ALIKE = 0.4
_ANY_TEXT = "*"


class Edit(NamedTuple):
    """What goes and what comes in its place."""

    older: str
    newer: str


def edit_of(older: str, newer: str) -> Edit:
    """The parts that differ, joined by `...`. Where a row ends in an exception on one side alone,
    the other side is `*`: any value, whatever the row sent.
    """
    fails = [_FAILURE.match(text) is not None for text in (older, newer)]
    if fails == [False, True]:
        return Edit(_ANY_TEXT, newer)
    if fails == [True, False]:
        return Edit(older, _ANY_TEXT)
    old_words, new_words = _WORD.findall(older), _WORD.findall(newer)
    matcher = SequenceMatcher(None, old_words, new_words, autojunk=False)
    if matcher.ratio() < _LEAST_ALIKE:
        return Edit(older, newer)
    spans = [span for span in matcher.get_opcodes() if span[0] != "equal"]
    parts = dict.fromkeys(  # a row may send twice what others send once
        (_join(old_words[span[1] : span[2]]), _join(new_words[span[3] : span[4]])) for span in spans
    )
    return Edit(*(" ... ".join(side) for side in zip(*parts, strict=True)))


def _join(words: Sequence[str]) -> str:
    return "".join(words).strip()

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Why did a cell reproduce its bug, in one sentence without a full stop? Pure.

The first source that has an answer gives it: the recording, read by a rule of the ledger; the
test's facts and figures, put into a template of the ledger; the test's own reason.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from jdkmatrix.config.ledger import PLACEHOLDER, CauseTemplate, EvidenceRule
from jdkmatrix.evidence.cause import duration, shown_by
from jdkmatrix.evidence.digest import Recording
from jdkmatrix.evidence.outcomes import CaseOutcome, Scalar

# A fact becomes part of a sentence, so a stack or a log is not used.
_LONGEST_TEXT = 200
# What separates frames, threads and classes in a fact's text.
_BETWEEN_WORDS = re.compile(r"[\s:;,<]+")

Fact = Scalar | list[Scalar] | None


class CauseSource(StrEnum):
    """What a sentence of cause was read from."""

    RECORDING = "recording"
    FACTS = "facts"
    REASON = "reason"


@dataclass(frozen=True)
class Cause:
    """The sentence, and what it was read from."""

    sentence: str
    source: CauseSource


def why(
    recording: Recording | None,
    rule: EvidenceRule | None,
    templates: Sequence[CauseTemplate],
    case: CaseOutcome | None,
    test: str,
    reason: str,
) -> Cause:
    """The cause of a cell whose outcome is `reproduced`; `case` is its subject, `reason` its own.

    A template that needs what the test did not write is skipped, and the next one is tried.
    """
    if recording and rule:
        shown = shown_by(recording, rule)
        if shown:
            return Cause(shown, CauseSource.RECORDING)
    facts = _facts(case) if case else {}
    for template in templates:
        said = _said(template, facts) if template.test in (None, test) else None
        if said:
            return Cause(said, CauseSource.FACTS)
    return Cause(reason.strip().removesuffix("."), CauseSource.REASON)


def _facts(case: CaseOutcome) -> dict[str, Fact]:
    """The facts and figures of a case. A figure below its bound is no cause and is left out."""
    shown = {one.name: one.value for one in case.figures if one.value >= one.bound}
    below = {one.name for one in case.figures} - shown.keys()
    return {**{name: fact for name, fact in case.facts.items() if name not in below}, **shown}


def _said(template: CauseTemplate, facts: Mapping[str, Fact]) -> str | None:
    if not all(_is(facts.get(name), wanted) for name, wanted in template.facts.items()):
        return None
    names = PLACEHOLDER.findall(template.says)
    words = {name: _word(name, facts.get(name)) for name in names}
    if not all(words.values()):
        return None
    return PLACEHOLDER.sub(lambda found: words[found[1]] or "", template.says)


def _is(fact: Fact, wanted: Scalar | tuple[str, ...]) -> bool:
    if isinstance(wanted, tuple):
        return any(_is(fact, one) for one in wanted)
    if isinstance(fact, list):
        return any(_is(one, wanted) for one in fact)
    if isinstance(fact, str) and isinstance(wanted, str):
        return fact == wanted or wanted in _BETWEEN_WORDS.split(fact)
    return type(fact) is type(wanted) and fact == wanted


def _word(name: str, fact: Fact) -> str | None:
    """A fact as it is worded in a sentence; None if it cannot be."""
    if isinstance(fact, list):
        words = [_word(name, one) for one in fact]
        return _short(", ".join(word for word in words if word)) if all(words) else None
    if fact is None or isinstance(fact, bool):
        return None
    if isinstance(fact, str):
        return _short(" ".join(fact.split()).rstrip(". "))
    return duration(fact) if "ms" in name.split("_") else f"{fact:,}"


def _short(text: str) -> str | None:
    return text if 0 < len(text) <= _LONGEST_TEXT else None

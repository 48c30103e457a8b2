# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Why did a cell reproduce its bug, in one sentence without a full stop?

The first source that has an answer gives it: the recording, read by a rule of the ledger; the
test's facts and figures, put into a template of the ledger; the test's own reason.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jdkmatrix.config.ledger import PLACEHOLDER, CauseTemplate, EvidenceRule
from jdkmatrix.evidence.cause import CauseSource, symptom_of
from jdkmatrix.evidence.digest import Recording
from jdkmatrix.evidence.outcomes import CaseOutcome, Scalar
from jdkmatrix.words.waiting import duration, symptom_sentence

# A fact becomes part of a sentence, so a stack or a log is not used.
_LONGEST_TEXT = 200
# What separates frames, threads and classes in a fact's text.
_BETWEEN_WORDS = re.compile(r"[\s:;,<]+")

Fact = Scalar | list[Scalar] | None


@dataclass(frozen=True)
class Cause:
    """The sentence, and what it was read from."""

    sentence: str
    source: CauseSource


def find_cause(
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
        symptom = symptom_of(recording, rule)
        if symptom:
            return Cause(symptom_sentence(symptom), CauseSource.RECORDING)
    facts = _facts(case) if case else {}
    for template in templates:
        sentence = _fill_template(template, facts) if template.test in (None, test) else None
        if sentence:
            return Cause(sentence, CauseSource.FACTS)
    return Cause(reason.strip().removesuffix("."), CauseSource.REASON)


def _facts(case: CaseOutcome) -> dict[str, Fact]:
    """The facts and figures of a case. A figure below its bound is no cause and is left out."""
    figures = {figure.name: figure.value for figure in case.figures if figure.value >= figure.bound}
    low_names = {figure.name for figure in case.figures} - figures.keys()
    return {**{name: fact for name, fact in case.facts.items() if name not in low_names}, **figures}


def _fill_template(template: CauseTemplate, facts: Mapping[str, Fact]) -> str | None:
    if not all(_is(facts.get(name), condition) for name, condition in template.facts.items()):
        return None
    names = PLACEHOLDER.findall(template.says)
    words = {name: _word(name, facts.get(name)) for name in names}
    if not all(words.values()):
        return None
    return PLACEHOLDER.sub(lambda match: words[match[1]] or "", template.says)


def _is(fact: Fact, condition: Scalar | tuple[str, ...]) -> bool:
    if isinstance(condition, tuple):
        return any(_is(fact, option) for option in condition)
    if isinstance(fact, list):
        return any(_is(element, condition) for element in fact)
    if isinstance(fact, str) and isinstance(condition, str):
        return fact == condition or condition in _BETWEEN_WORDS.split(fact)
    return type(fact) is type(condition) and fact == condition


def _word(name: str, fact: Fact) -> str | None:
    """A fact as it is worded in a sentence; None if it cannot be."""
    if isinstance(fact, list):
        words = [_word(name, element) for element in fact]
        return _short(", ".join(word for word in words if word)) if all(words) else None
    if fact is None or isinstance(fact, bool):
        return None
    if isinstance(fact, str):
        return _short(" ".join(fact.split()).rstrip(". "))
    return duration(fact) if "ms" in name.split("_") else f"{fact:,}"


def _short(text: str) -> str | None:
    return text if 0 < len(text) <= _LONGEST_TEXT else None

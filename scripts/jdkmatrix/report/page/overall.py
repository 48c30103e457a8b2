# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does the page say first: is all as expected, and if not, what needs a look? Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from jdkmatrix.config.ledger import is_bug_id
from jdkmatrix.grading.cases import validation
from jdkmatrix.grading.cases.completion import NOT_COMPLETE
from jdkmatrix.grading.cases.kinds import KINDS, deciding, kind_of, odd_cases
from jdkmatrix.results.case import RUN, Case, CaseStatus
from jdkmatrix.results.document import Results
from jdkmatrix.vocabulary import Grade

_GRAVEST = (
    Grade.REGRESSION,
    Grade.BROKE,
    Grade.FLAKY,
    Grade.ERROR,
    Grade.UNEXPECTED_FIX,
    Grade.INCONCLUSIVE,
)


class Tone(StrEnum):
    """How the page's first word is shown."""

    GOOD = "good"
    BAD = "bad"
    OPEN = "open"


@dataclass(frozen=True)
class Overall:
    """One word on the run, and how it is shown."""

    tone: Tone
    word: str


@dataclass(frozen=True)
class Look:
    """Cases that are odd alike, at least one; `note` is the title of their bug."""

    title: str
    note: str
    cases: tuple[Case, ...]


def overall(results: Results) -> Overall:
    """The word on the run; an undecided run is never called good."""
    cases = deciding(results)
    for case in cases:
        if case.kind == validation.VALIDATION:
            tones = {CaseStatus.PASSED: Tone.GOOD, CaseStatus.FAILED: Tone.BAD}
            return Overall(tones.get(case.status, Tone.OPEN), case.grade)
    failures = [case for case in cases if case.is_surprise and not case.is_open]
    if failures:
        # What differs is the answer about a suite, whatever else is odd.
        words = [kind_of(case).bad_word for case in failures]
        return Overall(Tone.BAD, max(words, key=_is_particular))
    # A part without a verdict says more than the case that it belongs to.
    parts = [case for case in results.cases if case.part_of and case.status is CaseStatus.ERROR]
    for case in (*(case for case in cases if case.grade == NOT_COMPLETE), *parts, *cases):
        if case.is_open:
            return Overall(Tone.OPEN, kind_of(case).open_word)
    if results.suite and results.verdicts:
        return Overall(Tone.GOOD, "no difference")
    if not any(case.status is CaseStatus.PASSED and case.grade != Grade.RECORDED for case in cases):
        return Overall(Tone.OPEN, "nothing graded")
    return Overall(Tone.GOOD, "as expected")


def looks(results: Results) -> tuple[Look, ...]:
    """The odd cases of builds by what they belong to, the gravest of a kind first.

    What has the same grade and bug, or subject, is one look.
    """
    kinds = [kind.name for kind in KINDS]
    order = {str(grade): n for n, grade in enumerate(_GRAVEST)}

    def gravity(case: Case) -> tuple[int, int]:
        kind = kinds.index(case.kind) if case.kind in kinds else len(kinds)
        return kind, order.get(case.grade, len(order))

    bugs = {bug.id: bug.title for bug in results.bugs}
    looks: dict[tuple[str, ...], list[Case]] = {}
    for case in sorted((case for case in odd_cases(results) if case.build != RUN), key=gravity):
        subject = () if is_bug_id(case.group) else (case.subject, case.baseline or "")
        looks.setdefault((case.kind, case.group, case.grade, *subject), []).append(case)
    return tuple(_look(tuple(cases), bugs) for cases in looks.values())


def _look(cases: tuple[Case, ...], bugs: Mapping[str, str]) -> Look:
    first = cases[0]
    is_of_bug = is_bug_id(first.group)
    return Look(first.group if is_of_bug else first.subject, bugs.get(first.group, ""), cases)


def findings_of(results: Results) -> dict[str, list[Case]]:
    """The cases of the kinds that the page shows in no section of their own, by kind."""
    findings: dict[str, list[Case]] = {}
    for case in results.cases:
        if not kind_of(case).has_section:
            findings.setdefault(case.kind, []).append(case)
    return findings


def _is_particular(word: str) -> bool:
    return word != KINDS[0].bad_word

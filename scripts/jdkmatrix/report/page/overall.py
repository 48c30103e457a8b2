# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does the page say first: is all as expected, and if not, what needs a look? Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from jdkmatrix.paths import test_name
from jdkmatrix.report.page.anchors import anchor, cell_anchor
from jdkmatrix.results.document import Results
from jdkmatrix.vocabulary import Grade, SpeedGrade, Verdict

_GRAVEST = (
    Grade.REGRESSION,
    Grade.FLAKY,
    Grade.ERROR,
    Grade.UNEXPECTED_FIX,
    Grade.INCONCLUSIVE,
)
_OPEN = (Grade.INCONCLUSIVE, Grade.ERROR)


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
    """Something unexpected, where it is described in full, and how to see it again."""

    grade: str
    title: str
    anchor: str
    sentences: tuple[str, ...]
    rerun: str


def overall(results: Results) -> Overall:
    """The word on the run; an undecided run is never called good."""
    if results.validation:
        verdict = results.validation.verdict
        tone = {Verdict.GOOD: Tone.GOOD, Verdict.BAD: Tone.BAD}.get(verdict, Tone.OPEN)
        return Overall(tone, verdict)
    grades = [cell.grade for cell in results.surprises if cell.grade not in _OPEN]
    if results.differences:
        return Overall(Tone.BAD, "differs between builds")
    if results.build_faults or grades or results.flagged_cells or results.slowdowns:
        return Overall(Tone.BAD, "not as expected")
    if not results.complete:
        return Overall(Tone.OPEN, "not complete")
    if results.surprises or results.not_compared:
        return Overall(Tone.OPEN, "cells without a verdict")
    if results.not_asked:
        return Overall(Tone.OPEN, "rows that were not asked")
    if results.on_one_build:
        return Overall(Tone.OPEN, "tests on one build alone")
    if results.suite and results.verdicts:
        return Overall(Tone.GOOD, "no difference")
    if results.has_unmeasured:
        return Overall(Tone.OPEN, "not measured to the end")
    if any(comparison.grade is SpeedGrade.INCONCLUSIVE for comparison in results.throughput):
        return Overall(Tone.OPEN, "throughput not decided")
    if not (results.throughput or any(cell.grade is Grade.AS_EXPECTED for cell in results.cells)):
        return Overall(Tone.OPEN, "nothing graded")
    return Overall(Tone.GOOD, "as expected")


def looks(results: Results) -> tuple[Look, ...]:
    """What makes the run exit with 1, the gravest first, and rows that were not asked; but not the
    differences of a suite.
    """
    return (*_faults(results), *_cells(results), *_slowdowns(results))


def throughput_anchor(scenario: str, client: str, build: str, baseline: str) -> str:
    """The id of a throughput cell's place."""
    return anchor(f"throughput/{scenario}/{client}/{build}/{baseline}")


def _faults(results: Results) -> Iterator[Look]:
    for fault in results.build_faults:
        place = anchor(f"build/{fault.build}")
        yield Look(fault.kind, fault.build, place, (fault.sentence,), fault.rerun)


def _cells(results: Results) -> Iterator[Look]:
    odd = (*results.surprises, *results.flagged_cells, *results.not_asked)
    cells = {cell_anchor(cell): cell for cell in odd}
    order = {grade: n for n, grade in enumerate(_GRAVEST)}
    for place, cell in sorted(cells.items(), key=lambda pair: order.get(pair[1].grade, len(order))):
        context = tuple(filter(None, (cell.confirmation, cell.evidence.cause)))
        yield Look(
            grade=cell.grade
            if cell.grade.is_surprise
            else "flagged"
            if cell.flags
            else Grade.ERROR,
            title=f"{cell.build}, {test_name(cell.test)}",
            anchor=place,
            sentences=(cell.reason, *cell.flags, *context),
            rerun=cell.rerun,
        )


def _slowdowns(results: Results) -> Iterator[Look]:
    for comparison in results.slowdowns:
        yield Look(
            grade=comparison.grade,
            title=f"{comparison.build}, {comparison.scenario}, {comparison.client}",
            anchor=throughput_anchor(
                comparison.scenario, comparison.client, comparison.build, comparison.baseline
            ),
            sentences=(
                comparison.reason,
                *((comparison.attribution,) if comparison.attribution else ()),
            ),
            rerun=comparison.rerun,
        )

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which kinds of findings are there? A new one is a module beside this one, and a line here.

Every output loops over the cases of a run: console, page, Markdown, JUnit, TAP, GitHub Actions,
`--since`, the history, the exit code.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from jdkmatrix.grading.cases import builds, cells, completion, programs, speed, suites, validation
from jdkmatrix.results.case import Case
from jdkmatrix.results.document import Results


@dataclass(frozen=True)
class CaseKind:
    """One kind of case. `lists_all`: it has a case for whatever was looked at, not only for what
    is odd, so that one that is gone was not run. `bad_word` and `open_word` are the page's first
    words if such a case fails or has no verdict. `has_section`: the page shows them in its own way.
    """

    name: str
    cases_of: Callable[[Results], Iterator[Case]]
    lists_all: bool = True
    bad_word: str = "not as expected"
    open_word: str = "not decided"
    has_section: bool = True


KINDS = (
    CaseKind(completion.KIND, completion.cases_of, lists_all=False, open_word="not complete"),
    CaseKind(builds.FAULT, builds.faults_of, lists_all=False),
    CaseKind(cells.CELL, cells.cases_of, open_word="cells without a verdict"),
    CaseKind(cells.ROW, cells.rows_of, open_word="rows that were not asked"),
    CaseKind(cells.OBSERVATION, cells.observations_of),
    CaseKind(suites.TEST, suites.tests_of, open_word="cells without a verdict"),
    CaseKind(
        suites.DIFFERENCE,
        suites.differences_of,
        lists_all=False,
        bad_word="differs between builds",
        open_word="tests on one build alone",
    ),
    CaseKind(
        programs.PROGRAM,
        programs.cases_of,
        bad_word="differs between builds",
        open_word="no build could run it",
    ),
    CaseKind(speed.COMPARISON, speed.comparisons_of, open_word="throughput not decided"),
    CaseKind(speed.LAW_POINT, speed.points_of, open_word="not measured to the end"),
    CaseKind(validation.VALIDATION, validation.verdicts_of),
    CaseKind(validation.TOPIC, validation.topics_of),
    CaseKind(builds.AVAILABLE, builds.unavailable_of, lists_all=False),
)
_BY_NAME = {kind.name: kind for kind in KINDS}


def kind_of(case: Case) -> CaseKind:
    """The kind of a case. One that only a newer kit knows lists all and has no section."""
    return _BY_NAME.get(case.kind) or CaseKind(case.kind, lambda _: iter(()), has_section=False)


def with_cases(results: Results) -> Results:
    """The results with the cases of every kind, in the kinds' order. Cases that they have of a kind
    that only a newer kit knows are kept.
    """
    newer = tuple(case for case in results.cases if case.kind not in _BY_NAME)
    cases = tuple(case for kind in KINDS for case in kind.cases_of(results))
    return results.model_copy(update={"cases": (*cases, *newer)})


def odd_cases(results: Results) -> tuple[Case, ...]:
    """What fails the run, or has no verdict and should, but a validation's own verdict."""
    odd = (case for case in results.cases if case.is_bad and case.part_of is None)
    return tuple(case for case in odd if case.kind != validation.VALIDATION)


def deciding(results: Results) -> tuple[Case, ...]:
    """The cases that decide how the run ended: of a validation, its verdict alone."""
    verdicts = tuple(case for case in results.cases if case.kind == validation.VALIDATION)
    parts = tuple(case for case in results.cases if case.part_of is None)
    completions = tuple(case for case in parts if case.kind == completion.KIND)
    return (*completions, *verdicts) if verdicts else parts

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which case is a plain program: does it say the same on each build, or fail on one?"""

from collections.abc import Iterator

from jdkmatrix.results.case import RUN, Case, CaseStatus
from jdkmatrix.results.document import Results
from jdkmatrix.results.programs import ProgramResult
from jdkmatrix.vocabulary import Outcome
from jdkmatrix.words.programs import headline_of, unable_lines

PROGRAM = "program"
UNABLE = "could not run"
FAILS = "fails"
DIFFERS = "differs between builds"
UNDECIDED = "varies on some builds"
ALIKE = "alike"
PASSES = "passes"


def cases_of(results: Results) -> Iterator[Case]:
    """A case for each program, on all builds together."""
    for program in results.programs:
        yield _case(program, results)


def _case(program: ProgramResult, results: Results) -> Case:
    outcomes = [cell.outcome for cell in results.cells if cell.test == program.test]
    has_verdict = Outcome.REPRODUCED in outcomes or Outcome.NOT_REPRODUCED in outcomes
    if not program.groups or (results.is_judged and not has_verdict):
        status, grade = CaseStatus.ERROR, UNABLE
    elif results.is_judged:
        is_bad = Outcome.REPRODUCED in outcomes
        status, grade = (CaseStatus.FAILED, FAILS) if is_bad else (CaseStatus.PASSED, PASSES)
    elif program.is_undecided:
        status, grade = CaseStatus.ERROR, UNDECIDED
    else:
        is_bad = not program.is_alike
        status, grade = (CaseStatus.FAILED, DIFFERS) if is_bad else (CaseStatus.PASSED, ALIKE)
    sentences = [*program.sentences, *unable_lines(program.unable)]
    return Case(
        kind=PROGRAM,
        build=RUN,
        group="programs",
        subject=program.test,
        status=status,
        grade=grade,
        sentence=f"{headline_of(program)}.",
        evidence=tuple(sentences),
    )

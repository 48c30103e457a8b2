# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which cases are the verdict on a build, and the topics that it rests on?"""

from collections.abc import Iterator

from jdkmatrix.results.case import Case, CaseStatus
from jdkmatrix.results.document import Results
from jdkmatrix.results.speed import ValidationResult
from jdkmatrix.vocabulary import Verdict

VALIDATION = "validation"
TOPIC = "topic"
_STATUSES = {
    Verdict.GOOD: CaseStatus.PASSED,
    Verdict.BAD: CaseStatus.FAILED,
    Verdict.UNDECIDED: CaseStatus.ERROR,
}


def verdicts_of(results: Results) -> Iterator[Case]:
    """The case of a validation's verdict."""
    if validation := results.validation:
        yield _case(validation, VALIDATION, VALIDATION, validation.verdict, validation.reason)


def topics_of(results: Results) -> Iterator[Case]:
    """A case for each topic of a validation, which is part of its verdict."""
    if validation := results.validation:
        for topic in validation.topics:
            yield _case(validation, TOPIC, topic.topic, topic.verdict, topic.sentence)


def _case(
    validation: ValidationResult, kind: str, subject: str, verdict: Verdict, sentence: str
) -> Case:
    return Case(
        kind=kind,
        build=validation.build,
        group=VALIDATION,
        subject=subject,
        status=_STATUSES[verdict],
        grade=verdict,
        sentence=sentence,
        baseline=validation.baseline,
        part_of=VALIDATION if kind == TOPIC else None,
        rerun=validation.rerun or None,
    )

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is one finding of a run, whatever it is of? Every output reads these, and nothing else.

A case is a test on a build, a row, a comparison, a topic of a validation, a fault of a build, ...;
`grading/cases` makes them. What a report shows beyond its case, such as a table of figures, hangs
below it.
"""

from enum import StrEnum
from typing import Any

from pydantic import Field

from jdkmatrix.machine.json_models import Frozen
from jdkmatrix.records.model import CommandLine
from jdkmatrix.vocabulary import Expectation, Grade

# The build of a case that belongs to the run as a whole.
RUN = "run"
# The group of a case that is of a build itself.
BUILD = "build"
# What a case without a verdict is called; a run with such a case is not good.
NOT_DECIDED = ("inconclusive", "on one build alone")


def _unless(default: Any) -> Any:
    """A field that is written only if it is not this default: a run has thousands of cases, and
    most fields of most of them are empty.
    """
    return Field(default, exclude_if=lambda content: content == default)


class CaseStatus(StrEnum):
    """The statuses that JUnit has; TAP has them in other words."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"


class CaseFigure(Frozen):
    """A figure that a verdict rests on, in `unit`: judged by `bound`, or known from low to high."""

    name: str
    amount: float
    unit: str = ""
    bound: float | None = None
    low: float | None = None
    high: float | None = None


class Case(Frozen):
    """One finding.

    `kind` names its entry in `grading/cases/kinds.py`, `subject` what was judged: a test's name, a
    row, a scenario and its client. `group` is the bug's id or what else it belongs to. `baseline`
    is the build that it is compared with. `part_of` is the subject of the case that counts in its
    place: a row is part of its test's case.

    `sentence` is the reason of the grade, `evidence` what else speaks for it. `seconds` is wall
    time. `test` is the path below `test/` of one of the kit's tests, `rerun` the command that
    repeats it. `is_news` cases are named at the end of a run even if they are as expected;
    `was_tried` is false where nothing was run or measured that could have been bad.
    """

    kind: str
    build: str
    group: str
    subject: str
    status: CaseStatus
    grade: str
    sentence: str
    evidence: tuple[str, ...] = _unless(())
    outcome: str | None = _unless(None)
    expectation: Expectation | None = _unless(None)
    figures: tuple[CaseFigure, ...] = _unless(())
    attempts: int = _unless(1)
    seconds: float = _unless(0.0)
    baseline: str | None = _unless(None)
    part_of: str | None = _unless(None)
    test: str | None = _unless(None)
    rerun: CommandLine | None = _unless(None)
    is_news: bool = _unless(False)
    was_tried: bool = _unless(True)

    @property
    def name(self) -> str:
        """`reuse https-url-connection against temurin-17.0.7+7`."""
        return f"{self.subject} against {self.baseline}" if self.baseline else self.subject

    @property
    def title(self) -> str:
        """The name with its build; or only one of them, if it is of the run or a build itself."""
        if self.group == BUILD:
            return self.build
        return self.name if self.build == RUN else f"{self.build} {self.name}"

    @property
    def sentences(self) -> tuple[str, ...]:
        """The reason, and what else there is to say."""
        return (self.sentence, *self.evidence)

    @property
    def state(self) -> str:
        """What is compared with an earlier run: the grade, or the outcome of a mere record."""
        return self.outcome if self.grade == Grade.RECORDED and self.outcome else self.grade

    @property
    def is_bad(self) -> bool:
        """Whether it makes the run exit with 1 or 2, strict or not."""
        return self.status in (CaseStatus.FAILED, CaseStatus.ERROR)

    @property
    def is_surprise(self) -> bool:
        """Whether it makes the run exit with 1: it is a finding about a JDK."""
        return self.status is CaseStatus.FAILED

    @property
    def is_open(self) -> bool:
        """Whether it has no verdict, though it should have one."""
        return self.status is CaseStatus.ERROR or self.grade in NOT_DECIDED

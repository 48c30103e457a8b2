# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do the attempts at one cell say together, and is another one wanted? Pure.

A surprise counts once every attempt with a verdict shows it, at least two; if they differ, the cell
is flaky. An attempt without a verdict neither confirms nor contradicts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from jdkmatrix.vocabulary import Grade, Outcome

MOST_ATTEMPTS = 3


@dataclass(frozen=True)
class Attempt:
    """What one attempt showed, graded by itself. `flag` is None without a recording that could be
    read.
    """

    outcome: Outcome
    grade: Grade
    flag: bool | None = None

    @property
    def has_verdict(self) -> bool:
        """Whether it says something about the build. A JVM that broke does."""
        return not self.grade.is_open


@dataclass(frozen=True)
class CombinedAttempts:
    """What the attempts say. `representative` is the index of the one whose figures stand for all.

    `is_unconfirmed`: one alone came to a verdict, which is a surprise, so it does not count.
    """

    outcome: Outcome
    grade: Grade
    representative: int
    wants_another: bool
    is_unconfirmed: bool


def combine_attempts(attempts: Sequence[Attempt]) -> CombinedAttempts:
    """Combine the attempts at a cell, in the order in which they were made; at least one."""
    grade = _grade(attempts)
    representative = _find_representative(attempts, grade)
    attempt = attempts[representative]
    is_unconfirmed = grade is Grade.INCONCLUSIVE and attempt.has_verdict
    return CombinedAttempts(
        outcome=Outcome.INCONCLUSIVE if is_unconfirmed else attempt.outcome,
        grade=grade,
        representative=representative,
        wants_another=_wants_another(attempts, grade),
        is_unconfirmed=is_unconfirmed,
    )


def with_verdict(attempts: Sequence[Attempt]) -> list[Attempt]:
    """The attempts that say something about the build."""
    return [attempt for attempt in attempts if attempt.has_verdict]


def _grade(attempts: Sequence[Attempt]) -> Grade:
    verdicts = with_verdict(attempts)
    if not verdicts:
        return attempts[0].grade
    outcomes = {attempt.outcome for attempt in verdicts}
    broke = Outcome.ERROR in outcomes
    # An attempt that did not break contradicts one that did, even if it has no verdict.
    contradicting = attempts if broke else verdicts
    if len({attempt.outcome for attempt in contradicting}) > 1:
        return Grade.FLAKY
    grade = verdicts[0].grade
    tried_in_vain = len(verdicts) == 1 < len(attempts)
    return Grade.INCONCLUSIVE if tried_in_vain and grade.is_surprise else grade


def _find_representative(attempts: Sequence[Attempt], grade: Grade) -> int:
    """An attempt with that grade, otherwise one that was a surprise; preferably a recorded one."""
    telling = [n for n, attempt in enumerate(attempts) if attempt.has_verdict] or [0]
    surprising = [n for n in telling if attempts[n].grade.is_surprise]
    fitting = [n for n in telling if attempts[n].grade is grade] or surprising or telling
    return max(fitting, key=lambda n: (_rank_recording(attempts[n]), -n))


def _rank_recording(attempt: Attempt) -> int:
    return 0 if attempt.flag is None else 1 + attempt.flag


def _wants_another(attempts: Sequence[Attempt], grade: Grade) -> bool:
    if len(attempts) >= MOST_ATTEMPTS or grade is Grade.FLAKY:
        return False
    flags = flags_of(attempts)
    return grade.is_surprise or (any(flags) and all(flags))


def flags_of(attempts: Sequence[Attempt]) -> list[bool]:
    """For each attempt whose recording was read, whether it is flagged."""
    return [attempt.flag for attempt in attempts if attempt.flag is not None]

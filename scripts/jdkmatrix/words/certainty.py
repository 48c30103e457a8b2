# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How certain is a cell's outcome? Its attempts, the wait for a core, its controls. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence

from jdkmatrix.results.document import CellResult, JvmResult
from jdkmatrix.verdict.attempts import Attempt, CombinedAttempts, flags_of, with_verdict
from jdkmatrix.vocabulary import SUBJECT, Grade
from jdkmatrix.words.speed import number


def certainty(cell: CellResult) -> str:
    """`reproduced in 2 of 2 attempts; threads ran for 1.7 s and waited 0.2 s for a core; control:
    exceptions 0 where the bound is 10 exceptions.` What is not known is left out.
    """
    return "; ".join([_attempts(cell), *_machine(cell), *_controls(cell)]) + "."


def _attempts(cell: CellResult) -> str:
    if not cell.attempts:
        return "one attempt, not run again"
    alike = sum(attempt.outcome is cell.outcome for attempt in cell.attempts)
    return f"{cell.outcome} in {alike} of {len(cell.attempts)} attempts"


def _machine(cell: CellResult) -> Iterator[str]:
    if cell.cpu_s is not None and cell.waited_s is not None:
        yield f"threads ran for {cell.cpu_s:.1f} s and waited {cell.waited_s:.1f} s for a core"


def _controls(cell: CellResult) -> Iterator[str]:
    """Controls that have figures, with bounds; one that shows the symptom means a wider fault."""
    for case in cell.evidence.cases:
        if case.case != SUBJECT and case.figures:
            yield f"{case.case}: {', '.join(_margins(case))}"


def _margins(case: JvmResult) -> Iterator[str]:
    for figure in case.figures:
        text = f"{figure.name} {number(figure.value)}"
        yield f"{text} where the bound is {number(figure.bound)} {figure.unit}".rstrip()


def confirmation(attempts: Sequence[Attempt], summary: CombinedAttempts) -> str | None:
    """How many attempts there were, and what they showed; None for a single one that is neither a
    surprise nor flagged.
    """
    count = len(attempts)
    flags = flags_of(attempts)
    if count == 1:
        is_odd = summary.grade.is_surprise or any(flags)
        return "One attempt, not confirmed." if is_odd else None
    ending = ": not confirmed" if summary.is_unconfirmed else ""
    text = _outcomes(attempts) + (": flaky" if summary.grade is Grade.FLAKY else ending)
    if not any(flags):
        return f"{text}."
    total = str(count) if len(flags) == count else f"the {len(flags)} recorded"
    return f"{text}. Flagged in {sum(flags)} of {total}."


def _outcomes(attempts: Sequence[Attempt]) -> str:
    """`Reproduced in 2 of 3 attempts, 1 without a verdict`."""
    count = len(attempts)
    outcomes = Counter(str(attempt.outcome) for attempt in with_verdict(attempts))
    if not outcomes:
        return f"No verdict in {count} of {count} attempts"
    (first, number), *rest = outcomes.items()
    parts = [f"{first.capitalize()} in {number} of {count} attempts"]
    parts += [f"{outcome} in {n}" for outcome, n in rest]
    if outcomes.total() < count:
        parts.append(f"{count - outcomes.total()} without a verdict")
    return ", ".join(parts)

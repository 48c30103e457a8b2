# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How certain is a cell's outcome? Its attempts, the wait for a core, its controls. Pure."""

from collections.abc import Iterator

from jdkmatrix.results.document import CellResult, JvmResult
from jdkmatrix.vocabulary import SUBJECT
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

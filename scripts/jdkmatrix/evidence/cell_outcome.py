# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which outcome does a cell have, from jtreg's result and the reproducer's own files? Pure.

A verdict needs both to agree, an outcome file that says what was found and jtreg's result that
the test came to its end in the way that belongs to it, and every control to hold. Logs are never
read for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from jdkmatrix.evidence.outcomes import CaseOutcome, CellOutcomes, Outcome
from jdkmatrix.run.jtreg_result import JtregStatus
from jdkmatrix.run.process import Ended
from jdkmatrix.run.record import CellRecord

_BELONGS_TO = {
    Outcome.REPRODUCED: {JtregStatus.FAILED},
    Outcome.NOT_REPRODUCED: {JtregStatus.PASSED},
    Outcome.INCONCLUSIVE: {JtregStatus.FAILED},
    Outcome.NOT_APPLICABLE: {JtregStatus.SKIPPED},
    Outcome.ERROR: set(JtregStatus),
}

_BY_JTREG = {
    JtregStatus.PASSED: Outcome.NOT_REPRODUCED,
    JtregStatus.FAILED: Outcome.REPRODUCED,
    JtregStatus.SKIPPED: Outcome.NOT_APPLICABLE,
}


@dataclass(frozen=True)
class CellOutcome:
    """A cell's outcome and one sentence why."""

    outcome: Outcome
    reason: str


def outcome_of(cell: CellRecord, files: CellOutcomes, *, is_reproducer: bool) -> CellOutcome:
    """The outcome of one finished cell.

    A test that is no reproducer (no bug of the ledger names it) has no outcome file; then
    jtreg's word alone counts.
    """
    broken = _broken(cell)
    if broken:
        return CellOutcome(Outcome.ERROR, broken)
    verdict = files.verdict
    if verdict is None:
        return _without_file(cell, is_reproducer)
    if cell.status not in _BELONGS_TO[verdict.outcome]:
        return CellOutcome(
            Outcome.ERROR,
            f"The outcome file says {verdict.outcome}, jtreg says: {cell.status_text}",
        )
    if verdict.outcome in (Outcome.REPRODUCED, Outcome.NOT_REPRODUCED):
        return _if_controls_hold(verdict, files.controls)
    return CellOutcome(verdict.outcome, verdict.reason)


def suite_outcome_of(cell: CellRecord) -> CellOutcome:
    """The outcome of a test of the user's own suite, which writes no outcome file.

    `reproduced` is a test that fails: what it is there to show has shown.
    """
    broken = _broken(cell)
    if broken:
        return CellOutcome(Outcome.ERROR, broken)
    return CellOutcome(_BY_JTREG.get(cell.status, Outcome.ERROR), cell.status_text)


def _broken(cell: CellRecord) -> str | None:
    """Why what jtreg says does not count, None if it does."""
    crashes = [name for name in cell.artifacts if fnmatchcase(name, "hs_err_pid*.log")]
    if crashes:
        return f"The test JVM crashed: {crashes[0]}. jtreg says: {cell.status_text}"
    if cell.ended is Ended.TIMEOUT:
        return f"jtreg had not ended after {cell.seconds:.0f} s and was killed."
    return None


def _if_controls_hold(verdict: CaseOutcome, controls: Sequence[CaseOutcome]) -> CellOutcome:
    if not controls:
        return CellOutcome(Outcome.INCONCLUSIVE, "No control was run beside the subject.")
    for control in controls:
        if control.outcome is not Outcome.NOT_REPRODUCED:
            return CellOutcome(
                Outcome.INCONCLUSIVE,
                f"The control {control.case} is {control.outcome}: {control.reason}",
            )
    return CellOutcome(verdict.outcome, verdict.reason)


def _without_file(cell: CellRecord, is_reproducer: bool) -> CellOutcome:
    """A reproducer writes one whatever it finds; where it has none, nothing was tried."""
    if cell.status is JtregStatus.SKIPPED and not is_reproducer:
        return CellOutcome(Outcome.NOT_APPLICABLE, cell.status_text)
    if cell.status is JtregStatus.PASSED and not is_reproducer:
        return CellOutcome(Outcome.NOT_REPRODUCED, cell.status_text)
    return CellOutcome(Outcome.ERROR, f"No outcome file; jtreg says: {cell.status_text}")

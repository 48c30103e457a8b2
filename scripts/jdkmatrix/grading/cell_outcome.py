# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is a cell's outcome, by its status and the reproducer's own files? Pure.

A verdict needs an outcome file that says what was found, a status that agrees with it, and every
control to hold. A control that shows the symptom is a finding too: of a fault wider than the bug.
Logs are never read for an outcome.
"""

import signal
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from jdkmatrix.evidence.hang import Hang
from jdkmatrix.evidence.outcomes import CaseOutcome, CellOutcomes
from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.machine.endings import ending_signal
from jdkmatrix.records.record import CellRecord
from jdkmatrix.vocabulary import ENDED_EARLY, NOT_SELECTED, SUBJECT, Outcome, Status
from jdkmatrix.words import cells as words

_BELONGS_TO = {
    Outcome.REPRODUCED: {Status.FAILED},
    Outcome.NOT_REPRODUCED: {Status.PASSED},
    Outcome.INCONCLUSIVE: {Status.FAILED},
    Outcome.NOT_APPLICABLE: {Status.SKIPPED},
}

# Not SIGABRT: glibc's allocator sends it where memory is short. HotSpot leaves a log before it.
_FAULTS = (signal.SIGSEGV, signal.SIGILL, signal.SIGFPE, signal.SIGTRAP)

_BY_JTREG = {
    Status.PASSED: Outcome.NOT_REPRODUCED,
    Status.FAILED: Outcome.REPRODUCED,
    Status.SKIPPED: Outcome.NOT_APPLICABLE,
}


@dataclass(frozen=True)
class CellOutcome:
    """A cell's outcome and reason. `wider` are the controls that show the symptom themselves."""

    outcome: Outcome
    reason: str
    wider: tuple[str, ...] = ()


def outcome_of(cell: CellRecord, files: CellOutcomes, *, is_reproducer: bool) -> CellOutcome:
    """The outcome of one finished cell.

    A test that is no reproducer (no bug of the ledger names it) has no outcome file, so only
    its status counts.
    """
    if reason := find_breakage(cell):
        return _error(cell, reason)
    verdict = files.verdict
    if verdict is None:
        return _without_file(cell, is_reproducer)
    has_failed = cell.status is Status.FAILED
    if has_failed and (wider := _wider(verdict, files.controls)):
        return wider
    if verdict.outcome is Outcome.ERROR:
        return _error(cell, verdict.reason)
    invalidation = _invalidate(verdict, files.controls)
    # If a control does not hold, the subject fails whatever it found itself.
    if cell.status not in _BELONGS_TO[verdict.outcome] and not (has_failed and invalidation):
        return _error(cell, words.file_against_status(verdict.outcome, cell.status_text))
    return invalidation or CellOutcome(verdict.outcome, verdict.reason)


def suite_outcome_of(cell: CellRecord) -> CellOutcome:
    """The outcome of a test of the user's own suite, which writes no outcome file.

    `reproduced` means that the test failed, and so showed what it looks for. A test that passes
    may have crashed a JVM of its own on purpose.
    """
    has_passed = cell.ended is ChildEnd.FINISHED and cell.status in (Status.PASSED, Status.SKIPPED)
    if not has_passed and (reason := find_breakage(cell)):
        return CellOutcome(Outcome.ERROR, reason)
    return CellOutcome(_BY_JTREG.get(cell.status, Outcome.ERROR), cell.status_text)


def has_broken(cell: CellRecord, hangs: Sequence[Hang]) -> bool:
    """Whether it is the JDK itself that kept the attempt from its end: its JVM crashed, or
    something in it stood still.

    One that was ended from outside, or had no time, memory or disk left, says nothing of the JDK.
    """
    return any(hang.stands_still for hang in hangs) or bool(_crashes(cell)) or _is_faulty(cell)


def _is_faulty(cell: CellRecord) -> bool:
    """Whether a signal for a fault of its own ended the JVM, though it left no log of that."""
    return cell.status is Status.FAILED and ending_signal(cell.status_text) in _FAULTS


def _was_refused(cell: CellRecord) -> bool:
    return cell.status is Status.NOT_RUN and ENDED_EARLY in cell.status_text


def _crashes(cell: CellRecord) -> list[str]:
    if _was_refused(cell):  # HotSpot writes the same file when out of memory
        return []
    return [name for name in cell.artifacts if fnmatchcase(name, "hs_err_pid*.log")]


def find_breakage(cell: CellRecord) -> str | None:
    """Why a cell's status does not count; None if it does."""
    if crashes := _crashes(cell):
        return words.crash(crashes[0], cell.status_text)
    if cell.ended is ChildEnd.TIMEOUT:
        return words.kill(cell.seconds, cell.status_text)
    return None


def _error(cell: CellRecord, reason: str) -> CellOutcome:
    """An error, with the CPU time the cell got: the machine may be why a deadline passed."""
    if cell.cpu_s is None:
        return CellOutcome(Outcome.ERROR, reason)
    return CellOutcome(
        Outcome.ERROR, f"{reason} {words.cpu_time(cell.cpu_s, cell.seconds, cell.waited_s)}"
    )


def _wider(verdict: CaseOutcome, controls: Sequence[CaseOutcome]) -> CellOutcome | None:
    """The outcome if controls show the symptom, whatever the subject found; None if none does."""
    wider_controls = [control for control in controls if control.outcome is Outcome.REPRODUCED]
    if not wider_controls or verdict.case != SUBJECT:
        return None
    names = tuple(control.case for control in wider_controls)
    return CellOutcome(Outcome.REPRODUCED, words.wider_fault(verdict, wider_controls), names)


def _invalidate(verdict: CaseOutcome, controls: Sequence[CaseOutcome]) -> CellOutcome | None:
    """The outcome if a control, or the lack of one, invalidates the subject's; None if not."""
    holds = {Outcome.NOT_REPRODUCED}
    if verdict.outcome is Outcome.NOT_APPLICABLE:
        holds |= {Outcome.NOT_APPLICABLE}
    elif verdict.outcome not in (Outcome.REPRODUCED, Outcome.NOT_REPRODUCED):
        return None
    elif not controls:
        return CellOutcome(Outcome.INCONCLUSIVE, words.NO_CONTROL)
    for control in controls:
        if control.outcome not in holds:
            return CellOutcome(Outcome.INCONCLUSIVE, words.control_fault(control))
    return None


def _without_file(cell: CellRecord, is_reproducer: bool) -> CellOutcome:
    """The outcome without a file: a reproducer always writes one, unless nothing was tried."""
    is_unselected = cell.status_text.startswith(NOT_SELECTED)
    if cell.status is Status.SKIPPED and (is_unselected or not is_reproducer):
        return CellOutcome(Outcome.NOT_APPLICABLE, cell.status_text)
    if cell.status is Status.PASSED and not is_reproducer:
        return CellOutcome(Outcome.NOT_REPRODUCED, cell.status_text)
    return _error(cell, words.no_file(cell.status_text))

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a run find the fault that was planted in its builds, and name it? Pure."""

import fnmatch
from collections.abc import Iterator
from dataclasses import dataclass

from jdkmatrix.config.planted import PlantedFault
from jdkmatrix.paths import test_name
from jdkmatrix.results.document import BuildFaultKind, CellResult, Results
from jdkmatrix.vocabulary import Grade, RowStatus

# A fault that is merely slow may keep a test from a verdict, but no more.
_INNOCENT = (Grade.AS_EXPECTED, Grade.INCONCLUSIVE)
_WITHOUT_VERDICT = (Grade.ERROR, Grade.INCONCLUSIVE)


@dataclass(frozen=True)
class Answer:
    """Whether the fault was found in one cell or build. `sentence` says what was found there;
    without a verdict it may be there all the same.
    """

    is_found: bool
    sentence: str
    has_verdict: bool = True

    @property
    def is_missed(self) -> bool:
        """Whether it was looked for, and not found."""
        return self.has_verdict and not self.is_found


def answers(results: Results, fault: PlantedFault, tests: int) -> Iterator[Answer]:
    """One for each cell of a complete run, or one for the promise that the build must break.

    A build as it was supplied has no fault, and is only run for its rows.

    `tests` is how many there are on each build.
    """
    for missing in results.unavailable:
        text = f"{missing.entry} is unavailable: {missing.text}"
        yield from [Answer(False, text, has_verdict=False)] * tests
    if fault.promise:
        yield _promise_of(results, fault)
        return
    plain = {build.id for build in results.builds if not build.variant} if fault.rows else ()
    for cell in results.cells:
        if cell.build in plain:
            is_good = cell.grade is Grade.AS_EXPECTED
            text = "as it must be" if is_good else f"WITHOUT THE FAULT: {cell.reason}"
            sentence = f"{test_name(cell.test)} on {cell.build}: {cell.grade}, {text}"
            yield Answer(is_good, sentence, cell.grade not in _WITHOUT_VERDICT)
            continue
        miss = missed_in(cell, fault)
        text = f"NOT FOUND: {miss}" if miss else f"{cell.grade}, as it must be"
        has_verdict = miss is None or cell.grade not in _WITHOUT_VERDICT
        yield Answer(miss is None, f"{test_name(cell.test)}: {text}", has_verdict)


def missed_in(cell: CellResult, fault: PlantedFault) -> str | None:
    """What the cell should have said about the fault, and did not; None if it was found."""
    grades = _INNOCENT if fault.verdict == "innocent" else (Grade(fault.verdict),)
    if cell.grade not in grades:
        return f"{cell.grade}, not {fault.verdict}: {cell.reason}"
    if fault.rows:
        return _missed_rows(cell, fault.rows)
    text = f"{cell.reason} {cell.evidence.cause or ''}"
    return None if fault.names in text else f"'{fault.names}' is not named: {text.rstrip()}"


def _missed_rows(cell: CellResult, patterns: tuple[str, ...]) -> str | None:
    surprises = [row.row for row in cell.rows if row.grade.is_surprise]
    calm_rows = [row.row for row in cell.rows if row.status is RowStatus.PASSED]
    for row in cell.observations:
        (surprises if row.grade.is_surprise else calm_rows).append(row.row)
    for pattern in patterns:
        if not fnmatch.filter(surprises, pattern):
            return f"no row of {pattern} is a regression"
        for calm_row in fnmatch.filter(calm_rows, pattern):
            return f"{calm_row} passes all the same"
    extras = [
        row for row in surprises if not any(fnmatch.fnmatchcase(row, glob) for glob in patterns)
    ]
    return f"{extras[0]} is a regression, too" if extras else None


def _promise_of(results: Results, fault: PlantedFault) -> Answer:
    for build_fault in results.build_faults:
        if build_fault.kind is BuildFaultKind.BROKEN_PROMISE and build_fault.about == fault.promise:
            is_named = fault.names in build_fault.sentence
            note = "as it must be" if is_named else f"NOT FOUND: '{fault.names}' is not named"
            return Answer(is_named, f"{build_fault.kind}, {note}: {build_fault.sentence}")
    return Answer(False, f"NOT FOUND: no broken promise of {fault.promise} is reported")

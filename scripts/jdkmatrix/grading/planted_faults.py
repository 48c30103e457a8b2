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


@dataclass(frozen=True)
class Answer:
    """Whether the fault was found in one cell or build. `sentence` says what was found there."""

    is_found: bool
    sentence: str


def answers(results: Results, fault: PlantedFault, tests: int) -> Iterator[Answer]:
    """One for each cell of a complete run, or one for the promise that the build must break.

    A build as it was supplied has no fault, and is only run for its rows.

    `tests` is how many there are on each build.
    """
    for missing in results.unavailable:
        yield from [Answer(False, f"{missing.entry} is unavailable: {missing.text}")] * tests
    if fault.promise:
        yield _promise_of(results, fault)
        return
    plain = {build.id for build in results.builds if not build.variant} if fault.rows else ()
    for cell in results.cells:
        if cell.build in plain:
            is_good = cell.grade is Grade.AS_EXPECTED
            said = "as it must be" if is_good else f"WITHOUT THE FAULT: {cell.reason}"
            yield Answer(is_good, f"{test_name(cell.test)} on {cell.build}: {cell.grade}, {said}")
            continue
        missed = missed_in(cell, fault)
        said = f"NOT FOUND: {missed}" if missed else f"{cell.grade}, as it must be"
        yield Answer(missed is None, f"{test_name(cell.test)}: {said}")


def missed_in(cell: CellResult, fault: PlantedFault) -> str | None:
    """What the cell should have said about the fault, and did not; None if it was found."""
    wanted = _INNOCENT if fault.verdict == "innocent" else (Grade(fault.verdict),)
    if cell.grade not in wanted:
        return f"{cell.grade}, not {fault.verdict}: {cell.reason}"
    if fault.rows:
        return _missed_rows(cell, fault.rows)
    text = f"{cell.reason} {cell.evidence.cause or ''}"
    return None if fault.names in text else f"'{fault.names}' is not named: {text.rstrip()}"


def _missed_rows(cell: CellResult, patterns: tuple[str, ...]) -> str | None:
    found = [row.row for row in cell.rows if row.grade.is_surprise]
    for pattern in patterns:
        if not fnmatch.filter(found, pattern):
            return f"no row of {pattern} is a regression"
        for row in cell.rows:
            if row.status is RowStatus.PASSED and fnmatch.fnmatchcase(row.row, pattern):
                return f"{row.row} passes all the same"
    others = [row for row in found if not any(fnmatch.fnmatchcase(row, one) for one in patterns)]
    return f"{others[0]} is a regression, too" if others else None


def _promise_of(results: Results, fault: PlantedFault) -> Answer:
    for one in results.build_faults:
        if one.kind is BuildFaultKind.BROKEN_PROMISE and one.about == fault.promise:
            named = fault.names in one.sentence
            how = "as it must be" if named else f"NOT FOUND: '{fault.names}' is not named"
            return Answer(named, f"{one.kind}, {how}: {one.sentence}")
    return Answer(False, f"NOT FOUND: no broken promise of {fault.promise} is reported")

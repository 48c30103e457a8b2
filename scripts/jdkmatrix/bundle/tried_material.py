# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which run tried a reporter's own file, and on which of its builds does it fail?"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.config import version
from jdkmatrix.errors import KitError, UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.records.record import BuildRecord, RunRecord
from jdkmatrix.records.store import RunFolder
from jdkmatrix.results.document import CellResult, Results
from jdkmatrix.results.programs import ProgramResult
from jdkmatrix.vocabulary import Outcome

_ADVICE = "accepted: a run of scripts/matrix try {file}, or of its suite"


@dataclass(frozen=True)
class TriedMaterial:
    """`results` has only the cells of the `file`, which are of `test`. `worst` is the cell on the
    newest build where it fails, `good` that on the nearest where it passes, None if there is none.
    """

    file: Path
    test: str
    run: RunRecord
    results: Results
    worst: CellResult
    good: CellResult | None

    @property
    def program(self) -> ProgramResult | None:
        """Which builds said the same; None for a test of a jtreg suite."""
        return next(iter(self.results.programs), None)

    def builds_with(self, *outcomes: Outcome) -> tuple[BuildRecord, ...]:
        """The builds where it ended in one of these ways, oldest first."""
        builds = {cell.build for cell in self.results.cells if cell.outcome in outcomes}
        return tuple(build for build in _in_order(self.results) if build.id in builds)

    def group_of(self, build: str) -> str:
        """The letter of the group that a build is in; "" without one."""
        groups = self.program.groups if self.program else ()
        return next((group.group for group in groups if build in group.builds), "")


def folder_that_tried(checkout: Checkout, file: Path, run: Path | None) -> RunFolder:
    """The folder of the `run`, or of the newest in reports/ that has it. Raises UsageError."""
    if run is not None:
        return RunFolder.find(checkout.reports, run)
    for path in sorted(checkout.reports.glob("*/run.json"), reverse=True):
        folder = RunFolder(path.parent)
        try:
            if not path.parent.is_symlink() and _test_of(folder.read_run(), file):
                return folder
        except KitError:  # a damaged run, or one of an older kit, tried nothing
            continue
    raise UsageError(f"{file.name}: no run in {checkout.reports} has it; {_advice(file)}")


def tried_material(
    file: Path,
    folder: RunFolder,
    assemble: Callable[[RunRecord], Results],
    fails_with: str | None,
    passes_with: str | None,
) -> TriedMaterial:
    """What the run in `folder` has on the file. A pattern judges its answers anew.

    Raises UsageError if it has no cell of it, or if it fails on none of its builds.
    """
    run = folder.read_run()
    test = _test_of(run, file)
    if test is None:
        raise UsageError(f"{folder.path}: no finished cell of {file}; {_advice(file)}")
    if fails_with or passes_with:
        run = _judged_by(run, fails_with, passes_with)
    results = assemble(run)
    cells = tuple(cell for cell in results.cells if cell.test == test)
    programs = tuple(program for program in results.programs if program.test == test)
    results = results.model_copy(update={"cells": cells, "programs": programs})
    order = [build.id for build in _in_order(results)]
    failures = [cell for cell in cells if cell.outcome is Outcome.REPRODUCED]
    if not failures:
        raise UsageError(
            f"{file.name}: fails on no build of {folder.path}; accepted: --fails-with PATTERN or "
            "--passes-with PATTERN, that say by its output where it does"
        )
    worst = max(failures, key=lambda cell: order.index(cell.build))
    passes = [cell for cell in cells if cell.outcome is Outcome.NOT_REPRODUCED]
    good = min(passes, key=lambda cell: _distance(order, results, worst, cell), default=None)
    return TriedMaterial(file, test, run, results, worst, good)


def _judged_by(run: RunRecord, fails_with: str | None, passes_with: str | None) -> RunRecord:
    if run.request.program is None:
        raise UsageError("--fails-with and --passes-with: accepted: of a program, not of a test")
    program = run.request.program.model_copy(
        update={"fails_with": fails_with, "passes_with": passes_with, "by_exit_code": False}
    )
    return run.model_copy(update={"request": run.request.model_copy(update={"program": program})})


def _test_of(run: RunRecord, file: Path) -> str | None:
    """The test of a run that is this file; None if it has none."""
    suite = run.request.suite
    tests = dict.fromkeys(cell.test for cell in run.cells) if suite else ()
    return next((test for test in tests if suite and Path(suite, test) == file), None)


def _in_order(results: Results) -> Iterator[BuildRecord]:
    """The builds by release line and version, oldest first."""
    yield from sorted(results.builds, key=lambda b: (b.train, version.parse(b.version)))


def _distance(
    order: list[str], results: Results, worst: CellResult, cell: CellResult
) -> tuple[int, int]:
    trains = {build.id: build.train for build in results.builds}
    between_lines = abs(trains[cell.build] - trains[worst.build])
    return between_lines, abs(order.index(cell.build) - order.index(worst.build))


def _advice(file: Path) -> str:
    return _ADVICE.format(file=file.name)

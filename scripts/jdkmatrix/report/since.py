# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is different from an earlier run? Pure: a nightly job speaks up only if there is something.

Cells are told apart by the entry of `jdks.yaml`, not by the build, which moves on in a suite.
"""

from collections.abc import Iterator

from jdkmatrix.report.results import CellResult, Results
from jdkmatrix.report.throughput_results import ThroughputResult
from jdkmatrix.report.words import test_name
from jdkmatrix.verdict.grade import Grade

Cells = dict[tuple[str, str], CellResult]
Comparisons = dict[tuple[str, str, str], ThroughputResult]


def changes_since(before: Results, now: Results) -> tuple[str, ...]:
    """A sentence for each change: grades, flags, builds that can't be had, cells that are gone.

    What was no surprise then and is none now is no change, and neither is a surprise that stays.
    """
    return (*_availability(before, now), *_cells(before, now), *_throughput(before, now))


def _availability(before: Results, now: Results) -> Iterator[str]:
    missed = {one.entry for one in before.unavailable}
    missing = {one.entry: one.text for one in now.unavailable}
    for entry, text in missing.items():
        if entry not in missed:
            yield f"{entry} is unavailable now: {text}"
    for entry in sorted(missed - set(missing)):
        yield f"{entry} can be had again"


def _cells(before: Results, now: Results) -> Iterator[str]:
    old, new = _by_entry(before), _by_entry(now)
    unavailable = {one.entry for one in now.unavailable}
    for key, cell in new.items():
        where = f"{cell.build} {test_name(cell.test)}"
        known = old.get(key)
        if known is None:
            if cell.grade.is_surprise:
                yield f"{where}: {cell.grade}, not run before: {cell.reason}"
        elif _state(known) != _state(cell):
            moved = f" on {known.build}" if known.build != cell.build else ""
            yield f"{where}: {_state(cell)}, was {_state(known)}{moved}: {cell.reason}"
        if cell.flags and not (known and known.flags):
            yield f"{where}: flagged: {' '.join(cell.flags)}"
        if known and known.flags and not cell.flags:
            yield f"{where}: no longer flagged"
    for (entry, _), cell in old.items() if now.complete else ():
        if (entry, cell.test) not in new and entry not in unavailable:
            yield f"{cell.build} {test_name(cell.test)}: no longer run, was {_state(cell)}"


def _throughput(before: Results, now: Results) -> Iterator[str]:
    old, new = _comparisons(before), _comparisons(now)
    for key, one in new.items():
        was = old[key].grade if key in old else None
        if one.grade != was and (was is not None or one.is_surprise):
            told = f"was {was}" if was else "not measured before"
            yield f"{one.scenario} with {one.client} on {one.build}: {one.grade}, {told}"
    for key, one in old.items() if now.complete else ():
        if key not in new:
            yield f"{one.scenario} with {one.client} on {one.build}: no longer measured"


def _state(cell: CellResult) -> str:
    """Its grade; where there was no expectation, its outcome."""
    return cell.outcome if cell.grade is Grade.RECORDED else cell.grade


def _by_entry(results: Results) -> Cells:
    entries = {build.id: build.entry for build in results.builds}
    return {(entries.get(cell.build, cell.build), cell.test): cell for cell in results.cells}


def _comparisons(results: Results) -> Comparisons:
    entries = {build.id: build.entry for build in results.builds}
    return {
        (one.scenario, one.client, entries.get(one.build, one.build)): one
        for one in results.throughput
    }

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What has changed since an earlier run? Pure: a nightly job reports only if something has.

Cells are matched by their entry of `jdks.yaml`, not by the build, which moves on in a suite.
"""

from collections import Counter
from collections.abc import Iterator, Set
from typing import NamedTuple

from jdkmatrix.paths import test_name
from jdkmatrix.results.document import CellResult, Results
from jdkmatrix.results.run_words import outcomes_of
from jdkmatrix.results.speed import ThroughputResult
from jdkmatrix.vocabulary import Grade, Verdict


class Series(NamedTuple):
    """What a build stands for in every run. `place` counts those with the same entry and variant:
    two JDKs of the user's own may claim to be one release.
    """

    entry: str
    variant: str
    place: int


Cells = dict[tuple[Series, str], CellResult]
Comparisons = dict[tuple[str, str, Series, Series], ThroughputResult]


def changes_since(previous: Results, current: Results) -> tuple[str, ...]:
    """A sentence for each change: verdict, unavailable builds, faults, grades, flags, cells gone.

    A grade that stays the same is no change, even if it is a surprise. Builds, tests and scenarios
    that only one run has are mentioned only for a new surprise, or for a new difference in the
    user's own suite: `not_compared` counts them.
    """
    return (
        *_verdict(previous, current),
        *_availability(previous, current),
        *_faults(previous, current),
        *_cells(previous, current),
        *_differences(previous, current),
        *_throughput(previous, current),
    )


def not_compared(previous: Results, current: Results) -> str | None:
    """How many results only one of the runs has, as a phrase; None if there are none."""
    only_before = len(_cells_alone(previous, current)) + len(_comparisons_alone(previous, current))
    only_now = len(_cells_alone(current, previous)) + len(_comparisons_alone(current, previous))
    if not only_before and not only_now:
        return None
    return f"not compared: {only_before} of its results, {only_now} of this run's"


def _verdict(previous: Results, current: Results) -> Iterator[str]:
    old, new = previous.validation, current.validation
    if new is None:
        return
    old_series, new_series = _series(previous), _series(current)
    subject = f"{new.build} {new.comparison_text}"
    if old and old_series.get(old.build, old.build) == new_series.get(new.build, new.build):
        if old.verdict != new.verdict:
            yield f"{subject}: {new.verdict}, was {old.verdict}: {new.reason}"
    elif new.verdict is Verdict.BAD:
        yield f"{subject}: {new.verdict}, not validated before: {new.reason}"


def _availability(previous: Results, current: Results) -> Iterator[str]:
    old_gaps = {record.entry for record in previous.unavailable}
    missing = {record.entry: record.text for record in current.unavailable}
    old_entries = {build.entry for build in previous.builds}
    for entry, text in missing.items():
        if entry in old_entries:
            yield f"{entry} is unavailable now: {text}"
    for entry in sorted(old_gaps & {build.entry for build in current.builds}):
        yield f"{entry} is available again"


def _faults(previous: Results, current: Results) -> Iterator[str]:
    old, new = _by_fault(previous), _by_fault(current)
    for key, sentence in new.items():
        if key not in old:
            yield f"{key[0].entry}: {sentence}"
    for key in old:
        if key not in new and any(key[0] == series for series in _series(current).values()):
            yield f"{key[0].entry}: {key[1]} is as promised again"


def _by_fault(results: Results) -> dict[tuple[Series, str], str]:
    series = _series(results)
    return {(series[fault.build], fault.about): fault.sentence for fault in results.build_faults}


def _cells(previous: Results, current: Results) -> Iterator[str]:
    old, new = _by_series(previous), _by_series(current)
    unavailable = {record.entry for record in current.unavailable}
    for key, cell in new.items():
        subject = f"{cell.build} {test_name(cell.test)}"
        old_cell = old.get(key)
        if old_cell is None:
            if cell.grade.is_surprise:
                yield f"{subject}: {cell.grade}, not run before: {cell.reason}"
        elif _state(old_cell) != _state(cell):
            build_text = f" on {old_cell.build}" if old_cell.build != cell.build else ""
            yield f"{subject}: {_state(cell)}, was {_state(old_cell)}{build_text}: {cell.reason}"
        if cell.flags and not (old_cell and old_cell.flags):
            yield f"{subject}: flagged: {' '.join(cell.flags)}"
        if old_cell and old_cell.flags and not cell.flags:
            yield f"{subject}: no longer flagged"
    alone = _cells_alone(previous, current)
    for key, cell in old.items() if current.complete else ():
        if key not in new and key not in alone and key[0].entry not in unavailable:
            yield f"{cell.build} {test_name(cell.test)}: no longer run, was {_state(cell)}"


def _differences(previous: Results, current: Results) -> Iterator[str]:
    """New differences in the user's own suite that involve a cell not run before; `_cells` reports
    what changed in the others.
    """
    old, series = _by_series(previous), _series(current)
    old_tests = {difference.test for difference in previous.differences}
    for difference in current.differences:
        is_new = any((series[build], difference.test) not in old for build in difference.outcomes)
        if is_new and difference.test not in old_tests:
            outcomes = outcomes_of(difference)
            yield f"{difference.test}: differs between builds, not before: {outcomes}"


def _throughput(previous: Results, current: Results) -> Iterator[str]:
    old, new = _comparisons(previous), _comparisons(current)
    for key, comparison in new.items():
        old_grade = old[key].grade if key in old else None
        if comparison.grade != old_grade and (old_grade is not None or comparison.is_surprise):
            change = f"was {old_grade}" if old_grade else "not measured before"
            yield f"{_subject(comparison)}: {comparison.grade}, {change}"
    alone = _comparisons_alone(previous, current)
    for key, comparison in old.items() if current.complete else ():
        if key not in new and key not in alone:
            yield f"{_subject(comparison)}: no longer measured"


def _subject(comparison: ThroughputResult) -> str:
    return f"{comparison.scenario} with {comparison.client} on {comparison.build}"


def _cells_alone(run: Results, reference: Results) -> Set[tuple[Series, str]]:
    """Cells of `run` whose test, or whose build although available, has no cell in `reference`."""
    keys = _by_series(reference)
    builds, tests = {series for series, _ in keys}, {test for _, test in keys}
    missing = {record.entry for record in reference.unavailable}
    return {
        (series, test)
        for series, test in _by_series(run)
        if test not in tests or (series not in builds and series.entry not in missing)
    }


def _comparisons_alone(run: Results, reference: Results) -> Set[tuple[str, str, Series, Series]]:
    """The comparisons of `run` whose workload or pair of builds is not in `reference`."""
    keys = _comparisons(reference)
    workloads, pairs = {key[:2] for key in keys}, {key[2:] for key in keys}
    return {key for key in _comparisons(run) if key[:2] not in workloads or key[2:] not in pairs}


def _state(cell: CellResult) -> str:
    """The cell's grade, or its outcome if there was no expectation."""
    return cell.outcome if cell.grade is Grade.RECORDED else cell.grade


def _by_series(results: Results) -> Cells:
    series = _series(results)
    return {(series[cell.build], cell.test): cell for cell in results.cells}


def _comparisons(results: Results) -> Comparisons:
    series = _series(results)
    return {
        # A copy of the baseline is an arm of its own, not a build.
        (
            comparison.scenario,
            comparison.client,
            series.get(comparison.build, Series(comparison.build, "", 0)),
            series[comparison.baseline],
        ): comparison
        for comparison in results.throughput
        if comparison.baseline
        in series  # otherwise the run was interrupted before it was looked at
    }


def _series(results: Results) -> dict[str, Series]:
    """The series of each build, by its id."""
    counts: Counter[tuple[str, str]] = Counter()
    series = {}
    for build in results.builds:
        series[build.id] = Series(build.entry, build.variant, counts[build.entry, build.variant])
        counts[build.entry, build.variant] += 1
    return series

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


def changes_since(before: Results, now: Results) -> tuple[str, ...]:
    """A sentence for each change: verdict, unavailable builds, faults, grades, flags, cells gone.

    A grade that stays the same is no change, even if it is a surprise. Builds, tests and scenarios
    that only one run has are mentioned only for a new surprise, or for a new difference in the
    user's own suite: `not_compared` counts them.
    """
    return (
        *_verdict(before, now),
        *_availability(before, now),
        *_faults(before, now),
        *_cells(before, now),
        *_differences(before, now),
        *_throughput(before, now),
    )


def not_compared(before: Results, now: Results) -> str | None:
    """How many results only one of the runs has, as a phrase; None if there are none."""
    only_before = len(_cells_alone(before, now)) + len(_comparisons_alone(before, now))
    only_now = len(_cells_alone(now, before)) + len(_comparisons_alone(now, before))
    if not only_before and not only_now:
        return None
    return f"not compared: {only_before} of its results, {only_now} of this run's"


def _verdict(before: Results, now: Results) -> Iterator[str]:
    old, new = before.validation, now.validation
    if new is None:
        return
    was, is_now = _series(before), _series(now)
    if old and was.get(old.build, old.build) == is_now.get(new.build, new.build):
        if old.verdict != new.verdict:
            yield f"{new.build} {new.against}: {new.verdict}, was {old.verdict}: {new.reason}"
    elif new.verdict is Verdict.BAD:
        yield f"{new.build} {new.against}: {new.verdict}, not validated before: {new.reason}"


def _availability(before: Results, now: Results) -> Iterator[str]:
    missed = {one.entry for one in before.unavailable}
    missing = {one.entry: one.text for one in now.unavailable}
    had = {build.entry for build in before.builds}
    for entry, text in missing.items():
        if entry in had:
            yield f"{entry} is unavailable now: {text}"
    for entry in sorted(missed & {build.entry for build in now.builds}):
        yield f"{entry} is available again"


def _faults(before: Results, now: Results) -> Iterator[str]:
    old, new = _by_fault(before), _by_fault(now)
    for key, sentence in new.items():
        if key not in old:
            yield f"{key[0].entry}: {sentence}"
    for key in old:
        if key not in new and any(key[0] == series for series in _series(now).values()):
            yield f"{key[0].entry}: {key[1]} is as promised again"


def _by_fault(results: Results) -> dict[tuple[Series, str], str]:
    series = _series(results)
    return {(series[one.build], one.about): one.sentence for one in results.build_faults}


def _cells(before: Results, now: Results) -> Iterator[str]:
    old, new = _by_series(before), _by_series(now)
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
    alone = _cells_alone(before, now)
    for key, cell in old.items() if now.complete else ():
        if key not in new and key not in alone and key[0].entry not in unavailable:
            yield f"{cell.build} {test_name(cell.test)}: no longer run, was {_state(cell)}"


def _differences(before: Results, now: Results) -> Iterator[str]:
    """New differences in the user's own suite that involve a cell not run before; `_cells` reports
    what changed in the others.
    """
    old, series = _by_series(before), _series(now)
    known = {one.test for one in before.differences}
    for one in now.differences:
        new = any((series[build], one.test) not in old for build in one.outcomes)
        if new and one.test not in known:
            yield f"{one.test}: differs between builds, not before: {outcomes_of(one)}"


def _throughput(before: Results, now: Results) -> Iterator[str]:
    old, new = _comparisons(before), _comparisons(now)
    for key, one in new.items():
        was = old[key].grade if key in old else None
        if one.grade != was and (was is not None or one.is_surprise):
            change = f"was {was}" if was else "not measured before"
            yield f"{one.scenario} with {one.client} on {one.build}: {one.grade}, {change}"
    alone = _comparisons_alone(before, now)
    for key, one in old.items() if now.complete else ():
        if key not in new and key not in alone:
            yield f"{one.scenario} with {one.client} on {one.build}: no longer measured"


def _cells_alone(run: Results, other: Results) -> Set[tuple[Series, str]]:
    """Cells of `run` whose test, or whose build although available, has no cell in `other`."""
    keys = _by_series(other)
    builds, tests = {series for series, _ in keys}, {test for _, test in keys}
    missing = {one.entry for one in other.unavailable}
    return {
        (series, test)
        for series, test in _by_series(run)
        if test not in tests or (series not in builds and series.entry not in missing)
    }


def _comparisons_alone(run: Results, other: Results) -> Set[tuple[str, str, Series, Series]]:
    """The comparisons of `run` whose workload or pair of builds does not occur in `other`."""
    keys = _comparisons(other)
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
            one.scenario,
            one.client,
            series.get(one.build, Series(one.build, "", 0)),
            series[one.baseline],
        ): one
        for one in results.throughput
        if one.baseline in series  # otherwise the run was interrupted before it was looked at
    }


def _series(results: Results) -> dict[str, Series]:
    """The series of each build, by its id."""
    seen: Counter[tuple[str, str]] = Counter()
    series = {}
    for build in results.builds:
        series[build.id] = Series(build.entry, build.variant, seen[build.entry, build.variant])
        seen[build.entry, build.variant] += 1
    return series

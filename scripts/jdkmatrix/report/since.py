# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What has changed since an earlier run? Pure: a nightly job reports only if something has.

Cases are matched by their entry of `jdks.yaml`, not by the build, which moves on in a suite.
"""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from jdkmatrix.errors import ExitCode
from jdkmatrix.grading.cases.kinds import kind_of
from jdkmatrix.results.case import RUN, Case
from jdkmatrix.results.document import Results
from jdkmatrix.results.series import Series, series_of


class Key(NamedTuple):
    """What a case is of in every run."""

    series: Series
    kind: str
    subject: str
    baseline: Series | None


class Change(NamedTuple):
    """A sentence on a case that changed, and what that makes the command end with: MACHINE if a
    verdict is lacking that was there, OK if one came that is no surprise.
    """

    sentence: str
    code: ExitCode


def changes_since(earlier: Results, latest: Results) -> tuple[Change, ...]:
    """A change for each case with another grade, each new one that is odd, and each that is gone.

    A grade that stays the same is no change, even if it is a surprise. Builds, tests and scenarios
    that only one run has are mentioned only for a new surprise: `not_compared` counts them.
    """
    return tuple(_changes(_Run(earlier), _Run(latest)))


def not_compared(earlier: Results, latest: Results) -> str | None:
    """How many results only one of the runs has, as a phrase; None if there are none."""
    runs = _Run(earlier), _Run(latest)
    alone = [len(_alone(*runs)), len(_alone(*reversed(runs)))]
    if not any(alone):
        return None
    return f"not compared: {alone[0]} of its results, {alone[1]} of this run's"


@dataclass(frozen=True)
class _Run:
    results: Results

    @cached_property
    def series(self) -> Mapping[str, Series]:
        """The series of each build, by its id."""
        return series_of(self.results.builds)

    @cached_property
    def cases(self) -> Mapping[Key, Case]:
        """The cases that count by themselves."""
        return {self._key(case): case for case in self.results.cases if case.part_of is None}

    @property
    def entries(self) -> Set[str]:
        """The entries of its builds."""
        return {series.entry for series in self.series.values()}

    @cached_property
    def unavailable(self) -> Set[str]:
        """The entries that no source could provide."""
        return {missing.entry for missing in self.results.unavailable}

    def has(self, series: Series) -> bool:
        """Whether it had that build, or needs none for the case."""
        return series.entry == RUN or series.entry in self.entries | self.unavailable

    def _key(self, case: Case) -> Key:
        baseline = self._series(case.baseline) if case.baseline else None
        return Key(self._series(case.build), case.kind, case.subject, baseline)

    def _series(self, build: str) -> Series:
        """A copy of a baseline is an arm of its own; a run that was interrupted before it looked
        at its builds has none.
        """
        return self.series.get(build, Series(build))


def _changes(earlier: _Run, latest: _Run) -> Iterator[Change]:
    subjects: set[str] = set()
    for key, case in latest.cases.items():
        earlier_case = earlier.cases.get(key)
        change = _change(earlier_case, case, is_known=earlier.has(key.series))
        # A test that differs between builds has been named if it changed on one of them.
        if change and not (case.build == RUN and case.subject in subjects):
            subjects.add(case.test or case.subject)
            yield Change(f"{case.title}: {change}", _code(earlier_case, case))
    if latest.results.complete:
        alone = _alone(earlier, latest)
        for key, case in earlier.cases.items():
            if key not in latest.cases and key not in alone:
                yield from _removal(key, case, latest)


def _change(earlier: Case | None, latest: Case, *, is_known: bool) -> str | None:
    """How a case differs from that of the earlier run; `is_known`: it had that build."""
    if earlier is not None:
        if earlier.state == latest.state:
            return None
        place = f" on {earlier.build}" if earlier.build != latest.build else ""
        return f"{latest.state}, was {earlier.state}{place}: {latest.sentence}"
    if kind_of(latest).lists_all:
        if not latest.is_bad:
            return None
        return f"{latest.state}, not run before: {latest.sentence}"
    return f"{latest.state}, not before: {latest.sentence}" if is_known else None


def _code(earlier: Case | None, latest: Case) -> ExitCode:
    if latest.is_surprise:
        return ExitCode.SURPRISE
    if _lacks_verdict(latest):
        return ExitCode.MACHINE
    return ExitCode.OK if earlier and _lacks_verdict(earlier) else ExitCode.SURPRISE


def _lacks_verdict(case: Case) -> bool:
    return case.is_open or not case.was_tried


def _removal(key: Key, case: Case, latest: _Run) -> Iterator[Change]:
    if not kind_of(case).lists_all:
        if latest.has(key.series):
            code = ExitCode.SURPRISE if case.is_surprise else ExitCode.OK
            yield Change(f"{case.title}: no longer {case.state}", code)
    elif key.series.entry not in latest.unavailable:
        yield Change(f"{case.title}: no longer run, was {case.state}", ExitCode.MACHINE)


def _alone(run: _Run, counterpart: _Run) -> Set[Key]:
    """The cases of `run` whose subject, or whose build although available, the other run lacks."""
    subjects = {(key.kind, key.subject) for key in counterpart.cases}
    builds = {(key.kind, key.series, key.baseline) for key in counterpart.cases}
    return {
        key
        for key, case in run.cases.items()
        if kind_of(case).lists_all
        and (
            (key.kind, key.subject) not in subjects
            or (
                (key.kind, key.series, key.baseline) not in builds
                and key.series.entry not in counterpart.unavailable
            )
        )
    }

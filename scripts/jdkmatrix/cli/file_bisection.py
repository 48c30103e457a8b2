# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is the change found after which a program fails, or no longer does, though it may do so by
chance?
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from jdkmatrix.bisect.candidates import SearchableBuilds, between
from jdkmatrix.bisect.conclusion import narrowing
from jdkmatrix.bisect.noisy_search import LOWEST_RATE, BadStretch, NoisySearch
from jdkmatrix.cli.bisection import SearchAnswer, Tell, say_answer
from jdkmatrix.cli.printed import complain
from jdkmatrix.errors import ExitCode, UnfinishedError, UsageError
from jdkmatrix.texts import command_line, count_of

if TYPE_CHECKING:
    from jdkmatrix.config.version import JdkVersion

Versions = Mapping[str, "JdkVersion"]
_NUMBER = re.compile(r"\d+")


class FailureProbe(Protocol):
    """Asks whether a program fails on a build; `failures` says how it did, by build."""

    failures: Mapping[str, str]

    def __call__(self, build: str) -> bool | None:
        """Whether it fails there in one run; None if the build gives no answer."""
        ...


def lines_to_search(
    catalog: SearchableBuilds, train: int | None, good: str | None, bad: str | None
) -> dict[int, Versions]:
    """The builds to search, oldest first, by release line: those between two, or of each line that
    has two or more. Raises UsageError.
    """
    if good or bad:
        if not (good and bad) or train is not None:
            raise UsageError("--good and --bad: accepted: both of them, without --train")
        candidates = between(good, bad, catalog)
        return {candidates.train: candidates.versions}
    lines: dict[int, dict[str, JdkVersion]] = {}
    for build, version in catalog.versions.items():
        lines.setdefault(version.train, {})[build] = version
    searchable = {number: builds for number, builds in sorted(lines.items()) if len(builds) > 1}
    if train is None:
        return {**searchable}
    if train not in searchable:
        raise UsageError(
            f"--train {train}: two builds of it or more are needed; accepted: "
            f"{', '.join(map(str, searchable))}, or --jdk DIR with builds of it"
        )
    return {train: searchable[train]}


def search_lines(
    lines: Mapping[int, Versions],
    probe: FailureProbe,
    error: float,
    command: Sequence[str],
    tell: Tell = say_answer,
) -> ExitCode:
    """Search each release line and tell where the program began or ceased to fail. UnfinishedError
    says how to go on.
    """
    decided_count = change_count = 0
    for train, versions in lines.items():
        search = NoisySearch(tuple(versions), error)
        try:
            without_answer = _run(search, probe)
        except (KeyboardInterrupt, UnfinishedError):
            line = command_line(*command, "--train", train)
            raise UnfinishedError(f"to continue: {line}") from None
        if search.is_decided:
            decided_count += 1
            change_count += bool(search.stretch.first_bad or search.stretch.first_fixed)
        texts = (
            *_conclusion(train, versions, search, error),
            *_other_failures(search.stretch, versions, probe.failures),
            *(f"  passed over: {build} gave no answer" for build in without_answer),
        )
        tell(_answer(train, search, texts))
    if decided_count < len(lines):
        return ExitCode.MACHINE
    if not change_count:
        complain("matrix: it begins or ceases to fail in no release line that was searched")
        return ExitCode.USAGE
    return ExitCode.OK


def _answer(train: int, search: NoisySearch, lines: tuple[str, ...]) -> SearchAnswer:
    if not search.has_builds:
        return SearchAnswer(train, lines, is_decided=False)
    stretch = search.stretch
    return SearchAnswer(
        train,
        lines,
        is_decided=search.is_decided,
        last_good=stretch.last_good,
        first_bad=stretch.first_bad,
        last_bad=stretch.last_bad,
        first_fixed=stretch.first_fixed,
    )


def _run(search: NoisySearch, probe: FailureProbe) -> list[str]:
    """Ask builds until the search is decided or given up; return those that gave no answer."""
    without_answer = []
    while build := search.next_build():
        is_failure = probe(build)
        if is_failure is None:
            search.drop(build)
            without_answer.append(build)
        else:
            search.add(build, is_failure=is_failure)
    return without_answer


def _conclusion(train: int, versions: Versions, search: NoisySearch, error: float) -> Iterator[str]:
    if not search.has_builds:
        yield f"{train}: no build gave an answer"
        return
    stretch = search.stretch
    if not search.is_decided:
        yield f"{train}: undecided; most likely:"
    yield from _changes(train, versions, stretch)
    run_count, runs_by_build = sum(stretch.runs.values()), stretch.runs
    asked_count = sum(map(bool, runs_by_build.values()))
    share = f"{min(stretch.probability, 0.999):.1%}"
    yield (
        f"  {asked_count} of {count_of(len(runs_by_build), 'build')} run, "
        f"{count_of(run_count, 'run')}; likely to {share}; wrong in {error:.0%} of such searches "
        f"at most, if a bad build fails in {LOWEST_RATE:.0%} of runs or more"
    )
    failures = {
        build: f"{number} of {runs_by_build[build]}"
        for build, number in stretch.failures.items()
        if 0 < number < runs_by_build[build]
    }
    if failures:
        rates = ", ".join(f"{text} on {versions[build]}" for build, text in failures.items())
        yield f"  fails by chance: {rates}"


def _changes(train: int, versions: Versions, stretch: BadStretch) -> Iterator[str]:
    if not stretch.is_bad:
        yield f"{train}: fails on no build"
    elif stretch.first_bad is None and stretch.first_fixed is None:
        yield f"{train}: fails on each build"
    for word, other_word, build, neighbour in (
        ("first bad", "last good", stretch.first_bad, stretch.last_good),
        ("first fixed", "last bad", stretch.first_fixed, stretch.last_bad),
    ):
        if build and neighbour:
            older, newer = versions[neighbour], versions[build]
            yield f"{train}: {word}: {newer} ({build}); {other_word}: {older} ({neighbour})"
            if gap := narrowing(older, newer):
                yield f"  {gap}"


def _other_failures(
    stretch: BadStretch, versions: Versions, failures: Mapping[str, str]
) -> Iterator[str]:
    """A line if some builds fail in another way than the one beside the change: perhaps by what
    they lack, not by the bug that is searched for.
    """
    kinds = {
        build: _NUMBER.sub("", failures[build].partition(". ")[0])
        for build, count in stretch.failures.items()
        if count and build in failures
    }
    kind = kinds.get(stretch.last_bad or "", kinds.get(stretch.first_bad or ""))
    builds = [build for build in kinds if kind is not None and kinds[build] != kind]
    if builds:
        names = ", ".join(str(versions[build]) for build in builds)
        reason = failures[builds[0]]
        yield f"  fails otherwise on {names}: {reason}; --fails-with tells which counts"

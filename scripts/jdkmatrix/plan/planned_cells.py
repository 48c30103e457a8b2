# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which builds and which tests does a request mean, and which bug does each test show?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from jdkmatrix.config.groups import group_members
from jdkmatrix.config.jdks import BuildEntry, JdksFile
from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.config.suite import select_tests
from jdkmatrix.errors import UsageError, suggest
from jdkmatrix.supply.build import NamedBuild
from jdkmatrix.supply.cache.jdks_lock import last_build

_EMULATED = "aarch64"


@dataclass(frozen=True)
class PlannedTest:
    """A jtreg test, by its path in the suite, and the ledger's bug that it shows, if any."""

    path: str
    bug: Bug | None


def plan_entries(
    jdks: JdksFile,
    patterns: Sequence[str],
    last_builds: Mapping[str, NamedBuild],
    option: str = "--build",
) -> tuple[BuildEntry, ...]:
    """The entries that `option` means by id or glob; without patterns, the default selection.

    `last_builds` has the build that a moving entry was when last fetched, so that `debian-8u504-ga`
    means `debian-8`; an entry's own id means that entry alone. A glob means builds that run in an
    emulator, some twenty times as slow, only if it names the processor: `*aarch64*`. Raises
    UsageError for a pattern that matches none.
    """
    if not patterns:
        return tuple(jdks.entry(entry_id) for entry_id in jdks.default)
    selected_ids: set[str] = set()
    for pattern in patterns:
        matches = _entries_meant(pattern, jdks.builds, last_builds)
        if not matches:
            choices = suggest(pattern, (entry.id for entry in jdks.builds))
            raise UsageError(f"{option} {pattern}: no such build; {choices}")
        selected_ids.update(entry.id for entry in matches)
    return tuple(entry for entry in jdks.builds if entry.id in selected_ids)


def _entries_meant(
    pattern: str, entries: Sequence[BuildEntry], last_builds: Mapping[str, NamedBuild]
) -> list[BuildEntry]:
    return entries_named(pattern, entries, last_builds) or [
        entry for entry in entries if _is_meant(entry, pattern, last_builds)
    ]


def _is_meant(entry: BuildEntry, glob: str, last_builds: Mapping[str, NamedBuild]) -> bool:
    if entry.target == _EMULATED and _EMULATED not in glob:
        return False
    names = (entry.id, last_build(entry, last_builds).id)
    return any(fnmatchcase(name, glob) for name in names)


def entries_named(
    text: str, entries: Sequence[BuildEntry], last_builds: Mapping[str, NamedBuild]
) -> list[BuildEntry]:
    """The entry with that id; if there is none, those that were that build when last fetched."""
    return [entry for entry in entries if entry.id == text] or [
        entry for entry in entries if last_build(entry, last_builds).id == text
    ]


def plan_tests(
    ledger: Ledger,
    suite: tuple[str, ...],
    bugs: Sequence[str],
    patterns: Sequence[str],
    groups: Mapping[str, tuple[str, ...]] | None = None,
) -> tuple[PlannedTest, ...]:
    """The tests of the wanted bugs, paths and groups (`:tier1`); by default, all of the ledger's.

    With both `--bug` and `--test`, the tests that both mean. Raises UsageError.
    """
    bug_of = {test: bug for bug in ledger.bugs for test in bug.tests}
    ledger_tests = tuple(PlannedTest(test, bug) for test, bug in bug_of.items())
    tests = ledger_tests
    if patterns:
        selected_tests = named_tests(suite, patterns, groups or {})
        tests = tuple(PlannedTest(test.path, bug_of.get(test.path)) for test in selected_tests)
    if not bugs:
        return tests
    selected_bugs = list(map(ledger.bug, bugs))
    of_bugs = _tests_of(selected_bugs, tests)
    if not of_bugs:
        options = f"--bug {', '.join(bugs)} and --test {', '.join(patterns)}"
        choices = ", ".join(test.path for test in _tests_of(selected_bugs, ledger_tests))
        raise UsageError(f"{options}: no test matches both; accepted: {choices}")
    return of_bugs


def _tests_of(bugs: Sequence[Bug], tests: Sequence[PlannedTest]) -> tuple[PlannedTest, ...]:
    return tuple(test for test in tests if test.bug in bugs)


def named_tests(
    suite: tuple[str, ...], patterns: Sequence[str], groups: Mapping[str, tuple[str, ...]]
) -> tuple[PlannedTest, ...]:
    """The tests of a suite that the paths and groups mean, by default all; without bugs.

    Raises UsageError.
    """
    if not patterns:
        return tuple(PlannedTest(test, None) for test in suite)
    matches = [
        group_members(groups, pattern.removeprefix("test").removeprefix(":"), suite)
        if pattern.removeprefix("test").startswith(":")
        else select_tests(suite, pattern)
        for pattern in patterns
    ]
    paths = dict.fromkeys(test for tests in matches for test in tests)
    return tuple(PlannedTest(test, None) for test in paths)

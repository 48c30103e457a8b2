# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which tests does a request mean, and which bug does each test show?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.config.suite import group_members, select_tests
from jdkmatrix.errors import UsageError


@dataclass(frozen=True)
class PlannedTest:
    """A jtreg test, by its path in the suite, and the ledger's bug that it shows, if any."""

    path: str
    bug: Bug | None


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

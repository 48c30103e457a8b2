# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which tests does a request mean, and which of them does ProblemList.txt leave out?"""

from collections.abc import Sequence
from pathlib import Path

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.suite import (
    find_programs,
    find_tests,
    names_one_test,
    platform_words,
    read_groups,
    read_problems,
)
from jdkmatrix.errors import UsageError
from jdkmatrix.plan.planned_cells import PlannedTest, named_tests, plan_tests
from jdkmatrix.records.request import Request
from jdkmatrix.supply.platform import machine_platform


def tests_of(
    request: Request, own_suite: Path, ledger: Ledger
) -> tuple[Path, tuple[PlannedTest, ...], dict[str, str]]:
    """The suite, its tests that are wanted, and those left out, each with its reason.

    Raises UsageError.
    """
    if request.program and request.tries:
        return (
            Path(str(request.suite)),
            tuple(PlannedTest(test, None) for test in request.tests),
            {},
        )
    if request.suite:
        return *_of_suite(request), {}
    if not request.cells:
        return own_suite, (), {}
    paths = find_tests(own_suite)
    tests = plan_tests(ledger, paths, request.bugs, request.tests, read_groups(own_suite))
    left_out = _problems(own_suite, tests, request)
    return own_suite, tuple(test for test in tests if test.path not in left_out), left_out


def _of_suite(request: Request) -> tuple[Path, tuple[PlannedTest, ...]]:
    """The user's own suite, and those of its tests that are wanted. Raises UsageError."""
    if request.bugs:
        raise UsageError("--bug and --suite: accepted: one of them (the ledger is of test/)")
    suite = Path(str(request.suite)).resolve()
    if request.program:
        return suite, named_tests(find_programs(suite), request.tests, {})
    if not (suite / "TEST.ROOT").is_file():
        raise UsageError(
            f"--suite {request.suite}: no TEST.ROOT; accepted: a jtreg suite's root "
            "(an empty file of that name makes a folder one), or a folder of Java files with a main"
        )
    paths = find_tests(suite)
    if not paths:
        raise UsageError(f"--suite {request.suite}: no tests; accepted: files with an @test tag")
    return suite, named_tests(paths, request.tests, read_groups(suite))


def _problems(suite: Path, tests: Sequence[PlannedTest], request: Request) -> dict[str, str]:
    """The tests that ProblemList.txt leaves out here, with its reasons; none named by its file."""
    machine = machine_platform()
    problems = read_problems(suite, platform_words(machine.os, machine.arch))
    return {
        test.path: problems[test.path]
        for test in tests
        if test.path in problems
        and not any(names_one_test(pattern, test.path) for pattern in request.tests)
    }

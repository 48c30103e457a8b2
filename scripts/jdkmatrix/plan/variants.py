# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which overlay does a request ask for, and which tests run on a build with it and without?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from jdkmatrix.config.ledger import Ledger, id_in
from jdkmatrix.config.suite import names_one_test
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.plan.expectation import expect
from jdkmatrix.plan.planned_cells import PlannedTest
from jdkmatrix.records.request import Request
from jdkmatrix.vocabulary import Expectation

if TYPE_CHECKING:
    from jdkmatrix.overlay.overlay_request import OverlayRequest

# The tests of a build, as it is and with the overlay.
Share: TypeAlias = "Mapping[OverlayRequest | None, tuple[PlannedTest, ...]]"
# The ids of bugs.openjdk.org, as a commit's first line has them: "8293562: Blocked threads ...".
_NUMBER = re.compile(r"(?<![0-9A-Za-z])(?:JDK-)?(?P<number>[0-9]{7})(?![0-9A-Za-z])")


def requested_overlay(
    request: Request, tests: Sequence[PlannedTest], ledger: Ledger
) -> OverlayRequest | None:
    """The overlay, None if none is asked for. Raises UsageError.

    It is meant to fix the bugs that the diff's name or its text outside of hunks names; if that
    names none, those of `--bug`, and of each test that `--test` names by its file.
    """
    options = (request.overlay, request.overlay_patch, request.sources, request.expect)
    if not any(options):
        return None
    from jdkmatrix.overlay.overlay_request import OverlayRequest  # few requests have one
    from jdkmatrix.overlay.patch import prose_of

    overlay = OverlayRequest.from_options(*options)
    if overlay is None:
        return None

    text = f"{overlay.path.name}\n{prose_of(overlay.text()) if overlay.is_patch else ''}"
    numbers = {f"JDK-{match['number']}" for match in _NUMBER.finditer(text)}
    request_bugs = {id_in(bug) for bug in request.bugs} | {
        test.bug.id
        for test in tests
        if test.bug and any(names_one_test(pattern, test.path) for pattern in request.tests)
    }
    bug_ids = [bug.id for bug in ledger.bugs]
    bugs = [bug for bug in bug_ids if bug in numbers] or [
        bug for bug in bug_ids if bug in request_bugs
    ]
    return replace(overlay, bugs=tuple(bugs))


def variants_of(
    tests: tuple[PlannedTest, ...],
    overlay: OverlayRequest | None,
    ledger: Ledger,
    jdk_version: JdkVersion | None,
) -> Share:
    """The tests of a build without and with the overlay.

    Without it runs, too, what shows the bug that it shall fix, so that the run has both answers;
    and what shows no bug, which other builds judge.
    """
    if overlay is None:
        return {None: tests}
    plain_tests = tuple(
        test
        for test in tests
        if test.bug is None
        or (test.bug.id in overlay.bugs and _may_have(test, ledger, jdk_version))
    )
    return {None: plain_tests, overlay: tests}


def _may_have(test: PlannedTest, ledger: Ledger, jdk_version: JdkVersion | None) -> bool:
    """Whether a build may have the test's bug, as far as its version is known."""
    if jdk_version is None:
        return True
    return expect(test.bug, jdk_version, ledger, test.path) is Expectation.AFFECTED


def judged_by_others(tests: Sequence[PlannedTest]) -> tuple[PlannedTest, ...]:
    """The tests that show no bug: other builds judge them."""
    return tuple(test for test in tests if test.bug is None)

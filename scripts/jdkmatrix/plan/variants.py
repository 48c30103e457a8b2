# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which tests run on a build as it is, and which with the overlay?"""

from collections.abc import Mapping, Sequence

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.overlay.overlay_request import OverlayRequest
from jdkmatrix.plan.expectation import expect
from jdkmatrix.plan.planned_cells import PlannedTest
from jdkmatrix.vocabulary import Expectation

# The tests of a build, as it is and with the overlay.
Share = Mapping[OverlayRequest | None, tuple[PlannedTest, ...]]


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

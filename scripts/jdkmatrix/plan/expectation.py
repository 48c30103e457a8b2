# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Must a bug show on a build? Answered from the ledger, the version, and what an overlay means."""

from typing import Protocol

from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.config.tags import has_change
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.vocabulary import Expectation, Intent, Outcome

# Most telling first. The reproducers of a bug differ only in what they need of a build: those that
# can show the bug say more.
TELLING = (
    Expectation.AFFECTED,
    Expectation.FIXED,
    Expectation.UNKNOWN,
    Expectation.NOT_APPLICABLE,
)


def expect(
    bug: Bug | None, build: JdkVersion, ledger: Ledger, test: str | None = None
) -> Expectation:
    """The expectation of `bug`, or of one of its tests, on a build of that version.

    A build from before the bug is `not-applicable`, not `fixed`: it has nothing to be fixed. A test
    of no bug is `unknown`.
    """
    if bug is None:
        return Expectation.UNKNOWN
    conditions = ledger.conditions_of(bug, test)
    needs = [has_change(build, condition.since) for condition in conditions if condition.since]
    if bug.introduced is not None:
        needs.append(has_change(build, bug.introduced))
    if False in needs:
        return Expectation.NOT_APPLICABLE
    is_fixed = has_change(build, bug.fixed)
    if None in needs or is_fixed is None:
        return Expectation.UNKNOWN
    return Expectation.FIXED if is_fixed else Expectation.AFFECTED


class Meaning(Protocol):
    """What an overlay is meant to do: `intent` holds for each bug; without it, `bugs` get fixed."""

    @property
    def intent(self) -> Intent | None:
        """What it makes of each bug."""

    @property
    def bugs(self) -> tuple[str, ...]:
        """The ids of the bugs that it fixes."""


def expect_with(
    expectation: Expectation,
    bug: Bug | None,
    overlay: Meaning | None,
    outcome: Outcome | None = None,
) -> Expectation:
    """What becomes of the ledger's `expectation` with an overlay.

    A bug that the overlay shall fix must be gone. Any other that the build has may be gone, as the
    overlay may fix it: an `outcome` that it is gone is as expected.
    """
    if overlay is None or bug is None:
        return expectation
    if overlay.intent is Intent.BROKEN:
        return Expectation.AFFECTED
    is_gone = outcome is Outcome.NOT_REPRODUCED or bug.id in overlay.bugs
    if overlay.intent is Intent.FIXED or (is_gone and expectation is Expectation.AFFECTED):
        return Expectation.FIXED
    return expectation


def expect_whole(bug: Bug, build: JdkVersion, ledger: Ledger) -> Expectation:
    """The most telling expectation of a bug and of its tests: a bug may need less than a test."""
    tests = (None, *bug.needs_of)
    return min((expect(bug, build, ledger, test) for test in tests), key=TELLING.index)

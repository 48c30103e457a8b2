# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which tests have different outcomes on different builds? Pure.

For suites that no ledger covers: there a difference is all that can be said.
"""

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict

from jdkmatrix.vocabulary import Outcome

VERDICTS = (Outcome.REPRODUCED, Outcome.NOT_REPRODUCED)


class SuiteDifference(BaseModel):
    """One test, and its outcome on each build that it was run on, in the builds' order."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    test: str
    outcomes: dict[str, Outcome]


def differences(cells: Iterable[tuple[str, str, Outcome]]) -> tuple[SuiteDifference, ...]:
    """The tests with two outcomes or more, from (build, test, outcome).

    A build to which a test does not apply (by `@requires`, or it says so) takes no part, nor does
    one on which it came to no verdict.
    """
    by_test: dict[str, dict[str, Outcome]] = {}
    for build, test, outcome in cells:
        if outcome in VERDICTS:
            by_test.setdefault(test, {})[build] = outcome
    return tuple(
        SuiteDifference(test=test, outcomes=outcomes)
        for test, outcomes in by_test.items()
        if len(set(outcomes.values())) > 1
    )


def not_compared(cells: Iterable[tuple[str, str, Outcome]]) -> frozenset[tuple[str, str]]:
    """The (build, test) that ended in an error although the test came to a verdict elsewhere.

    If no test came to a verdict at all, every error: then nothing was compared.
    """
    cell_list = list(cells)
    judged_tests = {test for _, test, outcome in cell_list if outcome in VERDICTS}
    return frozenset(
        (build, test)
        for build, test, outcome in cell_list
        if outcome is Outcome.ERROR and (test in judged_tests or not judged_tests)
    )

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which tests have different outcomes on different builds? Pure.

For suites that no ledger covers: there a difference is all that can be said.
"""

from collections.abc import Iterable

from jdkmatrix.machine.json_models import Frozen
from jdkmatrix.vocabulary import Outcome

VERDICTS = (Outcome.REPRODUCED, Outcome.NOT_REPRODUCED)


class SuiteDifference(Frozen):
    """One test, and its outcome on each build that it was run on, in the builds' order; of a plain
    program, what it did there.
    """

    test: str
    outcomes: dict[str, str]


def differences(cells: Iterable[tuple[str, str, Outcome]]) -> tuple[SuiteDifference, ...]:
    """The tests with two outcomes or more, from (build, test, outcome).

    A build to which a test does not apply (by `@requires`, or it says so) takes no part, nor does
    one on which it came to no verdict.
    """
    by_test: dict[str, dict[str, str]] = {}
    for build, test, outcome in cells:
        if outcome in VERDICTS:
            by_test.setdefault(test, {})[build] = outcome
    return tuple(
        SuiteDifference(test=test, outcomes=outcomes)
        for test, outcomes in by_test.items()
        if len(set(outcomes.values())) > 1
    )

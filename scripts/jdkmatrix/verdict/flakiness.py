# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is it the build that makes rows fail now and then, or the machine? Pure.

The baseline is asked as often. Fisher's exact test compares the rates; the attempt that made a row
flaky is left out, as it was chosen because it failed.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

# In all, at each flaky row. Five rows that fail in one of three attempts show it at 99 %, mostly.
FLAKY_ATTEMPTS = 6
_MOST_BY_CHANCE = 0.01
# So many rows of some 200 and none on the baseline happen by chance in 0.4 % of all cases, even if
# each fails too seldom to be seen failing again.
_MANY_ROWS = 8


@dataclass(frozen=True)
class FlakyRow:
    """How often a row failed on the build and on the baseline, and of how many attempts."""

    failures: int
    attempts: int
    baseline_failures: int
    baseline_attempts: int


def is_of_build(rows: Sequence[FlakyRow]) -> bool:
    """Whether flaky rows speak against the build, all of them together.

    Rows that the baseline was not asked as often prove nothing.
    """
    rows = [row for row in rows if row.baseline_attempts >= row.attempts]
    if len(rows) >= _MANY_ROWS and not any(row.baseline_failures for row in rows):
        return True
    failures = sum(row.failures - 1 for row in rows)
    attempts = sum(row.attempts - 1 for row in rows)
    all_failures = failures + sum(row.baseline_failures for row in rows)
    all_attempts = attempts + sum(row.baseline_attempts for row in rows)
    return bool(attempts) and (
        chance(failures, attempts, all_failures, all_attempts) < _MOST_BY_CHANCE
    )


def chance(failures: int, attempts: int, all_failures: int, all_attempts: int) -> float:
    """How probable so many failures or more among `attempts` are, if `all_failures` fell on
    `all_attempts` by chance (R. A. Fisher's exact test, one-sided).
    """
    return sum(
        math.comb(attempts, n) * math.comb(all_attempts - attempts, all_failures - n)
        for n in range(failures, min(attempts, all_failures) + 1)
    ) / math.comb(all_attempts, all_failures)

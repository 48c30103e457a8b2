# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Every kind of history a bug can have, at builds of every train.

Rows are bugs of `sample_ledger.yaml` by their title. A: affected, dot: fixed, dash:
not-applicable (a condition is missing, or the bug was not there yet), ?: unknown.
"""

from pathlib import Path

import pytest

from jdkmatrix.config import version
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.yaml_model import load
from jdkmatrix.plan.expectation import expect
from jdkmatrix.vocabulary import Expectation

BUILDS = """
    8u282 8u345 8u412 8u422 8u504-ga 11.0.7+10 11.0.9.1+1 11.0.13+8 11.0.20+8 11.0.24+8 17.0.2+8
    17.0.3+7 17.0.7+7 17.0.13+11 17.0.19+10 18.0.2+9 21.0.3+9 21.0.4+7 21.0.11+10 25.0.2+10
""".split()
TABLE = """
1   - A A . .  - A A A .  A A . . .  A . . . .
2   - A A A A  - A A A A  A A A A A  A A A A A
3   - - A . .  A A A A .  A A . . .  A . . . .
4   - - - - -  - - - - -  A A A . .  A . . . .
5   - A A A A  - A A A A  A A A A A  A . . . .
6   A A A A A  A A A A A  A A A A .  A A A . .
7   - . . . .  - - A . .  A . . . .  A . . . .
8   A A A A A  A . . . .  . . . . .  . . . . .
9   A A A A A  A A A . .  A A . . .  A . . . .
10  A A A A .  A A A . .  . . . . .  . . . . .
12  A A A A A  A A A . .  . . . . .  . . . . .
14  - - - . .  - - - . .  - - A . .  - . . . .
16  A A A A A  A A A A A  A A A A A  A . . . .
20  A A A A A  A A A A A  A A A . .  . . . . .
23  - - - - -  - - A A A  . . . . .  . . . . .
26  A A A A A  A A A A .  A A A . .  A A . . .
28  - A A A A  - - - A A  - A A . .  - A A . .
"""
SIGNS = {
    Expectation.AFFECTED: "A",
    Expectation.FIXED: ".",
    Expectation.NOT_APPLICABLE: "-",
    Expectation.UNKNOWN: "?",
}
ROWS = [line.split() for line in TABLE.strip().splitlines()]


@pytest.fixture(scope="module")
def sample() -> Ledger:
    return load(Path(__file__).with_name("sample_ledger.yaml"), Ledger)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"bug {row[0]}")
def test_table(sample: Ledger, row: list[str]) -> None:
    title, *signs = row
    (bug,) = [bug for bug in sample.bugs if bug.title == title]
    assert [SIGNS[expect(bug, version.parse(build), sample)] for build in BUILDS] == signs


def test_the_table_is_whole(sample: Ledger) -> None:
    assert [row[0] for row in ROWS] == [bug.title for bug in sample.bugs]


def test_between_two_measured_builds_nobody_can_tell(sample: Ledger) -> None:
    bug = sample.bug("8274736")
    assert expect(bug, version.parse("8u502-b02"), sample) is Expectation.UNKNOWN


def test_a_test_may_need_less_than_its_bug(sample: Ledger) -> None:
    bug = sample.bug("8293562")
    freer = bug.model_copy(update={"needs_of": {"plain.java": ()}})
    build = version.parse("11.0.7+10")
    assert expect(freer, build, sample, "1") is Expectation.NOT_APPLICABLE
    assert expect(freer, build, sample, "plain.java") is Expectation.AFFECTED

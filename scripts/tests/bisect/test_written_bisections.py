# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The bisections in test/README.md are what the ledger expects."""

import re
from pathlib import Path

from jdkmatrix.config import version
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.plan.expectation import expect
from jdkmatrix.vocabulary import Expectation

BISECTED = re.compile(
    r"^\| \[(\d{7})\]\(.*?\) \| (\d+) \| (\S+) \| (\S+) \| (\S+) \|", re.MULTILINE
)


def wrong_bisections(text: str, ledger: Ledger) -> list[str]:
    """Rows of bisections that the ledger contradicts."""
    wrong = []
    for number, train, affected_build, fixed_build, tag in BISECTED.findall(text):
        bug = ledger.bug(number)
        sides = [
            (affected_build, {Expectation.AFFECTED, Expectation.UNKNOWN}),
            (fixed_build, {Expectation.FIXED, Expectation.UNKNOWN}),
        ]
        agrees = all(
            jdk_version.train == int(train)
            and expect(bug, jdk_version, ledger, bug.tests[0]) in expectations
            for build, expectations in sides
            for jdk_version in [version.parse(build.partition("-")[2])]
        )
        if not agrees or str(bug.fixed.get(int(train))) != tag:
            wrong.append(f"{bug.id} in {train}")
    return wrong


def test_the_bisections_agree_with_the_ledger(root: Path, ledger: Ledger) -> None:
    text = (root / "test" / "README.md").read_text()
    assert len(BISECTED.findall(text)) >= 10
    assert wrong_bisections(text, ledger) == []


def test_a_wrong_bisection_is_found(ledger: Ledger) -> None:
    row = "| [8304701](x) | 21 | temurin-{} | temurin-{} | {} | 4 of 7 |\n"
    right = ("21.0.4+7", "21.0.8+9", "21.0.7+1")
    assert wrong_bisections(row.format(*right), ledger) == []
    for wrong in (("21.0.8+9", *right[1:]), ("21.0.4+7", "21.0.4+7", right[2]), (*right[:2], "1")):
        assert wrong_bisections(row.format(*wrong), ledger) == ["JDK-8304701 in 21"]

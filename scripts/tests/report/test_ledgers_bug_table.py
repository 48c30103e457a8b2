# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What test/README.md shows of bugs and builds is what the ledger expects."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from jdkmatrix.config import version
from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.plan.expectation import expect
from jdkmatrix.vocabulary import Expectation

HEAD = "| bug | "


def shown(text: str) -> Iterator[tuple[str, str, str]]:
    """Bug, build and mark of each cell of the tables in a Markdown text."""
    builds: list[str] = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith(HEAD) and "<br>" in line:
            builds = [cell.replace("<br>", "-") for cell in cells[1:]]
        elif builds and line.startswith("| ["):
            bug = f"JDK-{cells[0].partition(']')[0].removeprefix('[')}"
            yield from ((bug, build, mark) for build, mark in zip(builds, cells[1:], strict=True))
        elif not line.startswith("|"):
            builds = []


def disagreements(text: str, ledger: Ledger) -> list[str]:
    bugs = {bug.id: bug for bug in ledger.bugs}
    return [
        f"{bug} on {build}: {mark}"
        for bug, build, mark in shown(text)
        if bug not in bugs or not agrees(bugs[bug], build, mark, ledger)
    ]


def agrees(bug: Bug, build: str, mark: str, ledger: Ledger) -> bool:
    if mark in ("", "-"):
        return True
    found = version.parse(build.partition("-")[2])
    expected = {expect(bug, found, ledger, test) for test in bug.tests}
    affected = {Expectation.AFFECTED, Expectation.UNKNOWN}
    if mark == "R":
        return bool(expected & affected)
    return mark == "·" and bool(expected - {Expectation.AFFECTED})


def test_each_bug_without_an_evidence_rule_has_its_reason(root: Path, ledger: Ledger) -> None:
    text = (root / "test" / "README.md").read_text()
    _, _, after = text.partition("## Which bugs does a recording show?\n")
    having, _, lacking = after.partition("\n## ")[0].partition("| why | bugs |\n")
    with_rule = {bug.id for bug in ledger.bugs if bug.evidence}
    assert set(re.findall(r"JDK-\d{7}", having)) == with_rule
    rows = [line.rpartition(" | ")[2] for line in lacking.splitlines()]
    listed = re.findall(r"\d{7}", " ".join(rows))
    assert sorted(listed) == sorted(
        bug.id.removeprefix("JDK-") for bug in ledger.bugs if not bug.evidence
    )


def test_the_table_agrees_with_the_ledger(root: Path, ledger: Ledger) -> None:
    text = (root / "test" / "README.md").read_text()
    assert disagreements(text, ledger) == []
    assert {bug for bug, _, _ in shown(text)} == {bug.id for bug in ledger.bugs}


@pytest.mark.parametrize(
    ("bug", "mark", "wrong"),
    [
        ("8293562", "R", False),
        ("8293562", "·", True),
        ("8293562", "R!", True),
        ("8293562", "?", True),
        ("8293562", "-", False),
        ("1234567", "R", True),
    ],
)
def test_a_wrong_mark_is_found(ledger: Ledger, bug: str, mark: str, wrong: bool) -> None:
    table = f"| bug | temurin<br>17.0.3+7 |\n| --- | :-: |\n| [{bug}](x) | {mark} |\n"
    assert bool(disagreements(table, ledger)) is wrong

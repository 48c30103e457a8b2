# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What test/README.md shows of bugs and builds is what the ledger expects."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from jdkmatrix.config import version
from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.plan.expectation import expect
from jdkmatrix.vocabulary import Expectation

HEAD = "| bug | "


def read_marks(text: str) -> Iterator[tuple[str, str, str]]:
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
        for bug, build, mark in read_marks(text)
        if bug not in bugs or not agrees(bugs[bug], build, mark, ledger)
    ]


def agrees(bug: Bug, build: str, mark: str, ledger: Ledger) -> bool:
    if mark in ("", "-"):
        return True
    jdk_version = version.parse(build.partition("-")[2])
    expected = {expect(bug, jdk_version, ledger, test) for test in bug.tests}
    affected_states = {Expectation.AFFECTED, Expectation.UNKNOWN}
    if mark == "R":
        return bool(expected & affected_states)
    return mark == "·" and bool(expected - {Expectation.AFFECTED})


def to_change(text: str, ledger: Ledger) -> list[str]:
    """What of test/README.md must be written for these bugs of the ledger."""
    heading = "Which bugs does a recording show?"
    _, _, section = text.partition(f"## {heading}\n")
    having, _, lacking = section.partition("\n## ")[0].partition("| why | bugs |\n")
    rows = [line.rpartition(" | ")[2] for line in lacking.splitlines()]
    places = {
        f"{heading}, those with a rule": (
            Counter(set(re.findall(r"JDK-\d{7}", having))),
            [bug.id for bug in ledger.bugs if bug.evidence],
        ),
        f"{heading}, the table of those without, with the reason why": (
            Counter(f"JDK-{number}" for number in re.findall(r"\d{7}", " ".join(rows))),
            [bug.id for bug in ledger.bugs if not bug.evidence],
        ),
        "All bugs on all builds, by scripts/matrix report RUN --bug-table": (
            Counter({bug for bug, _, _ in read_marks(text)}),
            [bug.id for bug in ledger.bugs],
        ),
    }
    return [
        f"test/README.md: {place}: {'add' if number > 0 else 'remove'} {bug}"
        for place, (actual, expectation) in places.items()
        for bug, number in {
            bug: expectation.count(bug) - actual[bug] for bug in (*expectation, *actual)
        }.items()
        if number
    ]


def test_each_bug_is_in_its_places(root: Path, ledger: Ledger) -> None:
    assert to_change((root / "test" / "README.md").read_text(), ledger) == []


def test_who_adds_a_bug_is_told_what_else_to_change(root: Path, ledger: Ledger) -> None:
    text = (root / "test" / "README.md").read_text()
    bug_without_rule = next(bug for bug in ledger.bugs if not bug.evidence)
    new = bug_without_rule.model_copy(update={"id": "JDK-9999999"})
    longer_ledger = ledger.model_copy(update={"bugs": [*ledger.bugs, new]})
    reason, table = to_change(text, longer_ledger)
    assert "the table of those without, with the reason why: add JDK-9999999" in reason
    assert table.endswith("by scripts/matrix report RUN --bug-table: add JDK-9999999")
    fewer = ledger.model_copy(
        update={"bugs": [b for b in ledger.bugs if b is not bug_without_rule]}
    )
    assert [line.rpartition(": ")[2] for line in to_change(text, fewer)] == [
        f"remove {bug_without_rule.id}",
        f"remove {bug_without_rule.id}",
    ]


def test_the_table_agrees_with_the_ledger(root: Path, ledger: Ledger) -> None:
    assert disagreements((root / "test" / "README.md").read_text(), ledger) == []


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

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What a version has and what an update fixes, leaves, brings and changes."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from jdkmatrix.config.known_changes import load_known_changes
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.version import JdkVersion, parse, read
from jdkmatrix.errors import UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.report.console.bug_list import bug_list
from jdkmatrix.results.known_bugs import BugsAnswer, Effect, Question, answer

PAIRS = 12


def ask(
    ledger: Ledger, root: Path, older: str, newer: str | None = None, words: str = ""
) -> BugsAnswer:
    question = Question(words, read(older), read(newer) if newer else None)
    return answer(question, ledger, load_known_changes(Checkout(root).known_changes))


def ids(findings: BugsAnswer, effect: Effect) -> set[str]:
    return {finding.bug.id for finding in findings.with_effect(effect)}


def measured_grid(root: Path) -> dict[JdkVersion, dict[str, str]]:
    """What each bug did on each build, by test/GRID.md: R, · or -."""
    marks: dict[JdkVersion, dict[str, str]] = {}
    builds: list[JdkVersion] = []
    for line in (root / "test" / "GRID.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| bug |"):
            builds = [parse(cell.split("<br>")[1]) for cell in cells[1:]]
        elif match := re.match(r"\| \[(\d{7})\]", line):
            for build, mark in zip(builds, cells[1:], strict=True):
                marks.setdefault(build, {})[f"JDK-{match[1]}"] = mark
    return marks


def differing_pairs(root: Path) -> list[tuple[JdkVersion, JdkVersion]]:
    """The neighbouring builds of a line that differ most in what was measured."""
    grid = measured_grid(root)
    pairs = [(a, b) for a, b in pairwise(sorted(grid)) if a.train == b.train]

    def count_differences(pair: tuple[JdkVersion, JdkVersion]) -> int:
        older, newer = (grid[build] for build in pair)
        return sum({older[bug], newer[bug]} == {"R", "·"} for bug in older)

    return sorted(pairs, key=count_differences, reverse=True)[:PAIRS]


def test_each_update_fixes_and_brings_what_two_runs_show(root: Path, ledger: Ledger) -> None:
    """Of the twelve pairs of neighbouring builds with the most differences; `-`: not applicable."""
    grid = measured_grid(root)
    pairs = differing_pairs(root)
    assert len(pairs) == PAIRS
    differences, effects = [], 0
    for older, newer in pairs:
        findings = ask(ledger, root, str(older), str(newer))
        effect_of = {finding.bug.id: finding.effect for finding in findings.bugs}
        for bug in grid[older]:
            marks = grid[older][bug] + grid[newer][bug]
            measured_effect = {"R·": Effect.FIXES, "·R": Effect.BRINGS, "RR": Effect.STAYS}
            effect = effect_of.get(bug, Effect.ABSENT)
            if not set(marks) <= {"R", "·"} or len(marks) != 2 or effect is Effect.UNKNOWN:
                continue
            effects += effect in (Effect.FIXES, Effect.BRINGS)
            if effect is not measured_effect.get(marks, Effect.ABSENT):
                differences.append((str(older), str(newer), bug, marks, effect))
    assert effects > 50  # or the builds of the grid are alike
    assert differences == []


def test_a_field_report(root: Path, ledger: Ledger) -> None:
    findings = ask(ledger, root, "17.0.5", "17.0.19")
    assert {"JDK-8293562", "JDK-8054022"} <= ids(findings, Effect.FIXES)
    assert "JDK-8212136" in ids(findings, Effect.STAYS)
    changes = {finding.change.bug: finding.is_sure for finding in findings.changes}
    assert changes["JDK-8065422"]  # in 17.0.6
    assert "JDK-8277608" not in changes  # since 17.0.4
    assert changes["JDK-8245545"]
    later = {
        finding.change.bug: finding.is_sure
        for finding in ask(ledger, root, "17.0.17", "17.0.19").changes
    }
    assert not later["JDK-8245545"]  # in 17.0.19, not in 17.0.15: nobody knows of 17.0.17


def test_a_release_is_all_of_its_builds(root: Path, ledger: Ledger) -> None:
    """People write 17.0.12; measured was 17.0.12+7, which is that release."""
    assert "JDK-8292044" in ids(ask(ledger, root, "17.0.12", "17.0.13"), Effect.FIXES)


def test_a_change_of_updates_alone_is_in_no_later_train(root: Path, ledger: Ledger) -> None:
    """HttpURLConnection of 11 and 17 has an Accept header that later ones never had."""
    for version, is_there in (("17.0.19", True), ("21.0.8", False), ("26", False)):
        question = Question(words="8339470", version=parse(version))
        changes = answer(question, ledger, load_known_changes(Checkout(root).known_changes)).changes
        assert [change.of_version for change in changes] == [is_there]


def test_an_update_brings_bugs(root: Path, ledger: Ledger) -> None:
    findings = ask(ledger, root, "17.0.4", "17.0.5")
    assert ids(findings, Effect.BRINGS) == {"JDK-8291637"}
    assert ids(ask(ledger, root, "8u345", "8u352"), Effect.BRINGS) >= {"JDK-8282600"}


def test_unknown_is_told_as_unknown(root: Path, ledger: Ledger) -> None:
    findings = ask(ledger, root, "17.0.17")
    assert "JDK-8311644" in ids(findings, Effect.UNKNOWN)
    assert re.search(r"JDK-8311644 .*fixed between 17\.0\.15 and 17\.0\.19", bug_list(findings)), (
        bug_list(findings)
    )


def test_a_lock_that_needs_no_tls_1_3_is_there_before_it(root: Path, ledger: Ledger) -> None:
    """One reproducer of JDK-8293562 shows it over plain HTTP."""
    assert "JDK-8293562" in ids(ask(ledger, root, "11.0.2"), Effect.HITS)


def test_the_worst_come_first(root: Path, ledger: Ledger) -> None:
    severities = [finding.bug.severity for finding in ask(ledger, root, "17.0.5").bugs]
    assert severities[0] == "hangs"
    assert severities[-1] == "cosmetic"
    order = ["hangs", "wrong-data", "slow", "fails", "cosmetic"]
    assert severities == sorted(severities, key=lambda severity: order.index(str(severity)))


@pytest.mark.parametrize(
    ("older", "newer", "reason"),
    [
        ("17.0.19", "17.0.5", "--to 17.0.5: older than 17.0.19; use --on 17.0.5 --to 17.0.19"),
        ("11.0.19", "17.0.5", "; use an update of 11, or ask for each alone"),
        ("17.0.13", "17.0.13", "--to 17.0.13: is --on itself; accepted: an update of it"),
        ("6", None, "--on 6: the ledger begins with 8"),
    ],
)
def test_versions_that_do_not_fit(
    root: Path, ledger: Ledger, older: str, newer: str | None, reason: str
) -> None:
    versions = parse(older), parse(newer) if newer else None
    changes = load_known_changes(Checkout(root).known_changes)
    with pytest.raises(UsageError) as error:
        answer(Question("", *versions), ledger, changes)
    assert reason in str(error.value)


@pytest.mark.parametrize(
    ("version", "newest"),
    [
        ("17.0.99", "17.0.21.1"),
        ("13.0.9", "13"),
        ("29.0.1", "28"),
        ("99", "28"),
        ("17.0.5", None),
    ],
)
def test_what_is_newer_than_the_ledger_is_said(
    root: Path, ledger: Ledger, version: str, newest: str | None
) -> None:
    findings = ask(ledger, root, version)
    line = "release" if newest == "28" else version.split(".")[0]
    note = f"Note: {newest} is the newest {line} that the ledger has data of"
    assert (note in bug_list(findings)) is (newest is not None)


@pytest.mark.parametrize(
    ("version", "is_line"), [("17", True), ("8", True), ("17.0.1", False), ("17-ea", False)]
)
def test_a_line_is_taken_as_its_first_release(
    root: Path, ledger: Ledger, version: str, is_line: bool
) -> None:
    note = f"Note: {version} is taken as the first release of its line; "
    assert (note in bug_list(ask(ledger, root, version))) is is_line

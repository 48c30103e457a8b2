# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Of a suite of the user's, what differs between builds is the result, and nothing else."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from jdkmatrix.cli.app import main
from jdkmatrix.cli.run import exit_code
from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.grading.cases.kinds import with_cases
from jdkmatrix.grading.cell_outcome import suite_outcome_of
from jdkmatrix.grading.whole_run import assemble
from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.paths import Checkout
from jdkmatrix.records.record import CellRecord
from jdkmatrix.records.request import Request
from jdkmatrix.records.store import RunFolder
from jdkmatrix.report.console.cases import print_cases
from jdkmatrix.report.page.overall import Overall, Tone, overall
from jdkmatrix.report.written_reports import render
from jdkmatrix.results.case import CaseStatus
from jdkmatrix.results.document import Results
from jdkmatrix.verdict.grade import grade_without_expectation
from jdkmatrix.verdict.suite_differences import differences
from jdkmatrix.vocabulary import Grade, Outcome, Status
from jdkmatrix.words.runs import headline
from tests.conftest import FIXTURES
from tests.flow.shard_kit import PLAN, SHARDS, change, store
from tests.report.conftest import TEST, make_cell, make_results

FAILED, PASSED = Outcome.REPRODUCED, Outcome.NOT_REPRODUCED


def suite_results(*outcomes: Outcome) -> Results:
    cells = tuple(
        make_cell(f"temurin-17.0.{n}", outcome, "unknown", grade=grade_without_expectation(outcome))
        for n, outcome in enumerate(outcomes)
    )
    rows = differences((cell.build, cell.test, cell.outcome) for cell in cells)
    return make_results(*cells, suite="/suite", differences=rows)


@pytest.mark.parametrize(
    ("outcomes", "differ", "code"),
    [
        ((PASSED, PASSED), False, 0),
        ((FAILED, FAILED), False, 0),
        ((PASSED, FAILED), True, 1),
        ((PASSED, Outcome.ERROR), False, 2),
        ((FAILED, Outcome.ERROR), False, 2),
        ((PASSED, Outcome.ERROR, FAILED), True, 1),
        ((PASSED, Outcome.NOT_APPLICABLE), False, 0),
        ((Outcome.ERROR, Outcome.ERROR), False, 2),
        ((Outcome.NOT_APPLICABLE, Outcome.ERROR), False, 2),
        ((Outcome.NOT_APPLICABLE, Outcome.NOT_APPLICABLE), False, 3),
        ((PASSED,), False, 0),
    ],
    ids=str,
)
def test_exit_code_1_means_a_difference(
    outcomes: tuple[Outcome, ...], differ: bool, code: int
) -> None:
    results = suite_results(*outcomes)
    assert [difference.test for difference in results.differences] == ([TEST] if differ else [])
    assert exit_code(results, strict=False) == code
    assert ("**differs between builds**" in render(results)["report.md"]) == differ


def test_the_report_says_passed_and_failed() -> None:
    text = render(suite_results(PASSED, FAILED))["report.md"]
    assert text.startswith("# 1 of 1 test differs between 2 builds (1 passed, 1 failed).")
    assert "  * temurin-17.0.0: passed: Requests waited" in text
    assert "* temurin-17.0.1: failed: Requests waited" in text


@pytest.mark.parametrize("elsewhere", [(), (Outcome.NOT_APPLICABLE,)])
def test_tests_on_one_build_alone_are_not_called_good(elsewhere: tuple[Outcome, ...]) -> None:
    lone = suite_results(PASSED, *elsewhere)
    assert overall(lone) == Overall(Tone.OPEN, "tests on one build alone")
    assert headline(lone).startswith("Nothing was compared (1 passed")
    alone = suite_results(PASSED)
    assert overall(alone) == Overall(Tone.OPEN, "tests on one build alone")
    line = "Nothing was compared (1 passed). Not compared: 1 test on one build alone."
    assert headline(alone) == line
    pair = [
        cell.model_copy(update={"test": "net/Other.java"})
        for cell in suite_results(PASSED, PASSED).cells
    ]
    mixture = make_results(*alone.cells, *pair, suite="/suite")
    assert overall(mixture).tone is Tone.OPEN
    line = "Same on all 2 builds (3 passed). Not compared: 1 test on one build alone."
    assert headline(mixture) == line
    assert overall(make_results(*pair, suite="/suite")) == Overall(Tone.GOOD, "no difference")


def test_what_differs_in_a_shard_is_told(tmp_path: Path) -> None:
    place = tmp_path / "shard"
    store(place, SHARDS[0], 1)
    change(place, request=Request(suite="/suite", shard="1/3"))
    folder = RunFolder.open(place)
    results = assemble(folder.read_run(), folder, Rulebook.load(Checkout.current()))
    assert [difference.test for difference in results.differences] == [PLAN[0][0].test]
    assert exit_code(results, strict=False) == 1


def test_an_error_beside_a_verdict_is_told_and_fails_its_case() -> None:
    results = suite_results(PASSED, Outcome.ERROR)
    assert [cell.build for cell in results.not_compared] == ["temurin-17.0.1"]
    assert "* **not compared**: temurin-17.0.1 " in render(results)["report.md"]
    statuses = [case.status for case in results.cases]
    assert statuses[:2] == [CaseStatus.PASSED, CaseStatus.ERROR]
    assert overall(results).word == "cells without a verdict"


def test_errors_for_one_reason_are_told_once() -> None:
    cells = [
        cell.model_copy(update={"test": f"net/{name}.java", "reason": reason})
        for name, reason in (("A", "no jtreg."), ("B", "no jtreg."), ("C", "no class."))
        for cell in suite_results(Outcome.ERROR, Outcome.ERROR).cells
    ]
    out = io.StringIO()
    print_cases(Console(file=out, width=200), with_cases(make_results(*cells, suite="/suite")))
    lines = [line for line in out.getvalue().splitlines() if "rerun:" not in line]
    assert lines[:4] == [
        "not compared: temurin-17.0.0 net/A.java: no jtreg.",
        "    3 more for the same reason",
        "not compared: temurin-17.0.0 net/C.java: no class.",
        "    1 more for the same reason",
    ]


def test_an_error_on_every_build_is_told_beside_what_was_compared() -> None:
    pair = suite_results(PASSED, PASSED).cells
    errors = [
        cell.model_copy(update={"test": "net/Errs.java"})
        for cell in suite_results(Outcome.ERROR, Outcome.ERROR).cells
    ]
    results = with_cases(make_results(*pair, *errors, suite="/suite"))
    assert [cell.test for cell in results.not_compared] == ["net/Errs.java"] * 2
    assert exit_code(results, strict=False) == 2
    assert "* **not compared**: temurin-17.0.0 net/Errs.java" in render(results)["report.md"]


@pytest.mark.parametrize("outcome", list(Outcome))
def test_nothing_is_a_surprise_by_itself(outcome: Outcome) -> None:
    grade = grade_without_expectation(outcome)
    is_skipped = outcome is Outcome.NOT_APPLICABLE
    assert grade is (Grade.SKIPPED if is_skipped else Grade.RECORDED)
    assert not grade.is_surprise


@pytest.mark.parametrize(
    ("status", "end", "artifacts", "outcome"),
    [
        (Status.PASSED, ChildEnd.FINISHED, (), PASSED),
        (Status.FAILED, ChildEnd.FINISHED, (), FAILED),
        (Status.SKIPPED, ChildEnd.FINISHED, (), Outcome.NOT_APPLICABLE),
        (Status.ERROR, ChildEnd.FINISHED, (), Outcome.ERROR),
        (Status.NOT_RUN, ChildEnd.FINISHED, (), Outcome.ERROR),
        (Status.PASSED, ChildEnd.TIMEOUT, (), Outcome.ERROR),
        (Status.FAILED, ChildEnd.FINISHED, ("hs_err_pid7.log",), Outcome.ERROR),
        (Status.PASSED, ChildEnd.FINISHED, ("hs_err_pid7.log",), PASSED),
        (Status.SKIPPED, ChildEnd.FINISHED, ("hs_err_pid7.log",), Outcome.NOT_APPLICABLE),
    ],
)
def test_jtregs_word_counts_unless_something_broke(
    status: Status, end: ChildEnd, artifacts: tuple[str, ...], outcome: Outcome
) -> None:
    cell = CellRecord(
        build="b",
        test="t.java",
        ended=end,
        status=status,
        status_text="x",
        seconds=1,
        test_seconds=1,
        artifacts=artifacts,
    )
    assert suite_outcome_of(cell).outcome is outcome


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("--suite {tmp}/nix", "--suite {tmp}/nix: no TEST.ROOT; accepted: a jtreg suite's root"),
        ("--suite {tmp}", "--suite {tmp}: no TEST.ROOT; accepted: a jtreg suite's root"),
        ("--suite {tmp}/empty", "--suite {tmp}/empty: no tests; accepted: files with an @test tag"),
        ("--suite {own} --bug 8293562", "--bug and --suite: accepted: one of them"),
        ("--suite {own} --test nix", "--test nix: no such test; accepted: NeedsSeventeen.java"),
        (
            "--suite {own} --test :nix",
            "--test :nix: no such group in TEST.groups; accepted: :quick",
        ),
    ],
)
@pytest.mark.parametrize("command", ["run", "plan"])
def test_bad_suites_get_one_line(
    command: str, arguments: str, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "TEST.ROOT").touch()
    (tmp_path / "empty" / "Commented.java").write_text("// @test\nclass Commented { }\n")
    places = {"tmp": tmp_path, "own": FIXTURES / "own-suite"}
    assert main([command, *arguments.format(**places).split()]) == 4
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert line.format(**places) in err

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What was run again is shown with all of its attempts, and what was not says so."""

import io
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from jdkmatrix.cli.run import exit_code
from jdkmatrix.grading.judged_build import validation_of
from jdkmatrix.history.answer import GradeChange
from jdkmatrix.history.history_words import LETTERS, is_loud
from jdkmatrix.history.tracks import GRAVEST
from jdkmatrix.records.comparison_record import ComparisonRecord, ThroughputRecord
from jdkmatrix.report.combined_runs import combine_runs
from jdkmatrix.report.console.display import GRADE_STYLES, Display
from jdkmatrix.report.console.summary import print_summary
from jdkmatrix.report.sample_report import sample_of
from jdkmatrix.report.written_reports import render
from jdkmatrix.results.case import CaseStatus
from jdkmatrix.results.document import AttemptResult, CellResult, Results
from jdkmatrix.vocabulary import Grade, SpeedGrade
from tests.history.kit import made_speed
from tests.report.conftest import make_cell, make_results
from tests.run.samples.conftest import make_scenario

BUILD = "temurin-17.0.9+9"
HOME = f"cells/{BUILD}/keepalive/X"
FLAKY = "Reproduced in 1 of 2 attempts, not-reproduced in 1: flaky."


def make_attempts(
    outcomes: str, grade: str, confirmation: str, expectation: str = "fixed"
) -> CellResult:
    words = {"R": "reproduced", "N": "not-reproduced", "?": "inconclusive"}
    cells = [make_cell(BUILD, words[letter], expectation) for letter in outcomes]
    attempts = tuple(
        AttemptResult(
            outcome=attempt.outcome,
            grade=attempt.grade,
            reason=f"Reason {n}.",
            seconds=n,
            flags=(),
            folder=HOME if n == 1 else f"{HOME}/attempt-{n}",
        )
        for n, attempt in enumerate(cells, 1)
    )
    changes: dict[str, Any] = {
        "grade": Grade(grade),
        "attempts": attempts,
        "confirmation": confirmation,
    }
    return cells[0].model_copy(update=changes)


def summary(results: Results) -> str:
    out = io.StringIO()
    print_summary(Console(file=out, width=160), results, Path("/run"))
    return out.getvalue()


def test_a_flaky_cell_is_never_swallowed() -> None:
    results = make_results(make_attempts("RN", "flaky", FLAKY))
    assert exit_code(results, strict=False) == 1
    assert FLAKY in summary(results)
    (case, _) = results.cases
    assert (case.status, case.grade) == (CaseStatus.FAILED, "flaky")
    assert case.sentences[1] == FLAKY
    assert case.sentences[-1] == "Attempt 2: not-reproduced: Reason 2."
    reports = render(results)
    for name in ("index.html", "report.md"):
        assert FLAKY in reports[name]
        assert "Reason 2." in reports[name]
    assert f'href="{HOME}/attempt-2/"' in reports["index.html"]
    assert set(Grade) == set(GRADE_STYLES)
    assert {*Grade, *SpeedGrade} <= set(LETTERS)
    assert set(Grade) <= set(GRAVEST)
    assert is_loud("flaky", GradeChange.model_construct(baseline=""))


def test_what_became_as_expected_is_shown_too() -> None:
    confirmation = "Not-reproduced in 1 of 2 attempts, 1 without a verdict."
    results = make_results(make_attempts("?N", "as-expected", confirmation))
    assert exit_code(results, strict=False) == 0
    line = f"as-expected: {BUILD} RequestsBlockedWhileConnectionCloses: {confirmation}"
    assert line in summary(results).splitlines()
    reports = render(results)
    assert f"* {line}" in reports["report.md"]
    assert confirmation in reports["index.html"]


def test_what_was_not_run_again_is_counted() -> None:
    confirmed_cell = make_attempts("RRR", "regression", "Reproduced in 3 of 3 attempts.")
    single_cell = make_cell(BUILD, "reproduced", "fixed", test="keepalive/Y.java")
    sentence = f"not confirmed: 1 result of {BUILD}, as 1 other of it was run again"
    assert sentence in summary(make_results(confirmed_cell, single_cell))
    assert "not confirmed" not in summary(make_results(confirmed_cell))
    assert "not confirmed" not in summary(
        make_results(single_cell)
    )  # with --no-confirm it says so itself


def test_progress_of_what_is_run_again() -> None:
    out = io.StringIO()
    with Display(Console(file=out, width=160)) as display:
        display.plan_cells(["x.java"], {"x.java": 1.0})
        display.cell_ended(make_cell(BUILD, "reproduced", "fixed"), is_rerun=True)
        display.confirming(1, 41.2)
        display.attempt_ended(1, 1, make_attempts("RN", "flaky", FLAKY))
    row, reason, rerun_line, attempt, confirmation = out.getvalue().splitlines()
    assert " regression: bug present " in row
    assert row.split()[-3:] == ["present", "20.5", "s"]
    assert reason.strip().startswith("to be confirmed: Requests waited")
    assert rerun_line == (
        "# again: 1 result not as expected or suspicious, one at a time, about 41 s at most"
    )
    assert attempt.startswith("[again 1/1]")
    assert " flaky: bug absent " in attempt
    assert confirmation.strip() == FLAKY


def test_folders_of_attempts_are_seen_from_above_and_gone_from_a_sample() -> None:
    run = make_results(make_attempts("RN", "flaky", FLAKY))
    (cell,) = combine_runs("all", {"a": run}).cells
    assert [attempt.folder for attempt in cell.attempts] == [f"a/{HOME}", f"a/{HOME}/attempt-2"]
    (cell,) = sample_of(run).cells
    assert [attempt.folder for attempt in cell.attempts] == ["", ""]


@pytest.mark.parametrize(
    ("cell", "verdict"),
    [
        (make_attempts("RN", "flaky", FLAKY), "bad"),
        (make_attempts("NR", "flaky", FLAKY, "affected"), "undecided"),
        (make_attempts("?N", "as-expected", ""), "good"),
    ],
)
def test_a_flaky_build_is_never_called_good(cell: CellResult, verdict: str) -> None:
    (speed,) = made_speed(1, 1.0).throughput
    comparison = ComparisonRecord(
        scenario_name=speed.scenario,
        scenario=make_scenario(),
        client=speed.client,
        layer=speed.layer,
        builds=(speed.build, speed.baseline),
        baseline=speed.baseline,
    )
    plan = ThroughputRecord(
        seed=1,
        blocks=speed.blocks,
        minimum_effect=speed.minimum_effect,
        validates=(speed.build, speed.baseline),
        comparisons=(comparison,),
    )
    results = make_results(cell, throughput=(speed,))
    assert validation_of(results, plan).verdict == verdict

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A run's cases agree with its exit code: whatever makes it 1 or 2 fails a case, nothing else."""

import pytest

from jdkmatrix.cli.run import exit_code
from jdkmatrix.errors import ExitCode
from jdkmatrix.report.ci.github import annotations
from jdkmatrix.report.page.overall import Tone, overall
from jdkmatrix.results.case import CaseStatus
from jdkmatrix.results.document import BuildFault, BuildFaultKind, Results
from jdkmatrix.verdict.suite_differences import differences
from jdkmatrix.vocabulary import Grade
from tests.report.conftest import CAUSE, make_cell, make_results
from tests.report.speed_kit import make_point, make_speed, make_validation

FINE = make_cell("temurin-17.0.7+7", "not-reproduced", "fixed")
FAULT = BuildFault(
    build="b-17",
    kind=BuildFaultKind.BROKEN_PROMISE,
    about="tls13",
    sentence="TLS 1.3 is not to be had.",
    rerun="scripts/matrix run --build b-17",
)
FLAG = "Its recording shows JDK-8293562, which this build must not have: 12 threads waited."


@pytest.mark.parametrize(
    ("results", "status", "word"),
    [
        (make_results(make_cell("b-17", "reproduced", "affected")), "passed", "as-expected"),
        (make_results(make_cell("b-17", "not-reproduced", "fixed")), "passed", "as-expected"),
        (make_results(make_cell("b-17", "reproduced", "unknown")), "passed", "recorded"),
        (make_results(make_cell("b-17", "reproduced", "fixed")), "failed", "regression"),
        (make_results(make_cell("b-17", "not-reproduced", "affected")), "failed", "unexpected-fix"),
        (make_results(make_cell("b-17", "inconclusive", "fixed")), "error", "inconclusive"),
        (make_results(make_cell("b-17", "error", "fixed")), "error", "error"),
        (make_results(make_cell("b-17", "not-applicable", "fixed"), FINE), "skipped", "skipped"),
        (
            make_results(make_cell("b-17", "not-reproduced", "fixed", flags=(FLAG,))),
            "failed",
            "flagged",
        ),
        (make_results(FINE, build_faults=(FAULT,)), "failed", "broken-promise"),
        (make_results(throughput=(make_speed("slower"),)), "failed", "slower"),
        (make_results(throughput=(make_speed("slower", "affected"),)), "passed", "slower"),
        (make_results(throughput=(make_speed("faster"),)), "passed", "faster"),
        (make_results(throughput=(make_speed("no-change"),)), "passed", "no-change"),
        (make_results(throughput=(make_speed("within-limit"),)), "passed", "within-limit"),
        (make_results(throughput=(make_speed("inconclusive"),)), "skipped", "inconclusive"),
        (make_results(FINE, complete=False), "error", "not complete"),
        (make_results(law=(make_point(1_234.5),)), "passed", "measured"),
    ],
)
def test_each_verdict_has_its_status(results: Results, status: str, word: str) -> None:
    cases = [case for case in results.cases if case.grade != "unavailable"]
    assert [(str(case.status), case.grade) for case in cases if case.build != FINE.build] == [
        (status, word)
    ]
    bad = any(case.is_bad for case in cases)
    assert bad == (exit_code(results, strict=False) in (ExitCode.SURPRISE, ExitCode.MACHINE))


@pytest.mark.parametrize(
    ("verdict", "status"), [("good", "passed"), ("bad", "failed"), ("undecided", "error")]
)
def test_a_validation_is_a_case_of_its_build(verdict: str, status: str) -> None:
    results = make_results(FINE, validation=make_validation(verdict), unavailable=())
    case, bugs = results.cases[-2:]
    assert bugs.name == "bugs against temurin-17.0.7+7"
    assert bugs.status is case.status
    assert (case.build, str(case.status), case.grade) == ("temurin-17.0.9+9", status, verdict)
    assert case.is_bad == (exit_code(results, strict=False) != ExitCode.OK)


def suite(*outcomes: tuple[str, str, str]) -> Results:
    """A run of a suite of the user's own: build, test, outcome of each cell."""
    cells = [
        make_cell(build, outcome, "unknown", test=test, grade=Grade.RECORDED)
        for build, test, outcome in outcomes
    ]
    suite_differences = differences((cell.build, cell.test, cell.outcome) for cell in cells)
    return make_results(*cells, suite="/suite", differences=suite_differences, unavailable=())


def test_a_test_of_a_suite_that_differs_fails_the_run_and_is_named_by_its_path() -> None:
    results = suite(
        ("b-17", "a/Basic.java", "not-reproduced"),
        ("b-21", "a/Basic.java", "reproduced"),
        ("b-17", "b/Basic.java", "not-reproduced"),
        ("b-21", "b/Basic.java", "not-reproduced"),
    )
    *cells, difference = results.cases
    assert len({(case.build, case.name) for case in cells}) == 4
    assert not any(case.is_bad for case in cells)
    assert (difference.name, difference.grade) == ("a/Basic.java", "differs between builds")
    assert difference.sentences[0] == "passed on b-17, failed on b-21."
    assert difference.is_bad
    assert exit_code(results, strict=False) == ExitCode.SURPRISE
    assert "::error title=" in next(annotations(results))


def test_what_no_build_of_a_suite_passes_is_called_neither_passed_nor_failed() -> None:
    passes = ("b-21", "b.java", "not-reproduced")
    for outcome, status, word in (
        ("reproduced", "skipped", "failed"),
        ("error", "error", "not compared"),
    ):
        outcomes = (("b-17", "a.java", outcome), ("b-21", "a.java", outcome))
        case, *_ = suite(*outcomes, passes).cases
        assert (str(case.status), case.grade) == (status, word)


@pytest.mark.parametrize(
    "results",
    [
        make_results(throughput=(make_speed("no-change", stop_reason="The peer ended."),)),
        make_results(FINE, throughput=(make_speed("faster", stop_reason="The peer ended."),)),
        make_results(FINE, law=(make_point(),)),
    ],
)
def test_what_was_not_measured_to_its_end_is_no_good_run(results: Results) -> None:
    assert any(case.is_bad for case in results.cases)
    assert exit_code(results, strict=False) == ExitCode.MACHINE
    assert overall(results).tone is Tone.OPEN


def test_an_unavailable_build_is_skipped_with_each_source_s_reason() -> None:
    (case,) = make_results().cases
    assert (case.build, case.status) == ("debian-8", CaseStatus.SKIPPED)
    assert case.sentences == ("No source could provide it: debian: no mirror",)


def test_a_cell_says_reason_cause_and_flags_in_the_report_s_words() -> None:
    cell = make_cell("temurin-17.0.9+9", "reproduced", "fixed", flags=(FLAG,))
    assert make_results(cell).cases[0].sentences == (cell.reason, CAUSE, FLAG)

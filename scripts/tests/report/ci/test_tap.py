# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""AQAvit reads each case once, by a parser of TAP 13 that is not ours."""

from tap.line import Plan, Result, Version
from tap.parser import Parser

from jdkmatrix.report.ci.tap import tap
from jdkmatrix.results.document import Results
from tests.report.ci.test_junit import ODD, make_all_kinds
from tests.report.conftest import CAUSE, make_cell, make_results


def parse_tap(results: Results) -> list[Result]:
    version, plan, *lines = Parser().parse_text(tap(results))
    assert isinstance(version, Version)
    assert isinstance(plan, Plan)
    assert plan.expected_tests == len(lines)
    assert all(isinstance(line, Result) for line in lines)
    return list(lines)


def test_every_kind_of_verdict_is_one_line() -> None:
    lines = parse_tap(make_all_kinds())
    assert [line.number for line in lines] == list(range(1, 16))
    assert sum(not line.ok for line in lines) == 8
    assert sum(line.skip for line in lines) == 3


def test_a_surprise_says_why_and_how_to_see_it_again() -> None:
    cell = make_cell("temurin-17.0.9+9", "reproduced", "fixed", reason=ODD)
    line = parse_tap(make_results(cell))[0]
    assert line.description == (
        "- temurin-17.0.9+9 RequestsBlockedWhileConnectionCloses (JDK-8293562)"
    )
    assert line.yaml_block == {
        "duration_ms": 20_500,
        "grade": "regression",
        "reason": ODD.replace("\ud800", "\ufffd"),
        "evidence": [CAUSE],
        "rerun": cell.rerun,
    }


def test_a_skipped_case_says_why() -> None:
    line = parse_tap(make_results(make_cell("b-17", "not-applicable", "fixed", reason="No #1.")))[0]
    assert line.skip
    assert line.directive.reason == "skipped: No #1."

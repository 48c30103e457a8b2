# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""CI servers see each cell once: what is a surprise fails, what was skipped is skipped."""

from xml.etree import ElementTree

import pytest

from jdkmatrix.report.junit import junit_xml, tap
from tests.report.conftest import make_cell, make_results


@pytest.mark.parametrize(
    ("outcome", "expectation", "element"),
    [
        ("reproduced", "affected", None),
        ("not-reproduced", "fixed", None),
        ("reproduced", "unknown", None),
        ("reproduced", "fixed", "failure"),
        ("not-reproduced", "affected", "failure"),
        ("inconclusive", "fixed", "failure"),
        ("error", "fixed", "error"),
        ("not-applicable", "fixed", "skipped"),
    ],
)
def test_each_grade_has_its_element(outcome: str, expectation: str, element: str | None) -> None:
    cell = make_cell("temurin-17.0.9+9", outcome, expectation)
    (suite,) = ElementTree.fromstring(junit_xml(make_results(cell)))
    case = suite.find("testcase")
    assert case is not None
    assert [child.tag for child in case] == ([element] if element else [])
    counted = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counted["tests"] == "1"
    assert sum(int(counted[name] or 0) for name in ("failures", "errors", "skipped")) == len(case)
    line = tap(make_results(cell)).splitlines()[2]
    assert line.startswith("not ok 1 - " if element in ("failure", "error") else "ok 1 - ")
    assert (" # SKIP " in line) == (element == "skipped")


def test_a_suite_a_build_and_the_reason_and_rerun_line_of_a_surprise() -> None:
    cell = make_cell("temurin-17.0.9+9", "reproduced", "fixed", reason="broke: \x00 # <&")
    fine = make_cell("temurin-17.0.7+7", "not-reproduced", "fixed")
    results = make_results(cell, fine)
    suites = ElementTree.fromstring(junit_xml(results))
    assert [suite.get("name") for suite in suites] == ["temurin-17.0.9+9", "temurin-17.0.7+7"]
    failure = suites.find(".//failure")
    assert failure is not None
    assert failure.get("message") == "broke: \ufffd # <&"
    assert cell.rerun in (failure.text or "")
    assert f'  rerun: "{cell.rerun}"' in tap(results)

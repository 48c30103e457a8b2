# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are rows shown that differ within a train, and the others counted?"""

from jdkmatrix.grading.cases.kinds import with_cases
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.report.page.grid import grid_of
from jdkmatrix.report.page.page import render_page
from jdkmatrix.report.page.row_grids import RowGrid, row_grids_of
from jdkmatrix.results.case import CaseStatus
from jdkmatrix.results.document import CellResult, EvidenceResult, Results, RowResult
from jdkmatrix.vocabulary import Expectation, Grade, Outcome, RowStatus
from tests.grading.test_whole_run import build, make_results

LOST = "client/resumed/TLSv1.3/any/rsa/any/SSLSocket/jsse/1"
KNOWN = "client/full/TLSv1.2/TLS_RSA_WITH_AES_256_CBC_SHA/rsa/any/SSLSocket/jsse/1"
SAME = "client/full/TLSv1.3/any/rsa/any/SSLSocket/jsse/1"


VERSIONS = ("17.0.9", "17.0.20")


def describe_build(version: str) -> BuildRecord:
    facts = {"version": version, "vm_name": "Server VM"}
    return build(version).model_copy(update={"facts": facts})


def row(name: str, status: str, grade: Grade, bug: str | None = None) -> RowResult:
    bad = status != "passed"
    return RowResult(
        row=name,
        status=RowStatus(status),
        grade=grade,
        said="resumed is <false>" if bad else None,
        alert=None,
        ms=20,
        change="failed, but passed on x" if bad else None,
        known=bug,
    )


def cell(version: str, *rows: RowResult) -> CellResult:
    return CellResult(
        build=build(version).id,
        test="interop/ClientRows.java",
        bug=None,
        expectation=Expectation.UNKNOWN,
        outcome=Outcome.NOT_REPRODUCED,
        grade=Grade.AS_EXPECTED,
        seconds=1,
        test_seconds=1,
        cpu_s=1,
        waited_s=0,
        reason="3 rows.",
        rerun="scripts/matrix run",
        evidence=EvidenceResult(),
        artifacts=(),
        attempt=1,
        rows=rows,
    )


def two_builds() -> Results:
    old = cell(
        "17.0.9",
        row(LOST, "passed", Grade.AS_EXPECTED),
        row(KNOWN, "passed", Grade.AS_EXPECTED),
        row(SAME, "passed", Grade.AS_EXPECTED),
    )
    new = cell(
        "17.0.20",
        row(LOST, "failed", Grade.REGRESSION),
        row(KNOWN, "failed", Grade.AS_EXPECTED, "JDK-8245545"),
        row(SAME, "passed", Grade.AS_EXPECTED),
    )
    return with_cases(
        make_results(old, new).model_copy(update={"builds": tuple(map(describe_build, VERSIONS))})
    )


def grids() -> tuple[RowGrid, ...]:
    whole = two_builds()
    return row_grids_of(whole, grid_of(whole))


def test_what_differs_is_shown_and_the_rest_counted() -> None:
    (grid,) = grids()
    full, resumed_rows = grid.features
    assert (full.name, full.alike, full.wants_a_look) == ("client/full", "1 passed", False)
    assert [line.bugs for line in full.lines] == [("JDK-8245545",)]
    assert (resumed_rows.name, resumed_rows.alike, resumed_rows.wants_a_look) == (
        "client/resumed",
        "",
        True,
    )
    (line,) = resumed_rows.lines
    assert line.name == LOST.removeprefix("client/resumed/")
    assert [row_result and row_result.status for row_result in line.rows] == [
        RowStatus.PASSED,
        RowStatus.FAILED,
    ]


def test_the_page_opens_a_finding_alone() -> None:
    page = render_page(two_builds())
    assert "<details open><summary>client/resumed: 1 differ</summary>" in page
    assert "<details><summary>client/full: 1 differ, alike: 1 passed</summary>" in page
    assert "resumed is &lt;false&gt;" in page


def test_a_run_without_rows_has_no_such_part() -> None:
    assert 'id="rows"' not in render_page(make_results(cell("17.0.9")))


def test_each_row_is_a_case_of_a_ci_server() -> None:
    cases = [case for case in two_builds().cases if case.group == "interoperability"]
    outcomes = {(case.build, case.name): (case.status, case.grade) for case in cases}
    new = build("17.0.20").id
    assert len(outcomes) == 6
    assert outcomes[new, LOST] == (CaseStatus.FAILED, "failed")
    assert outcomes[new, KNOWN] == (CaseStatus.SKIPPED, "JDK-8245545")
    assert outcomes[new, SAME] == (CaseStatus.PASSED, "passed")

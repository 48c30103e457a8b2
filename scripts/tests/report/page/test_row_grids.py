# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are rows shown that differ within a train, and the others counted?"""

from jdkmatrix.grading.cases.kinds import with_cases
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.report.page.grid import grid_of
from jdkmatrix.report.page.page import render_page
from jdkmatrix.report.page.row_grids import Crossing, RowGrid, row_grids_of
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


def test_what_differs_is_shown_surprises_first_and_the_rest_counted() -> None:
    (grid,) = grids()
    assert [(line.name, line.bugs, line.is_surprise) for line in grid.changes] == [
        (LOST, (), True),
        (KNOWN, ("JDK-8245545",), False),
    ]
    assert [row_result and row_result.status for row_result in grid.changes[0].rows] == [
        RowStatus.PASSED,
        RowStatus.FAILED,
    ]
    assert grid.failures == ()


def test_the_matrix_has_each_side_and_feature_what_is_odd_on_top() -> None:
    old, new = (
        cell(
            version,
            *(row(name, "passed", Grade.AS_EXPECTED) for name in (LOST, KNOWN, SAME)),
            row(SAME.replace("client", "server"), "failed", Grade.AS_EXPECTED),
        )
        for version in VERSIONS
    )
    failure = row(LOST, "failed", Grade.REGRESSION)
    new = new.model_copy(update={"rows": (failure, *new.rows[1:])})
    whole = make_results(old, new).model_copy(
        update={"builds": tuple(map(describe_build, VERSIONS))}
    )
    (grid,) = row_grids_of(whole, grid_of(whole))
    assert grid.sides == ("client", "server")
    (first, (on_client, on_server)), (second, crossings) = grid.features
    assert (first, second) == ("resumed", "full")
    assert on_client == Crossing(1, "", is_surprise=True)
    assert on_server is None
    assert [crossing and crossing.alike for crossing in crossings] == ["2 passed", "1 failed"]
    assert [line.name for line in grid.failures] == [SAME.replace("client", "server")]


def test_the_page_shows_what_changed_and_folds_the_rest() -> None:
    page = render_page(two_builds())
    rows = page.partition('<section id="rows"')[2].partition("</section>")[0]
    changes, _, rest = rows.partition("<details>")
    assert "17u: 2 rows changed" in changes
    assert '<b class="badge bad">failed</b>' in changes
    assert "resumed is &lt;false&gt;" in changes
    assert "<summary>All rows, by feature</summary>" in rest


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

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Under GitHub Actions: an annotation for each bad case, the report in the step's summary."""

import io
from pathlib import Path

import pytest

from jdkmatrix.report.ci.github import MOST_SUMMARY_BYTES, annotations, tell_github
from jdkmatrix.report.shorten import shorten
from jdkmatrix.report.written_reports import write_reports
from jdkmatrix.results.document import Results
from tests.report.conftest import CAUSE, TEST, make_cell, make_results


def test_an_annotation_is_one_escaped_line_at_the_test_s_file() -> None:
    cell = make_cell("temurin-17.0.9+9", "reproduced", "fixed", reason="50 %: a,\r\nb")
    assert list(annotations(make_results(cell))) == [
        f"::error file=test/{TEST},title=regression%3A RequestsBlockedWhileConnectionCloses on "
        f"temurin-17.0.9+9::50 %25: a,\\r%0Ab%0A{CAUSE}%0Arerun: {cell.rerun}"
    ]


def test_no_annotation_where_all_is_as_expected(results: Results) -> None:
    assert list(annotations(results)) == []


def test_what_github_would_drop_is_named_in_the_tenth() -> None:
    cells = [make_cell(f"temurin-17.0.{n}+1", "reproduced", "fixed") for n in range(12)]
    lines = list(annotations(make_results(*cells)))
    assert len(lines) == 10
    assert lines[-1].startswith("::error title=3 more::")
    assert "on temurin-17.0.11+1 (regression)" in lines[-1]
    assert len(list(annotations(make_results(*cells[:10])))) == 10


def tell(results: Results, folder: Path, environ: dict[str, str]) -> str:
    write_reports(results, folder)
    log = io.StringIO()
    tell_github(results, folder, environ, log)
    return log.getvalue()


def test_nothing_is_told_elsewhere(tmp_path: Path) -> None:
    bad = make_results(make_cell("b-17", "reproduced", "fixed"))
    assert tell(bad, tmp_path, {"GITHUB_ACTIONS": "false"}) == ""
    assert tell(bad, tmp_path, {"GITHUB_ACTIONS": "true"}).startswith("::error ")


def test_the_report_is_appended_to_what_the_step_has_said(tmp_path: Path, results: Results) -> None:
    summary = tmp_path / "summary"
    summary.write_text("before\n")
    assert tell(results, tmp_path, {"GITHUB_STEP_SUMMARY": str(summary)}) == ""
    assert summary.read_text() == "before\n" + (tmp_path / "report.md").read_text()


def test_the_summary_stays_within_github_s_limit(tmp_path: Path) -> None:
    cell = make_cell("b-17", "reproduced", "fixed", reason="ü" * 2000)
    results = make_results(*[cell] * 400)
    summary = tmp_path / "summary"
    summary.write_text("x" * 1000)
    tell(results, tmp_path, {"GITHUB_STEP_SUMMARY": str(summary)})
    text = summary.read_text()
    assert MOST_SUMMARY_BYTES - 5_000 < summary.stat().st_size <= MOST_SUMMARY_BYTES
    assert "**Cut**" in text.splitlines()[-1]


def test_a_summary_that_cannot_be_written_does_not_fail_the_run(
    tmp_path: Path, results: Results
) -> None:
    output = tell(results, tmp_path, {"GITHUB_STEP_SUMMARY": str(tmp_path / "nix" / "summary")})
    assert output.count("\n") == 1
    assert "GITHUB_STEP_SUMMARY" in output


@pytest.mark.parametrize(("most_bytes", "text"), [(0, ""), (40, ""), (10_000, "a\n" * 200)])
def test_a_text_is_cut_at_a_line_or_left_out(most_bytes: int, text: str) -> None:
    assert shorten("a\n" * 200, most_bytes) == text

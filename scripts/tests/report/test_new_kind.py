# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A kind of finding that is one line in the table of kinds is in every output, with its reason."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from jdkmatrix.cli.run import exit_code
from jdkmatrix.errors import ExitCode
from jdkmatrix.grading.cases import kinds
from jdkmatrix.grading.cases.kinds import CaseKind, with_cases
from jdkmatrix.grading.stored_results import read_results
from jdkmatrix.history.reader import HistoryQuery, answer
from jdkmatrix.history.stored_runs import add
from jdkmatrix.report.ci.github import annotations
from jdkmatrix.report.ci.junit import junit_xml
from jdkmatrix.report.ci.tap import tap
from jdkmatrix.report.console.summary import print_summary
from jdkmatrix.report.since import changes_since
from jdkmatrix.report.written_reports import render
from jdkmatrix.results.case import Case, CaseStatus
from jdkmatrix.results.document import Results
from tests.report.conftest import make_cell, make_results

BUILD = "temurin-17.0.9+9"
SENTENCE = "Its moon has no phase."


def moons_of(results: Results) -> Iterator[Case]:
    for build in results.builds:
        yield Case(
            kind="moon",
            build=build.id,
            group="sky",
            subject="phase of the moon",
            status=CaseStatus.FAILED,
            grade="moonless",
            sentence=SENTENCE,
            rerun="scripts/matrix moon",
        )


@pytest.fixture
def plain_run() -> Results:
    return make_results(make_cell(BUILD, "not-reproduced", "fixed"), unavailable=())


@pytest.fixture
def moonless_run(plain_run: Results, monkeypatch: pytest.MonkeyPatch) -> Results:
    kind = CaseKind("moon", moons_of, has_section=False)
    monkeypatch.setattr(kinds, "KINDS", (*kinds.KINDS, kind))
    return with_cases(plain_run)


def test_each_report_names_it_with_its_reason(moonless_run: Results) -> None:
    out = io.StringIO()
    print_summary(Console(file=out, width=120), moonless_run, Path("/run"))
    reports = render(moonless_run)
    outputs = {
        "console": out.getvalue(),
        "Markdown": reports["report.md"],
        "page": reports["index.html"],
        "JUnit": junit_xml(moonless_run),
        "TAP": tap(moonless_run),
        "GitHub": "\n".join(annotations(moonless_run)),
        "results.json": moonless_run.to_json(),
    }
    for name, text in outputs.items():
        assert "moonless" in text and SENTENCE in text, name


def test_it_decides_the_exit_code_and_the_page_s_first_word(
    plain_run: Results, moonless_run: Results
) -> None:
    assert exit_code(plain_run, strict=False) is ExitCode.OK
    assert exit_code(moonless_run, strict=False) is ExitCode.SURPRISE
    assert '<div class="head bad">' in render(moonless_run)["index.html"]


def test_a_night_is_told_of_it(plain_run: Results, moonless_run: Results) -> None:
    assert changes_since(plain_run, moonless_run) == (
        (f"{BUILD} phase of the moon: moonless, not run before: {SENTENCE}", 1),
    )
    assert changes_since(moonless_run, moonless_run) == ()


def test_the_history_keeps_it(tmp_path: Path, moonless_run: Results) -> None:
    add(tmp_path / "history.sqlite", moonless_run)
    changes = answer(tmp_path / "history.sqlite", HistoryQuery()).changes
    assert ("phase of the moon", "failed") in [
        (change.subject, change.new_grade) for change in changes
    ]


def test_one_of_a_newer_kit_is_kept_where_its_run_is_read(
    plain_run: Results, moonless_run: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "results.json").write_text(moonless_run.to_json())
    monkeypatch.undo()  # this kit knows no moon
    read_run = read_results(tmp_path / "results.json")
    assert read_run.cases == moonless_run.cases
    assert exit_code(read_run, strict=False) is ExitCode.SURPRISE

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The report files say what the results hold, in the same words, and the schema describes them."""

import html
import json
import re
from pathlib import Path

import jsonschema
import pytest
from rich.console import Console

from jdkmatrix.records.record import OverlayRecord
from jdkmatrix.report.console.summary import print_summary
from jdkmatrix.report.written_reports import render, write_reports
from jdkmatrix.results import document as results_module
from jdkmatrix.results.document import Results
from jdkmatrix.results.speed import RecordingEvidence
from jdkmatrix.vocabulary import Grade, Outcome
from jdkmatrix.words.runs import headline
from tests.report.big_run import big_results
from tests.report.conftest import CAUSE, make_cell, make_results


def uneven_tables(markdown: str) -> list[str]:
    """The first line of each table whose rule or a row has not as many cells as its head.

    Without an even rule it is no table, and what a row has too much is not shown (GFM, 4.10).
    """
    tables = re.findall(r"(?:^\|.*\n)+", markdown, re.MULTILINE)
    return [
        table.partition("\n")[0]
        for table in tables
        if len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) > 1
    ]


@pytest.mark.parametrize("name", ["sample", "sample-validation", "sample-services"])
def test_each_row_of_a_table_has_a_cell_for_each_head(root: Path, name: str) -> None:
    report = (root / "reports" / name / "report.md").read_text()
    assert report.count("\n| --- |") > 1
    assert uneven_tables(report) == []


def test_the_published_schema_is_the_models() -> None:
    schema_file = Path(results_module.__file__).with_name("results.schema.json")
    assert schema_file.read_text() == Results.schema_text(), "write Results.schema_text() to it"


def test_results_json_is_valid_and_reads_back(tmp_path: Path, results: Results) -> None:
    write_reports(results, tmp_path)
    text = (tmp_path / "results.json").read_text()
    jsonschema.Draft202012Validator(json.loads(Results.schema_text())).validate(json.loads(text))
    assert Results.model_validate_json(text) == results


def test_the_schema_refuses_an_unknown_grade(results: Results) -> None:
    document = json.loads(results.to_json())
    document["cells"][0]["grade"] = "fine"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(json.loads(Results.schema_text())).validate(document)


@pytest.mark.parametrize("name", ["report.md", "index.html"])
def test_every_report_has_headline_cause_outcomes_and_what_was_unavailable(
    results: Results, name: str
) -> None:
    text = html.unescape(render(results)[name])
    text = re.sub(r"\\([<>])", r"\1", text)
    assert "No surprise in 2 results on 2 builds: 2 as expected." in text
    assert CAUSE in text
    assert "not-reproduced" in text
    assert "debian: no mirror" in text


@pytest.mark.parametrize("name", ["report.md", "index.html"])
def test_a_surprise_comes_with_its_reason_and_rerun_line(name: str) -> None:
    cell = make_cell("temurin-17.0.9+9", "reproduced", "fixed")
    text = html.unescape(render(make_results(cell))[name])
    assert "1 of 1 result not as expected: 1 regression." in text
    assert cell.reason in text
    assert cell.rerun in text


def test_what_was_skipped_as_a_whole_is_no_word_in_favour_of_a_build() -> None:
    skipped_cell = make_cell("temurin-17.0.9+9", "not-applicable", "fixed")
    alone = headline(make_results(skipped_cell))
    assert alone == "Nothing was tried in 1 result on 1 build: 1 skipped."
    fine = make_cell("temurin-17.0.3+7", "reproduced", "affected")
    assert headline(make_results(fine, skipped_cell)) == (
        "No surprise in 2 results on 2 builds: 1 as expected, 1 skipped."
        " Nothing was tried on temurin-17.0.9+9."
    )


@pytest.mark.parametrize("name", ["index.html", "report.md"])
def test_a_build_of_which_little_is_recorded_is_told(name: str, results: Results) -> None:
    builds = tuple(build.model_copy(update={"facts": {}}) for build in results.builds)
    assert builds[0].version in render(results.model_copy(update={"builds": builds}))[name]


@pytest.mark.parametrize("name", ["index.html", "report.md"])
def test_what_is_laid_over_a_build_is_told(name: str, results: Results) -> None:
    sentence = "its src.zip; classes whose source the diff does not change keep the old Cache.SIZE"
    overlay = OverlayRecord(
        name="fix",
        option="--overlay-patch fix.diff",
        sha256="ab" * 32,
        java_options=(),
        note=sentence,
    )
    builds = (results.builds[0].model_copy(update={"overlay": overlay}), results.builds[1])
    text = render(results.model_copy(update={"builds": builds}))[name]
    assert f"temurin-17.0.3+7: fix is laid over it: {sentence}." in text
    assert text.count("is laid over it") == 1


def test_the_bounds_of_figures_are_json_schemas() -> None:
    definitions = json.loads(Results.schema_text())["$defs"]
    figure = definitions["Figure"]
    validator = jsonschema.Draft202012Validator({**figure, "$defs": definitions})
    row = {"name": "x_ms", "value": 1, "bound": 2.5, "unit": "ms"}
    assert validator.is_valid(row)
    for field in ("value", "bound"):
        for amount in (10**19, -(10**19), 1e19):
            assert not validator.is_valid({**row, field: amount})


def test_it_is_told_on_the_console(results: Results, capsys: pytest.CaptureFixture[str]) -> None:
    overlay = OverlayRecord(
        name="fix", option="--overlay a", sha256="", java_options=(), note="A.java: with fuzz 1"
    )
    build = results.builds[0].model_copy(update={"overlay": overlay})
    summary = results.model_copy(update={"builds": (build,)})
    print_summary(Console(width=200), summary, Path("reports/x"))
    assert f"{build.id}: fix is laid over it: A.java: with fuzz 1.\n" in capsys.readouterr().out


def test_html_escapes_what_comes_from_a_test(results: Results) -> None:
    assert "<close>" not in render(results)["index.html"]


def test_markdown_table_has_a_row_a_test_and_a_column_a_build(results: Results) -> None:
    lines = render(results)["report.md"].splitlines()
    header = lines.index("| test | temurin<br>17.0.3+7 | temurin<br>17.0.9+9 |")
    assert lines[header + 1] == "| --- | :-: | :-: |"
    assert lines[header + 2] == "| RequestsBlockedWhileConnectionCloses | R | · |"


def test_markdown_table_of_a_suite_has_tests_that_failed(results: Results) -> None:
    text = render(results.model_copy(update={"suite": "my"}))["report.md"]
    assert "\nF failed, · passed, " in text
    assert "| RequestsBlockedWhileConnectionCloses | F | · |" in text
    assert "R reproduced" not in text


def test_markdown_table_says_what_was_not_expected(results: Results) -> None:
    odd_cell = results.cells[1].model_copy(
        update={"outcome": Outcome.REPRODUCED, "grade": Grade.REGRESSION}
    )
    lines = render(results.model_copy(update={"cells": (odd_cell,)}))["report.md"].splitlines()
    assert "| RequestsBlockedWhileConnectionCloses |  | R **regression** |" in lines


@pytest.mark.parametrize("name", ["report.md", "index.html"])
def test_where_a_slower_service_runs_is_told_by_package(name: str) -> None:
    evidence = RecordingEvidence(
        cause=None,
        difference=(),
        recordings=(),
        self_time={
            "temurin-17.0.9+9": {"sun.nio.ch": 0.6, "sun.security.ssl": 0.4},
            "temurin-17.0.7+7": {"com.sun.crypto.provider": 0.75},
        },
    )
    big = big_results()
    slower = big.throughput[0].model_copy(update={"evidence": evidence})
    text = render(big.model_copy(update={"throughput": (slower,), "cells": ()}))[name]
    assert re.findall(r"(\d+) %", text[text.index("com.sun.crypto.provider") :])[:6] == [
        *("0", "75"),
        *("60", "0"),
        *("40", "0"),
    ]

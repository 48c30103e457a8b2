# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What a user sees: plain lines in a log, a live part on a terminal, a table at the end."""

import io
import re
import time
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text

from jdkmatrix.plan.blocks import Arm
from jdkmatrix.report.console import display as display_module
from jdkmatrix.report.console.display import Display
from jdkmatrix.report.console.summary import print_summary
from jdkmatrix.report.written_reports import render
from jdkmatrix.results.document import BuildFault, BuildFaultKind, Results
from jdkmatrix.words.runs import headline
from tests.report.conftest import CAUSE, make_cell, make_results
from tests.report.speed_kit import make_speed, make_validation

TEST = "keepalive/Waits.java"


def of_cells(count: int) -> tuple[list[str], dict[str, float]]:
    """A plan of so many cells, each of 60 s."""
    cell_test = make_cell("temurin-17.0.9+9", "reproduced", "fixed").test
    return [cell_test] * count, {cell_test: 60.0}


def show(results: Results) -> str:
    out = io.StringIO()
    with Display(Console(file=out, width=120)) as display:
        display.header([("kit", "0.1.0")])
        display.plan_cells(*of_cells(len(results.cells)))
        display.start("debian-17", 120 * 2**20)
        display.advance("debian-17", 60 * 2**20)
        display.finish("debian-17")
        for cell in results.cells:
            display.cell_started(cell.build, cell.test)
            display.cell_ended(cell)
    return out.getvalue()


def test_a_log_has_a_plain_line_for_each_event(results: Results) -> None:
    lines = show(results).splitlines()
    assert lines[0] == "# kit: 0.1.0"
    assert lines[1] == "fetching debian-17 (120 MiB)"
    assert lines[2].startswith("fetching debian-17 took ")
    row = "[1/2] temurin-17.0.3+7 RequestsBlockedWhileConnectionCloses ok bug present, as expected"
    assert lines[3].split() == [*row.split(), "20.5", "s"]
    assert "\x1b" not in "".join(lines)


def test_each_run_counts_its_own_cells(results: Results) -> None:
    out = io.StringIO()
    with Display(Console(file=out, width=120)) as display:
        for _ in range(2):
            display.run_begun()
            display.plan_cells(*of_cells(len(results.cells)))
            for cell in results.cells:
                display.cell_ended(cell)
    places = re.findall(r"^\[(\d+/\d+)\]", out.getvalue(), re.MULTILINE)
    assert places == ["1/2", "2/2"] * 2


def test_a_terminal_gets_a_bar_beside_the_same_lines(results: Results) -> None:
    out = io.StringIO()
    with Display(Console(file=out, force_terminal=True, width=120)) as display:
        display.plan_cells(*of_cells(2))
        display.start("debian-17", 120 * 2**20)
        display.advance("debian-17", 60 * 2**20)
        wait_for(out, "60.0/120.0 MiB")
        display.cell_started("b", TEST)
        wait_for(out, "  b                    Waits ")
        display.cell_ended(results.cells[0])
        wait_for(out, "[1/2]")
        wait_for(out, "1 of 2 tests done, 1 running, ")
        wait_for(out, " s left")
        wait_for(out, "━━━━━")


def test_on_a_narrow_terminal_a_row_is_a_line(results: Results) -> None:
    out = io.StringIO()
    with Display(Console(file=out, force_terminal=True, width=80)) as display:
        display.plan_cells(*of_cells(304))
        display.cell_ended(results.cells[0])
    row = next(line for line in out.getvalue().splitlines() if "[  1/304]" in line)
    plain = Text.from_ansi(row).plain.rstrip()
    assert "RequestsBlo…" in plain
    assert plain.endswith("ok  bug present, as expected  20.5 s")
    assert len(plain) <= 80


def wait_for(out: io.StringIO, text: str) -> None:
    deadline = time.monotonic() + 60
    while text not in out.getvalue():
        assert time.monotonic() < deadline, out.getvalue()
        time.sleep(0.02)


def test_a_surprise_shows_its_reason() -> None:
    text = show(make_results(make_cell("temurin-17.0.9+9", "reproduced", "fixed")))
    assert "regression" in text
    assert "worst_request_ms 4012, bound 2000" in text


def test_a_log_gets_a_status_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display_module, "STATUS_EVERY_S", 0.05)
    out = io.StringIO()
    with Display(Console(file=out, width=120)) as display:
        display.plan_cells(*of_cells(4))
        wait_for(out, "4 tests to run; fetching and checking JDKs and jars")
        display.cell_started("b", "t.java")
        wait_for(out, "0 of 4 tests done, 1 running")
        display.measuring_begun(300)
        display.comparison_started("steady", "1 of 1")
        display.sample_started(Arm("control", "b"), 2)
        wait_for(out, " s: block 2: control, 5 min left")


def test_a_fetch_without_cells_tells_of_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display_module, "STATUS_EVERY_S", 0.05)
    out = io.StringIO()
    with Display(Console(file=out, width=120)) as display:
        wait_for(out, " s: under way")
        display.start("debian-17", None)
        wait_for(out, " s: fetching debian-17")
    assert "cells" not in out.getvalue()


def test_the_summary_has_table_cause_headline_and_paths(results: Results) -> None:
    out = io.StringIO()
    print_summary(Console(file=out, width=120), results, Path("/run"))
    text = out.getvalue()
    assert text.count("RequestsBlockedWhileConnectionCloses") == 3
    assert CAUSE in text
    assert "unavailable: debian-8: No source could provide it: debian: no mirror" in text
    assert text.splitlines()[-3:] == [
        "results: /run/results.json",
        "report: /run/index.html",
        "No surprise in 2 results on 2 builds: 2 as expected.",
    ]
    assert text.splitlines()[0] == text.splitlines()[-1]


def test_a_validation_is_told_by_topic() -> None:
    out = io.StringIO()
    cell = make_cell("temurin-17.0.9+9", "not-reproduced", "fixed")
    validation_run = make_results(cell, validation=make_validation("bad"))
    print_summary(Console(file=out, width=120), validation_run, Path("/run"))
    lines = out.getvalue().splitlines()
    assert "bad        bugs: 64 as-expected" in lines
    assert "not looked at: defaults, root: lib/security/cacerts is not there" in lines
    command = "scripts/matrix validate temurin-17.0.9+9 --baseline temurin-17.0.7+7"
    assert f"again: {command}" in lines
    assert "temurin-17.0.9+9 is bad against temurin-17.0.7+7: Because." in lines


def test_the_summary_names_surprises_with_their_rerun_line() -> None:
    out = io.StringIO()
    cell = make_cell("temurin-17.0.9+9", "reproduced", "fixed")
    print_summary(Console(file=out, width=120), make_results(cell), Path("/run"))
    assert "regression: temurin-17.0.9+9 RequestsBlocked" in out.getvalue()
    assert f"    rerun: {cell.rerun}" in out.getvalue()


def test_a_build_that_was_replaced_is_told_of_throughput_and_suites_too() -> None:
    fault = BuildFault(
        build="temurin-17.0.9+9",
        kind=BuildFaultKind.REPLACED,
        about="replaced",
        sentence="Its bin/java is another one now.",
        rerun="scripts/matrix run",
    )
    speed_run = make_results(throughput=(make_speed("no-change"),), build_faults=(fault,))
    out = io.StringIO()
    print_summary(Console(file=out, width=120), speed_run, Path("/run"))
    lines = out.getvalue().splitlines()
    assert lines[1] == f"replaced: {fault.build}: {fault.sentence}"
    sentence = f"Not as promised: {fault.build}. No slowdown of unknown cause in 1 comparison"
    assert lines[0].startswith(sentence)
    assert lines[-1] == lines[0]
    assert render(speed_run)["report.md"].startswith(f"# {sentence}")
    suite = make_results(
        *(make_cell(build, "not-reproduced", "unknown") for build in ("a-17+1", "b-17+2")),
        suite="/suite",
        build_faults=(fault,),
    )
    assert headline(suite).startswith(f"Not as promised: {fault.build}. Same on all 2 builds")

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The page's own words: how long, which files, which sentence of many."""

import pytest
from markupsafe import Markup

from jdkmatrix.evidence.findings import GENERIC
from jdkmatrix.report.page.anchors import anchor, link
from jdkmatrix.report.page.overall import looks
from jdkmatrix.report.page.page import render_page
from jdkmatrix.report.page.page_words import (
    breakable,
    format_duration,
    other_findings,
    shown_files,
    tick,
    told_in_full,
)
from jdkmatrix.results.document import BugResult
from jdkmatrix.results.finding import Finding
from jdkmatrix.vocabulary import Grade
from tests.report.conftest import CAUSE, make_cell, make_results


@pytest.mark.parametrize(
    ("finished_at", "text"),
    [
        ("2026-11-21T08:00:42Z", "42 s"),
        ("2026-11-21T08:03:00Z", "3 min 0 s"),
        ("2026-11-22T09:12:59Z", "25 h 12 min"),
        (None, ""),
    ],
)
def test_how_long_a_run_took(finished_at: str | None, text: str) -> None:
    assert format_duration(make_results(finished_at=finished_at)) == text


def test_a_run_that_a_clock_was_set_back_in_took_nobody_knows_how_long() -> None:
    page = render_page(make_results(finished_at="2026-11-21T07:00:00Z"))
    assert "run 2026-11-21T08-00-00Z</dd>" in page


def test_logs_come_first_and_recordings_are_left_to_the_folder() -> None:
    names = ("a/x.jfr", "a/outcome.json", "a/hang-7-threads-1.txt", "a/hs_err_pid7.log", "a/x.jtr")
    cell = make_cell("temurin-17.0.3+7", "error", "fixed", artifacts=names)
    assert shown_files(cell) == ["a/x.jtr", "a/hang-7-threads-1.txt", "a/hs_err_pid7.log"]


def test_a_finding_that_a_flag_tells_is_not_told_twice() -> None:
    findings = [
        Finding(
            rule="r",
            bug=bug,
            sentence=sentence,
            frames=("a.b",),
            lock_classes=("c",),
            threads=1,
            blocked_ms=1,
            open_ms=0,
            bound_ms=1,
        )
        for bug, sentence in ((GENERIC, "Waits."), (GENERIC, "Sleeps."), ("JDK-8293562", CAUSE))
    ]
    cell = make_cell("temurin-17.0.9+9", "not-reproduced", "fixed", flags=("It shows: Waits.",))
    evidence = cell.evidence.model_copy(update={"findings": tuple(findings)})
    cell = cell.model_copy(update={"evidence": evidence})
    assert [finding.sentence for finding in other_findings(cell)] == ["Sleeps."]


def test_what_wants_a_look_comes_gravest_first_by_bug_and_a_long_list_is_folded() -> None:
    open_cell = make_cell("temurin-17.0.1+1", "inconclusive", "fixed")
    worse = [make_cell(f"temurin-17.0.{n}+1", "reproduced", "fixed") for n in range(2, 15)]
    flagged_cell = make_cell("temurin-17.0.20+1", "not-reproduced", "fixed", flags=("Waits.",))
    results = make_results(open_cell, flagged_cell, *worse)
    groups = looks(results)
    assert [look.cases[0].grade for look in groups] == ["regression", "inconclusive", "flagged"]
    assert [len(look.cases) for look in groups] == [13, 1, 1]
    bug = BugResult(id="JDK-8293562", title="Blocks", component="net", fixed=(), links=())
    page = render_page(results.model_copy(update={"bugs": (bug,)}))
    assert "JDK-8293562: 13 results <i>Blocks</i>" in " ".join(page.split())
    assert "<summary>All 13</summary>" in page
    lone = make_results(
        *(
            cell.model_copy(update={"test": f"a/T{n}.java", "bug": None})
            for n, cell in enumerate(worse)
        )
    )
    assert "<summary>1 more</summary>" in render_page(lone)


def test_names_break_at_their_humps_and_are_escaped() -> None:
    assert breakable("InterimReply<x>") == Markup("Interim<wbr>Reply&lt;x&gt;")


@pytest.mark.parametrize(("tick_value", "text"), [(0.5, "0.5"), (1.0, "1"), (2000.0, "2,000")])
def test_ticks_are_short(tick_value: float, text: str) -> None:
    assert tick(tick_value) == text


def test_a_link_is_never_another_scheme_host_or_query() -> None:
    assert link("javascript:alert(1)") == "javascript%3Aalert%281%29"
    assert link("//host/x?y#z") == "host/x%3Fy%23z"
    assert link("cells/temurin-17.0.3+7/a.jtr") == "cells/temurin-17.0.3+7/a.jtr"
    assert anchor("my jdk/\tA") == "my_jdk/_A"


BUILDS = tuple(f"temurin-{train}.0.{n}+1" for train in (11, 17, 21, 25) for n in range(1, 9))
TESTS = tuple(f"tls13/{'X' * 20}{n}.java" for n in range(80))


def test_of_a_large_run_most_cells_are_told_in_a_line() -> None:
    cells = [
        make_cell(build, "reproduced" if is_affected else "not-reproduced", expected, test=test)
        for build in BUILDS
        for test in TESTS
        for is_affected in (build.startswith("temurin-11"),)
        for expected in ("affected" if is_affected else "fixed",)
    ]
    odd = cells[-1].model_copy(update={"grade": Grade.REGRESSION})
    in_full = told_in_full([*cells[:-1], odd])
    assert len(in_full) == 2 * len(TESTS) + 1
    assert (odd.build, odd.test) in in_full
    assert len(told_in_full(cells[:700])) == 700
    page = render_page(make_results(*cells[:-1], odd))
    assert len(page.encode()) < 2_000_000
    assert f"{len(in_full)} of the {len(cells)} results are told in full" in page
    assert page.count('<table class="cases">') == len(in_full)

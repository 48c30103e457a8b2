# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a build itself comes first in every report, once, and fails the run."""

import html
from typing import Any

import pytest

from jdkmatrix.cli.run import exit_code
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.grading.build_faults import faults_of, silenced_by
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.report.ci.junit import junit_xml
from jdkmatrix.report.ci.tap import tap
from jdkmatrix.report.page.overall import looks, overall
from jdkmatrix.report.since import changes_since
from jdkmatrix.report.written_reports import render
from jdkmatrix.results.document import CellResult, Results
from jdkmatrix.vocabulary import Grade
from jdkmatrix.words.runs import headline
from tests.report.conftest import TEST, make_build, make_cell, make_results
from tests.verdict.test_promises import OFF, OLD, facts

BUILD = "temurin-17.0.9+9"
FREE = "keepalive/RequestWaitsWhileAnotherCloses.java"  # needs no TLS


def record(**changes: Any) -> BuildRecord:
    return make_build(BUILD).model_copy(update={"runtime": facts(**changes)})


def make_silenced() -> CellResult:
    return make_cell(BUILD, "not-applicable", "fixed", grade=Grade.SILENCED)


def run(ledger: Ledger, *cells: CellResult, **changes: Any) -> Results:
    builds = (record(**changes),)
    return make_results(*cells, builds=builds, build_faults=tuple(faults_of(builds, cells, ledger)))


def test_one_cause_is_one_fault_with_all_that_it_silences(ledger: Ledger) -> None:
    """Without TLS 1.3 it is off by default, too."""
    cells = (make_silenced(), make_cell(BUILD, "not-reproduced", "fixed", test=FREE))
    (fault,) = run(ledger, *cells, **OFF).build_faults
    assert (fault.about, fault.silenced_cells) == ("tls13", 1)
    assert fault.sentence.endswith(
        "; its version, 17.0.9+9, promises it (JDK-8245468)."
        " 1 cell of bugs that need it says nothing."
    )
    (fault,) = run(ledger, *cells, client_protocols=OLD).build_faults
    assert (fault.about, fault.silenced_cells) == ("tls13-by-default-for-clients", 1)
    assert run(ledger, *cells).build_faults == ()


def test_only_a_test_that_needs_it_is_silenced(ledger: Ledger) -> None:
    bug = ledger.bug("8293562")
    assert silenced_by(record(**OFF), bug, TEST, ledger)
    assert silenced_by(record(**OFF), bug, FREE, ledger) is None
    assert silenced_by(record(), bug, TEST, ledger) is None
    assert silenced_by(make_build(BUILD), bug, TEST, ledger) is None  # it was not asked


def test_it_comes_first_and_fails_the_run(ledger: Ledger) -> None:
    results = run(ledger, make_silenced(), **OFF)
    (fault,) = results.build_faults
    assert exit_code(results, strict=False) == 1  # though nothing ran
    assert headline(results) == (
        f"Not as promised: {BUILD}. 0 of 1 result not as expected: 1 not testable."
    )
    assert overall(results).word == "not as expected"
    assert looks(results)[0].cases[0].sentences == (fault.sentence,)
    reports = render(results)
    report = reports["report.md"]
    assert report.index(fault.sentence) < report.index("| test |")
    assert fault.sentence in html.unescape(reports["index.html"])
    assert fault.sentence in html.unescape(junit_xml(results))
    assert "not ok 1 - temurin-17.0.9+9 tls13 (build)" in tap(results)


def test_a_night_is_told_when_a_promise_breaks_and_when_it_is_kept_again(ledger: Ledger) -> None:
    fine = run(ledger, make_silenced())
    faulty = run(ledger, make_silenced(), **OFF)
    (change,) = changes_since(fine, faulty)
    assert change.sentence.startswith(
        f"{BUILD}: broken-promise, not before: TLS 1.3 is not to be had"
    )
    assert changes_since(faulty, fine) == ((f"{BUILD}: no longer broken-promise", 1),)
    assert changes_since(faulty, faulty) == ()


def test_a_replaced_build_leaves_the_run_without_a_verdict(ledger: Ledger) -> None:
    cell = make_cell(BUILD, "not-reproduced", "fixed")
    build = record().model_copy(update={"replaced": "It was replaced during the run."})
    faults = tuple(faults_of((build,), (cell,), ledger))
    results = make_results(cell, builds=(build,), build_faults=faults)
    assert exit_code(results, strict=False) == 2
    assert headline(results).startswith(f"Not as promised: {BUILD}. 0 of 1 result not as expected")


@pytest.mark.parametrize("grade", [Grade.SKIPPED, Grade.SILENCED])
def test_what_could_not_show_is_no_surprise_by_itself(grade: Grade) -> None:
    assert not grade.is_surprise

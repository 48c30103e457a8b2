# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does each report say why, once where many builds show the same, and at most a screen of it?"""

import io
from pathlib import Path
from xml.etree import ElementTree

from rich.console import Console

from jdkmatrix.evidence.cause import CauseSource
from jdkmatrix.report.ci.junit import junit_xml
from jdkmatrix.report.ci.tap import tap
from jdkmatrix.report.console.summary import print_summary
from jdkmatrix.report.page.page import render_page
from jdkmatrix.results.document import CellResult, EvidenceResult, Results
from jdkmatrix.words.runs import causes
from tests.report.conftest import make_cell, make_results

SCREEN_LINES = 24


def make_shown_cell(
    build: str, cause: str, expectation: str = "affected", n: int = 1
) -> CellResult:
    return make_cell(
        build,
        "reproduced",
        expectation,
        test=f"keepalive/Waits{n}.java",
        evidence=EvidenceResult(cause=cause, cause_from=CauseSource.FACTS),
    )


def print_text(results: Results) -> str:
    out = io.StringIO()
    print_summary(Console(file=out, width=200), results, Path("/run"))
    return out.getvalue()


def test_causes_that_differ_in_figures_alone_are_told_once() -> None:
    cells = [
        make_shown_cell(f"temurin-17.0.{n}+1", f"{n} threads waited 4.{n} s in a.b") for n in (2, 3)
    ]
    alone = make_shown_cell("temurin-17.0.1+1", "1 thread waited 900 ms in a.b")
    other_cell = make_shown_cell("temurin-17.0.1+1", "2 threads waited 4.2 s in a.c")
    first, second = causes([*cells, alone, other_cell])
    assert first.subject == "Waits1 on temurin-17.0.2+1, temurin-17.0.3+1 and temurin-17.0.1+1"
    assert first.sentence == "2 threads waited 4.2 s in a.b"
    assert second.subject == "Waits1 on temurin-17.0.1+1"


def test_two_tests_are_not_told_as_one() -> None:
    assert (
        len(
            causes(
                [
                    make_shown_cell("b-17", "it waited", n=1),
                    make_shown_cell("b-17", "it waited", n=2),
                ]
            )
        )
        == 2
    )


def test_of_many_builds_some_are_named() -> None:
    (cause,) = causes([make_shown_cell(f"temurin-17.0.{n}+1", "it waited") for n in range(9)])
    assert cause.subject == "Waits1 on temurin-17.0.0+1, temurin-17.0.1+1 and 7 more"


def test_the_console_has_those_of_surprises_in_full_and_a_screen_of_the_others() -> None:
    known_cells = [
        make_shown_cell("b-17", f"known cause {'abcdefghijklmnop'[n]}", n=n) for n in range(16)
    ]
    odd = [make_shown_cell(f"b-17.0.{n}", f"{n} odd threads waited", "fixed") for n in range(4)]
    text = print_text(make_results(*known_cells, *odd))
    assert all(text.count(f"    {n} odd threads waited\n") == 1 for n in range(4))
    assert text.count("odd threads waited") == 4
    cause_lines = text[: text.index("regression: b-17")].splitlines()
    lines = [line for line in cause_lines[2 + len(known_cells) + len(odd) :] if line]
    assert 0 < len(lines) <= SCREEN_LINES
    assert lines[-1] == "8 more causes are in the report."


def test_few_causes_are_all_told() -> None:
    text = print_text(make_results(make_shown_cell("b-17", "it waited")))
    assert "Waits1 on b-17:\n    it waited\n" in text
    assert "more causes" not in text


def test_the_page_junit_and_tap_have_all_of_them() -> None:
    known_cells = [
        make_shown_cell("b-17", f"known cause {'abcdefghijklmnop'[n]}", n=n) for n in range(16)
    ]
    results = make_results(*known_cells)
    page, xml, lines = render_page(results), junit_xml(results), tap(results)
    assert "read from what the test saw" in page
    outs = [element.text or "" for element in ElementTree.fromstring(xml).iter("system-out")]
    assert len(outs) == len(known_cells)
    for cell, out in zip(known_cells, outs, strict=True):
        assert page.count(f"{cell.evidence.cause}</p>") == 2
        assert str(cell.evidence.cause) in out
        assert f'evidence: ["{cell.evidence.cause}"]' in lines

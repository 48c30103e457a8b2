# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which reproducer and which cell of a run are shown, and in which words?"""

import pytest

from jdkmatrix.bundle import words
from jdkmatrix.bundle.material import Material, material_of
from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.errors import UsageError
from jdkmatrix.evidence.outcomes import Figure
from jdkmatrix.report.results import AttemptResult, CellResult, Results
from jdkmatrix.verdict.grade import Grade
from tests.report.conftest import make_cell, make_results

FIRST = "keepalive/RequestsBlockedWhileConnectionCloses.java"
SECOND = "keepalive/RequestsQueueWhenCacheIsFull.java"


@pytest.fixture
def bug(ledger: Ledger) -> Bug:
    return ledger.bug("JDK-8293562")


def with_figure(cell: CellResult, value: int) -> CellResult:
    figure = Figure(name="waited_ms", value=value, bound=2000, unit="ms")
    subject = cell.evidence.cases[0].model_copy(update={"figures": (figure,)})
    evidence = cell.evidence.model_copy(update={"cases": (subject,)})
    return cell.model_copy(update={"evidence": evidence})


def of(bug: Bug, *cells: CellResult) -> Material:
    return material_of(make_results(*cells), bug, "run")


def test_the_worst_cell_has_the_largest_figure_against_its_bound(bug: Bug) -> None:
    cells = [
        with_figure(make_cell("a-11", "reproduced", "affected"), 3000),
        with_figure(make_cell("a-17", "reproduced", "affected"), 4000),
        with_figure(make_cell("a-21", "not-reproduced", "fixed"), 9),
    ]
    found = of(bug, *cells)
    assert found.test == FIRST
    assert found.worst == cells[1]
    assert found.builds_with(cells[2].outcome) == ("a-21",)


def test_a_build_is_not_affected_only_if_that_was_measured_and_nothing_shows_the_bug(
    bug: Bug,
) -> None:
    found = of(
        bug,
        make_cell("a-11", "not-applicable", "affected"),
        make_cell("a-17", "not-applicable", "affected"),
        make_cell("a-21", "not-reproduced", "fixed"),
        make_cell("a-24", "reproduced", "affected"),
        make_cell("a-25", "not-reproduced", "affected"),
        make_cell("a-11", "reproduced", "affected", test=SECOND),
        make_cell("a-25", "reproduced", "affected", test=SECOND),
    )
    assert (found.affected, found.unaffected) == (("a-24", "a-11", "a-25"), ("a-21",))


def test_a_regression_is_shown_before_what_is_known(bug: Bug) -> None:
    known = with_figure(make_cell("a-11", "reproduced", "affected"), 9000)
    regression = with_figure(make_cell("a-17", "reproduced", "fixed", test=SECOND), 2100)
    found = of(bug, known, regression)
    assert found.test == SECOND
    assert found.worst == regression
    assert words.regression(found) == "yes: it shows again on a-17, where it was fixed"


def test_a_bug_that_shows_nowhere_has_no_worst_cell(bug: Bug) -> None:
    found = of(bug, make_cell("a-17", "not-reproduced", "fixed"))
    assert found.worst is None
    assert words.frequency(found) == "not known: no run on an affected build"


def test_a_run_without_the_bug_is_refused(ledger: Ledger) -> None:
    results: Results = make_results(make_cell("a-17", "reproduced", "affected"))
    with pytest.raises(UsageError, match="run: no finished cell of JDK-8335135; accepted: a run"):
        material_of(results, ledger.bug("JDK-8335135"), "run")


@pytest.mark.parametrize(
    ("outcomes", "told"),
    [
        (["reproduced"] * 3, "Always (3 of 3 runs on affected builds, one a build)"),
        (["reproduced", "not-reproduced"], "Often (1 of 2 runs on affected builds, one a build)"),
        (
            ["reproduced", "not-reproduced", "not-reproduced", "inconclusive"],
            "Occasionally (1 of 3 runs on affected builds, one a build)",
        ),
        (["not-reproduced"], "Never, in 1 runs on builds that are affected by the ledger"),
    ],
)
def test_frequency_comes_with_its_counts(bug: Bug, outcomes: list[str], told: str) -> None:
    cells = [make_cell(f"a-{n + 8}", outcome, "affected") for n, outcome in enumerate(outcomes)]
    assert words.frequency(of(bug, *cells)) == told


def test_a_fault_wider_than_the_bug_is_not_the_bug(bug: Bug) -> None:
    wide = make_cell("a-17", "reproduced", "fixed", wider=("tls12",))
    known = make_cell("a-11", "reproduced", "affected")
    found = of(bug, wide, known)
    assert (found.affected, found.worst) == (("a-11",), known)
    assert not words.regression(found).startswith("yes: it shows again")


def test_each_attempt_is_a_run(bug: Bug) -> None:
    each = [make_cell("a-17", outcome, "fixed") for outcome in ("reproduced", "not-reproduced")]
    attempts = tuple(
        AttemptResult(
            outcome=one.outcome, grade=one.grade, reason="", seconds=1, flags=(), folder=""
        )
        for one in each
    )
    flaky = each[0].model_copy(update={"attempts": attempts, "grade": Grade.FLAKY})
    found = of(bug, flaky, make_cell("a-11", "reproduced", "affected"))
    assert words.frequency(found) == "Often (2 of 3 runs on affected builds, on 2 builds)"

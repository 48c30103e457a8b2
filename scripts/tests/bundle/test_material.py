# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which reproducer and which cell of a run are shown, and in which words?"""

from dataclasses import replace

import pytest

from jdkmatrix.bundle import bundle_words
from jdkmatrix.bundle.material import Material, material_of
from jdkmatrix.config import version
from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.errors import UsageError
from jdkmatrix.evidence.outcomes import Figure
from jdkmatrix.records.record import OverlayRecord
from jdkmatrix.results.document import AttemptResult, CellResult, Results
from jdkmatrix.vocabulary import Grade
from tests.report.conftest import make_build, make_cell, make_results

FIRST = "keepalive/RequestsBlockedWhileConnectionCloses.java"
SECOND = "keepalive/RequestsQueueWhenCacheIsFull.java"
OVERLAY = OverlayRecord(name="x", option="--overlay x", sha256="", java_options=(), note="")


@pytest.fixture
def bug(ledger: Ledger) -> Bug:
    return ledger.bug("JDK-8293562")


def with_figure(cell: CellResult, number: int) -> CellResult:
    figure = Figure(name="waited_ms", value=number, bound=2000, unit="ms")
    subject = cell.evidence.cases[0].model_copy(update={"figures": (figure,)})
    evidence = cell.evidence.model_copy(update={"cases": (subject,)})
    return cell.model_copy(update={"evidence": evidence})


def make_material(bug: Bug, *cells: CellResult) -> Material:
    return material_of(make_results(*cells), bug, "run")


def test_the_worst_cell_has_the_largest_figure_against_its_bound(bug: Bug) -> None:
    cells = [
        with_figure(make_cell("a-11", "reproduced", "affected"), 3000),
        with_figure(make_cell("a-17", "reproduced", "affected"), 4000),
        with_figure(make_cell("a-21", "not-reproduced", "fixed"), 9),
    ]
    material = make_material(bug, *cells)
    assert material.test == FIRST
    assert material.worst == cells[1]
    assert material.builds_with(cells[2].outcome) == ("a-21",)


def test_a_build_is_not_affected_only_if_that_was_measured_and_nothing_shows_the_bug(
    bug: Bug,
) -> None:
    material = make_material(
        bug,
        make_cell("a-11", "not-applicable", "affected"),
        make_cell("a-17", "not-applicable", "affected"),
        make_cell("a-21", "not-reproduced", "fixed"),
        make_cell("a-24", "reproduced", "affected"),
        make_cell("a-25", "not-reproduced", "affected"),
        make_cell("a-11", "reproduced", "affected", test=SECOND),
        make_cell("a-25", "reproduced", "affected", test=SECOND),
    )
    assert (material.affected_builds, material.unaffected_builds) == (
        ("a-24", "a-11", "a-25"),
        ("a-21",),
    )


def rerun(cell: CellResult, *outcomes: str) -> CellResult:
    """The cell, run again with these outcomes."""
    attempts = tuple(
        AttemptResult(
            outcome=attempt.outcome, grade=attempt.grade, reason="", seconds=1, flags=(), folder=""
        )
        for attempt in (make_cell(cell.build, outcome, cell.expectation) for outcome in outcomes)
    )
    changes = {
        "attempts": attempts,
        "confirmation": f"Reproduced in 1 of {len(outcomes)} attempts.",
    }
    return cell.model_copy(update=changes)


def test_what_must_not_be_is_no_proof_where_there_is_another(bug: Bug) -> None:
    """It may be a false alarm: so 11.0.24 came into the versions that a bundle calls affected."""
    known_cell = with_figure(make_cell("a-11", "reproduced", "affected"), 2100)
    surprise = with_figure(make_cell("a-17", "reproduced", "fixed", test=SECOND), 9000)
    material = make_material(bug, rerun(surprise, "reproduced", "reproduced"), known_cell)
    assert (material.test, material.worst, material.affected_builds) == (
        FIRST,
        known_cell,
        ("a-11",),
    )
    assert (
        bundle_words.frequency(material) == "Always (1 of 1 runs on affected builds, one per build)"
    )
    assert bundle_words.regression(material).startswith("no: the bug was always there")
    assert list(bundle_words.notes(material)) == [
        "It shows on a-17, where the ledger says fixed: Reproduced in 1 of 2 attempts."
    ]


def test_a_confirmed_regression_is_proof_where_there_is_no_other(bug: Bug) -> None:
    surprise = make_cell("a-17", "reproduced", "fixed")
    assert make_material(bug, surprise).worst is None
    material = make_material(bug, rerun(surprise, "reproduced", "reproduced", "reproduced"))
    assert (material.worst and material.worst.build, material.affected_builds) == (
        "a-17",
        ("a-17",),
    )
    assert bundle_words.regression(material) == "yes: it shows again on a-17, where it was fixed"
    assert len(list(bundle_words.notes(material))) == 1


def test_what_must_show_the_bug_and_does_not_is_no_build_without_it(bug: Bug) -> None:
    proof, lost_cell = (
        make_cell("a-11", "reproduced", "affected"),
        make_cell("a-17", "not-reproduced", "affected"),
    )
    material = make_material(bug, proof, lost_cell)
    assert (material.affected_builds, material.unaffected_builds) == (("a-11",), ())
    assert list(bundle_words.notes(material)) == [
        "RequestsBlockedWhileConnectionCloses does not show it on a-17, where the ledger says "
        "affected: One attempt, not confirmed."
    ]


@pytest.mark.parametrize("change", [{"altered": "It is."}, {"overlay": OVERLAY}])
def test_a_build_that_was_changed_is_no_version_of_jbs(change: dict[str, object]) -> None:
    altered_build = make_build("a-17.0.9+9").model_copy(update=change)
    builds = (make_build("a-17.0.3+7"), altered_build)
    assert bundle_words.jbs_versions(builds) == "17.0.3"


def test_a_build_that_was_replaced_is_said_first(bug: Bug) -> None:
    build = make_build("a-17").model_copy(update={"replaced": "It was replaced during the run."})
    cell = make_cell(build.id, "reproduced", "affected")
    material = material_of(make_results(cell, builds=(build,)), bug, "run")
    assert list(bundle_words.notes(material)) == ["a-17: It was replaced during the run."]


def test_what_gave_no_verdict_is_said_first(bug: Bug) -> None:
    material = make_material(
        bug, make_cell("a-11", "reproduced", "affected"), make_cell("a-17", "error", "fixed")
    )
    incomplete = replace(material, results=material.results.model_copy(update={"complete": False}))
    assert list(bundle_words.notes(incomplete)) == [
        "The run is not complete: not every cell of its plan was run.",
        "No verdict of RequestsBlockedWhileConnectionCloses on a-17 (error).",
    ]


@pytest.mark.parametrize(
    ("build", "jbs_text"),
    [
        ("11.0.13+8", "11.0.13"),
        ("1.8.0_504-8u504-ga-1-b01", "8u504"),
        ("17.0.21.1+2-1-deb12u1-Debian", "17.0.21.1"),
        ("25.0.5.0.3+1-1-Debian", "25.0.5"),
        ("22+36", "22"),
        ("11.0.33-ea+8-post-1-Debian", "11.0.33"),
    ],
)
def test_versions_are_written_as_in_jbs(build: str, jbs_text: str) -> None:
    assert bundle_words.jbs_version(version.parse(build)) == jbs_text


def test_links_name_the_change_that_an_unreported_bug_came_with(ledger: Ledger) -> None:
    link_text = "caused by JDK-8290005; relates to JDK-8274524"
    assert bundle_words.links(ledger.bug("JDK-8290005")) == link_text
    assert bundle_words.links(ledger.bug("JDK-8274524")) == ""
    assert bundle_words.links(ledger.bug("KIT-1")) == ""


def test_a_bug_that_shows_nowhere_has_no_worst_cell(bug: Bug) -> None:
    material = make_material(bug, make_cell("a-17", "not-reproduced", "fixed"))
    assert material.worst is None
    assert bundle_words.frequency(material) == "not known: no run on an affected build"


def test_a_run_without_the_bug_is_refused(ledger: Ledger) -> None:
    results: Results = make_results(make_cell("a-17", "reproduced", "affected"))
    with pytest.raises(UsageError, match="run: no finished cell of JDK-8335135; accepted: a run"):
        material_of(results, ledger.bug("JDK-8335135"), "run")


def test_a_suite_of_the_users_has_no_reproducer_though_it_calls_a_test_so(bug: Bug) -> None:
    failure = make_cell("a-17", "reproduced", "unknown", bug=None)
    with pytest.raises(UsageError, match="run: no finished cell of JDK-8293562; accepted: a run"):
        material_of(make_results(failure, suite="/home/me/test"), bug, "run")


@pytest.mark.parametrize(
    ("outcomes", "text"),
    [
        (["reproduced"] * 3, "Always (3 of 3 runs on affected builds, one per build)"),
        (["reproduced", "not-reproduced"], "Often (1 of 2 runs on affected builds, one per build)"),
        (
            ["reproduced", "not-reproduced", "not-reproduced", "inconclusive"],
            "Occasionally (1 of 3 runs on affected builds, one per build)",
        ),
        (
            ["not-reproduced"],
            "Never, in 1 runs on builds that are affected according to the ledger",
        ),
    ],
)
def test_frequency_comes_with_its_counts(bug: Bug, outcomes: list[str], text: str) -> None:
    cells = [make_cell(f"a-{n + 8}", outcome, "affected") for n, outcome in enumerate(outcomes)]
    assert bundle_words.frequency(make_material(bug, *cells)) == text


def test_a_fault_wider_than_the_bug_is_not_the_bug(bug: Bug) -> None:
    wide = make_cell("a-17", "reproduced", "fixed", wider=("tls12",))
    known_cell = make_cell("a-11", "reproduced", "affected")
    material = make_material(bug, wide, known_cell)
    assert (material.affected_builds, material.worst) == (("a-11",), known_cell)
    assert not bundle_words.regression(material).startswith("yes: it shows again")


def test_each_attempt_is_a_run(bug: Bug) -> None:
    flaky_once = rerun(make_cell("a-17", "reproduced", "affected"), "reproduced", "not-reproduced")
    flaky = flaky_once.model_copy(update={"grade": Grade.FLAKY})
    material = make_material(bug, flaky, make_cell("a-11", "reproduced", "affected"))
    assert material.affected_builds == ("a-11",)
    assert bundle_words.frequency(material) == "Often (2 of 3 runs on affected builds, on 2 builds)"

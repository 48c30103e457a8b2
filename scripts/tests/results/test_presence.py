# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do a bug's reproducers say of its fix?"""

import pytest

from jdkmatrix.results.document import BugResult, CellResult, EvidenceResult, Results
from jdkmatrix.results.finding import Finding
from jdkmatrix.results.presence import presence_of
from jdkmatrix.vocabulary import Grade, Presence
from tests.report.conftest import CAUSE, make_cell, make_results

BUG = "JDK-8293562"
SHOWN = f"Its recording shows {BUG}, which this build must not have: 12 threads waited."
OTHER_FLAG = SHOWN.replace(BUG, "JDK-8270317")


def cell(
    outcome: str, number: int = 1, expectation: str = "fixed", **changes: object
) -> CellResult:
    return make_cell(
        "temurin-17.0.9+9",
        outcome,
        expectation,
        bug=BUG,
        test=f"keepalive/T{number}.java",
        **changes,
    )


def make_evidence(bug: str) -> EvidenceResult:
    finding = Finding(
        rule=bug,
        bug=bug,
        sentence="12 threads waited.",
        frames=("KeepAliveCache.get",),
        lock_classes=(),
        threads=12,
        blocked_ms=48_000,
        open_ms=0,
        bound_ms=2_000,
    )
    return EvidenceResult(findings=(finding,))


def make_run(cells: list[CellResult]) -> Results:
    bug = BugResult(id=BUG, title="A title", component="core-libs", fixed=(), links=())
    return make_results(*cells).model_copy(update={"bugs": (bug,)})


@pytest.mark.parametrize(
    ("cells", "presence", "reason"),
    [
        ([cell("not-reproduced")], "fixed", "1 of 1 reproducers ran, and none shows it"),
        ([cell("not-reproduced"), cell("not-applicable", 2)], "fixed", "1 of 2 reproducers ran"),
        ([cell("reproduced"), cell("not-reproduced", 2)], "affected", "1 of 2 reproducers show it"),
        ([cell("reproduced"), cell("error", 2)], "affected", "1 of 2 reproducers show it"),
        (
            [cell("not-reproduced"), cell("inconclusive", 2)],
            "cannot say",
            "1 of 2 reproducers gave no verdict",
        ),
        (
            [cell("not-reproduced"), cell("error", 2)],
            "cannot say",
            "1 of 2 reproducers gave no verdict",
        ),
        ([cell("not-applicable")], "cannot say", "it cannot show on this build"),
        ([cell("reproduced", grade=Grade.FLAKY)], "cannot say", "in some attempts, and not in"),
        ([cell("reproduced", wider=("tls12",))], "cannot say", "shows in the control too"),
        (
            [cell("not-reproduced", flags=(SHOWN,)), cell("not-reproduced", 2)],
            "cannot say",
            SHOWN,
        ),
        (  # on a build of which the ledger says nothing there is no flag
            [cell("not-reproduced", 1, "unknown", evidence=make_evidence(BUG))],
            "cannot say",
            f"Its recording shows {BUG}: 12 threads waited.",
        ),
        ([cell("reproduced", flags=(SHOWN,))], "affected", "1 of 1 reproducers show it"),
        (
            [cell("not-reproduced", flags=(OTHER_FLAG,), evidence=make_evidence("JDK-8270317"))],
            "fixed",
            "1",
        ),
    ],
)
def test_one_that_shows_it_is_enough_and_a_fix_must_be_seen(
    cells: list[CellResult], presence: str, reason: str
) -> None:
    answer = presence_of(make_run(cells), BUG)
    assert answer.presence is Presence(presence)
    assert reason in answer.reason
    assert [answer_test.test for answer_test in answer.cells] == [cell.test for cell in cells]


def test_only_cells_of_the_bug_are_asked_and_each_says_why() -> None:
    """Its cause, else what its attempts showed together, else its own reason."""
    other_cell = make_cell("temurin-17.0.9+9", "reproduced", "affected", bug="JDK-8270317")
    proof = cell("reproduced", 2, "affected", confirmation="Reproduced in 2 of 2 attempts.")
    rerun_cell = cell("inconclusive", 3, confirmation="Flaky.", reason="x")
    results = make_run([other_cell, proof, rerun_cell, cell("error", 4, reason="It died.")])
    first = results.bugs[0].model_copy(update={"id": "JDK-8270317", "title": "Another"})
    answer = presence_of(results.model_copy(update={"bugs": (first, *results.bugs)}), BUG)
    assert (answer.title, answer.presence) == ("A title", Presence.AFFECTED)
    assert [answer_test.reason for answer_test in answer.cells] == [CAUSE, "Flaky.", "It died."]


def test_of_a_jdk_that_was_replaced_it_cannot_say() -> None:
    results = make_run([cell("not-reproduced"), cell("reproduced", 2)])
    build = results.builds[0].model_copy(update={"replaced": "It was replaced during the run."})
    answer = presence_of(results.model_copy(update={"builds": (build,)}), BUG)
    assert (answer.presence, answer.reason) == (Presence.CANNOT_SAY, build.replaced)


@pytest.mark.parametrize(
    ("expectations", "by_ledger"),
    [
        (("not-applicable", "affected"), "affected"),
        (("unknown", "affected", "not-applicable"), "affected"),
        (("not-applicable", "unknown", "fixed"), "fixed"),
        (("not-applicable", "unknown"), "unknown"),
        (("not-applicable", "not-applicable"), "not-applicable"),
    ],
)
def test_the_ledger_says_of_the_bug_what_it_says_of_the_test_that_can_show_it(
    expectations: tuple[str, ...], by_ledger: str
) -> None:
    cells = [cell("not-applicable", n, expectation) for n, expectation in enumerate(expectations)]
    assert presence_of(make_run(cells), BUG).by_ledger == by_ledger


@pytest.mark.parametrize(
    ("outcome", "expectation", "agrees"),
    [
        ("reproduced", "affected", True),
        ("reproduced", "fixed", False),
        ("not-reproduced", "fixed", True),
        ("not-reproduced", "unknown", None),
        ("inconclusive", "fixed", None),
    ],
)
def test_whether_the_ledger_said_so(outcome: str, expectation: str, agrees: bool | None) -> None:
    assert presence_of(make_run([cell(outcome, 1, expectation)]), BUG).agrees is agrees

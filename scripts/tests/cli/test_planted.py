# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""When is a planted fault found? Only by the grade and the words that its entry wants."""

import pytest

from jdkmatrix.cli.planted import missed_by
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.planted import PlantedFault, load_planted
from jdkmatrix.paths import Checkout
from jdkmatrix.report.results import CellResult
from jdkmatrix.verdict.grade import Grade
from tests.report.conftest import make_cell

NAMES = "SSLSessionContextImpl.get"


def fault(grade: str = "regression", names: str = NAMES) -> PlantedFault:
    return PlantedFault.model_validate(
        {
            "id": "fault",
            "title": "a lock",
            "patch": "fault.diff",
            "builds": ["a-17"],
            "bug": "JDK-8255603",
            "grade": grade,
            "names": names,
        }
    )


def cell(grade: Grade, reason: str, cause: str | None = None) -> CellResult:
    made = make_cell("a-17", "reproduced", "fixed")
    evidence = made.evidence.model_copy(update={"cause": cause})
    return made.model_copy(update={"grade": grade, "reason": reason, "evidence": evidence})


@pytest.mark.parametrize(
    ("found", "wanted", "missed"),
    [
        (cell(Grade.REGRESSION, f"Waits in {NAMES}."), fault(), None),
        (cell(Grade.REGRESSION, "Waits.", f"2 threads waited in {NAMES}"), fault(), None),
        (cell(Grade.REGRESSION, "Waits."), fault(names=""), None),
        (cell(Grade.REGRESSION, "Waits."), fault(), f"'{NAMES}' is not named: Waits."),
        (cell(Grade.FLAKY, f"{NAMES}."), fault("flaky"), None),
        (cell(Grade.REGRESSION, f"{NAMES}."), fault("flaky"), f"regression, not flaky: {NAMES}."),
        (
            cell(Grade.AS_EXPECTED, "Nobody waited."),
            fault(),
            "as-expected, not regression: Nobody waited.",
        ),
        (
            cell(Grade.REGRESSION, f"Waits in {NAMES}."),
            fault("inconclusive"),
            f"regression, not inconclusive: Waits in {NAMES}.",
        ),
    ],
)
def test_a_fault_is_found_by_its_grade_and_its_words(
    found: CellResult, wanted: PlantedFault, missed: str | None
) -> None:
    assert missed_by(found, wanted) == missed


def test_every_new_kind_of_fault_is_planted(ledger: Ledger) -> None:
    """What the issue of wrong verdicts was about: each must be found, and by its words."""
    planted = load_planted(Checkout.here().planted, ledger).planted
    assert {one.grade for one in planted} == {"regression", "flaky", "inconclusive"}
    unnamed = [one.id for one in planted if not one.names]
    assert all(one.startswith(("close-under-lock-", "slow-fair-")) for one in unnamed)

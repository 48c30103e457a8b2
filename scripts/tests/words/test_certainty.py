# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is not as expected says how sure that is."""

from jdkmatrix.evidence.outcomes import Figure
from jdkmatrix.results.document import AttemptResult, CellResult, EvidenceResult, JvmResult
from jdkmatrix.vocabulary import Grade, Outcome
from jdkmatrix.words.certainty import certainty
from tests.report.conftest import make_cell


def cell(*attempts: Outcome) -> CellResult:
    figure = Figure(name="closes", value=0, bound=3, unit="closes")
    control = JvmResult(
        case="tls12",
        outcome=Outcome.NOT_REPRODUCED,
        reason="None waited.",
        figures=(figure,),
        facts={},
    )
    subject = control.model_copy(update={"case": "subject", "outcome": Outcome.REPRODUCED})
    attempt_results = tuple(
        AttemptResult(
            outcome=outcome, grade=Grade.REGRESSION, reason="", seconds=1, flags=(), folder="x"
        )
        for outcome in attempts
    )
    return make_cell("temurin-17.0.9+9", "reproduced", "fixed").model_copy(
        update={
            "attempts": attempt_results,
            "cpu_s": 1.71,
            "waited_s": 0.2,
            "evidence": EvidenceResult(cases=(subject, control)),
        }
    )


def test_attempts_the_machine_and_the_controls_are_named() -> None:
    assert certainty(cell(Outcome.REPRODUCED, Outcome.NOT_REPRODUCED, Outcome.REPRODUCED)) == (
        "reproduced in 2 of 3 attempts; threads ran for 1.7 s and waited 0.2 s for a core; "
        "tls12: closes 0 where the bound is 3 closes."
    )


def test_one_attempt_is_called_one_and_what_is_not_known_is_left_out() -> None:
    unknown = cell().model_copy(update={"cpu_s": None, "evidence": EvidenceResult()})
    assert certainty(unknown) == "one attempt, not run again."

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""An outcome needs the reproducer's file and jtreg's result to agree; nothing is guessed."""

import pytest

from jdkmatrix.evidence.cell_outcome import outcome_of
from jdkmatrix.evidence.outcomes import CaseOutcome, CellOutcomes, Figure, JavaFacts, Outcome
from jdkmatrix.run.jtreg_result import JtregStatus
from jdkmatrix.run.process import Ended
from jdkmatrix.run.record import CellRecord


def cell(status: str, ended: Ended = Ended.FINISHED, artifacts: tuple[str, ...] = ()) -> CellRecord:
    return CellRecord(
        build="temurin-17.0.3+7",
        test="keepalive/A.java",
        ended=ended,
        status=JtregStatus(status),
        status_text=f"{status}. as jtreg says",
        seconds=181,
        test_seconds=None,
        artifacts=artifacts,
    )


def case(outcome: str, name: str = "subject") -> CaseOutcome:
    return CaseOutcome(
        schema=1,
        test="A",
        bug="JDK-8293562",
        case=name,
        outcome=Outcome(outcome),
        reason=f"Because of {outcome}.",
        figures=(Figure(name="worst_ms", value=3, bound=2, unit="ms"),),
        facts={},
        java=JavaFacts(version="17.0.3+7", vendor="Eclipse Adoptium", home="/jdk", pid=7),
    )


def files(outcome: str | None, *controls: str) -> CellOutcomes:
    verdict = case(outcome) if outcome else None
    held = tuple(case(control, "tls12") for control in controls or ("not-reproduced",))
    return CellOutcomes(verdict=verdict, controls=held)


@pytest.mark.parametrize(
    ("status", "in_file", "outcome"),
    [
        ("failed", "reproduced", "reproduced"),
        ("passed", "not-reproduced", "not-reproduced"),
        ("failed", "inconclusive", "inconclusive"),
        ("skipped", "not-applicable", "not-applicable"),
        ("failed", "error", "error"),
        # jtreg and the file disagree: no verdict
        ("passed", "reproduced", "error"),
        ("error", "reproduced", "error"),
        ("failed", "not-reproduced", "error"),
        ("skipped", "not-reproduced", "error"),
        ("passed", "not-applicable", "error"),
        # no file: a failure is never `reproduced`, a pass never `not-reproduced`
        ("failed", None, "error"),
        ("passed", None, "error"),
        ("error", None, "error"),
        ("not-run", None, "error"),
        # a reproducer writes why it does not apply; without that, nothing was tried
        ("skipped", None, "error"),
    ],
)
def test_reproducer(status: str, in_file: str | None, outcome: str) -> None:
    found = outcome_of(cell(status), files(in_file), is_reproducer=True)
    assert found.outcome == outcome
    if found.outcome == in_file:
        assert found.reason == f"Because of {in_file}."
    else:
        assert f"{status}. as jtreg says" in found.reason


def test_another_test_has_only_jtregs_word() -> None:
    assert outcome_of(cell("passed"), files(None), is_reproducer=False).outcome == "not-reproduced"
    assert outcome_of(cell("failed"), files(None), is_reproducer=False).outcome == "error"
    assert outcome_of(cell("skipped"), files(None), is_reproducer=False).outcome == "not-applicable"


def test_a_crash_is_an_error_whatever_was_written_before() -> None:
    crashed = cell("failed", artifacts=("hs_err_pid42.log", "outcome.json"))
    found = outcome_of(crashed, files("reproduced"), is_reproducer=True)
    assert found.outcome == "error"
    told = "The test JVM crashed: hs_err_pid42.log. jtreg says: failed. as jtreg says"
    assert found.reason == told


def test_a_killed_jtreg_is_an_error() -> None:
    found = outcome_of(cell("failed", ended=Ended.TIMEOUT), files("reproduced"), is_reproducer=True)
    assert found.outcome == "error"
    assert "had not ended after 181 s" in found.reason


@pytest.mark.parametrize("control", ["reproduced", "inconclusive", "not-applicable", "error"])
@pytest.mark.parametrize(
    ("status", "verdict"), [("failed", "reproduced"), ("passed", "not-reproduced")]
)
def test_a_control_that_does_not_hold_leaves_no_verdict(
    status: str, verdict: str, control: str
) -> None:
    found = outcome_of(cell(status), files(verdict, "not-reproduced", control), is_reproducer=True)
    assert found.outcome == "inconclusive"
    assert found.reason == f"The control tls12 is {control}: Because of {control}."


def test_a_verdict_without_any_control_is_none() -> None:
    alone = CellOutcomes(verdict=case("not-reproduced"), controls=())
    assert outcome_of(cell("passed"), alone, is_reproducer=True).outcome == "inconclusive"

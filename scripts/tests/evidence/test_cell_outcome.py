# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""An outcome needs the reproducer's file and jtreg's result to agree; nothing is guessed."""

import pytest

from jdkmatrix.evidence.cell_outcome import outcome_of
from jdkmatrix.evidence.outcomes import CaseOutcome, CellOutcomes, Figure, JavaFacts, Outcome
from jdkmatrix.run.jtreg import JtregStatus
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


def files(outcome: str | None) -> CellOutcomes:
    if outcome is None:
        return CellOutcomes(verdict=None, controls=())
    verdict = CaseOutcome(
        schema=1,
        test="A",
        bug="JDK-8293562",
        case="subject",
        outcome=Outcome(outcome),
        reason=f"Because of {outcome}.",
        figures=(Figure(name="worst_ms", value=3, bound=2, unit="ms"),),
        facts={},
        java=JavaFacts(version="17.0.3+7", vendor="Eclipse Adoptium", home="/jdk", pid=7),
    )
    return CellOutcomes(verdict=verdict, controls=())


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
        ("skipped", None, "not-applicable"),
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


def test_a_crash_is_an_error_whatever_was_written_before() -> None:
    crashed = cell("failed", artifacts=("hs_err_pid42.log", "outcome.json"))
    found = outcome_of(crashed, files("reproduced"), is_reproducer=True)
    assert (found.outcome, found.reason) == ("error", "The test JVM crashed: hs_err_pid42.log.")


def test_a_killed_jtreg_is_an_error() -> None:
    found = outcome_of(cell("failed", ended=Ended.TIMEOUT), files("reproduced"), is_reproducer=True)
    assert found.outcome == "error"
    assert "had not ended after 181 s" in found.reason

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Expectations of the shipped ledger, at the builds either side of each switch."""

from pathlib import Path

import pytest

from jdkmatrix.config import version
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.overlay.overlay_request import OverlayRequest
from jdkmatrix.plan.expectation import expect, expect_with
from jdkmatrix.vocabulary import Expectation, Intent, Outcome


@pytest.mark.parametrize(
    ("build", "expectation"),
    [
        # 8u: TLS 1.3 for clients came with 8u352-b04, the fix with 8u422-b02
        ("8u292-b03", "not-applicable"),
        ("8u345", "not-applicable"),
        ("8u352-b03", "not-applicable"),
        ("8u352-b04", "affected"),
        ("8u412-b08", "affected"),
        ("8u422-b01", "affected"),
        ("8u422-b02", "fixed"),
        ("8u422-ea", "unknown"),
        ("8u504-ga", "fixed"),
        ("1.8.0_504", "fixed"),
        # 11u: the close waits since 11.0.8+1
        ("11.0.7+10", "not-applicable"),
        ("11.0.8+1", "affected"),
        ("11.0.9.1+1", "affected"),
        ("11.0.13+8", "affected"),
        ("11.0.20.1+1", "affected"),
        ("11.0.21+1", "fixed"),
        ("11.0.24+8", "fixed"),
        ("11.0.33-ea", "fixed"),
        # trains without a backport, before and after mainline's fix
        ("12+24", "not-applicable"),
        ("13.0.2+8", "affected"),
        ("18.0.2+9", "affected"),
        ("19.0.2+7", "affected"),
        ("20+17", "affected"),
        ("20+18", "fixed"),
        ("17.0.3+7", "affected"),
        ("17.0.6+10", "affected"),
        ("17.0.7+7", "fixed"),
        ("17.0.21.0.3+1", "fixed"),
        ("21.0.8+9-LTS", "fixed"),
        ("25.0.2+10-LTS", "fixed"),
        ("26.0.2.1+1", "fixed"),
    ],
)
def test_jdk_8293562(ledger: Ledger, build: str, expectation: str) -> None:
    assert expect(ledger.bug("8293562"), version.parse(build), ledger) == expectation


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        ("17.0.21.1+2", Expectation.NOT_APPLICABLE),
        ("21.0.8+9", Expectation.NOT_APPLICABLE),
        ("22+6", Expectation.NOT_APPLICABLE),
        ("22+7", Expectation.AFFECTED),
        ("22+36", Expectation.AFFECTED),
        ("22.0.2+9", Expectation.AFFECTED),
        ("23+37", Expectation.AFFECTED),
        ("24.0.1+9", Expectation.AFFECTED),
        ("25+36", Expectation.AFFECTED),
        ("25.0.1+8", Expectation.AFFECTED),
        ("25.0.2+10", Expectation.AFFECTED),
        ("26.0.2.1+1", Expectation.AFFECTED),
    ],
)
def test_a_hang_like_one_that_was_fixed(ledger: Ledger, build: str, expected: Expectation) -> None:
    """JDK-8290005 brought it where JDK-8274524, whose symptom it has, is fixed."""
    jdk_version = version.parse(build)
    assert expect(ledger.bug("8290005"), jdk_version, ledger) is expected
    assert expect(ledger.bug("8274524"), jdk_version, ledger) is Expectation.FIXED


@pytest.mark.parametrize(
    ("bug", "build", "of_bug"),
    [
        ("8214418", "8u265-b01", Expectation.NOT_APPLICABLE),
        ("8214418", "8u272-b10", Expectation.AFFECTED),
        ("8214418", "8u302-b08", Expectation.AFFECTED),
        ("8214418", "8u312-b07", Expectation.FIXED),
        ("8311644", "8u332-b09", Expectation.AFFECTED),
        ("8331682", "8u332-b09", Expectation.AFFECTED),
    ],
)
def test_a_server_has_tls_1_3_before_clients_have_it(
    ledger: Ledger, bug: str, build: str, of_bug: Expectation
) -> None:
    """What a server shows does not wait for 8u352; the reproducer does, by its own client."""
    ledger_bug = ledger.bug(bug)
    assert expect(ledger_bug, version.parse(build), ledger) is of_bug
    of_test = expect(ledger_bug, version.parse(build), ledger, ledger_bug.tests[0])
    assert of_test is Expectation.NOT_APPLICABLE


HAS, GONE = Outcome.REPRODUCED, Outcome.NOT_REPRODUCED
OVERLAYS = [
    # of the bug that it fixes: gone, whatever was seen; elsewhere as the ledger says
    ("affected", None, ("JDK-8293562",), HAS, "fixed"),
    ("affected", None, ("JDK-8293562",), None, "fixed"),
    ("fixed", None, ("JDK-8293562",), HAS, "fixed"),
    ("unknown", None, ("JDK-8293562",), GONE, "unknown"),
    # of another bug of the build: there, or gone by chance
    ("affected", None, ("JDK-8301686",), HAS, "affected"),
    ("affected", None, (), GONE, "fixed"),
    ("fixed", None, (), HAS, "fixed"),
    # by --expect
    ("unknown", Intent.FIXED, (), HAS, "fixed"),
    ("affected", Intent.FIXED, (), HAS, "fixed"),
    ("fixed", Intent.BROKEN, (), HAS, "affected"),
    ("affected", Intent.BROKEN, ("JDK-8293562",), GONE, "affected"),
]


@pytest.mark.parametrize(("by_ledger", "intent", "bugs", "outcome", "expectation"), OVERLAYS)
def test_with_an_overlay(
    ledger: Ledger,
    by_ledger: str,
    intent: Intent | None,
    bugs: tuple[str, ...],
    outcome: Outcome | None,
    expectation: str,
) -> None:
    overlay = OverlayRequest(Path("x.diff"), is_patch=True, intent=intent, bugs=bugs)
    bug = ledger.bug("8293562")
    assert expect_with(Expectation(by_ledger), bug, overlay, outcome) == expectation
    assert expect_with(Expectation(by_ledger), bug, None, outcome) == by_ledger
    assert expect_with(Expectation.UNKNOWN, None, overlay, outcome) == "unknown"

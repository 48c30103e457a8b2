# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which builds are searched, and what the ledger says to what was found."""

import pytest

from jdkmatrix.bisect.candidates import (
    SearchableBuilds,
    between,
    known_builds,
    of_train,
    trains_with_both,
)
from jdkmatrix.bisect.conclusion import verdict
from jdkmatrix.bisect.search import BugState
from jdkmatrix.config import version
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.errors import UsageError

IDS = {"debian-8": "debian-8u504-ga", "debian-11": "debian-11.0.33-ea+8"}


@pytest.fixture
def known(jdks: JdksFile) -> SearchableBuilds:
    return known_builds(jdks, IDS, {})


@pytest.fixture
def bug(ledger: Ledger) -> Bug:
    return ledger.bug("8293562")


def test_builds_of_a_train_oldest_first_without_those_that_can_not_have_it(
    bug: Bug, ledger: Ledger, known: SearchableBuilds
) -> None:
    found = of_train(bug, 11, ledger, known, bug.tests[0])
    assert found.first is BugState.BAD
    assert found.ids[0] == "temurin-11.0.9.1+1"  # before it, close() does not wait
    assert found.ids[-1] == "debian-11"
    assert list(found.versions.values()) == sorted(found.versions.values())


def test_a_release_for_another_c_library_is_not_searched(
    jdks: JdksFile, known: SearchableBuilds
) -> None:
    assert "temurin-17.0.11+9-musl" in [entry.id for entry in jdks.builds]
    assert "temurin-17.0.11+9-musl" not in known.versions
    assert "temurin-17.0.11+9" in known.versions


def test_the_trains_that_have_both_sides(bug: Bug, ledger: Ledger, known: SearchableBuilds) -> None:
    assert trains_with_both(bug, ledger, known, bug.tests[0]) == (8, 11, 17)
    cured = bug.model_copy(update={"fixed": {}})
    with pytest.raises(UsageError, match=r"no train of jdks\.yaml has builds on both sides"):
        trains_with_both(cured, ledger, known, bug.tests[0])


def test_only_trains_with_both_sides_are_offered(
    bug: Bug, ledger: Ledger, known: SearchableBuilds
) -> None:
    """26 was fixed before its first build, and of 18 there is none."""
    for train in (18, 26):
        with pytest.raises(UsageError) as refused:
            of_train(bug, train, ledger, known, bug.tests[0])
        assert str(refused.value) == (
            f"--train {train}: jdks.yaml has 0 builds of it that can have JDK-8293562; "
            "two or more are needed; accepted: 8, 11, 17, or --jdk DIR with builds of it"
        )


def test_builds_at_hand_are_searched_too(bug: Bug, ledger: Ledger, jdks: JdksFile) -> None:
    """One of 8 lies among those of jdks.yaml; 8u332 is too old for a client to have the bug."""
    given = {f"/jdks/{name}": version.parse(name) for name in ("8u412-b08", "17.0.5+8")}
    known = known_builds(jdks, IDS, given)
    assert trains_with_both(bug, ledger, known, bug.tests[0]) == (8, 11, 17)
    assert of_train(bug, 8, ledger, known, bug.tests[0]).ids == (
        "debian-8u372-ga",
        "/jdks/8u412-b08",
        "debian-8u452-ga",
        "debian-8",
    )
    assert between("temurin-17.0.7+7", "/jdks/17.0.5+8", known).ids == (
        "/jdks/17.0.5+8",
        "temurin-17.0.7+7",
    )


def test_between_two_builds(known: SearchableBuilds) -> None:
    fix = between("temurin-17.0.7+7", "temurin-17.0.3+7", known)
    assert (fix.first, fix.ids) == (BugState.BAD, ("temurin-17.0.3+7", "temurin-17.0.7+7"))
    regression = between("temurin-11.0.9.1+1", "debian-11.0.33-ea+8", known)
    assert regression.first is BugState.GOOD
    assert regression.ids[-1] == "debian-11"


def test_the_ends_are_the_builds_that_were_named(jdks: JdksFile) -> None:
    """Others of the same versions come before and behind them."""
    names = {f"/{n}-{one}": version.parse(one) for n in "ab" for one in ("17.0.3+7", "17.0.9+9")}
    known = known_builds(jdks, IDS, names)
    for ends in (("temurin-17.0.3+7", "/b-17.0.9+9"), ("/b-17.0.3+7", "temurin-17.0.9+9")):
        found = between(*ends, known)
        assert found.ids == (ends[0], "temurin-17.0.7+7", "temurin-17.0.8.1+1", ends[1])


@pytest.mark.parametrize(
    ("before", "after", "first", "text", "agrees"),
    [
        (
            "17.0.3+7",
            "17.0.7+7",
            BugState.BAD,
            "first fixed: 17.0.7+7 (ledger says 17.0.7+1): agrees",
            True,
        ),
        (
            "17.0.7+7",
            "17.0.9+9",
            BugState.BAD,
            "first fixed: 17.0.9+9 (ledger says 17.0.7+1): disagrees, 17.0.7+7 was the last bad",
            False,
        ),
        (
            "17.0.2+8",
            "17.0.3+7",
            BugState.BAD,
            "first fixed: 17.0.3+7 (ledger says 17.0.7+1): disagrees, 17.0.2+8 was the last bad",
            False,
        ),
        (
            "21.0.4+7",
            "21.0.8+9",
            BugState.GOOD,
            "first affected: 21.0.8+9 (the ledger has no tag for 21): "
            "disagrees, 21.0.4+7 was the last good",
            False,
        ),
    ],
)
def test_verdict(
    bug: Bug, ledger: Ledger, before: str, after: str, first: BugState, text: str, agrees: bool
) -> None:
    found = verdict(bug, ledger, bug.tests[0], version.parse(before), version.parse(after), first)
    assert (found.text, found.agrees) == (text, agrees)

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
from jdkmatrix.supply.catalog import Catalog
from tests.plan.parsed_ids import last_builds

LAST = last_builds({"debian-8": "debian-8u504-ga", "debian-11": "debian-11.0.33-ea+8"})


@pytest.fixture
def builds(jdks: JdksFile) -> SearchableBuilds:
    return known_builds(Catalog(jdks, LAST), {})


@pytest.fixture
def bug(ledger: Ledger) -> Bug:
    return ledger.bug("8293562")


def test_builds_of_a_train_oldest_first_without_those_that_can_not_have_it(
    bug: Bug, ledger: Ledger, builds: SearchableBuilds
) -> None:
    candidates = of_train(bug, 11, ledger, builds, bug.tests[0])
    assert candidates.first is BugState.BAD
    assert candidates.ids[0] == "temurin-11.0.9.1+1"  # before it, close() does not wait
    assert candidates.ids[-1] == "debian-11"
    assert list(candidates.versions.values()) == sorted(candidates.versions.values())


def test_a_release_for_another_c_library_is_not_searched(
    jdks: JdksFile, builds: SearchableBuilds
) -> None:
    assert "temurin-17.0.11+9-musl" in [entry.id for entry in jdks.builds]
    assert "temurin-17.0.11+9-musl" not in builds.versions
    assert "temurin-17.0.11+9" in builds.versions


def test_the_trains_that_have_both_sides(
    bug: Bug, ledger: Ledger, builds: SearchableBuilds
) -> None:
    assert trains_with_both(bug, ledger, builds, bug.tests[0]) == (8, 11, 17)
    unfixed_bug = bug.model_copy(update={"fixed": {}})
    with pytest.raises(UsageError, match=r"no train of jdks\.yaml has builds on both sides"):
        trains_with_both(unfixed_bug, ledger, builds, bug.tests[0])


def test_only_trains_with_both_sides_are_offered(
    bug: Bug, ledger: Ledger, builds: SearchableBuilds
) -> None:
    """26 was fixed before its first build, and of 18 there is none."""
    for train in (18, 26):
        with pytest.raises(UsageError) as error:
            of_train(bug, train, ledger, builds, bug.tests[0])
        assert str(error.value) == (
            f"--train {train}: jdks.yaml has 0 builds of it that can have JDK-8293562; "
            "two or more are needed; accepted: 8, 11, 17, or --jdk DIR with builds of it"
        )


def test_builds_at_hand_are_searched_too(bug: Bug, ledger: Ledger, jdks: JdksFile) -> None:
    """One of 8 lies among those of jdks.yaml; 8u332 is too old for a client to have the bug."""
    local_versions = {f"/jdks/{name}": version.parse(name) for name in ("8u412-b08", "17.0.5+8")}
    builds = known_builds(Catalog(jdks, LAST), local_versions)
    assert trains_with_both(bug, ledger, builds, bug.tests[0]) == (8, 11, 17)
    assert of_train(bug, 8, ledger, builds, bug.tests[0]).ids == (
        "debian-8u372-ga",
        "/jdks/8u412-b08",
        "debian-8u452-ga",
        "debian-8",
    )
    assert between("temurin-17.0.7+7", "/jdks/17.0.5+8", builds).ids == (
        "/jdks/17.0.5+8",
        "temurin-17.0.7+7",
    )


def test_between_two_builds(builds: SearchableBuilds) -> None:
    fix = between("temurin-17.0.7+7", "temurin-17.0.3+7", builds)
    assert (fix.first, fix.ids) == (BugState.BAD, ("temurin-17.0.3+7", "temurin-17.0.7+7"))
    regression = between("temurin-11.0.9.1+1", "debian-11.0.33-ea+8", builds)
    assert regression.first is BugState.GOOD
    assert regression.ids[-1] == "debian-11"


def test_the_ends_are_the_builds_that_were_named(jdks: JdksFile) -> None:
    """Others of the same versions come before and behind them."""
    names = {f"/{n}-{text}": version.parse(text) for n in "ab" for text in ("17.0.3+7", "17.0.9+9")}
    builds = known_builds(Catalog(jdks, LAST), names)
    for ends in (("temurin-17.0.3+7", "/b-17.0.9+9"), ("/b-17.0.3+7", "temurin-17.0.9+9")):
        candidates = between(*ends, builds)
        assert candidates.ids == (ends[0], "temurin-17.0.7+7", "temurin-17.0.8.1+1", ends[1])


@pytest.mark.parametrize(
    ("older", "newer", "first", "text", "agrees"),
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
    bug: Bug, ledger: Ledger, older: str, newer: str, first: BugState, text: str, agrees: bool
) -> None:
    conclusion = verdict(
        bug, ledger, bug.tests[0], version.parse(older), version.parse(newer), first
    )
    assert (conclusion.text, conclusion.agrees) == (text, agrees)

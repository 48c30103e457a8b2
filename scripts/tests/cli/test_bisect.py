# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What a bisection prints, and its exit code, with builds that are played."""

from collections.abc import Callable, Sequence

import pytest

from jdkmatrix.bisect.candidates import Candidates, known_builds
from jdkmatrix.bisect.search import BugState
from jdkmatrix.cli.bisect import search_all, searches_of
from jdkmatrix.cli.bisection import say_answer
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.config.version import parse
from jdkmatrix.errors import NothingRanError, UnfinishedError
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.catalog import Catalog

FIXED_17 = ("temurin-17.0.7+7", "temurin-17.0.9+9", "debian-17")
CHECKOUT = Checkout.current()
LEDGER = load_ledger(CHECKOUT.ledger)
KNOWN = known_builds(Catalog.of_checkout(CHECKOUT), {})
BUG = LEDGER.bug("8293562")


def bisect(
    probe: Callable[[str], BugState],
    trains: Sequence[int | None] = (None,),
    good: str | None = None,
    bad: str | None = None,
) -> int:
    test = BUG.tests[0]
    searches = [
        search
        for train in trains
        for search in searches_of(BUG, test, LEDGER, KNOWN, train, good, bad)
    ]
    return search_all(BUG, LEDGER, test, searches, probe, say_answer)


def good_if(good: Callable[[str], bool]) -> Callable[[str], BugState]:
    return lambda build: BugState.GOOD if good(build) else BugState.BAD


def test_agrees(capsys: pytest.CaptureFixture[str]) -> None:
    assert bisect(good_if(lambda build: "17.0.2" not in build and "17.0.3" not in build), [17]) == 0
    first, gap, costs = capsys.readouterr().out.splitlines()
    assert first == "first fixed: 17.0.7+7 (ledger says 17.0.7+1): agrees"
    assert gap.startswith("  between 17.0.3+7 and 17.0.7+7: releases 17.0.4 to 17.0.6 (")
    assert costs.strip() == "6 of 14 builds run, 8 runs; linear: 14 builds"


def test_disagrees(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        bisect(
            good_if(lambda build: build == "temurin-17.0.9+9"),
            good="temurin-17.0.9+9",
            bad="temurin-17.0.3+7",
        )
        == 1
    )
    text = "first fixed: 17.0.9+9 (ledger says 17.0.7+1): disagrees, 17.0.8.1+1 was the last bad"
    assert capsys.readouterr().out.startswith(text)


def test_every_train_with_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    old = ("8u372", "11.0.9.1", "11.0.10", "11.0.13", "11.0.14", "17.0.2", "17.0.3")
    assert bisect(good_if(lambda build: not any(version in build for version in old))) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("first")] == [
        "first fixed: 8u452-ga (ledger says 8u422-b02): agrees",
        "first fixed: 11.0.24+8 (ledger says 11.0.21+1): agrees",
        "first fixed: 17.0.7+7 (ledger says 17.0.7+1): agrees",
    ]


def test_a_train_without_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    assert bisect(good_if(lambda build: True), [21]) == 4
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    sides = "temurin-21.0.2+13 is good, debian-21.0.13.1+2 is"
    assert f"train 21 has no builds on both sides of the change: {sides}" in err


def test_a_lost_fix_disagrees_and_the_other_trains_are_searched(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The newest build of 11 is bad again; 17 is as the ledger says."""
    newest = "debian-11"
    bad = ("11.0.9.1", "11.0.10", "11.0.13", "17.0.2", "17.0.3")
    good = good_if(lambda build: build != newest and not any(name in build for name in bad))
    assert bisect(good, [11, 17]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("no change found: 11.0.9.1+1 is bad (ledger says affected), 11.0.3")
    assert lines[0].endswith(" is bad (ledger says fixed): disagrees")
    assert lines[1].strip().startswith("2 of 7 builds run, 3 runs; ")
    assert lines[2] == "first fixed: 17.0.7+7 (ledger says 17.0.7+1): agrees"


def test_a_disagreement_outlives_a_train_without_an_answer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert bisect(good_if(lambda build: "-21" in build), [17, 21]) == 1
    out, err = capsys.readouterr()
    assert "17.0.2+8 is bad (ledger says affected), 17.0.2" in out
    assert "matrix: train 21 has no builds on both sides of the change: " in err


def probe_without(missing: Callable[[str], bool]) -> Callable[[str], BugState]:
    def probe(build: str) -> BugState:
        if missing(build):
            raise NothingRanError(f"no cell could be run: {build}: not cached")
        return BugState.BAD if "17.0.2" in build or "17.0.3" in build else BugState.GOOD

    return probe


def test_no_build_to_be_had(capsys: pytest.CaptureFixture[str]) -> None:
    assert bisect(probe_without(lambda build: True), [17]) == 3
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert err.startswith(
        "matrix: train 17: no build gave a verdict, and 14 of 14 builds could not be run: "
        "temurin-17.0.2+8: no cell could be run: temurin-17.0.2+8: not cached; "
    )


def test_no_affected_build_to_be_had(capsys: pytest.CaptureFixture[str]) -> None:
    assert bisect(probe_without(lambda build: "17.0.2" in build or "17.0.3" in build), [17]) == 3
    err = capsys.readouterr().err
    assert "train 17: temurin-17.0.7+7 is good, debian-17" in err
    assert "is good, and 2 of 14 builds could not be run: temurin-17.0.2+8: " in err


def test_a_build_less_is_passed_over(capsys: pytest.CaptureFixture[str]) -> None:
    assert bisect(probe_without(lambda build: "17.0.2" in build), [17]) == 0
    assert "passed over: temurin-17.0.2+8 gave no verdict" in capsys.readouterr().out


@pytest.mark.parametrize(("runs", "good"), [(0, "debian-17"), (3, "temurin-17.0.12+7")])
def test_interrupted_it_says_between_which_two_to_go_on(runs: int, good: str) -> None:
    builds: list[str] = []

    def ends(build: str) -> BugState:
        if len(builds) == runs:
            raise KeyboardInterrupt
        builds.append(build)
        return BugState.BAD if build == "temurin-17.0.2+8" else BugState.GOOD

    with pytest.raises(UnfinishedError) as error:
        bisect(ends, [17])
    command = f"scripts/matrix bisect {BUG.id} --test {BUG.tests[0]}"
    assert (
        str(error.value)
        == f"not everything was run; to continue: {command} --good {good} --bad temurin-17.0.2+8"
    )


def test_interrupted_it_names_the_jdks_at_hand_once_more() -> None:
    def interrupt(_: str) -> BugState:
        raise KeyboardInterrupt

    candidates = Candidates(
        17, {"/my jdks/a": parse("17.0.2"), "/b": parse("17.0.9")}, BugState.BAD
    )
    jdks = ("~/nightly/*", "/b")
    with pytest.raises(UnfinishedError) as error:
        search_all(
            BUG,
            LEDGER,
            BUG.tests[0],
            [candidates],
            interrupt,
            say_answer,
            jdks=jdks,
            offline=True,
        )
    assert str(error.value).endswith(
        " --jdk '~/nightly/*' --jdk /b --offline --good /b --bad '/my jdks/a'"
    )

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Why a baseline was chosen, what differs, and what it hides."""

from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.grading.judged_baseline import describe_baseline
from jdkmatrix.paths import Checkout
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.records.request import SpeedRequest
from tests.report.conftest import make_build

RULEBOOK = Rulebook.load(Checkout.current())
CANDIDATE = make_build("debian-17.0.21.1+2")
SPEED = SpeedRequest(blocks=2, minimum_effect=0.05, seed=1)
TWIN = "debian-17.0.21.0.3+1"


def date_build(build: BuildRecord, release_date: str) -> BuildRecord:
    return build.model_copy(update={"facts": {**build.facts, "release_date": release_date}})


def describe(baseline: BuildRecord, **changes: object) -> str:
    request = SPEED.model_copy(update=changes)
    builds = (baseline, CANDIDATE)
    return describe_baseline(builds, CANDIDATE.id, baseline.id, request, RULEBOOK)


def test_it_is_of_an_earlier_update_and_twins_are_named_with_what_differs() -> None:
    baseline = date_build(make_build("debian-17.0.12+7"), "2024-07-16")
    text = describe(baseline, twins=(TWIN,))
    choice, both_wrong, twins = text.split(". ")
    assert choice.startswith(
        "debian-17.0.12+7 of 2024-07-16 is the newest release of an earlier update, of the same "
        "vendor; between the two lie "
    )
    assert both_wrong == "What both do wrong does not show"
    assert twins.startswith(f"Passed over, as of the same update: {TWIN}, 0 fixed bugs and ")
    assert "lie 0 fixed bugs" not in choice


def test_another_vendors_is_told() -> None:
    text = describe(make_build("temurin-17.0.12+7"))
    assert "an earlier update, of another vendor, as this one has none; between" in text


def test_a_named_one_is_told() -> None:
    text = describe(make_build("debian-17.0.12+7"), is_baseline_named=True)
    assert text.startswith("debian-17.0.12+7 was named; between the two lie ")
    assert "same update" not in text


def test_a_twin_that_had_to_serve_hides_what_came_with_the_update() -> None:
    text = describe(make_build(TWIN))
    assert text.startswith(f"{TWIN} is the newest older release, as none of an earlier update")
    assert "Being of the same update, it hides what came with that update." in text


def test_without_one_nothing_is_told() -> None:
    assert not describe_baseline((CANDIDATE,), CANDIDATE.id, None, SPEED, RULEBOOK)

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A search among builds that fail by chance is wrong no more often than it says."""

from random import Random

import pytest

from jdkmatrix.bisect.noisy_search import MOST_RUNS, BadStretch, NoisySearch

ERROR = 0.05


def search(
    count: int, first_bad: int, first_fixed: int, rate: float, chance: Random
) -> NoisySearch:
    """A search among `count` builds, of which those of a stretch fail at that rate."""
    noisy_search = NoisySearch(tuple(map(str, range(count))), ERROR)
    while build := noisy_search.next_build():
        is_bad = first_bad <= int(build) < first_fixed
        noisy_search.add(build, is_failure=is_bad and chance.random() < rate)
    return noisy_search


def ends(stretch: BadStretch) -> tuple[str | None, str | None]:
    return stretch.first_bad, stretch.first_fixed


@pytest.mark.parametrize(
    "first_bad, first_fixed, expected",
    [
        (0, 3, (None, "3")),
        (3, 8, ("3", None)),
        (2, 5, ("2", "5")),
        (0, 1, (None, "1")),
        (7, 8, ("7", None)),
    ],
)
def test_what_always_shows_takes_few_runs(
    first_bad: int, first_fixed: int, expected: tuple[str | None, str | None]
) -> None:
    noisy_search = search(8, first_bad, first_fixed, 1.0, Random(1))
    assert ends(noisy_search.stretch) == expected
    assert noisy_search.is_decided and sum(noisy_search.stretch.runs.values()) <= 20


def test_neighbours_are_named() -> None:
    stretch = search(6, 2, 4, 1.0, Random(1)).stretch
    assert (stretch.last_good, stretch.last_bad) == ("1", "3")


def test_a_line_without_a_change_is_told() -> None:
    good, bad = search(5, 0, 0, 1.0, Random(1)), search(5, 0, 5, 1.0, Random(1))
    assert good.is_decided and not good.stretch.is_bad
    assert bad.is_decided and bad.stretch.is_bad and ends(bad.stretch) == (None, None)


@pytest.mark.slow
def test_the_stated_error_holds_in_a_thousand_searches() -> None:
    """At the rates that are hardest to tell from good builds, and at some that are not."""
    chance, wrong_count, undecided_count, count = Random(20261128), 0, 0, 6
    for _ in range(1000):
        place, rate = chance.randrange(1, count), chance.choice((0.15, 0.2, 0.2, 0.4, 0.9))
        is_fix = chance.random() < 0.5
        first_bad, first_fixed = (0, place) if is_fix else (place, count)
        noisy_search = search(count, first_bad, first_fixed, rate, chance)
        expected = (None, str(place)) if is_fix else (str(place), None)
        undecided_count += not noisy_search.is_decided
        wrong_count += ends(noisy_search.stretch) != expected
    assert undecided_count == 0
    assert wrong_count <= 1000 * ERROR


def test_the_simulation_sees_a_search_that_trusts_one_run() -> None:
    """Who asks each build once, as a plain bisection does, is wrong mostly."""
    chance, wrong_count = Random(1), 0
    for _ in range(200):
        low, high = 0, 5
        while high - low > 1:
            middle = (low + high) // 2
            if middle < 3 and chance.random() < 0.2:
                low = middle
            else:
                high = middle
        wrong_count += high != 3
    assert wrong_count > 200 * ERROR


def test_a_build_without_an_answer_is_left_out() -> None:
    noisy_search = NoisySearch(("a", "b", "c", "d"), ERROR)
    noisy_search.add("a", is_failure=True)
    noisy_search.drop("b")
    while build := noisy_search.next_build():
        noisy_search.add(build, is_failure=build == "a")
    assert ends(noisy_search.stretch) == (None, "c")
    assert noisy_search.stretch.last_bad == "a"
    assert set(noisy_search.stretch.runs) == {"a", "c", "d"}


def test_it_gives_up() -> None:
    """Where builds fail and pass without a pattern."""
    noisy_search, runs = NoisySearch(("a", "b"), 0.0000001), 0
    while build := noisy_search.next_build():
        noisy_search.add(build, is_failure=runs % 97 == 0)
        runs += 1
        assert runs <= MOST_RUNS


def test_no_build_is_left() -> None:
    noisy_search = NoisySearch(("a", "b"), ERROR)
    for build in ("a", "b"):
        noisy_search.drop(build)
    assert noisy_search.next_build() is None
    assert not noisy_search.is_decided and not noisy_search.has_builds

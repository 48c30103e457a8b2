# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The search finds the change in few runs, and is not led astray by one wrong run."""

import math
from collections import Counter
from collections.abc import Sequence

import pytest

from jdkmatrix.bisect.search import Change, NoBothSidesError, Search, State

BAD, GOOD = State.BAD, State.GOOD


class Scripted:
    """Builds "0", "1" ...: what each says, run by run; its last word is repeated."""

    def __init__(self, *says: Sequence[State | None]) -> None:
        self._says = {str(n): list(states) for n, states in enumerate(says)}
        self.runs: Counter[str] = Counter()

    def __call__(self, build: str) -> State | None:
        self.runs[build] += 1
        says = self._says[build]
        return says.pop(0) if len(says) > 1 else says[0]

    def search(self, first: State = BAD) -> Change:
        return Search(list(self._says), first, self).run()


@pytest.mark.parametrize("size", [2, 3, 7, 9, 16, 40])
def test_every_place_of_the_change_in_log_steps(size: int) -> None:
    for place in range(1, size):
        scripted = Scripted(*([[BAD]] * place), *([[GOOD]] * (size - place)))
        change = scripted.search()
        assert (change.before, change.after) == (str(place - 1), str(place))
        assert len(change.runs) <= 2 + math.ceil(math.log2(max(size - 1, 1)))
        assert change.runs == dict(scripted.runs)


def test_the_other_way_round() -> None:
    change = Scripted([GOOD], [GOOD], [BAD], [BAD]).search(GOOD)
    assert (change.before, change.after) == ("1", "2")


def test_the_neighbours_are_run_twice() -> None:
    scripted = Scripted([BAD], [BAD], [GOOD], [GOOD])
    assert scripted.search().runs == {"0": 1, "1": 2, "2": 2, "3": 1}


def test_a_wrong_first_run_is_outvoted_and_the_search_goes_on() -> None:
    # Build 2 is bad but once said good: without a second look the change would be at 2.
    scripted = Scripted([BAD], [BAD], [GOOD, BAD, BAD], [BAD], [GOOD])
    change = scripted.search()
    assert (change.before, change.after) == ("3", "4")
    assert scripted.runs["2"] == 3


def test_builds_without_a_verdict_are_passed_over() -> None:
    change = Scripted([None], [BAD], [None], [GOOD], [None]).search()
    assert (change.before, change.after) == ("1", "3")
    assert set(change.without_verdict) == {"0", "2", "4"}


@pytest.mark.parametrize(
    "says",
    [
        ([GOOD], [GOOD]),
        ([BAD], [BAD]),
        ([GOOD], [BAD]),
        ([None], [None]),
        ([BAD], [None]),
        ([BAD], [GOOD, BAD, BAD]),
    ],
)
def test_ends_that_do_not_differ(says: Sequence[Sequence[State | None]]) -> None:
    with pytest.raises(NoBothSidesError):
        Scripted(*says).search()

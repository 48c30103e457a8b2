# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The search finds the change in few runs, and is not led astray by one wrong run."""

import math
from collections import Counter
from collections.abc import Sequence

import pytest

from jdkmatrix.bisect.search import BugState, NoBothSidesError, NoVerdict, OutcomeChange, Search
from jdkmatrix.errors import NothingRanError

BAD, GOOD = BugState.BAD, BugState.GOOD
NO_VERDICT, FINAL = NoVerdict.THIS_TIME, NoVerdict.FINAL
NOT_RUN = NothingRanError("not to be had")
Answer = BugState | NoVerdict | NothingRanError


class ScriptedBuilds:
    """Builds "0", "1" ...: what each says, run by run; its last word is repeated."""

    def __init__(self, *says: Sequence[Answer]) -> None:
        self._says = {str(n): list(states) for n, states in enumerate(says)}
        self.runs: Counter[str] = Counter()

    def __call__(self, build: str) -> BugState | NoVerdict:
        self.runs[build] += 1
        says = self._says[build]
        answer = says.pop(0) if len(says) > 1 else says[0]
        if isinstance(answer, NothingRanError):
            raise answer
        return answer

    def search(self, first: BugState = BAD) -> OutcomeChange:
        return Search(list(self._says), first, self).run()


@pytest.mark.parametrize("size", [2, 3, 7, 9, 16, 40])
def test_every_place_of_the_change_in_log_steps(size: int) -> None:
    for place in range(1, size):
        builds = ScriptedBuilds(*([[BAD]] * place), *([[GOOD]] * (size - place)))
        change = builds.search()
        assert (change.older, change.newer) == (str(place - 1), str(place))
        assert len(change.runs) <= 2 + math.ceil(math.log2(max(size - 1, 1)))
        assert change.runs == dict(builds.runs)


def test_the_other_way_round() -> None:
    change = ScriptedBuilds([GOOD], [GOOD], [BAD], [BAD]).search(GOOD)
    assert (change.older, change.newer) == ("1", "2")


def test_the_neighbours_are_run_twice() -> None:
    builds = ScriptedBuilds([BAD], [BAD], [GOOD], [GOOD])
    assert builds.search().runs == {"0": 1, "1": 2, "2": 2, "3": 1}


def test_a_wrong_first_run_is_outvoted_and_the_search_goes_on() -> None:
    # Build 2 is bad but once said good: without a second look the change would be at 2.
    builds = ScriptedBuilds([BAD], [BAD], [GOOD, BAD, BAD], [BAD], [GOOD])
    change = builds.search()
    assert (change.older, change.newer) == ("3", "4")
    assert builds.runs["2"] == 3


def test_builds_without_a_verdict_are_passed_over() -> None:
    change = ScriptedBuilds([NO_VERDICT], [BAD], [NO_VERDICT], [GOOD], [NO_VERDICT]).search()
    assert (change.older, change.newer) == ("1", "3")
    assert set(change.without_verdict) == {"0", "2", "4"}


@pytest.mark.parametrize(
    "says",
    [
        ([GOOD], [GOOD]),
        ([BAD], [BAD]),
        ([GOOD], [BAD]),
        ([NO_VERDICT], [NO_VERDICT]),
        ([BAD], [NO_VERDICT]),
        ([BAD], [GOOD, BAD, BAD]),
    ],
)
def test_ends_that_do_not_differ(says: Sequence[Sequence[Answer]]) -> None:
    with pytest.raises(NoBothSidesError):
        ScriptedBuilds(*says).search()


def test_runs_without_a_verdict_count_and_what_never_tells_is_run_once() -> None:
    builds = ScriptedBuilds([NOT_RUN], [NO_VERDICT, BAD], [FINAL], [GOOD], [NO_VERDICT])
    change = builds.search()
    assert (change.older, change.newer) == ("1", "3")
    assert change.runs == {"0": 0, "1": 3, "2": 1, "3": 2, "4": 3}


@pytest.mark.parametrize(
    ("says", "ends", "runs"),
    [
        (([BAD], [GOOD], [BAD]), {"0": BAD, "2": BAD}, {"0": 1, "2": 2}),
        (([BAD], [GOOD], [BAD, GOOD, BAD]), {"0": BAD, "2": BAD}, {"0": 1, "2": 3}),
        (([GOOD], [BAD]), {"0": GOOD, "1": BAD}, {"0": 2, "1": 2}),
        (([FINAL], [NOT_RUN]), {}, {"0": 1, "1": 0}),
    ],
)
def test_an_end_that_is_not_as_wanted_is_run_again(
    says: Sequence[Sequence[Answer]], ends: dict[str, BugState], runs: dict[str, int]
) -> None:
    with pytest.raises(NoBothSidesError) as error:
        ScriptedBuilds(*says).search()
    assert (error.value.ends, error.value.runs) == (ends, runs)


def test_an_end_that_was_wrong_once_is_outvoted() -> None:
    change = ScriptedBuilds([BAD], [BAD], [GOOD], [BAD, GOOD, GOOD]).search()
    assert (change.older, change.newer) == ("1", "2")


@pytest.mark.parametrize(
    ("says", "not_run"),
    [
        (([NOT_RUN], [NOT_RUN]), {"0", "1"}),
        (([NOT_RUN], [GOOD], [GOOD]), {"0"}),
        (([BAD], [BAD], [NOT_RUN]), {"2"}),
        (([FINAL], [GOOD], [GOOD]), set()),
        (([GOOD, NOT_RUN], [GOOD]), set()),  # it was run, once
    ],
)
def test_what_could_not_be_run_is_told(says: Sequence[Sequence[Answer]], not_run: set[str]) -> None:
    with pytest.raises(NoBothSidesError) as error:
        ScriptedBuilds(*says).search()
    assert error.value.not_run == dict.fromkeys(not_run, "not to be had")

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A plan is cut into shards that are alike, have every cell once, and are the same each time."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jdkmatrix.cli.app import main
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.errors import UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.seconds import expected_seconds, measured_seconds
from jdkmatrix.plan.selection import Selection
from jdkmatrix.plan.shards import Shard, cut_shards
from jdkmatrix.records.request import Request


@given(
    st.lists(st.floats(0.1, 100), min_size=1, max_size=60).flatmap(
        lambda seconds: st.tuples(st.just(seconds), st.integers(1, len(seconds)))
    )
)
def test_every_cell_is_in_one_shard_and_no_shard_is_empty(case: tuple[list[float], int]) -> None:
    seconds, count = case
    shards = cut_shards(list(enumerate(seconds)), count)
    assert [cell for shard in shards for cell in shard] == list(range(len(seconds)))
    assert len(shards) == count
    assert all(shards)


@given(st.lists(st.floats(5, 30), min_size=40, max_size=80), st.integers(2, 5))
def test_shards_differ_by_no_more_than_the_longest_cell(seconds: list[float], count: int) -> None:
    sums = [sum(shard) for shard in cut_shards([(cell_s, cell_s) for cell_s in seconds], count)]
    fair = sum(seconds) / count
    assert all(abs(sum_s - fair) <= max(seconds) + 1e-6 for sum_s in sums)


def test_the_seconds_count_and_not_the_cells() -> None:
    assert cut_shards([("long", 9.0), ("a", 1.0), ("b", 1.0), ("c", 1.0)], 2) == (
        ("long",),
        ("a", "b", "c"),
    )


@pytest.mark.parametrize("count", [0, 3])
def test_more_shards_than_cells_are_refused(count: int) -> None:
    with pytest.raises(UsageError, match=f"^{count} shards of 2 cells; accepted: 1 to 2$"):
        cut_shards([("a", 1.0), ("b", 1.0)], count)


def test_shard_is_parsed() -> None:
    assert Shard.parse("2/3") == Shard(2, 3)


@pytest.mark.parametrize("text", ["", "2", "0/3", "4/3", "-1/3", "1/3/5", "a/b", "1/0", "1 /3"])
def test_what_is_no_shard_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="accepted: I/N with I from 1 to N"):
        Shard.parse(text)


def test_shards_of_a_real_plan_have_few_builds_each_and_none_that_they_do_not_run() -> None:
    whole = Selection.resolve(Checkout.current(), Request())
    shards = whole.shards(4)
    parts = [whole.restrict_cells(shard) for shard in shards]
    assert [row for part in parts for row in part.plan()] == whole.plan()
    assert max(len(part.entries) for part in parts) <= len(whole.entries) // 4 + 2
    assert sum(len(part.plan()) for part in parts) == len(whole.plan())
    sums = [sum(row.expected_s for row in shard) for shard in shards]
    assert max(sums) - min(sums) < 2 * max(row.expected_s for row in whole.plan())


def test_a_jdk_given_twice_has_no_place_in_a_plan() -> None:
    selection = Selection.resolve(Checkout.current(), Request(jdks=("/x", "/x")))
    with pytest.raises(UsageError, match="the same path twice"):
        selection.shards(2)


def test_most_tests_of_the_ledger_have_been_timed(ledger: Ledger) -> None:
    tests = [test for bug in ledger.bugs for test in bug.tests]
    assert len(set(tests) - set(measured_seconds())) <= len(tests) / 4, "scripts/measure-seconds"


def test_a_test_that_was_not_timed_counts_as_the_median() -> None:
    timings = sorted(measured_seconds().items(), key=lambda pair: pair[1])[:3]
    seconds = expected_seconds([*(test for test, _ in timings), "own/New.java"])
    assert seconds["own/New.java"] == timings[1][1]
    assert expected_seconds(["own/New.java"]) == {"own/New.java": 1.0}


def test_the_plan_for_github_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--build", "temurin-17*", "--bug", "8170305"]
    assert main(["plan", "--shards", "3", "--format", "github", *options]) == 0
    line = capsys.readouterr().out
    assert line.count("\n") == 1
    jobs = json.loads(line)["include"]
    assert [job["shard"] for job in jobs] == ["1/3", "2/3", "3/3"]
    assert main(["plan", "--shards", "3", "--format", "json", *options]) == 0
    plan = json.loads(capsys.readouterr().out)["cells"]
    assert [job["cells"] for job in jobs] == [
        sum(cell["shard"] == job["shard"] for cell in plan) for job in jobs
    ]


def test_one_cell_is_no_cells(capsys: pytest.CaptureFixture[str]) -> None:
    options = [
        "--build",
        "temurin-17.0.9+9",
        "--test",
        "keepalive/RequestsQueueWhenCacheIsFull.java",
    ]
    assert main(["plan", *options]) == 0
    assert capsys.readouterr().out.endswith("\n1 cell\n")
    assert main(["plan", *options, "--build", "temurin-17.0.7+7", "--shards", "2"]) == 0
    assert "\nshard 2/2: 1 cell on 1 build, " in capsys.readouterr().out

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Groups and problem list mean here what they mean to jtreg."""

from pathlib import Path

import pytest

from jdkmatrix.config.groups import group_members, read_groups, read_problems
from jdkmatrix.config.suite import find_tests, quiet_tests
from jdkmatrix.errors import UsageError

TESTS = ("a/One.java", "a/Two.java", "b/Three.java", "b/c/Four.java")
GROUPS = """
# both
all = :quick \\
      b
quick = a/One.java a/Two.java -a/Two.java
without = :all -b/c
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "TEST.groups").write_text(GROUPS)
    return tmp_path


@pytest.mark.parametrize(
    ("group", "tests"),
    [
        ("quick", ["a/One.java"]),
        ("all", ["a/One.java", "b/Three.java", "b/c/Four.java"]),
        ("without", ["a/One.java", "b/Three.java"]),
    ],
)
def test_members(suite: Path, group: str, tests: list[str]) -> None:
    assert list(group_members(read_groups(suite), group, TESTS)) == tests


def test_no_such_group(suite: Path) -> None:
    with pytest.raises(UsageError, match=r"--test :nix: .*accepted: :all, :quick, :without"):
        group_members(read_groups(suite), "nix", TESTS)


def test_problems_with_their_reasons(suite: Path) -> None:
    assert read_problems(suite) == {}
    text = "# About the file.\n\n# Hangs on\n# two cores.\na/One.java 8293562 generic-all\n"
    (suite / "ProblemList.txt").write_text(text)
    assert read_problems(suite) == {"a/One.java": "Hangs on two cores."}


@pytest.mark.parametrize("line", ["# why\na/One.java", "# why\n\na/One.java 1 generic-all"])
def test_a_problem_without_platform_or_reason(suite: Path, line: str) -> None:
    (suite / "ProblemList.txt").write_text(line)
    with pytest.raises(UsageError, match=r"ProblemList\.txt:[0-9]: a/One\.java"):
        read_problems(suite)


def test_the_shipped_groups_name_tests_that_are_there(root: Path) -> None:
    suite = root / "test"
    groups, tests = read_groups(suite), find_tests(suite)
    for group in groups:
        assert group_members(groups, group, tests), group
    assert set(group_members(groups, "tier1", tests)) <= set(group_members(groups, "full", tests))
    assert set(read_problems(suite)) <= set(tests)


def test_a_test_says_that_it_needs_quiet(tmp_path: Path) -> None:
    (tmp_path / "Loud.java").write_text("/* @test\n * @key waits\n */")
    (tmp_path / "Still.java").write_text("/* @test\n * @key waits quiet\n */")
    assert quiet_tests(tmp_path, ("Loud.java", "Still.java")) == {"Still.java"}

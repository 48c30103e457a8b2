# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Groups and problem list mean here what they mean to jtreg."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from jdkmatrix.cli.app import main
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.suite import (
    find_tests,
    group_members,
    platform_words,
    quiet_tests,
    read_groups,
    read_problems,
)
from jdkmatrix.errors import UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.selection import Selection
from jdkmatrix.records.request import Request
from tests.suite_copy import SuiteCopy

SHORT = "keepalive/DisconnectWaitsForSilentPeer.java"
LONG = "keepalive/RequestsBlockedWhileConnectionCloses.java"
LINUX = platform_words("linux", "x64")
TESTS = ("a/One.java", "a/Two.java", "b/Three.java", "b/c/Four.java")
GROUPS = """
# both
all = :quick \\
      b
quick = a/One.java a/Two.java -a/Two.java
without = :all -b/c
whole = / -/a
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
        ("whole", ["b/Three.java", "b/c/Four.java"]),
    ],
)
def test_members(suite: Path, group: str, tests: list[str]) -> None:
    assert list(group_members(read_groups(suite), group, TESTS)) == tests


def test_a_name_that_jtreg_refuses(suite: Path) -> None:
    (suite / "TEST.groups").write_text("a-b = keepalive\n")
    with pytest.raises(UsageError, match="group a-b: accepted: letters, digits and _ in a name"):
        read_groups(suite)


def test_a_group_in_itself_is_one_line(suite: Path) -> None:
    (suite / "TEST.groups").write_text("a = :b\nb = :c\nc = :b\n")
    with pytest.raises(UsageError, match=r"^TEST\.groups: :b contains itself"):
        group_members(read_groups(suite), "a", TESTS)


def test_no_such_group(suite: Path) -> None:
    with pytest.raises(
        UsageError, match=r"--test :nix: .*accepted: :all, :quick, :whole, :without"
    ):
        group_members(read_groups(suite), "nix", TESTS)


def test_problems_with_their_reasons(suite: Path) -> None:
    assert read_problems(suite, LINUX) == {}
    text = "# About the file.\n\n# Hangs on\n# two cores.\na/One.java 8293562 generic-all\n"
    (suite / "ProblemList.txt").write_text(text)
    assert read_problems(suite, LINUX) == {"a/One.java": "Hangs on two cores."}


@pytest.mark.parametrize(
    ("platforms", "is_left_out"),
    [
        ("generic-all", True),
        ("linux-all", True),
        ("Linux-x64", True),
        ("linux-amd64", True),
        ("generic-x64", True),
        ("linux", True),
        ("windows-all,linux-x64", True),
        ("generic-all because it hangs", True),
        ("windows-all", False),
        ("linux-aarch64", False),
        ("windows-x64,macosx-all", False),
        ("windows-all linux-all", False),  # the second is a description
    ],
)
def test_a_problem_counts_on_its_platforms(suite: Path, platforms: str, is_left_out: bool) -> None:
    (suite / "ProblemList.txt").write_text(f"# why\na/One.java 8293562 {platforms}\n")
    assert bool(read_problems(suite, LINUX)) is is_left_out


def test_other_platforms_have_jtreg_s_words_too() -> None:
    assert {"macosx-all", "macosx-aarch64"} < platform_words("mac", "aarch64")
    assert "linux-x64" in platform_words("alpine-linux", "x64")


@pytest.fixture
def checkout(root: Path, tmp_path: Path, suite_copy: SuiteCopy) -> Iterator[Checkout]:
    """A checkout in whose problem list are two tests of JDK-8293562, one of them for Windows."""
    for name in ("jdks.yaml", "jdks.lock", "jtreg"):
        (tmp_path / name).symlink_to(root / name)
    lines = f"# Hangs.\n{SHORT} 1 generic-all\n\n# Slow.\n{LONG} 1 windows-all\n"
    with suite_copy.lend(tmp_path / "test"):
        (tmp_path / "test" / "ProblemList.txt").write_text(lines)
        yield Checkout(tmp_path)


@pytest.mark.parametrize(
    ("bugs", "patterns", "runs"),
    [
        ((), (), False),
        ((), (":keepalive",), False),
        ((), ("keepalive",), False),
        ((), (LONG,), False),
        (("8293562",), (), False),
        ((), (":keepalive", SHORT), True),
        ((), (f"test/{SHORT.removesuffix('.java')}",), True),
    ],
)
def test_only_a_test_that_is_named_runs_in_spite_of_its_problem(
    checkout: Checkout, bugs: tuple[str, ...], patterns: tuple[str, ...], runs: bool
) -> None:
    selection = Selection.resolve(checkout, Request(bugs=bugs, tests=patterns))
    paths = [test.path for test in selection.tests]
    assert (SHORT in paths) is runs
    assert selection.left_out == ({} if runs or patterns == (LONG,) else {SHORT: "Hangs."})
    assert LONG in paths or runs


def test_what_is_left_out_is_told(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Checkout, "current", lambda: checkout)
    assert main(["run", "--test", "keepalive/Disconnect*"]) == 3
    note = f"left out by ProblemList.txt, unless --test names it: {SHORT}: Hangs.\n"
    assert capsys.readouterr().err.endswith(note)


@pytest.mark.parametrize("command", [["plan"], ["run", "--dry-run"]])
def test_a_plan_tells_what_is_left_out(
    checkout: Checkout,
    command: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(Checkout, "current", lambda: checkout)
    assert main([*command, "--test", "keepalive/Disconnect*"]) == 0
    note = f"note: {SHORT} is left out by ProblemList.txt: Hangs.\n"
    assert capsys.readouterr() == ("0 cells\n", note)


@pytest.mark.parametrize("line", ["# why\na/One.java", "# why\n\na/One.java 1 generic-all"])
def test_a_problem_without_platform_or_reason(suite: Path, line: str) -> None:
    (suite / "ProblemList.txt").write_text(line)
    with pytest.raises(UsageError, match=r"ProblemList\.txt:[0-9]: a/One\.java"):
        read_problems(suite, LINUX)


def test_the_shipped_groups_name_tests_that_are_there(root: Path) -> None:
    suite = root / "test"
    groups, tests = read_groups(suite), find_tests(suite)
    for group in groups:
        assert group_members(groups, group, tests), group
    for part in ("tier1", "smoke"):
        assert set(group_members(groups, part, tests)) <= set(group_members(groups, "full", tests))
    assert set(read_problems(suite, LINUX)) <= set(tests)


def test_tier1_has_the_founding_bug_whole_and_of_each_area_one(root: Path, ledger: Ledger) -> None:
    suite = root / "test"
    groups, tests = read_groups(suite), find_tests(suite)
    tier1 = group_members(groups, "tier1", tests)
    assert set(ledger.bug("8293562").tests) <= set(tier1)
    areas = {test.partition("/")[0] for test in group_members(groups, "full", tests)}
    assert {test.partition("/")[0] for test in tier1} == areas


def test_no_test_for_an_emulator_measures_time(root: Path) -> None:
    suite = root / "test"
    smoke = group_members(read_groups(suite), "smoke", find_tests(suite))
    assert len(smoke) == 10
    assert [test for test in smoke if "nanoTime" in (suite / test).read_text()] == []


def test_a_test_says_that_it_needs_quiet(tmp_path: Path) -> None:
    (tmp_path / "Loud.java").write_text("/* @test\n * @key waits\n */")
    (tmp_path / "Still.java").write_text("/* @test\n * @key waits quiet\n */")
    (tmp_path / "TEST.ROOT").write_text("keys=waits quiet\n")
    assert quiet_tests(tmp_path, ("Loud.java", "Still.java")) == {"Still.java"}


def test_a_suite_says_which_folders_need_quiet(tmp_path: Path) -> None:
    tests = ("far/One.java", "rmi/Two.java", "rmi2/Three.java", "util/prefs/Four.java", "Five.java")
    for test in tests:
        (tmp_path / test).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / test).write_text("/* @test */")
    (tmp_path / "TEST.ROOT").write_text(
        "exclusiveAccess.dirs = rmi \\\n    util/prefs/\nkeys=far\n"
    )
    assert quiet_tests(tmp_path, tests) == {"rmi/Two.java", "util/prefs/Four.java"}


def test_groups_of_groups_are_read_once(tmp_path: Path) -> None:
    """Each names the next one twice: 2^40 ways lead to the last."""
    lines = [f"g{n} = :g{n + 1} :g{n + 1}" for n in range(40)]
    (tmp_path / "TEST.groups").write_text("\n".join([*lines, "g40 = A.java", ""]))
    assert group_members(read_groups(tmp_path), "g0", ("A.java", "B.java")) == ("A.java",)


def test_groups_of_too_many_levels_are_one_line(tmp_path: Path) -> None:
    lines = [f"g{n} = :g{n + 1}" for n in range(2_000)]
    (tmp_path / "TEST.groups").write_text("\n".join([*lines, "g2000 = A.java", ""]))
    with pytest.raises(UsageError, match=r"TEST\.groups: :g0: more than 50 levels"):
        group_members(read_groups(tmp_path), "g0", ("A.java",))


def test_blank_lines_without_end_take_no_time(tmp_path: Path) -> None:
    """A pattern that takes blank lines at each of them would take an hour."""
    blank = "\n" * 1_000_000
    (tmp_path / "TEST.ROOT").write_text(blank)
    (tmp_path / "TEST.groups").write_text(f"{blank}g = A.java\n")
    (tmp_path / "A.java").write_text(f"{blank}/* @test */\n")
    assert find_tests(tmp_path) == ("A.java",)
    assert quiet_tests(tmp_path, ("A.java",)) == frozenset()
    assert read_groups(tmp_path) == {"g": ("A.java",)}


def test_the_name_of_a_test_that_no_report_can_show(tmp_path: Path) -> None:
    (tmp_path / "TEST.ROOT").touch()
    (tmp_path / "a\nb.java").write_text("/* @test */\n")
    with pytest.raises(UsageError, match=r"a b\.java: accepted: names of printable characters"):
        find_tests(tmp_path)

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Who follows a row of CONTRIBUTING.md in a copy of the checkout gets what it says."""

import shutil
from pathlib import Path

import pytest

from jdkmatrix.config.jdks import load_jdks
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.config.suite import find_tests, quiet_tests
from jdkmatrix.errors import UsageError
from tests.report.test_ledgers_bug_table import to_change

NEW = "keepalive/NewSymptom.java"


@pytest.fixture
def scratch(root: Path, tmp_path: Path) -> Path:
    """A copy of what the rows below change."""
    shutil.copytree(root / "test", tmp_path / "test")
    shutil.copy(root / "jdks.yaml", tmp_path)
    return tmp_path


def insert(path: Path, after: str, text: str) -> None:
    before = path.read_text()
    assert before.count(f"\n{after}\n") == 1
    path.write_text(before.replace(f"\n{after}\n", f"\n{after}\n{text}"))


def add_bug(scratch: Path) -> Path:
    ledger = scratch / "test" / "bugs.yaml"
    entry = "{id: JDK-9999999, title: New, component: x, fixed: {17: 17.0.7+1}, tests: [%s]}"
    insert(ledger, "bugs:", f"  - {entry % NEW}\n")
    return ledger


def add_reproducer(scratch: Path, header: str) -> None:
    (scratch / "test" / NEW).write_text(f"/*\n{header} */\nclass NewSymptom {{}}\n")


def test_a_build(scratch: Path) -> None:
    entry = "  - id: temurin-17.0.99\n    sources: [{source: adoptium, release: jdk-17.0.99+1}]\n"
    insert(scratch / "jdks.yaml", "builds:", entry)
    assert load_jdks(scratch / "jdks.yaml").entry("temurin-17.0.99").version.train == 17


def test_a_build_without_a_source_is_told_what_lacks(scratch: Path) -> None:
    insert(scratch / "jdks.yaml", "builds:", "  - id: temurin-17.0.99\n")
    with pytest.raises(UsageError, match="missing key 'sources'"):
        load_jdks(scratch / "jdks.yaml")


def test_a_bug_with_its_reproducer(scratch: Path) -> None:
    ledger = add_bug(scratch)
    add_reproducer(scratch, " * @test\n")
    added = load_ledger(ledger)
    assert added.bug("JDK-9999999").tests == (NEW,)
    told = to_change((scratch / "test" / "README.md").read_text(), added)
    assert len(told) == 2
    assert all(line.endswith("add JDK-9999999") for line in told)


def test_a_bug_without_its_reproducer_is_told_which_file(scratch: Path) -> None:
    with pytest.raises(UsageError, match=f"JDK-9999999: no test {NEW} beside the ledger"):
        load_ledger(add_bug(scratch))


@pytest.mark.parametrize(
    ("header", "found", "alone"),
    [(" * @test\n", True, False), (" * @test\n * @key quiet\n", True, True), ("", False, False)],
)
def test_a_reproducer_and_one_alone(scratch: Path, header: str, found: bool, alone: bool) -> None:
    add_reproducer(scratch, header)
    tests = find_tests(scratch / "test")
    assert (NEW in tests) is found
    assert (NEW in quiet_tests(scratch / "test", tests)) is alone

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are cores and commit those of this process and of this kit?"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from jdkmatrix.machine.cores import usable_cores
from jdkmatrix.records.provenance import kit_commit, machine_record


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no affinity here")
def test_cores_that_this_process_may_not_use_do_not_count() -> None:
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        assert usable_cores() == machine_record().cores == 1
    finally:
        os.sched_setaffinity(0, cores)


def test_where_the_system_cannot_tell_all_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert usable_cores() == machine_record().cores == os.cpu_count()


def test_where_a_filter_forbids_to_ask_all_count(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> set[int]:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "sched_getaffinity", refuse, raising=False)
    assert usable_cores() == machine_record().cores == os.cpu_count()


NAMES = ("scripts/jdkmatrix/records/.gitattributes", "scripts/jdkmatrix/records/commit.txt")


def git(folder: Path, *words: str) -> str:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    command = ["git", "-C", str(folder), *identity, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit_files(folder: Path, sources: Path) -> str:
    """Make a repository of the files that tell the commit, and return its commit."""
    for name in NAMES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(sources / name, folder / name)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "kit")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    return tmp_path / "kit"


def test_a_checkout_has_its_commit_and_says_if_it_is_changed(kit: Path, root: Path) -> None:
    commit = commit_files(kit, root)
    assert kit_commit(kit) == commit[:12]
    (kit / NAMES[1]).write_text("changed")
    assert kit_commit(kit) == f"{commit[:12]}-dirty"


def test_a_hook_s_variables_and_the_owner_change_nothing(
    kit: Path, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = commit_files(kit, root)
    foreign = tmp_path / "foreign"
    commit_files(foreign, root)
    git(foreign, "tag", "-m", "v9", "v9")
    monkeypatch.setenv("GIT_DIR", str(foreign / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    assert kit_commit(kit) == commit[:12]


@pytest.mark.parametrize("line", ["", "warning: old", "\\033[31mabc", "abc\\ndef"])
def test_what_a_git_prints_that_is_no_commit_is_not_taken(
    kit: Path, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    commit_files(kit, root)
    program = tmp_path / "git"
    program.write_text(f"#!/bin/sh\nprintf '{line}'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert kit_commit(kit) is None


def test_an_archive_has_the_commit_it_was_made_of(kit: Path, root: Path, tmp_path: Path) -> None:
    commit = commit_files(kit, root)
    tree = tmp_path / "tree"
    tree.mkdir()
    git(kit, "archive", "-o", str(tmp_path / "kit.tar"), "HEAD")
    subprocess.run(["tar", "-xf", tmp_path / "kit.tar", "-C", tree], check=True)
    assert kit_commit(tree) == commit[:12]


@pytest.mark.parametrize("text", [None, "", "$Format:%H$", "0" * 39, "deadbeef " * 9])
def test_a_copy_does_not_take_the_commit_of_what_it_lies_in(
    kit: Path, root: Path, text: str | None
) -> None:
    commit_files(kit, root)
    copy = kit / "copy"
    copy.mkdir()
    if text is not None:
        place = copy / NAMES[1]
        place.parent.mkdir(parents=True)
        place.write_text(text)
    assert kit_commit(copy) is None

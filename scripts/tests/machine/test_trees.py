# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Folders of any depth, with any rights and any content, are walked, tidied, copied and removed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jdkmatrix.machine import trees

# Deeper than Python may call itself, and with a path longer than PATH_MAX.
LEVELS = 1_500
NAME = "level"


def deep(folder: Path, levels: int = LEVELS) -> None:
    """Make folders in folders, with a file in the last, without ever naming their whole path."""
    parent = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir(NAME, dir_fd=parent)
        child = os.open(NAME, os.O_RDONLY, dir_fd=parent)
        os.close(parent)
        parent = child
    os.close(os.open("last.txt", os.O_CREAT | os.O_WRONLY, dir_fd=parent))
    os.close(parent)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "left"
    place.mkdir()
    yield place
    trees.remove(place)  # pytest's own removal calls itself for each level


def test_a_deep_tree_is_removed_whole(folder: Path) -> None:
    deep(folder)
    trees.remove(folder)
    assert not folder.exists()


def test_a_deep_tree_is_walked_as_far_as_anybody_reads(folder: Path) -> None:
    (folder / "first.txt").touch()
    deep(folder)
    assert list(trees.plain_files(folder)) == [folder / "first.txt"]
    assert trees.size_of_tree(folder) == 0


def test_what_is_too_deep_is_cut_off_and_told(folder: Path) -> None:
    deep(folder)
    excess = trees.tidy(folder, 10, 100)
    assert excess == "it left more than is kept (10 files, 0 MiB, 64 levels): 1 removed"
    assert len(list(folder.rglob(NAME))) == trees.MOST_DEPTH


def test_a_few_levels_stay(folder: Path) -> None:
    deep(folder, 5)
    assert trees.tidy(folder, 10, 100) == ""
    assert [path.name for path in trees.plain_files(folder)] == ["last.txt"]


@pytest.mark.parametrize(
    ("most_files", "most_bytes", "names"), [(2, 100, ["a", "b"]), (9, 7, ["a", "b"]), (9, 2, [])]
)
def test_the_first_files_stay(
    folder: Path, most_files: int, most_bytes: int, names: list[str]
) -> None:
    for name in "abcd":
        (folder / name).write_text("xyz")
    excess = trees.tidy(folder, most_files, most_bytes)
    assert f": {4 - len(names)} removed" in excess
    assert sorted(path.name for path in folder.iterdir()) == names


def test_links_and_pipes_go_and_their_targets_stay(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()
    (target / "kept").touch()
    (folder / "link").symlink_to(target)
    os.mkfifo(folder / "pipe")
    (folder / "plain").touch()
    trees.copy_plain(folder, tmp_path / "copy")
    assert [path.name for path in (tmp_path / "copy").iterdir()] == ["plain"]
    assert trees.tidy(folder, 10, 100) == ""
    assert [path.name for path in folder.iterdir()] == ["plain"]
    (folder / "link").symlink_to(target)
    trees.remove(folder)
    assert (target / "kept").exists()


def test_nothing_is_removed_where_nothing_is(tmp_path: Path) -> None:
    trees.remove(tmp_path / "none")
    (tmp_path / "link").symlink_to("nowhere")
    trees.remove(tmp_path / "link")
    assert list(tmp_path.iterdir()) == []


def test_links_are_followed_where_that_ends(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / "far").touch()
    (folder / "in").mkdir()
    (folder / "in" / "up").symlink_to("..")
    (folder / "link").symlink_to(tmp_path / "beside")
    os.mkfifo(folder / "pipe")
    deep(folder / "in")
    assert list(trees.linked_files(folder)) == [folder / "link" / "far"]


WITHOUT_RIGHTS = """
import os, sys
from pathlib import Path
from jdkmatrix.machine import trees
if os.getuid() == 0:  # to whom rights mean nothing
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
place = Path(sys.argv[1])
for n, mode in enumerate([0o444, 0o000, 0o555, 0o111]):
    inner = place / str(n) / "inner"
    inner.mkdir(parents=True)
    (inner / "file").write_text("x")
    (inner / "file").chmod(0)
    inner.chmod(mode)
    inner.parent.chmod(mode)
if sys.argv[2] == "tidy":
    assert trees.tidy(place, 100, 100) == ""
    print(sum(len(path.read_text()) for path in trees.plain_files(place)))
else:
    trees.remove(place)
    print(place.exists())
"""


@pytest.mark.parametrize(("action", "answer"), [("tidy", "4"), ("remove", "False")])
def test_folders_without_rights(tmp_path: Path, action: str, answer: str) -> None:
    for parent in tmp_path.parents[:3]:
        parent.chmod(parent.stat().st_mode | 0o011)
    tmp_path.chmod(0o777)
    process = subprocess.run(
        [sys.executable, "-c", WITHOUT_RIGHTS, str(tmp_path / "left"), action],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    trees.remove(tmp_path / "left")
    assert process.stdout == f"{answer}\n", process.stderr

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Run folders: new ones do not clash, wrong ones are named, records are whole or not there."""

import errno
import os
from pathlib import Path
from typing import NoReturn

import pytest

from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.machine.files import write_atomically
from jdkmatrix.records.record import PlannedCell
from jdkmatrix.records.store import RunFolder


def test_two_runs_in_one_second_get_two_folders(tmp_path: Path) -> None:
    first = RunFolder.create(tmp_path, None)
    second = RunFolder.create(tmp_path, None)
    assert first.path != second.path


def test_latest_points_to_the_newest(tmp_path: Path) -> None:
    for _ in range(2):
        folder = RunFolder.create(tmp_path, None)
        folder.link_as_latest(tmp_path)
    assert (tmp_path / "latest").resolve() == folder.path


def test_in_a_folder_that_is_a_link_a_run_is_the_latest_too(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "reports").symlink_to("disk")
    folder = RunFolder.create(tmp_path / "reports", None)
    folder.link_as_latest(tmp_path / "reports")
    assert (tmp_path / "reports" / "latest").resolve() == folder.path


def test_a_copy_of_the_latest_run_in_its_place_is_one_line(tmp_path: Path) -> None:
    """As an archive leaves it that knows no links."""
    (tmp_path / "latest").mkdir()
    folder = RunFolder.create(tmp_path, None)
    with pytest.raises(MachineError) as error:
        folder.link_as_latest(tmp_path)
    assert str(error.value) == f"{tmp_path}/latest: cannot be made: Is a directory"
    assert {path.name for path in tmp_path.iterdir()} == {"latest", folder.name}


def test_a_run_elsewhere_is_not_latest(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "reports", tmp_path / "out")
    folder.link_as_latest(tmp_path / "reports")
    assert not (tmp_path / "reports" / "latest").exists()


def test_out_must_be_empty(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="not empty; accepted: a new or empty folder"):
        RunFolder.create(tmp_path / "reports", tmp_path)


@pytest.mark.parametrize(
    ("reports", "out", "reason"),
    [
        ("reports", "file/run", "Not a directory"),
        ("reports", "file", "File exists"),
        ("file", None, "File exists"),
        ("file/reports", None, "Not a directory"),
        ("link", None, "File exists"),  # to a disk that is not there
    ],
)
def test_a_folder_that_cannot_be_made_is_one_line(
    tmp_path: Path, reports: str, out: str | None, reason: str
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("gone")
    with pytest.raises(MachineError) as error:
        RunFolder.create(tmp_path / reports, tmp_path / out if out else None)
    problem = f"{tmp_path / (out or reports)}: cannot be made: {reason}"
    assert str(error.value) == f"{problem}; accepted: --out FOLDER"


@pytest.mark.parametrize(
    ("name", "has"),
    [
        ("a,b", "comma"),
        ("a b", "space"),
        ("a:b", "colon"),
        ("a\nb", "line break"),
        ("a\udcff", "byte that is not UTF-8"),
    ],
)
def test_a_path_that_programs_cut_is_refused(tmp_path: Path, name: str, has: str) -> None:
    with pytest.raises(UsageError, match=f"contains a {has}; accepted: a path without one"):
        RunFolder.create(tmp_path / "reports", tmp_path / name)
    assert not (tmp_path / name).exists()


def test_a_folder_without_a_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"not a run; accepted: a folder that holds run\.json"):
        RunFolder.open(tmp_path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Invalid JSON: EOF while parsing a value at line 1 column 0"),
        ("{", "Invalid JSON: EOF while parsing an object at line 1 column 1"),
        ("[]", "Input should be an object"),
        ('{"schema": 1}', "run: Field required"),
        ("\xff", "Invalid JSON: expected value at line 1 column 1"),
    ],
)
def test_a_damaged_record_is_one_line(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "run.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(UsageError) as error:
        RunFolder.open(tmp_path).read_run()
    assert str(error.value) == f"{tmp_path}/run.json: not a record of this kit: {reason}"
    cell = PlannedCell(build="b", test="t.java")
    folder = RunFolder(tmp_path)
    folder.cell_folder(cell).mkdir(parents=True)
    (folder.cell_folder(cell) / "cell.json").write_bytes(text.encode("latin-1"))
    assert folder.read_cell(cell) is None


def test_a_failed_write_leaves_the_old_text(tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_atomically(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(path, "new \ud800")
    assert path.read_text() == "old"


def test_a_full_disk_is_told_in_one_line_and_leaves_nothing_half_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(_: int) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fill)
    with pytest.raises(MachineError) as error:
        write_atomically(tmp_path / "run.json", "x")
    assert str(error.value) == f"{tmp_path}/run.json: cannot be written: No space left on device"
    assert not list(tmp_path.iterdir())


def test_a_power_cut_takes_no_record_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes first, then the name, then the folder that the name is in: in no other order."""
    calls: list[str] = []
    sync, rename = os.fsync, os.replace

    def fsync(descriptor: int) -> None:
        sync(descriptor)
        path = Path(f"/proc/self/fd/{descriptor}").readlink()
        size = path.stat().st_size
        calls.append("folder" if path.is_dir() else f"{size} bytes")

    def replace(old: Path, new: Path) -> None:
        rename(old, new)
        calls.append(f"as {Path(new).name}")

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", replace)
    write_atomically(tmp_path / "cell.json", "0123456789")
    assert calls == ["10 bytes", "as cell.json", "folder"]

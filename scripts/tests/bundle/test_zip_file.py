# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The zip: checkable, the same bytes for the same files, and never over another."""

import errno
import hashlib
import os
import shutil
import zipfile
from pathlib import Path

import pytest

from jdkmatrix.bundle.zip_file import free_place, write_zip
from jdkmatrix.errors import MachineError, UsageError

FILES = {"A.java": b"class A {}\n", "evidence/x.bin": bytes(range(256))}


def test_a_zip_holds_the_files_and_their_sums(tmp_path: Path) -> None:
    place = free_place(tmp_path / "new", "bug.zip")
    write_zip(place, FILES)
    with zipfile.ZipFile(place) as archive:
        names = archive.namelist()
        assert names == ["bug/A.java", "bug/evidence/x.bin", "bug/SHA256SUMS"]
        for line in archive.read("bug/SHA256SUMS").decode().splitlines():
            digest, name = line.split("  ")
            assert digest == hashlib.sha256(archive.read(f"bug/{name}")).hexdigest()
    assert [path.name for path in place.parent.iterdir()] == ["bug.zip"]


def test_the_same_files_give_the_same_zip(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_zip(tmp_path / name / "bug.zip", FILES)
    assert (tmp_path / "one/bug.zip").read_bytes() == (tmp_path / "two/bug.zip").read_bytes()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    place = tmp_path / "bug.zip"
    place.write_text("mine")
    with pytest.raises(UsageError, match="already exists; accepted: another --out"):
        free_place(tmp_path, "bug.zip")
    with pytest.raises(MachineError, match="cannot be written: File exists"):
        write_zip(place, FILES)
    assert place.read_text() == "mine"


@pytest.mark.parametrize("error_number", [errno.EPERM, errno.ENOTSUP])
def test_a_file_system_without_hard_links_gets_a_copy(
    error_number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def link(_source: Path, _target: Path) -> None:
        raise OSError(error_number, os.strerror(error_number))

    write_zip(tmp_path / "linked" / "bug.zip", FILES)
    monkeypatch.setattr(os, "link", link)
    place = tmp_path / "copied" / "bug.zip"
    write_zip(place, FILES)
    assert place.read_bytes() == (tmp_path / "linked" / "bug.zip").read_bytes()
    assert [path.name for path in place.parent.iterdir()] == ["bug.zip"]
    place.write_text("mine")
    with pytest.raises(MachineError, match="cannot be written: File exists"):
        write_zip(place, FILES)
    assert place.read_text() == "mine"


def test_half_a_copy_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def link(*_: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", link)
    monkeypatch.setattr(shutil, "copyfileobj", full)
    with pytest.raises(MachineError, match="cannot be written: No space left"):
        write_zip(tmp_path / "bug.zip", FILES)
    assert list(tmp_path.iterdir()) == []


def test_out_must_be_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(
        UsageError, match=r"file: not a folder; accepted: one that exists or can be"
    ):
        free_place(tmp_path / "file", "bug.zip")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(MachineError, match=r"bug\.zip: cannot be written"):
        write_zip(tmp_path / "file" / "bug.zip", FILES)

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a hostile or damaged zip file refused, by name?"""

import stat
import warnings
import zipfile
from pathlib import Path

import pytest

from jdkmatrix.supply.archive import unzip
from jdkmatrix.supply.source import SourceError


def made(tmp_path: Path, *names: str, mode: int = 0) -> Path:
    path = tmp_path / "a.whl"
    with zipfile.ZipFile(path, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            archive.writestr(info, b"x" * 1000)
    return path


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "a/../../evil", "a\\..\\evil", "a/.."])
def test_a_name_that_leaves_its_folder_is_refused(tmp_path: Path, name: str) -> None:
    target = tmp_path / "in" / "target"
    target.mkdir(parents=True)
    with pytest.raises(SourceError, match="leaves its folder"):
        unzip(made(tmp_path, "good", name), target)
    assert list(target.iterdir()) == []
    assert not (target.parent / "evil").exists()


def test_a_link_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="'link' is no plain file"):
        unzip(made(tmp_path, "link", mode=stat.S_IFLNK | 0o777), tmp_path / "t")


@pytest.mark.parametrize("names", [("a", "a"), ("a", "A")])
def test_a_name_twice_is_refused(tmp_path: Path, names: tuple[str, str]) -> None:
    with pytest.raises(SourceError, match="is there twice"):
        unzip(made(tmp_path, *names), tmp_path / "t")


def test_a_bomb_is_refused_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jdkmatrix.supply.archive._MAX_UNPACKED_BYTES", 1500)
    with pytest.raises(SourceError, match="2000 bytes when unpacked"):
        unzip(made(tmp_path, "a", "b"), tmp_path / "t")
    assert not (tmp_path / "t").exists()


def test_damage_inside_is_found(tmp_path: Path) -> None:
    path = made(tmp_path, "a")
    data = bytearray(path.read_bytes())
    data[500] ^= 1
    path.write_bytes(data)
    with pytest.raises(SourceError, match=r"a\.whl: damaged: "):
        unzip(path, tmp_path / "t")

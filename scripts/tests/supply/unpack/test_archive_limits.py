# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a hostile or damaged zip file refused, by name?"""

import stat
import warnings
import zipfile
from pathlib import Path

import pytest

from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.unpack.archive import unzip


def make_wheel(tmp_path: Path, *names: str, mode: int = 0) -> Path:
    path = tmp_path / "a.whl"
    with zipfile.ZipFile(path, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names:
            member = zipfile.ZipInfo(name)
            member.external_attr = mode << 16
            archive.writestr(member, b"x" * 1000)
    return path


CENTRAL = b"PK\1\2"


def bend(path: Path, signature: bytes, *, offset: int, new_bytes: bytes) -> None:
    """Change bytes within the last record that begins with `signature`."""
    content = bytearray(path.read_bytes())
    start = content.rindex(signature) + offset
    content[start : start + len(new_bytes)] = new_bytes
    path.write_bytes(content)


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "a/../../evil", "a\\..\\evil", "a/.."])
def test_a_name_that_leaves_its_folder_is_refused(tmp_path: Path, name: str) -> None:
    target = tmp_path / "in" / "target"
    target.mkdir(parents=True)
    with pytest.raises(SourceError, match="leaves its folder"):
        unzip(make_wheel(tmp_path, "good", name), target)
    assert list(target.iterdir()) == []
    assert not (target.parent / "evil").exists()


def make_zip(tmp_path: Path, **links: str) -> Path:
    """A zip file with these links, a file `d/f` and its folder."""
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("d/f", "content")
        for name, target in links.items():
            member = zipfile.ZipInfo(name)
            member.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(member, target)
    return path


def test_a_link_that_stays_inside_is_kept(tmp_path: Path) -> None:
    unzip(make_zip(tmp_path, link="d/f", folder="d"), tmp_path / "t")
    assert (tmp_path / "t" / "link").readlink() == Path("d/f")
    assert (tmp_path / "t" / "folder" / "f").read_text() == "content"


@pytest.mark.parametrize(
    ("links", "refusal"),
    [
        ({"a": "/etc/passwd"}, "'a' is an absolute link, to '/etc/passwd'"),
        ({"a": "../b"}, "'a' links out of its folder, to '../b'"),
        ({"a": "b/../..", "b": "d"}, "'a' links out of its folder, to 'b/../..'"),
        ({"a": "x" * 4097}, "'a' is a link of 4097 bytes"),
        ({"a": ""}, "'a' is an absolute link, to ''"),
        ({"d": "b"}, "'d' is there twice"),
    ],
)
def test_a_link_that_leads_elsewhere_is_refused(
    tmp_path: Path, links: dict[str, str], refusal: str
) -> None:
    with pytest.raises(SourceError) as error:
        unzip(make_zip(tmp_path, **links), tmp_path / "t")
    assert str(error.value) == f"a.zip: refused: {refusal}"


def test_a_file_within_a_link_is_refused(tmp_path: Path) -> None:
    path = make_zip(tmp_path, a="d")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("a/f", "content")
    with pytest.raises(SourceError, match="'a/f' is or lies within 'a', which is a link"):
        unzip(path, tmp_path / "t")


def test_a_pipe_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="'pipe' is neither a file, a folder nor a link"):
        unzip(make_wheel(tmp_path, "pipe", mode=stat.S_IFIFO | 0o777), tmp_path / "t")


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (("a", "a"), "'a' is there twice"),
        (("a", "A"), "'A' differs from 'a' in case only"),
        (("a/x", "A/y"), "'A/y' differs from 'a' in case only"),
        (("a", "a/b"), "'a/b' is or lies within 'a', which is a file"),
        (("a/b", "a"), "'a' is there twice"),
    ],
)
def test_names_that_clash_are_refused(tmp_path: Path, names: tuple[str, str], text: str) -> None:
    with pytest.raises(SourceError, match=text):
        unzip(make_wheel(tmp_path, *names), tmp_path / "t")
    assert not (tmp_path / "t").exists()


def test_a_bomb_is_refused_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jdkmatrix.supply.unpack.archive.MOST_UNPACKED_BYTES", 1500)
    with pytest.raises(SourceError, match="'b' brings the unpacked size to 2000 bytes"):
        unzip(make_wheel(tmp_path, "a", "b"), tmp_path / "t")
    assert not (tmp_path / "t").exists()


def test_a_list_of_contents_too_long_to_read_is_refused(tmp_path: Path) -> None:
    names = (f"{n:065000}" for n in range(65))
    with pytest.raises(SourceError, match=r"its list of contents has 4227990 bytes"):
        unzip(make_wheel(tmp_path, *names), tmp_path / "t")


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, 99])
def test_another_compression_is_refused(tmp_path: Path, compression: int) -> None:
    path = tmp_path / "a.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("good", b"x")
        archive.writestr("odd", b"x" * 1000, min(compression, zipfile.ZIP_LZMA))
    if compression == 99:  # one that Python does not know
        bend(path, CENTRAL, offset=10, new_bytes=b"\x63\0")
    with pytest.raises(SourceError, match=r"a\.whl: refused: 'odd' is neither stored nor deflated"):
        unzip(path, tmp_path / "t")
    assert not (tmp_path / "t").exists()


def test_an_encrypted_entry_is_refused(tmp_path: Path) -> None:
    path = make_wheel(tmp_path, "good", "secret")
    bend(path, CENTRAL, offset=8, new_bytes=b"\1\0")
    with pytest.raises(SourceError, match="'secret' is encrypted"):
        unzip(path, tmp_path / "t")


def test_an_entry_before_the_archive_is_refused(tmp_path: Path) -> None:
    path = make_wheel(tmp_path, "good")
    bend(
        path, b"PK\5\6", offset=16, new_bytes=b"\xff\xff\0\0"
    )  # its list begins later than it does
    with pytest.raises(SourceError, match=r"^a\.whl: refused: 'good' lies outside of the archive$"):
        unzip(path, tmp_path / "t")
    assert not (tmp_path / "t").exists()


def test_a_name_that_is_no_utf_8_is_damage(tmp_path: Path) -> None:
    path = make_wheel(tmp_path, "good", "xxxx")
    bend(path, CENTRAL, offset=8, new_bytes=b"\0\x08")  # the name says that it is UTF-8
    bend(path, CENTRAL, offset=46, new_bytes=b"\xff\xfe\xfd\xfc")
    with pytest.raises(SourceError, match=r"^a\.whl: damaged: 'utf-8' codec can't decode"):
        unzip(path, tmp_path / "t")


def test_a_zip64_file_is_refused_whose_list_may_be_of_any_length(tmp_path: Path) -> None:
    path = make_wheel(tmp_path, "a")
    content = path.read_bytes()
    end = content.rindex(b"PK\5\6")
    path.write_bytes(content[:end] + b"PK\6\7" + b"\0" * 16 + content[end:] + b"comment")
    with pytest.raises(SourceError, match=r"^a\.whl: refused: a zip64 file$"):
        unzip(path, tmp_path / "t")


def test_damage_inside_is_found(tmp_path: Path) -> None:
    path = make_wheel(tmp_path, "a")
    content = bytearray(path.read_bytes())
    content[500] ^= 1
    path.write_bytes(content)
    with pytest.raises(SourceError, match=r"a\.whl: damaged: "):
        unzip(path, tmp_path / "t")

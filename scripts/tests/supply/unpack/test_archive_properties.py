# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does any archive, however its entries are named and linked, stay inside its folder?"""

import gzip
import io
import os
import stat
import tarfile
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import example
from hypothesis import strategies as st

from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.unpack.archive import unpack
from tests.fuzz import fuzz

pytestmark = pytest.mark.slow

# Few parts, so that names meet: links to links, files within links, the same name in two cases.
PARTS = st.sampled_from(["a", "b", "A", "..", ".", "", "é", "e\u0301", "x y"])
NAMES = st.lists(PARTS, min_size=1, max_size=4).map("/".join)
KINDS = st.sampled_from(
    [tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE]
)


def tar_of(path: Path, entries: list[tuple[str, bytes, str]]) -> None:
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for name, kind, target in entries:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, target
            member.size = 3 if kind == tarfile.REGTYPE else 0
            archive.addfile(member, io.BytesIO(b"new"))


def everything_outside(base: Path) -> dict[str, bytes]:
    return {
        str(path): path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        for path in sorted(base.rglob("*"))
        if "target" not in path.parts
    }


def nothing_leads_out(target: Path) -> bool:
    root = os.path.realpath(target)
    return all(
        os.path.commonpath([root, os.path.realpath(path)]) == root for path in target.rglob("*")
    )


@fuzz(150, long_inputs=2_000, entries=st.lists(st.tuples(NAMES, KINDS, NAMES), max_size=8))
def test_a_tar_file_is_unpacked_inside_or_refused(entries: list[tuple[str, bytes, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        (base / "a").write_text("old")
        tar_of(base / "x.tar.gz", entries)
        old_files = everything_outside(base)
        try:
            unpack(base / "x.tar.gz", base / "target", "x.tar.gz")
        except SourceError as error:
            assert "\n" not in str(error)
        else:
            assert nothing_leads_out(base / "target")
        assert everything_outside(base) == old_files


# The mode of an entry: that of a link, whose content is where it leads, or none.
MODES = st.sampled_from([0, stat.S_IFLNK | 0o777])


@fuzz(
    150, long_inputs=2_000, entries=st.lists(st.tuples(NAMES, MODES, NAMES), min_size=1, max_size=8)
)
def test_a_zip_file_is_unpacked_inside_or_refused(entries: list[tuple[str, int, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        (base / "a").write_text("old")
        with zipfile.ZipFile(base / "x.zip", "w") as archive:
            for name, mode, target in {entry[0]: entry for entry in entries}.values():
                member = zipfile.ZipInfo(name)
                member.external_attr = mode << 16
                archive.writestr(member, target)
        old_files = everything_outside(base)
        try:
            unpack(base / "x.zip", base / "target", "x.zip")
        except SourceError as error:
            assert "\n" not in str(error)
        else:
            assert nothing_leads_out(base / "target")
        assert everything_outside(base) == old_files


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Archives of a few files, and what the first of them holds."""
    folder = tmp_path_factory.mktemp("sound")
    names = [f"d/{n}" for n in range(5)]
    tar_of(folder / "x.tar.gz", [(name, tarfile.REGTYPE, "") for name in names])
    with zipfile.ZipFile(folder / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(zipfile.ZipInfo(name), b"new" * 9, zipfile.ZIP_DEFLATED)
    archives = {file.name: file.read_bytes() for file in folder.iterdir()}
    return {**archives, "inside.tar.gz": gzip.decompress(archives["x.tar.gz"])}


@example(noise=b"\xc9", offset=457)  # an entry before the archive's beginning
@fuzz(150, long_inputs=2_000, noise=st.binary(max_size=400), offset=st.integers(0, 4000))
def test_damage_anywhere_is_told_in_one_line(
    sound: dict[str, bytes], noise: bytes, offset: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        for name, content in sound.items():
            is_inner = name == "inside.tar.gz"
            buffer = bytearray(content)
            # Behind what names the format, if it is the archive itself that is damaged.
            start = offset if is_inner else 4 + offset % (len(buffer) - 4)
            buffer[start : start + len(noise)] = noise
            (base / name).write_bytes(gzip.compress(buffer, 1) if is_inner else buffer)
            try:
                unpack(base / name, base / f"target-{name}", name)
            except SourceError as error:
                assert "\n" not in str(error)

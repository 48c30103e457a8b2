# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does any archive, however its entries are named and linked, stay inside its folder?"""

import gzip
import io
import os
import tarfile
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jdkmatrix.supply.sources.source import SourceError
from jdkmatrix.supply.unpack.archive_format import unpack

pytestmark = pytest.mark.slow

# Few parts, so that names meet: links to links, files within links, the same name in two cases.
PARTS = st.sampled_from(["a", "b", "A", "..", ".", "", "é", "e\u0301", "x y"])
NAMES = st.lists(PARTS, min_size=1, max_size=4).map("/".join)
KINDS = st.sampled_from(
    [tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE]
)
MANY = settings(max_examples=150)


def tar_of(path: Path, entries: list[tuple[str, bytes, str]]) -> None:
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for name, kind, target in entries:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, target
            info.size = 3 if kind == tarfile.REGTYPE else 0
            archive.addfile(info, io.BytesIO(b"new"))


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


@MANY
@given(st.lists(st.tuples(NAMES, KINDS, NAMES), max_size=8))
def test_a_tar_file_is_unpacked_inside_or_refused(entries: list[tuple[str, bytes, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        (base / "a").write_text("old")
        tar_of(base / "x.tar.gz", entries)
        before = everything_outside(base)
        try:
            unpack(base / "x.tar.gz", base / "target", "x.tar.gz")
        except SourceError as refused:
            assert "\n" not in str(refused)
        else:
            assert nothing_leads_out(base / "target")
        assert everything_outside(base) == before


@MANY
@given(st.lists(NAMES, min_size=1, max_size=8))
def test_a_zip_file_is_unpacked_inside_or_refused(names: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        (base / "a").write_text("old")
        with zipfile.ZipFile(base / "x.zip", "w") as archive:
            for name in dict.fromkeys(names):
                archive.writestr(zipfile.ZipInfo(name), b"new")
        before = everything_outside(base)
        try:
            unpack(base / "x.zip", base / "target", "x.zip")
        except SourceError as refused:
            assert "\n" not in str(refused)
        assert everything_outside(base) == before


@MANY
@given(st.binary(max_size=400), st.integers(0, 4000))
@example(b"+", 1812)  # an entry before the archive's beginning
def test_damage_anywhere_is_told_in_one_line(noise: bytes, at: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        names = [(f"d/{n}", tarfile.REGTYPE, "") for n in range(20)]
        tar_of(base / "x.tar.gz", names)
        with zipfile.ZipFile(base / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, _, _ in names:
                archive.writestr(name, b"new" * 9)
        tar_file = bytearray(gzip.decompress((base / "x.tar.gz").read_bytes()))
        tar_file[at : at + len(noise)] = noise
        (base / "inside.tar.gz").write_bytes(gzip.compress(tar_file, 1))
        for damaged in ("x.tar.gz", "x.zip"):
            data = bytearray((base / damaged).read_bytes())
            start = 4 + at % (len(data) - 4)  # behind what names the format
            data[start : start + len(noise)] = noise
            (base / damaged).write_bytes(data)
        for damaged in ("x.tar.gz", "x.zip", "inside.tar.gz"):
            try:
                unpack(base / damaged, base / f"target-{damaged}", damaged)
            except SourceError as refused:
                assert "\n" not in str(refused)

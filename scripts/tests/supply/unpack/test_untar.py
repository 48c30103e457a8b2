# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a hostile or damaged tar.gz file refused, with the entry's name?"""

import errno
import gzip
import io
import os
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.unpack.archive import unpack, untar


def entry(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname, member.mode = kind, target, 0o644
    member.size = 1000 if kind == tarfile.REGTYPE else 0
    return member


def make_tar(tmp_path: Path, *infos: tarfile.TarInfo) -> Path:
    path = tmp_path / "jdk.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for member in infos:
            archive.addfile(member, io.BytesIO(b"x" * member.size))
    return path


LINK, HARD = tarfile.SYMTYPE, tarfile.LNKTYPE
REFUSED = [
    ([entry("../evil")], "'../evil' leaves its folder"),
    ([entry("/etc/evil")], "'/etc/evil' leaves its folder"),
    ([entry("a/../../evil")], "leaves its folder"),
    ([entry("a\\..\\evil")], "leaves its folder"),
    ([entry("C:evil")], "leaves its folder"),
    ([entry("a\nb")], "has a control character"),
    ([entry("l", LINK, "/etc/passwd")], "'l' is an absolute link, to '/etc/passwd'"),
    ([entry("l", LINK, "C:\\x")], "is an absolute link"),
    ([entry("d/l", LINK, "../../x")], "'d/l' links out of its folder, to '../../x'"),
    # Leads out only by way of the other link, and in either order.
    ([entry("a/b/l", LINK, "../.."), entry("m", LINK, "a/b/l/..")], "'m' links out"),
    ([entry("m", LINK, "a/b/l/.."), entry("a/b/l", LINK, "../..")], "'m' links out"),
    ([entry("d", LINK, "."), entry("d/x")], "'d/x' is or lies within 'd', which is a link"),
    ([entry("l", LINK, "x"), entry("l")], "'l' is there twice"),
    ([entry("h", HARD, "../../etc/passwd")], "which is not an earlier file"),
    ([entry("d", LINK, "x"), entry("h", HARD, "d")], "which is not an earlier file"),
    ([entry("null", tarfile.CHRTYPE)], "'null' is neither a file, a folder nor a link"),
    ([entry("sda", tarfile.BLKTYPE)], "'sda' is neither a file, a folder nor a link"),
    ([entry("pipe", tarfile.FIFOTYPE)], "'pipe' is neither a file, a folder nor a link"),
    ([entry("a"), entry("a")], "'a' is there twice"),
    ([entry("a"), entry("./a")], "'./a' is there twice"),
    ([entry(".")], "'.' has no name"),
    ([entry("d/a"), entry("D/b")], "'D/b' differs from 'd' in case only"),
    ([entry("é"), entry("e\u0301")], "differs from 'é' in case only"),
    ([entry("a"), entry("a/b")], "'a/b' is or lies within 'a', which is a file"),
]


@pytest.mark.parametrize(("infos", "text"), REFUSED, ids=[text for _, text in REFUSED])
def test_refused_with_the_entrys_name(
    tmp_path: Path, infos: list[tarfile.TarInfo], text: str
) -> None:
    target = tmp_path / "in" / "target"
    with pytest.raises(SourceError) as error:
        untar(make_tar(tmp_path, entry("good"), *infos), target)
    assert str(error.value).startswith("jdk.tar.gz: refused: ")
    assert text in str(error.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "jdk.tar.gz"]
    assert [path.name for path in target.parent.iterdir()] == ["target"]


def test_what_a_jdk_has_is_unpacked(tmp_path: Path) -> None:
    program = entry("jdk/bin/java")
    program.mode = 0o6777
    infos = [
        entry("./", tarfile.DIRTYPE),
        entry("jdk", tarfile.DIRTYPE),
        entry("jdk", tarfile.DIRTYPE),
        program,
        entry("jdk/legal/a/LICENSE"),
        entry("jdk/legal/b/LICENSE", LINK, "../a/LICENSE"),
        entry("jdk/same", HARD, "jdk/legal/a/LICENSE"),
        entry("jdk/" + "x" * 150),
    ]
    target = tmp_path / "t"
    untar(make_tar(tmp_path, *infos), target)
    assert (target / "jdk/bin/java").stat().st_mode & 0o7777 == 0o755
    assert (target / "jdk/legal/a/LICENSE").stat().st_mode & 0o7777 == 0o644
    assert (target / "jdk/legal/b/LICENSE").readlink() == Path("../a/LICENSE")
    assert (target / "jdk/same").samefile(target / "jdk/legal/a/LICENSE")
    assert (target / ("jdk/" + "x" * 150)).stat().st_size == 1000


def test_what_the_filter_of_python_cannot_place_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Since 3.13 it follows links, those that lead in a circle, too."""

    def filter_of_python(*_: object) -> None:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))

    monkeypatch.setattr(tarfile, "data_filter", filter_of_python, raising=False)
    if not hasattr(tarfile, "FilterError"):  # before 3.11.4 there is neither
        monkeypatch.setattr(tarfile, "FilterError", tarfile.TarError, raising=False)
    says = r"jdk\.tar\.gz: refused: 'a' has no place: Too many levels of symbolic links$"
    with pytest.raises(SourceError, match=says):
        unpack(make_tar(tmp_path, entry("a")), tmp_path / "target", "jdk.tar.gz")


def test_absolute_links_are_left_out_where_that_is_wanted(tmp_path: Path) -> None:
    infos = [entry("jdk/LICENSE", LINK, "/build/LICENSE"), entry("jdk/java")]
    untar(make_tar(tmp_path, *infos), tmp_path / "t", drop_absolute_links=True)
    assert [path.name for path in (tmp_path / "t" / "jdk").iterdir()] == ["java"]
    with pytest.raises(SourceError, match="links out of its folder"):
        untar(
            make_tar(tmp_path, entry("l", LINK, "../x")), tmp_path / "u", drop_absolute_links=True
        )


def test_a_bomb_is_refused_before_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jdkmatrix.supply.unpack.archive.MOST_UNPACKED_BYTES", 5000)
    large = entry("b")
    large.size = 9000
    with pytest.raises(SourceError, match="'b' brings the unpacked size to 10000 bytes"):
        untar(make_tar(tmp_path, entry("a"), large), tmp_path / "t")
    assert not (tmp_path / "t" / "b").exists()


def test_a_bomb_between_entries_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jdkmatrix.supply.unpack.archive.MOST_UNPACKED_BYTES", 1 << 20)
    odd_member = entry("v", b"Z")  # a kind that readers skip
    odd_member.size = 4 << 20
    with pytest.raises(SourceError, match="refused"):
        untar(make_tar(tmp_path, odd_member, entry("a")), tmp_path / "t")


def test_a_header_too_large_for_memory_is_refused(tmp_path: Path) -> None:
    long_name = entry("././@LongLink", tarfile.GNUTYPE_LONGNAME)
    long_name.size = 64 << 20
    path = tmp_path / "jdk.tar.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(long_name.tobuf(tarfile.GNU_FORMAT))
        for _ in range(64):
            file.write(b"n" * (1 << 20))
    with pytest.raises(SourceError, match="refused: a header of 67108864 bytes"):
        untar(path, tmp_path / "t")


def test_headers_for_all_entries_do_not_add_up_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "jdk.tar.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for n in range(8):
            headers = {f"key{n}": "v" * 100_000}
            file.write(tarfile.TarInfo.create_pax_global_header(headers))
            file.write(entry(f"{n}", tarfile.DIRTYPE).tobuf())
    with pytest.raises(SourceError, match=r"refused: headers of 3000\d\d bytes for all entries"):
        untar(path, tmp_path / "t")


def test_headers_without_end_are_damage(tmp_path: Path) -> None:
    path = tmp_path / "jdk.tar.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for n in range(2_000):
            file.write(tarfile.TarInfo.create_pax_global_header({f"key{n}": "v"}))
    with pytest.raises(SourceError, match="damaged: maximum recursion depth exceeded"):
        untar(path, tmp_path / "t")


def test_too_many_entries_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jdkmatrix.supply.unpack.archive.MOST_ENTRIES", 3)
    infos = [entry(name) for name in "abcd"]
    with pytest.raises(SourceError, match="'d' is one entry more than 3"):
        untar(make_tar(tmp_path, *infos), tmp_path / "t")


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)


def truncate(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def cut_inside(path: Path) -> None:
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes())[:1100]))


def garble(path: Path) -> None:
    path.write_bytes(gzip.compress(b"no tar file at all" * 100))


@pytest.mark.parametrize("damage", [flip, truncate, cut_inside, garble])
def test_damage_is_one_line(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    path = make_tar(tmp_path, entry("a"), entry("b"), entry("c"))
    damage(path)
    with pytest.raises(SourceError, match=r"^jdk\.tar\.gz: damaged: ") as error:
        untar(path, tmp_path / "t")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "header",
    [
        {"GNU.sparse.map": "a,b"},
        {"GNU.sparse.size": "many"},
        {"GNU.sparse.major": "1", "GNU.sparse.minor": "0"},  # the map is then in the content
        {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": "x"},
        {"path": "a\0b"},
    ],
    ids=str,
)
def test_a_pax_header_of_garbage_is_one_line(tmp_path: Path, header: dict[str, str]) -> None:
    member = entry("a")
    member.pax_headers = header
    with pytest.raises(SourceError, match=r"^jdk\.tar\.gz: (damaged|refused): ") as error:
        untar(make_tar(tmp_path, member), tmp_path / "t")
    assert "\n" not in str(error.value)


def test_what_is_told_of_damage_is_no_book(tmp_path: Path) -> None:
    member = entry("a")
    member.pax_headers = {"GNU.sparse.map": "x" * 100_000}
    with pytest.raises(SourceError) as error:
        untar(make_tar(tmp_path, member), tmp_path / "t")
    assert len(str(error.value)) < 300


def test_another_format_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"BZh91AY")
    with pytest.raises(SourceError, match=r"^jdk\.bz2: neither a tar\.gz nor a zip file$"):
        unpack(path, tmp_path / "t", "jdk.bz2")

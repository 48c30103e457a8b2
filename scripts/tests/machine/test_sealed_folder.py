# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is what the kit made for itself made again if it is not what was made?"""

import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from jdkmatrix.machine.java_program import JavaProgram
from jdkmatrix.machine.sealed_folder import made_once
from tests.machine.looking import looks_while

FILES = {"A.class": b"\xca\xfe", "a/B.class": b"\xba\xbe" * 5_000, "a/c/C.class": b""}


def fill(folder: Path) -> None:
    for name, content in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def files_in(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file() and file.name != ".sha256")
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def flip(place: Path) -> None:
    times = (place / "a/B.class").stat()
    (place / "a/B.class").write_bytes(b"\xba\xbd" + b"\xba\xbe" * 4_999)
    os.utime(place / "a/B.class", ns=(times.st_atime_ns, times.st_mtime_ns))


def replace_by_file(place: Path) -> None:
    shutil.rmtree(place)
    place.write_text("x")


def replace_by_link(place: Path) -> None:
    target = place.with_name("elsewhere")
    place.rename(target)
    place.symlink_to(target)


def make_pipe(place: Path) -> None:
    (place / "A.class").unlink()
    os.mkfifo(place / "A.class")


def become_link(place: Path) -> None:
    (place / "A.class").unlink()
    (place / "A.class").symlink_to("/etc/passwd")


def sum_becomes_folder(place: Path) -> None:
    (place / ".sha256").unlink()
    (place / ".sha256").mkdir()


def empty(place: Path) -> None:
    shutil.rmtree(place)
    place.mkdir()


DAMAGES: dict[str, Callable[[Path], object]] = {
    "a byte changed, size and times as before": flip,
    "a file gone": lambda place: (place / "A.class").rename(place.with_name("elsewhere")),
    "a file cut to nothing": lambda place: (place / "a/B.class").write_bytes(b""),
    "a file added": lambda place: (place / "D.class").write_bytes(b"x"),
    "a folder gone": lambda place: shutil.move(place / "a", place.with_name("elsewhere")),
    "a file moved": lambda place: (place / "A.class").rename(place / "a/A.class"),
    "a file now a link": become_link,
    "a file now a pipe": make_pipe,
    "the sum gone": lambda place: (place / ".sha256").rename(place / "x"),
    "the sum cut": lambda place: (place / ".sha256").write_bytes(b""),
    "the sum a folder": sum_becomes_folder,
    "everything gone": empty,
    "a file in its place": replace_by_file,
    "a link in its place": replace_by_link,
}


@pytest.mark.slow
def test_what_is_replaced_is_never_away_for_a_moment(tmp_path: Path) -> None:
    """A JVM that loads its classes as it needs them would end."""
    place = made_once(tmp_path / "classes", fill)

    def damage_and_make() -> None:
        (place / "D.class").touch()
        made_once(place, fill)

    looks = looks_while(place / "A.class", damage_and_make, times=300)
    assert looks
    assert all(looks)


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_what_is_damaged_is_made_again(damage: Callable[[Path], object], tmp_path: Path) -> None:
    place = tmp_path / "classes"
    made_once(place, fill)
    damage(place)
    made_once(place, fill)
    assert files_in(place) == FILES
    assert not place.is_symlink()
    assert {path.name for path in tmp_path.iterdir()} <= {"classes", "elsewhere"}


def test_what_is_intact_is_made_once(tmp_path: Path) -> None:
    made_once(tmp_path / "x", fill)
    made_once(tmp_path / "x", lambda _: pytest.fail("made again"))


def test_what_cannot_be_made_leaves_nothing(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        fill(folder)
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        made_once(tmp_path / "x", fail)
    assert not list(tmp_path.iterdir())


def test_many_who_find_it_damaged_all_get_it_whole(tmp_path: Path) -> None:
    place = tmp_path / "x"
    made_once(place, fill)
    (place / "A.class").unlink()
    contents: list[dict[str, bytes]] = []
    barrier = threading.Barrier(8)

    def use() -> None:
        barrier.wait()
        whole = made_once(place, fill)
        # By name, as a JVM does: another one may replace the folder by its like meanwhile.
        contents.append({name: (whole / name).read_bytes() for name in FILES})

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    made_once(place, lambda _: pytest.fail("damaged still"))
    assert contents == [FILES] * 8


@pytest.mark.jdk
def test_damaged_classes_are_compiled_again(tool_jdk: Path, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/A.java").write_text("class A { }\n")
    program = JavaProgram("digest", tmp_path / "src", tool_jdk, tmp_path / "cache")
    whole = (program.compile() / "A.class").read_bytes()
    (program.compile() / "A.class").write_bytes(whole[:20])
    assert (program.compile() / "A.class").read_bytes() == whole

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Each file is read by one reader: no pipe, no device, no more than a bound."""

import ast
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jdkmatrix.config.jdks import load_jdks
from jdkmatrix.config.suite import find_tests
from jdkmatrix.errors import KitError
from jdkmatrix.machine.files import content_of, open_plain, start_of, text_of
from jdkmatrix.overlay.class_files import check_class_versions
from jdkmatrix.overlay.overlay_request import OverlayRequest
from jdkmatrix.records.store import RunFolder
from jdkmatrix.supply.cache.jdks_lock import LockFile
from jdkmatrix.supply.jdk_facts import listed_modules

MODULES = Path(__file__).parents[2] / "jdkmatrix"
# The reader itself; what runs before the environment is there; what reads /proc in each of its
# looks; and what gives a child its standard input, /dev/null mostly.
LEFT_OUT = {"files.py", "bootstrap.py", "supervisor.py", "processes.py"}
READS = {"read_text", "read_bytes"}


def reads(tree: ast.AST) -> Iterator[int]:
    """The lines that open a file to read it, by any other way."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        name = node.func.id if isinstance(node.func, ast.Name) else name
        modes = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
        is_bare = not node.args and not node.keywords
        is_open = name == "open" and (modes[-1:] in (["r"], ["rb"]) or is_bare)
        if name in READS or is_open:
            yield node.lineno


@pytest.mark.slow
def test_no_other_way_is_used() -> None:
    lines = [
        f"{path.relative_to(MODULES)}:{line}"
        for path in MODULES.rglob("*.py")
        if path.name not in LEFT_OUT
        for line in reads(ast.parse(path.read_text()))
    ]
    assert lines == []


@pytest.mark.parametrize(
    "text", ["path.read_text()", "path.read_bytes()", 'path.open("rb")', "open(p, 'r')", "p.open()"]
)
def test_another_way_is_seen(text: str) -> None:
    assert list(reads(ast.parse(text))) == [1]


def pipe(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)


@pytest.mark.parametrize("read", [content_of, text_of, start_of, open_plain])
@pytest.mark.parametrize("odd", ["pipe", "folder", "device"])
def test_only_regular_files(tmp_path: Path, read: Callable[[Path], object], odd: str) -> None:
    pipe(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "device").symlink_to("/dev/zero")
    with pytest.raises(OSError, match="not a regular file"):
        read(tmp_path / odd)


def test_a_name_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        content_of(tmp_path / "a\0b")


def test_bounds_and_encodings(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"a\r\nb\rc\xff")
    assert text_of(file, errors="replace") == "a\nb\nc\ufffd"
    assert (content_of(file, 7), start_of(file, 1)) == (b"a\r\nb\rc\xff", "a")
    with pytest.raises(OSError, match="more than 6 bytes"):
        content_of(file, 6)
    with pytest.raises(OSError, match="not UTF-8 at byte 6"):
        text_of(file)


def overlay_of(folder: Path) -> None:
    request = OverlayRequest.from_options(str(folder), None)
    assert request
    check_class_versions(request.path, 17, str(request))


# What a user names or a run holds, and what reads it; each is told, or taken for none.
NAMED: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "run": ("run.json", lambda path: RunFolder(path.parent).read_run(), "not a regular file"),
    "lock": ("jdks.lock", lambda path: LockFile(path).entry("a", "b"), "not a regular file"),
    "jdks": ("jdks.yaml", load_jdks, "not a regular file"),
    "overlay": ("A.class", lambda path: overlay_of(path.parent), "A.class: cannot be read"),
    "suite": ("TEST.ROOT", lambda path: find_tests(path.parent), "it needs a file TEST.ROOT"),
    "diff": ("a.diff", lambda path: OverlayRequest.from_options(None, str(path)), "no such file"),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_pipe_in_its_place_is_told_at_once(tmp_path: Path, name: str) -> None:
    file, read, message = NAMED[name]
    pipe(tmp_path / file)
    with pytest.raises(KitError, match=message):
        read(tmp_path / file)


def test_a_release_that_is_a_pipe_says_nothing(tmp_path: Path) -> None:
    pipe(tmp_path / "release")
    assert listed_modules(tmp_path) is None

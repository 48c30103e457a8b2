# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does the next one who borrows the copy of the suite find it as it was?"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.suite_copy import SuiteCopy

TEXTS = {"TEST.ROOT": "keys=", "http/A.java": "class A { }", "http/deep/B.java": "class B { }"}


def texts_in(folder: Path) -> dict[str, str]:
    return {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*.*")}


def swap(folder: Path) -> None:
    (folder / "http/A.java").rename(folder / "x.java")
    (folder / "http/deep/B.java").rename(folder / "http/A.java")
    (folder / "x.java").rename(folder / "http/deep/B.java")


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "http/A.java").write_text("class A {x}"),  # of the same length
        lambda folder: (folder / "http/A.java").unlink(),
        lambda folder: (folder / "new").mkdir() or (folder / "new/C.java").touch(),
        lambda folder: (folder / "http/deep").rename(folder / "elsewhere"),
        lambda folder: (folder / "C.java").symlink_to("http/A.java"),
        swap,
    ],
)
def test_it_is_as_it_was(change: Callable[[Path], object], tmp_path: Path) -> None:
    original = tmp_path / "original"
    for name, text in TEXTS.items():
        (original / name).parent.mkdir(parents=True, exist_ok=True)
        (original / name).write_text(text)
    copy = SuiteCopy(original, tmp_path / "copy")
    for place in ("first", "second"):
        with copy.lend(tmp_path / place):
            assert texts_in(tmp_path / place) == TEXTS
            change(tmp_path / place)
            assert texts_in(tmp_path / place) != TEXTS
    with copy.lend(tmp_path / "third"):
        assert texts_in(tmp_path / "third") == TEXTS
    assert texts_in(original) == TEXTS

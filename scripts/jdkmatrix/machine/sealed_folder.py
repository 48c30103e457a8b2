# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a folder that the kit makes for itself appear whole, and stay unchanged?

It holds the SHA-256 of all that is in it, which each use checks: if a file is lost, cut or added,
the folder is made again.
"""

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from jdkmatrix.machine.files import content_of, exchange
from jdkmatrix.machine.trees import scratch_folder

_SEAL = ".sha256"
# Others may replace a damaged folder at the same time.
_ATTEMPTS = 10


def made_once(place: Path, make: Callable[[Path], object]) -> Path:
    """Return `place`; if it is missing or was changed, have `make` fill an empty folder for it.

    Safe for several threads and processes at once. Raises OSError, and what `make` raises.
    """
    if not is_intact(place):
        place.parent.mkdir(parents=True, exist_ok=True)
        # Made aside and renamed: whoever sees the folder sees all of it.
        with scratch_folder(place.name, place.parent) as scratch:
            whole = scratch / "whole"
            whole.mkdir()
            make(whole)
            (whole / _SEAL).write_text(_digest(whole), encoding="ascii")
            _move_in(whole, place, scratch)
    return place


def _move_in(whole: Path, place: Path, scratch: Path) -> None:
    for attempt in range(_ATTEMPTS):
        try:
            whole.rename(place)
            return
        except OSError:
            if is_intact(place):  # another process was first, with the same content
                return
            if exchange(whole, place):  # others may use the undamaged part of the old one
                return
            if attempt == _ATTEMPTS - 1:
                raise
            with suppress(FileNotFoundError):  # another process has put it aside
                place.rename(scratch / f"damaged-{attempt}")


def is_intact(place: Path) -> bool:
    """Whether `made_once` has made `place`, and nothing in it was changed."""
    try:
        seal = place / _SEAL
        if place.is_symlink() or not stat.S_ISREG(seal.lstat().st_mode):
            return False
        return content_of(seal) == _digest(place).encode()
    except OSError:
        return False


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for name, content in sorted(_contents(folder)):
        digest.update(b"%d %d\0%b%b" % (len(name), len(content), name, content))
    return digest.hexdigest()


def _contents(folder: Path) -> Iterator[tuple[bytes, bytes]]:
    """Each entry's name, and its type with its content, or with the target of a link."""
    for parent, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = Path(parent, name)
            if path == folder / _SEAL:
                continue
            mode = path.lstat().st_mode
            content = b""
            if stat.S_ISREG(mode):
                content = content_of(path)
            elif stat.S_ISLNK(mode):
                content = os.fsencode(path.readlink())
            yield os.fsencode(path.relative_to(folder)), b"%o" % stat.S_IFMT(mode) + content

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where are files for a moment, so that a process that is killed leaves none for long?

Each such folder is locked by who made it. Whoever needs one in the same place next removes those
that nobody holds any more.
"""

import fcntl
import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from jdkmatrix.machine.trees import remove, remove_quietly

_MARK = ".scratch-"


@contextmanager
def scratch_folder(name: str = "jdkmatrix", place: Path | None = None) -> Iterator[Path]:
    """A new, empty folder in `place`, by default the machine's for temporary files, removed
    afterwards. Raises OSError.
    """
    home = place or Path(tempfile.gettempdir())
    _remove_left_over(home, f".{name}{_MARK}")
    while True:
        folder = home / f".{name}{_MARK}{secrets.token_hex(6)}"
        folder.mkdir(mode=0o700)
        # Before it is locked, another process may take it for left over.
        try:
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            continue
        with suppress(OSError):  # a file system without locks, where none is removed either
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        if folder.exists():
            break
        os.close(descriptor)
    try:
        yield folder
    finally:
        remove_quietly(folder)
        os.close(descriptor)


def _remove_left_over(home: Path, prefix: str) -> None:
    with suppress(OSError):
        for folder in home.iterdir():
            if folder.name.startswith(prefix) and folder.lstat().st_uid == os.getuid():
                _remove_unheld(folder)


def _remove_unheld(folder: Path) -> None:
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove(folder)
        finally:
            os.close(descriptor)

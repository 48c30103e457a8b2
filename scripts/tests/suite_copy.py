# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A copy of `test/` for tests that change it: made once, and mended after each of them.

To copy its 550 files takes more CPU time than most of these tests.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

Stamp = tuple[int, int, int]


class SuiteCopy:
    """Lends a copy of the folder `original`, which lies at `place` meanwhile, to one at a time."""

    def __init__(self, original: Path, place: Path) -> None:
        self._original, self._place = original, place
        shutil.copytree(original, place)
        self._stamps = _stamps(place)

    @contextmanager
    def lend(self, folder: Path) -> Iterator[None]:
        """Have the copy at `folder`, which is not there, and is on the same disk."""
        self._place.rename(folder)
        try:
            yield
        finally:
            folder.rename(self._place)
            self._mend()

    def _mend(self) -> None:
        """What was changed, added or removed is as in the original."""
        stamps = _stamps(self._place)
        for path in stamps.keys() - self._stamps.keys():
            (self._place / path).unlink()
        for folder, _, _ in os.walk(self._place, topdown=False):
            if not (self._original / Path(folder).relative_to(self._place)).is_dir():
                Path(folder).rmdir()
        for path, stamp in self._stamps.items():
            if stamps.get(path) != stamp:
                file = self._place / path
                file.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(self._original / path, file)
                self._stamps[path] = _stamp(file)


def _stamps(folder: Path) -> dict[str, Stamp]:
    return {
        str(file.relative_to(folder)): _stamp(file)
        for place, _, names in os.walk(folder)
        for file in (Path(place, name) for name in names)
    }


def _stamp(file: Path) -> Stamp:
    """Another one once the file was written, removed or replaced: `copy2` has set an old time."""
    status = file.lstat()
    return status.st_ino, status.st_size, status.st_mtime_ns

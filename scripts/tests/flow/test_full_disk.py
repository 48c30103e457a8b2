# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A disk that is full from the n-th write of a run on, and then has room again.

Every fourth of a run's writes; with `--long` all.
"""

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from jdkmatrix.errors import MachineError, NothingRanError
from jdkmatrix.flow.flow import grade_run
from jdkmatrix.paths import Checkout
from jdkmatrix.records.request import Request
from jdkmatrix.records.store import RunFolder
from tests.flow.run_kit import PLAIN, TESTS, resume, run

REQUEST = Request(builds=(PLAIN.id,), tests=TESTS, confirm=False)
_NEEDS_ROOM = ("os.mkdir", "os.rename", "os.symlink", "os.link")
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


@dataclass
class Disk:
    """What Python is about to do to files below `folder`, as its audit hooks are told.

    `room` is the number of writes that there is room for; None: for all.
    """

    folder: Path | None = None
    room: int | None = None
    writes: int = 0

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Raises OSError (ENOSPC) at a write for which there is no room."""
        if self.folder is None or not self._needs_room(event, arguments):
            return
        self.count()

    def count(self) -> None:
        """Another write. Raises OSError if there is no room."""
        self.writes += 1
        if self.room is not None and self.writes > self.room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    @contextmanager
    def full_after(self, room: int | None, folder: Path) -> Iterator[None]:
        """Have room for so many writes below `folder`, meanwhile."""
        self.folder, self.room, self.writes = folder, room, 0
        try:
            yield
        finally:
            self.folder = None

    def _needs_room(self, event: str, arguments: tuple[Any, ...]) -> bool:
        if event == "open":
            path, _, flags = arguments
            if not isinstance(flags, int) or not flags & _WRITES:
                return False
        elif event in _NEEDS_ROOM:
            path = arguments[0] if event == "os.mkdir" else arguments[1]
        else:
            return False
        return isinstance(path, str | Path) and Path(path).is_relative_to(str(self.folder))


@pytest.fixture(scope="module")
def audit_disk() -> Disk:
    """A hook cannot be taken away again: there is one for all."""
    disk = Disk()
    sys.addaudithook(disk.audit)
    return disk


@pytest.fixture
def disk(audit_disk: Disk, monkeypatch: pytest.MonkeyPatch) -> Disk:
    sync = os.fsync

    def count_sync(descriptor: int) -> None:  # a full disk may be told as late as that
        if audit_disk.folder is not None:
            audit_disk.count()
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", count_sync)
    return audit_disk


def finished_cells(out: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in out.glob("cells/**/cell.json")}


def outcome_of(act: Callable[[], object]) -> str:
    """How it ended: in nothing worse than the one line of a kit that has no room."""
    try:
        act()
    except MachineError as error:
        assert "\n" not in str(error)
        return str(error)
    return ""


@pytest.mark.slow
@pytest.mark.fuzz
def test_every_write_of_a_run(disk: Disk, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    with disk.full_after(None, tmp_path):
        assert run(tmp_path / "whole", REQUEST).complete
    writes = disk.writes
    assert writes > 20
    messages, most_kept = set(), 0
    rooms = range(0, writes, 1 if pytestconfig.getoption("--long") else 4)
    for room in rooms:
        out = tmp_path / str(room)
        with disk.full_after(room, tmp_path):
            messages.add(outcome_of(partial(run, out, REQUEST)).replace(str(out), ""))
        kept_cells = finished_cells(out)
        if not (out / "run.json").is_file():  # then there is nothing to resume
            assert kept_cells == {}
            continue
        most_kept = max(most_kept, len(kept_cells))
        try:
            results = resume(out)
        except NothingRanError:  # only the reports had no room
            results = grade_run(
                Checkout.current(), RunFolder(out), RunFolder(out).read_run()
            ).results
        assert [cell.grade for cell in results.cells] == ["as-expected"] * len(TESTS)
        assert results.complete
        assert kept_cells.items() <= finished_cells(out).items()
    assert messages - {""}, "no run told that the disk is full"
    assert all("No space left on device" in text for text in messages - {""})
    assert most_kept == len(TESTS)

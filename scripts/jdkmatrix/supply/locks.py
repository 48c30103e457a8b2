# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do two runs, or two checkouts, that share a cache keep out of each other's way?"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from jdkmatrix.supply.source import SourceError

_POLL_S = 0.1


class Locks:
    """Named locks between processes and threads; the system frees those of a killed process."""

    def __init__(self, folder: Path, stop: threading.Event) -> None:
        self._folder = folder
        self._stop = stop

    def go_on(self) -> None:
        """Raise SourceError if the run ends."""
        if self._stop.is_set():
            raise SourceError("interrupted")

    @contextmanager
    def held(self, name: str) -> Iterator[None]:
        """Hold the lock, waiting for whoever has it. Raises SourceError if the run ends first."""
        lock = self._lock(name)
        while True:
            self.go_on()
            try:
                lock.acquire(timeout=0)
                break
            except Timeout:
                self._stop.wait(_POLL_S)
        try:
            yield
        finally:
            lock.release()

    @contextmanager
    def if_free(self, name: str) -> Iterator[bool]:
        """Hold the lock if nobody has it; True if so."""
        lock = self._lock(name)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            yield False
            return
        try:
            yield True
        finally:
            lock.release()

    def _lock(self, name: str) -> FileLock:
        self._folder.mkdir(parents=True, exist_ok=True)
        return FileLock(self._folder / f"{name}.lock")

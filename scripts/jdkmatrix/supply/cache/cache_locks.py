# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do two runs, or two checkouts, that share a cache keep out of each other's way?"""

import fcntl
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from jdkmatrix.machine.files import is_lock_taken
from jdkmatrix.supply.build import SourceError

_POLL_S = 0.1


class Locks:
    """Named locks between processes and threads; the system frees those of a killed process."""

    def __init__(self, folder: Path, stop: threading.Event) -> None:
        self._folder = folder
        self._stop = stop
        self._guard = threading.Lock()
        self._user_files: dict[str, IO[bytes]] = {}
        self._own_names: set[str] = set()

    def go_on(self) -> None:
        """Raise SourceError if the run is being stopped."""
        if self._stop.is_set():
            raise SourceError("interrupted")

    @contextmanager
    def hold(self, name: str, waiting: Callable[[], None] | None = None) -> Iterator[None]:
        """Hold the lock, waiting for whoever has it; `waiting` is called once if that is another
        process. Raises SourceError if the run is stopped first.
        """
        with self._file(f"{name}.lock") as file:
            while True:
                self.go_on()
                if is_lock_taken(file):
                    break
                if waiting and name not in self._own_names:
                    waiting()
                    waiting = None
                self._stop.wait(_POLL_S)
            self._own_names.add(name)
            try:
                yield
            finally:
                self._own_names.discard(name)

    @contextmanager
    def if_free(self, name: str) -> Iterator[bool]:
        """Hold the lock if it is free; yields whether it was."""
        with self._file(f"{name}.lock") as file:
            yield is_lock_taken(file)

    def use(self, name: str) -> None:
        """Mark `name` as used by this process until that ends; several may. Raises OSError."""
        with self._guard:
            if name not in self._user_files:
                self._user_files[name] = self._file(f"{name}.users")
                fcntl.flock(self._user_files[name], fcntl.LOCK_SH)
                os.utime(self._user_files[name].fileno())

    def last_use_s(self, name: str) -> float | None:
        """When `name` was last marked as used, in seconds since 1970; None if it never was."""
        try:
            return (self._folder / f"{name}.users").stat().st_mtime
        except FileNotFoundError:
            return None

    @contextmanager
    def if_unused(self, name: str) -> Iterator[bool]:
        """Keep others from using `name` if nobody uses it; yields whether nobody did."""
        with self._file(f"{name}.users") as file:
            yield is_lock_taken(file)

    def _file(self, name: str) -> IO[bytes]:
        """A file to lock, until it is closed. Raises OSError."""
        self._folder.mkdir(parents=True, exist_ok=True)
        return (self._folder / name).open("ab")

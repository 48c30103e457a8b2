# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which Debian suites were read in this run?

Each suite's index is read at most once in a run, and only if something of it is wanted.
"""

import threading
from pathlib import Path

from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.net.progress import Progress
from jdkmatrix.supply.sources.apt import AptTree
from jdkmatrix.supply.sources.mirror import Mirror, machine_mirror
from jdkmatrix.supply.sources.source import SourceError

MAIN = ("main",)


class AptSuites:
    """The suites of this machine's mirror, their indexes kept under `folder`."""

    def __init__(self, folder: Path, locks: Locks, progress: Progress) -> None:
        self._folder = folder
        self._locks = locks
        self._progress = progress
        self._guard = threading.Lock()
        self._mirror: Mirror | None = None
        self._guards: dict[str, threading.Lock] = {}
        self._read: dict[str, AptTree | SourceError] = {}

    def suite(self, name: str, components: tuple[str, ...] = MAIN) -> AptTree:
        """The suite of that name, with these parts of the archive; its index was read in this run.

        Raises SourceError.
        """
        key = name if components == MAIN else "+".join((name, *components))
        with self._guard:
            guard = self._guards.setdefault(key, threading.Lock())
        with guard:
            if key not in self._read:
                self._read[key] = self._update(key, name, components)
            outcome = self._read[key]
        if isinstance(outcome, SourceError):
            raise outcome
        return outcome

    def _update(self, key: str, name: str, components: tuple[str, ...]) -> AptTree | SourceError:
        label = f"index of {key}"
        self._progress.start(label, None)
        try:
            with self._guard:
                self._mirror = self._mirror or machine_mirror()
            tree = AptTree(self._folder / key, name, components, self._mirror, self._locks)
            tree.update(self._progress.notice)
            return tree
        except SourceError as error:
            return error
        finally:
            self._progress.finish(label)

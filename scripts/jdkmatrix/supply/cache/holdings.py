# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which entries of `jdks.yaml` does the cache hold, are they intact, and what may be removed?

Nothing here opens a socket.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

from jdkmatrix.config.jdks import BuildEntry, JdksFile
from jdkmatrix.machine.cores import usable_cores
from jdkmatrix.machine.trees import size_of_tree
from jdkmatrix.supply.cache.jdk_cache import Corrupt, InstallRecord
from jdkmatrix.supply.cache.jdks_lock import LockedEntry
from jdkmatrix.supply.install import parts_of
from jdkmatrix.supply.installable import Installable
from jdkmatrix.supply.jars.jar_cache import LABEL as JARS
from jdkmatrix.supply.jars.jar_cache import read_jars_lock
from jdkmatrix.supply.net.progress import NullProgress
from jdkmatrix.supply.sources.kinds import Circumstances
from jdkmatrix.supply.sources.licence import Licence, licence_of

_DAY_S = 86_400
_Look = tuple[str, Callable[[], InstallRecord | None]]


class HoldingState(StrEnum):
    """The state of an entry."""

    CACHED = "cached"  # the locked bytes are in the cache, intact
    LOCKED = "locked"  # jdks.lock has it, the cache does not
    STALE = "stale"  # what is locked or cached is not what jdks.yaml or jdks.lock means now
    CHANGED = "changed"  # it is cached, but is not what was installed
    LOCAL = "local"  # it is used where it lies
    ABSENT = "-"  # never fetched


@dataclass(frozen=True)
class Holding:
    """One entry; `reason` explains any state but `cached` and `local`.

    `licence` is what the package of a wheel declares, or a POM and the runtime in its archive.
    """

    entry: BuildEntry
    state: HoldingState
    lock_entry: LockedEntry | None
    record: InstallRecord | None = None
    home: Path | None = None
    reason: str = ""
    licence: Licence | None = None


@dataclass(frozen=True)
class VerifiedInstall:
    """A cached install whose every file was hashed; `problem` is None if it is intact.

    `is_vouched` is False if `jdks.lock` has no hash of its tree: then `installed.json` alone does.
    """

    name: str
    hashed_bytes: int
    seconds: float
    problem: str | None
    is_vouched: bool = True


@dataclass(frozen=True)
class PrunedInstall:
    """An install that `jdks.lock` does not name; not `is_removed` while a process uses it.

    It `is_gone` if another process removed it first.
    """

    folder: Path
    size_bytes: int
    is_removed: bool
    is_gone: bool


class Holdings:
    """The cache at `cache_root`, seen from one checkout's `jdks.yaml` and `jdks.lock`."""

    def __init__(
        self,
        jdks: JdksFile,
        lock_path: Path,
        cache_root: Path,
        jars_lock: Path | None = None,
    ) -> None:
        self._jars_lock = jars_lock
        self._tools = jdks.tools
        self._parts = parts_of(jdks, lock_path, cache_root, NullProgress(), False, Circumstances())

    def look_up(self, entry: BuildEntry) -> Holding:
        """The state of one entry, by a quick check of its files."""
        product = Installable.jdk(entry)
        installer = self._parts.installer
        lock_entry = self._parts.keeper.find_entry(entry.id)
        if all(config.source == "local" for config in entry.sources):
            return Holding(entry, HoldingState.LOCAL, None)
        try:
            install = installer.find_cached(product)
        except Corrupt as corrupt:
            return Holding(entry, HoldingState.CHANGED, lock_entry, reason=str(corrupt))
        if install is not None:
            licence = licence_of(install.folder)
            return Holding(
                entry,
                HoldingState.CACHED,
                lock_entry,
                install.record,
                install.home,
                licence=licence,
            )
        state, reason = HoldingState.ABSENT, installer.why_not_cached(product)
        if lock_entry is not None and installer.locked_folder(product) is None:
            state = HoldingState.STALE
        elif self._parts.cache.folders(entry.id):
            state, reason = HoldingState.STALE, "the cache has different bytes for it"
        elif lock_entry:
            state = HoldingState.LOCKED
        return Holding(entry, state, lock_entry, reason=reason)

    def verify(
        self, entries: Iterable[BuildEntry], with_tools: bool = False
    ) -> Iterator[VerifiedInstall]:
        """Hash every file of each cached entry, several at once; what is not cached is left out.

        With `with_tools` also jtreg, Maven, the programs and the jars.
        """
        products = [Installable.jdk(entry) for entry in entries]
        if with_tools:
            products += [Installable.jtreg(self._tools), Installable.maven(self._tools)]
            products += [Installable.program(self._tools, name) for name in self._tools.programs]
        looks: list[_Look] = [
            (product.id, partial(self._cached_wholly, product)) for product in products
        ]
        if with_tools:
            looks.append((JARS, self._cached_jars_wholly))
        with ThreadPoolExecutor(usable_cores()) as pool:
            for outcome in pool.map(self._verify_install, looks):
                if outcome is not None:
                    yield outcome

    def list_unneeded(self, unused_days: float) -> list[Path]:
        """The installs that this checkout's locks do not name and nobody has used for so many days.

        Also downloads that were begun before then.

        The cache is shared: another checkout may name what this one does not.
        """
        keeper, cache = self._parts.keeper, self._parts.cache
        lock_folders = {
            cache.folder(name, lock_entry.artifacts) for name, lock_entry in keeper.entries()
        }
        if jars := self._jars_folder():
            lock_folders.add(jars)
        latest_s = _before_s(unused_days)
        return [
            folder
            for folder in (*cache.folders(), *cache.begun_folders())
            if folder not in lock_folders and cache.is_unused_since(folder, latest_s)
        ]

    def jars(self) -> Path | None:
        """The folder of the jars of `jars.lock`; None if they are not cached, or not intact."""
        folder = self._jars_folder()
        try:
            return folder if folder and self._parts.cache.open_install(folder) else None
        except Corrupt:
            return None

    def prune(self, folder: Path, remove: bool, unused_days: float = 0) -> PrunedInstall:
        """Remove an install, unless a process uses it or has used it since it was found unneeded.

        Without `remove` only measure it. Raises OSError.
        """
        size_bytes = size_of_tree(folder)
        is_removed = remove and self._parts.cache.prune(folder, _before_s(unused_days))
        return PrunedInstall(
            folder, size_bytes, is_removed, is_gone=not is_removed and not folder.exists()
        )

    def _jars_folder(self) -> Path | None:
        if self._jars_lock is None:
            return None
        return self._parts.cache.folder(JARS, read_jars_lock(self._jars_lock).jars)

    def _verify_install(self, look: _Look) -> VerifiedInstall | None:
        name, cached_wholly = look
        began_s = time.monotonic()
        try:
            record = cached_wholly()
        except Corrupt as corrupt:
            return VerifiedInstall(name, 0, time.monotonic() - began_s, str(corrupt))
        if record is None:
            return None
        lock_entry = self._parts.keeper.find_entry(name)
        is_vouched = lock_entry is None or lock_entry.tree_sha256 is not None
        return VerifiedInstall(
            name, record.size_bytes, time.monotonic() - began_s, None, is_vouched
        )

    def _cached_wholly(self, product: Installable) -> InstallRecord | None:
        install = self._parts.installer.find_cached(product, full=True)
        return None if install is None else install.record

    def _cached_jars_wholly(self) -> InstallRecord | None:
        folder = self._jars_folder()
        return None if folder is None else self._parts.cache.open_install(folder, full=True)


def _before_s(unused_days: float) -> float:
    return time.time() - unused_days * _DAY_S

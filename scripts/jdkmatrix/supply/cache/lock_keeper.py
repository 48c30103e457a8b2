# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does `jdks.lock` follow what was fetched, and what is reported of a change in it?"""

from collections.abc import Iterator

from jdkmatrix.config.jdks import BuildEntry
from jdkmatrix.errors import MachineError
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.cache.jdk_cache import InstallRecord
from jdkmatrix.supply.cache.jdks_lock import LockedEntry, LockFile, changes
from jdkmatrix.supply.identity import vendor_of, version_of
from jdkmatrix.supply.sources.debian_version import jdk_version_of

_LOCK_FILE_LOCK = "jdks.lock"


class LockKeeper:
    """The entries of `jdks.lock` for one platform."""

    def __init__(self, file: LockFile, locks: Locks, platform: str) -> None:
        self._file = file
        self._locks = locks
        self.platform = platform

    def locked(self, wanted_id: str) -> LockedEntry | None:
        """What is recorded for it. Raises UsageError."""
        return self._file.entry(self.platform, wanted_id)

    def entries(self) -> Iterator[tuple[str, LockedEntry]]:
        """Every (entry id, record) of every platform. Raises UsageError."""
        return self._file.entries()

    def sweep(self) -> None:
        """Remove what a killed run left beside the file, if nobody is writing it. Raises OSError"""
        with self._locks.if_free(_LOCK_FILE_LOCK) as free:
            if free:
                self._file.sweep()

    def record(
        self,
        wanted_id: str,
        entry: BuildEntry | None,
        where: str,
        locked: LockedEntry | None,
        got: InstallRecord,
    ) -> tuple[str, ...]:
        """Update the file; return one line for each thing that is new in it.

        `where` is what the source's versions belong to.
        """
        now = _locked_entry(got)
        notices = _notices(wanted_id, entry, where, locked, now, self.platform)
        try:
            with self._locks.held(_LOCK_FILE_LOCK):
                self._file.record(self.platform, wanted_id, now)
        except MachineError as error:
            notices.append(f"{wanted_id}: {error}")
        return tuple(notices)


class FrozenLockKeeper(LockKeeper):
    """Records nothing: what comes by it does not move what `jdks.lock` promises of a build."""

    def record(
        self,
        wanted_id: str,
        entry: BuildEntry | None,
        where: str,
        locked: LockedEntry | None,
        got: InstallRecord,
    ) -> tuple[str, ...]:
        """Write nothing."""
        return ()


def _notices(
    wanted_id: str,
    entry: BuildEntry | None,
    where: str,
    locked: LockedEntry | None,
    now: LockedEntry,
    platform: str,
) -> list[str]:
    if locked is None:
        early = ", early access: the first bytes are kept" if now.mutable else ""
        return [f"{wanted_id}: first use on {platform}, {now.version} recorded{early}"]
    if locked.source != now.source:
        return [f"{wanted_id}: now from {now.source}; jdks.lock had {locked.source}"]
    # Packages of one source move together: one line for each pair of versions.
    moved = {(before, after): name for name, before, after in changes(locked, now.artifacts)}
    notices = []
    for (before, after), name in moved.items():
        is_jdk = jdk_version_of(before) != before and entry is not None
        if is_jdk and jdk_version_of(before) != jdk_version_of(after):
            name, before, after = "", jdk_version_of(before), jdk_version_of(after)
        has = f"{where} now has {name} {after}".replace("  ", " ")
        notices.append(f"{wanted_id}: {has}, lock had {before}")
    if not moved and locked.artifacts != now.artifacts:
        notices.append(f"{wanted_id}: {where} is now {now.version}, lock had {locked.version}")
    return notices


def _locked_entry(got: InstallRecord) -> LockedEntry:
    if got.facts is None:
        version = got.artifacts[0].version
        return LockedEntry(
            version=version,
            source=got.source,
            tree_sha256=got.tree_sha256,
            artifacts=got.artifacts,
        )
    version_now = version_of(got.facts)
    return LockedEntry(
        version=str(version_now),
        vendor=vendor_of(got.facts),
        train=version_now.train,
        source=got.source,
        scm_ref=got.scm_ref,
        mutable=got.mutable,
        tree_sha256=got.tree_sha256,
        artifacts=got.artifacts,
    )

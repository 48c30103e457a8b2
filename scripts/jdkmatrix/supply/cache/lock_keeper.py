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

    def find_entry(self, product_id: str) -> LockedEntry | None:
        """What is recorded for it. Raises UsageError."""
        return self._file.entry(self.platform, product_id)

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
        product_id: str,
        entry: BuildEntry | None,
        label: str,
        lock_entry: LockedEntry | None,
        record: InstallRecord,
    ) -> tuple[str, ...]:
        """Update the file; return one line for each thing that is new in it.

        `label` is what the source's versions belong to.
        """
        new_entry = _locked_entry(record)
        notices = _notices(product_id, entry, label, lock_entry, new_entry, self.platform)
        try:
            with self._locks.hold(_LOCK_FILE_LOCK):
                self._file.record(self.platform, product_id, new_entry)
        except MachineError as error:
            notices.append(f"{product_id}: {error}")
        return tuple(notices)


class FrozenLockKeeper(LockKeeper):
    """Records nothing: what comes by it does not move what `jdks.lock` promises of a build."""

    def record(
        self,
        product_id: str,
        entry: BuildEntry | None,
        label: str,
        lock_entry: LockedEntry | None,
        record: InstallRecord,
    ) -> tuple[str, ...]:
        """Write nothing."""
        return ()


def _notices(
    product_id: str,
    entry: BuildEntry | None,
    label: str,
    lock_entry: LockedEntry | None,
    new_entry: LockedEntry,
    platform: str,
) -> list[str]:
    if lock_entry is None:
        suffix = ", early access: the first bytes are kept" if new_entry.mutable else ""
        return [f"{product_id}: first use on {platform}, {new_entry.version} recorded{suffix}"]
    if lock_entry.source != new_entry.source:
        return [f"{product_id}: now from {new_entry.source}; jdks.lock had {lock_entry.source}"]
    # Packages of one source move together: one line for each pair of versions.
    moves = {(old, new): name for name, old, new in changes(lock_entry, new_entry.artifacts)}
    notices = []
    for (old, new), name in moves.items():
        is_jdk = jdk_version_of(old) != old and entry is not None
        if is_jdk and jdk_version_of(old) != jdk_version_of(new):
            name, old, new = "", jdk_version_of(old), jdk_version_of(new)
        has = f"{label} now has {name} {new}".replace("  ", " ")
        notices.append(f"{product_id}: {has}, lock had {old}")
    if not moves and lock_entry.artifacts != new_entry.artifacts:
        notices.append(
            f"{product_id}: {label} is now {new_entry.version}, lock had {lock_entry.version}"
        )
    return notices


def _locked_entry(record: InstallRecord) -> LockedEntry:
    if record.facts is None:
        version = record.artifacts[0].version
        return LockedEntry(
            version=version,
            source=record.source,
            tree_sha256=record.tree_sha256,
            artifacts=record.artifacts,
        )
    version_now = version_of(record.facts)
    return LockedEntry(
        version=str(version_now),
        vendor=vendor_of(record.facts),
        train=version_now.train,
        source=record.source,
        scm_ref=record.scm_ref,
        mutable=record.mutable,
        tree_sha256=record.tree_sha256,
        artifacts=record.artifacts,
    )

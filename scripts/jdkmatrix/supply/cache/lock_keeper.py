# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does `jdks.lock` follow what was fetched, and what is reported of a change in it?"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from jdkmatrix.errors import MachineError
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.cache.jdk_cache import InstallRecord
from jdkmatrix.supply.cache.jdks_lock import LockedEntry, LockFile, changes
from jdkmatrix.supply.identity import vendor_of, version_of
from jdkmatrix.supply.installable import Installable

_LOCK_FILE_LOCK = "jdks.lock"
_JDK_8 = re.compile(r"8u(?P<update>\d+)-(?:ga|b(?P<build>\d+))")
_JDK_9 = re.compile(r"(?P<numbers>\d+(?:\.\d+)*)(?:(?P<ea>~)|\+)(?P<build>\d+)(?(ea)ea)")


@dataclass(frozen=True)
class LockKeeper:
    """The entries of `jdks.lock` for one platform. One that is frozen records nothing: what comes
    by it does not move what `jdks.lock` promises of a build.
    """

    file: LockFile
    locks: Locks
    platform: str
    is_frozen: bool = False

    def find_entry(self, product_id: str) -> LockedEntry | None:
        """What is recorded for it. Raises UsageError."""
        return self.file.entry(self.platform, product_id)

    def entries(self) -> Iterator[tuple[str, LockedEntry]]:
        """Every (entry id, record) of every platform. Raises UsageError."""
        return self.file.entries()

    def sweep(self) -> None:
        """Remove what a killed run left beside the file, if nobody is writing it. Raises OSError"""
        with self.locks.if_free(_LOCK_FILE_LOCK) as free:
            if free:
                self.file.sweep()

    def record(self, product: Installable, label: str, record: InstallRecord) -> tuple[str, ...]:
        """Update the file; return one line for each thing that is new in it.

        `label` is what the source's versions belong to.
        """
        if self.is_frozen:
            return ()
        new_entry = _locked_entry(record)
        notices = self._notices(product, label, new_entry)
        try:
            with self.locks.hold(_LOCK_FILE_LOCK):
                self.file.record(self.platform, product.id, new_entry)
        except MachineError as error:
            notices.append(f"{product.id}: {error}")
        return tuple(notices)

    def _notices(self, product: Installable, label: str, new_entry: LockedEntry) -> list[str]:
        lock_entry = self.find_entry(product.id)
        if lock_entry is None:
            suffix = ", early access: the first bytes are kept" if new_entry.mutable else ""
            news = f"first use on {self.platform}, {new_entry.version} recorded{suffix}"
            return [f"{product.id}: {news}"]
        if lock_entry.source != new_entry.source:
            return [f"{product.id}: now from {new_entry.source}; jdks.lock had {lock_entry.source}"]
        # Packages of one source move together: one line for each pair of versions.
        moves = {(old, new): name for name, old, new in changes(lock_entry, new_entry.artifacts)}
        notices = []
        for (old, new), name in moves.items():
            is_jdk = jdk_version_of(old) != old and product.entry is not None
            if is_jdk and jdk_version_of(old) != jdk_version_of(new):
                name, old, new = "", jdk_version_of(old), jdk_version_of(new)
            has = f"{label} now has {name} {new}".replace("  ", " ")
            notices.append(f"{product.id}: {has}, lock had {old}")
        if not moves and lock_entry.artifacts != new_entry.artifacts:
            notices.append(
                f"{product.id}: {label} is now {new_entry.version}, lock had {lock_entry.version}"
            )
        return notices


def _locked_entry(record: InstallRecord) -> LockedEntry:
    facts = record.facts
    jdk_version = version_of(facts) if facts else None
    return LockedEntry(
        version=str(jdk_version or record.artifacts[0].version),
        vendor=vendor_of(facts) if facts else None,
        train=jdk_version.train if jdk_version else None,
        source=record.source,
        scm_ref=record.scm_ref,
        mutable=record.mutable,
        tree_sha256=record.tree_sha256,
        artifacts=record.artifacts,
    )


def jdk_version_of(package_version: str) -> str:
    """The JDK version in a package version; if it follows no known scheme, all but the epoch.

    `11.0.33~8ea-1` is `11.0.33-ea+8`, `17.0.21+9-1~deb12u1` is `17.0.21+9`, `8u504-ga-1` is
    `8u504-ga`.
    """
    bare = package_version.rpartition(":")[2]
    if match := _JDK_8.match(bare):
        return match[0]
    if match := _JDK_9.match(bare):
        middle = "-ea+" if match["ea"] else "+"
        return f"{match['numbers']}{middle}{match['build']}"
    return bare

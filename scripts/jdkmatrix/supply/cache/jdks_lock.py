# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which bytes were fetched for each entry, and may other bytes take their place?

`jdks.lock` has, per platform and entry, the version, vendor, train, kind of source and every
artifact with its size and SHA-256; never a host.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from jdkmatrix.config import version
from jdkmatrix.config.jdks import BuildEntry, EntryId
from jdkmatrix.errors import UsageError, one_line, translate_os_errors
from jdkmatrix.machine.files import content_of, write_atomically
from jdkmatrix.machine.json_models import Frozen, model_of
from jdkmatrix.supply.build import Artifact, NamedBuild, Offer, SourceError, id_of
from jdkmatrix.supply.platform import machine_platform
from jdkmatrix.texts import command_line

_SCHEMA = 1


class LockedEntry(Frozen):
    """What was fetched for one entry. `vendor` and `train` are None if it is not a JDK (jtreg).

    `scm_ref` is the commit it was built from, if its source knows. `mutable` means that the source
    may replace the bytes under the same name; these were the first. `tree_sha256` is the hash of
    the tree unpacked from the artifacts; None in a lock of a kit that did not record it.
    """

    version: str
    vendor: str | None = None
    train: int | None = None
    source: str
    scm_ref: str | None = None
    mutable: bool = False
    tree_sha256: str | None = None
    artifacts: tuple[Artifact, ...]


class _Document(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="forbid")

    schema_: Literal[1] = Field(alias="schema")
    platforms: dict[str, dict[str, LockedEntry]]


def this_platform() -> str:
    """`linux-x64`, `linux-aarch64`, `alpine-linux-x64` ..."""
    return machine_platform().lock_key


class LockFile:
    """The `jdks.lock` at `path`, which need not exist yet. Guard `record` with a lock."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def entry(self, platform_name: str, entry_id: str) -> LockedEntry | None:
        """What is recorded for the entry. Raises UsageError if the file is damaged."""
        return self._read().get(platform_name, {}).get(entry_id)

    def last_builds(self) -> dict[str, NamedBuild]:
        """The build last fetched for each entry: `debian-8u504-ga` for `debian-8`.

        Raises UsageError if the file is damaged.
        """
        builds = {}
        for text, lock_entry in self._read().get(this_platform(), {}).items():
            if lock_entry.vendor and (entry_id := EntryId.read(text)):
                try:
                    jdk_version = version.parse(lock_entry.version)
                except ValueError as error:
                    raise UsageError(f"{self._path}: {one_line(text)}: {error}") from None
                name = id_of(lock_entry.vendor, jdk_version, entry_id.target)
                builds[text] = NamedBuild(name, jdk_version)
        return builds

    def record(self, platform_name: str, entry_id: str, lock_entry: LockedEntry) -> bool:
        """Write the entry atomically unless it is recorded already; return whether it was written.

        Raises MachineError.
        """
        platforms = self._read()
        if platforms.get(platform_name, {}).get(entry_id) == lock_entry:
            return False
        platforms.setdefault(platform_name, {})[entry_id] = lock_entry
        plain = {
            name: {
                key: saved_entry.model_dump(exclude_defaults=True)
                for key, saved_entry in entries.items()
            }
            for name, entries in platforms.items()
        }
        text = json.dumps({"schema": _SCHEMA, "platforms": plain}, indent=2, sort_keys=True)
        write_atomically(self._path, text + "\n")
        return True

    def entries(self) -> Iterator[tuple[str, LockedEntry]]:
        """Every (entry id, record), of all platforms. Raises UsageError."""
        for platform in self._read().values():
            yield from platform.items()

    def sweep(self) -> None:
        """Remove what a killed run left beside the file. Needs the lock that guards `record`."""
        for leftover in self._path.parent.glob(f".{self._path.name}.*"):
            leftover.unlink(missing_ok=True)

    def _read(self) -> dict[str, dict[str, LockedEntry]]:
        with translate_os_errors(UsageError, f"{self._path}: cannot be read"):
            try:
                content = content_of(self._path)
            except FileNotFoundError:
                return {}
        subject = f"a lock file of schema {_SCHEMA}"
        return model_of(content, self._path, _Document, subject).platforms


def check_against(
    lock_entry: LockedEntry | None, source: str, files: tuple[Artifact | Offer, ...]
) -> None:
    """Refuse other bytes under the same name and version. Raises SourceError."""
    if lock_entry is None or lock_entry.source != source:
        return
    hashes = {
        (artifact.name, artifact.version): artifact.sha256 for artifact in lock_entry.artifacts
    }
    for file in files:
        sha256 = hashes.get((file.name, file.version), file.sha256)
        if file.sha256 is not None and file.sha256 != sha256:
            raise SourceError(
                f"{file.name} {file.version}: SHA-256 is {file.sha256}, but jdks.lock has {sha256}"
            )


def check_same_build(
    lock_entry: LockedEntry | None, source: str, entry: BuildEntry | None, first: Artifact | Offer
) -> None:
    """Refuse other bytes for an exact build, whatever the file is called. Raises SourceError."""
    if entry is None or entry.moves or lock_entry is None or lock_entry.source != source:
        return
    sha256 = lock_entry.artifacts[0].sha256
    accepting = command_line("scripts/matrix", "jdks", "lock", entry.id)
    if first.sha256 is not None and first.sha256 != sha256:
        raise SourceError(
            f"{first.name} {first.version}: SHA-256 is {first.sha256}, but jdks.lock has {sha256} "
            f"for the same build (to accept it: {accepting})"
        )


def replaced_upstream(
    lock_entry: LockedEntry | None, source: str, offers: tuple[Offer, ...]
) -> bool:
    """Whether an early-access build now has other bytes than those that were fetched first.

    Only the release's name identifies the build: its file may have been renamed too.
    """
    if lock_entry is None or lock_entry.source != source or not lock_entry.mutable:
        return False
    first, offer = lock_entry.artifacts[0], offers[0]
    return first.version == offer.version and offer.sha256 not in (None, first.sha256)


def changes(
    lock_entry: LockedEntry, artifacts: tuple[Artifact, ...]
) -> tuple[tuple[str, str, str], ...]:
    """(name, locked version, version now) of each artifact whose version has changed."""
    versions = {artifact.name: artifact.version for artifact in lock_entry.artifacts}
    return tuple(
        (artifact.name, versions[artifact.name], artifact.version)
        for artifact in artifacts
        if artifact.name in versions and versions[artifact.name] != artifact.version
    )

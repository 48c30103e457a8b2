# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where do installed JDKs lie, and how does an install appear there whole or not at all?

`builds/<entry>-<12 hex digits>/` holds one install and its `installed.json`. It is unpacked in
`staging/` on the same file system and renamed when complete. The digits are a hash of all its
artifacts, so other bytes get another folder. `begun/` has downloads to be resumed.
"""

import errno
import hashlib
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from jdkmatrix.machine.files import content_of, exchange
from jdkmatrix.machine.trees import remove_quietly
from jdkmatrix.supply.build import Artifact, BuildFacts, SourceError
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.cache.manifest import Manifest, ManifestMismatch, check, record_tree

_ABOUT = "installed.json"
# Hashed into every folder's name: increased when the layout of an install changes.
_LAYOUT = 1
_SERIAL = "~"
_NOT_WRITABLE = (errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOSPC, errno.ENOENT)


def _check_inside(home: str) -> str:
    if home.startswith("/") or ".." in Path(home).parts:
        raise ValueError("not in its folder")
    return home


class InstallRecord(BaseModel):
    """What `installed.json` says: the source of an install, its home in its folder, its files.

    `facts` is None if it is not a JDK (jtreg). `scm_ref` and `mutable` are as in `jdks.lock`,
    `signed_by` is the pinned key that signed the first artifact. `tree_sha256` is the hash of the
    tree as just found on disk; it is never read from the file.
    """

    model_config = ConfigDict(defer_build=True, frozen=True)

    source: str
    artifacts: tuple[Artifact, ...]
    home: Annotated[str, AfterValidator(_check_inside)]
    facts: BuildFacts | None
    manifest: Manifest
    scm_ref: str | None = None
    mutable: bool = False
    signed_by: str | None = None
    tree_sha256: str = Field(default="", exclude=True)

    @property
    def size_bytes(self) -> int:
        """Its unpacked size."""
        return sum(file.size_bytes for file in self.manifest.files.values())


class _InstallFacts(BaseModel):
    """What `installed.json` says a JDK is, before its files are checked."""

    facts: BuildFacts | None


class Origin(NamedTuple):
    """What only some sources know about the files they gave; see InstallRecord."""

    scm_ref: str | None = None
    mutable: bool = False
    signed_by: str | None = None


class Corrupt(Exception):
    """An install has changed since it was installed; the text says how."""


class Cache:
    """The folder `root`, shared by runs and checkouts."""

    def __init__(self, root: Path, locks: Locks, paranoid: bool = False) -> None:
        self._root = root
        self._locks = locks
        self._paranoid = paranoid
        self.checks = Checks()

    def folder(self, entry_id: str, artifacts: tuple[Artifact, ...]) -> Path:
        """Where the install of these artifacts lies, or would lie."""
        content = "\n".join(f"{a.name}={a.version} {a.sha256}" for a in artifacts)
        digest = hashlib.sha256(f"{_LAYOUT}\n{content}".encode()).hexdigest()
        return self._root / "builds" / f"{file_name(entry_id)}-{digest[:12]}"

    def open_install(self, folder: Path, full: bool = False) -> InstallRecord | None:
        """The install at `folder`, every file checked; None if there is none. Raises Corrupt.

        It is marked as in use until this process ends, so that nobody prunes it.
        """
        if folder.is_symlink() or not folder.is_dir():
            return None
        about = folder / _ABOUT
        with suppress(OSError):  # a cache that others own can still be read
            self._locks.use(folder.name)
        if not folder.is_dir():  # pruned before it was marked
            return None
        try:
            if about.exists() and not about.is_file():  # reading a pipe would never end
                raise Corrupt(f"{_ABOUT} is not a file, folder or link")
            record = InstallRecord.model_validate_json(content_of(about))
            with self.checks.measure() as cost:
                full = full or self._paranoid
                tree_check = check(folder, record.manifest, frozenset({_ABOUT}), full)
                cost.files, cost.hashed_bytes = tree_check.files, tree_check.hashed_bytes
        except ManifestMismatch as change:
            raise Corrupt(str(change)) from None
        except FileNotFoundError as error:
            raise Corrupt(f"{Path(str(error.filename)).name} is missing") from None
        except ValidationError:
            raise Corrupt(f"{_ABOUT} is damaged") from None
        except OSError as error:
            raise Corrupt(f"cannot be read: {error.strerror}") from None
        if tree_check.manifest is not record.manifest:
            record = record.model_copy(update={"manifest": tree_check.manifest})
            self._rewrite(about, record)
        return record.model_copy(update={"tree_sha256": tree_check.tree_sha256})

    def folders(self, entry_id: str | None = None) -> list[Path]:
        """The folders of all installs, or of one entry's; unchecked."""
        prefix = None if entry_id is None else file_name(entry_id)
        folders = _children(self._root / "builds")
        return [path for path in folders if prefix is None or _lock_of(path) == prefix]

    def jdks(self, is_wanted: Callable[[BuildFacts], bool]) -> Iterator[tuple[Path, InstallRecord]]:
        """Every intact JDK that is wanted, with its folder. No other is checked or marked used."""
        for folder in self.folders():
            about = folder / _ABOUT
            with suppress(Corrupt, OSError, ValidationError):
                claim = _InstallFacts.model_validate_json(
                    content_of(about) if about.is_file() else b""
                )
                if claim.facts and is_wanted(claim.facts) and (record := self.open_install(folder)):
                    yield folder, record

    def begun_folders(self) -> list[Path]:
        """Every download that was begun and not finished."""
        return _children(self._root / "begun")

    def is_unused_since(self, folder: Path, time_s: float) -> bool:
        """Whether it exists and was last used (or made, if never used) by `time_s`, a Unix time."""
        try:
            made_s = folder.lstat().st_mtime
        except FileNotFoundError:
            return False
        used_s = self._locks.last_use_s(folder.name)
        return (made_s if used_s is None else used_s) <= time_s

    @contextmanager
    def staging(self, entry_id: str) -> Iterator[Path]:
        """An empty folder for one install, removed afterwards. Needs the entry's lock."""
        folder = self._staging_place(file_name(entry_id))
        folder.mkdir()
        try:
            yield folder
        finally:
            remove_quietly(folder)  # what is left only costs space; the next run sweeps it

    @contextmanager
    def download_folder(self, entry_id: str, sha256: str) -> Iterator[Path]:
        """A folder for the download of these bytes; if that fails, what has arrived is kept.

        Needs the entry's lock.
        """
        folder = self._root / "begun" / f"{file_name(entry_id)}-{sha256[:12]}"
        folder.mkdir(parents=True, exist_ok=True)
        try:
            yield folder
        except BaseException:
            if not any(file.stat().st_size for file in folder.iterdir()):
                self.discard(folder)
            raise
        self.discard(folder)

    @contextmanager
    def as_if_installed(self, tree: Path, folder: Path) -> Iterator[Path]:
        """Place `tree` at `folder` until it is committed: programs are bound to that path. Yields
        where the files of `tree` lie meanwhile.

        It is swapped with a changed install there in one step, so that no user of that ever misses
        a file: a JVM loads libraries on demand. They are swapped back if `tree` is not committed.
        """
        folder.parent.mkdir(parents=True, exist_ok=True)
        if exchange(tree, folder):
            try:
                yield folder
            finally:
                if not (folder / _ABOUT).exists():
                    exchange(tree, folder)
            return
        self.discard(folder)
        folder.symlink_to(tree)
        try:
            yield tree
        finally:
            if folder.is_symlink():
                folder.unlink()

    def commit(
        self,
        tree: Path,
        folder: Path,
        *,
        source: str,
        artifacts: tuple[Artifact, ...],
        home: str,
        facts: BuildFacts | None,
        origin: Origin | None = None,
        accept: Callable[[InstallRecord], None] = lambda _: None,
    ) -> InstallRecord:
        """Record every file of `tree` and rename it to `folder`, replacing a changed install, or
        leave it if it is there already. If `accept` raises, nothing is changed.

        Needs the entry's lock. Raises SourceError, OSError.
        """
        try:
            tree_check = record_tree(tree, folder)
        except ManifestMismatch as odd:
            raise SourceError(f"unpacked, {odd}") from None
        record = InstallRecord(
            source=source,
            artifacts=artifacts,
            home=home,
            facts=facts,
            manifest=tree_check.manifest,
            tree_sha256=tree_check.tree_sha256,
            **(origin or Origin())._asdict(),
        )
        accept(record)
        self._write(record, tree / _ABOUT, folder.name)
        self._locks.use(folder.name)
        if tree != folder:
            folder.parent.mkdir(parents=True, exist_ok=True)
            if not exchange(tree, folder):
                self.discard(folder)
                tree.rename(folder)
        return record

    def discard(self, folder: Path) -> None:
        """Remove an install, moving it out of sight in one step first. Needs the entry's lock."""
        leftover = self._staging_place(folder.name)
        with suppress(FileNotFoundError):
            folder.rename(leftover)
        remove_quietly(leftover)

    def prune(self, folder: Path, unused_since_s: float) -> bool:
        """Remove an install that no process uses or has used since that time; True if removed.

        Another process may have used, renewed or removed it since it was listed. Raises OSError.
        """
        with self._locks.if_free(_lock_of(folder)) as free:
            # Checked before taking the next lock, which counts as a use if there was none before.
            if not (free and self.is_unused_since(folder, unused_since_s)):
                return False
            with self._locks.if_unused(folder.name) as is_unused:
                if is_unused:
                    self.discard(folder)
                return is_unused

    def sweep(self) -> None:
        """Remove what killed runs left in staging, and links to it, where the lock is free."""
        for leftover in _children(self._root / "staging"):
            with self._locks.if_free(leftover.name.partition(_SERIAL)[0]) as free:
                if free:
                    remove_quietly(leftover)
        for link in [path for path in self.folders() if path.is_symlink()]:
            with self._locks.if_free(_lock_of(link)) as free:
                if free:
                    link.unlink(missing_ok=True)

    def _staging_place(self, name: str) -> Path:
        # A unique name: a download whose run was killed may still write to the previous one.
        place = self._root / "staging" / f"{name}{_SERIAL}{secrets.token_hex(4)}"
        place.parent.mkdir(parents=True, exist_ok=True)
        return place

    def _write(self, record: InstallRecord, about: Path, install_name: str) -> None:
        draft = self._staging_place(install_name)
        draft.write_text(record.model_dump_json(), encoding="utf-8")
        draft.replace(about)

    def _rewrite(self, about: Path, record: InstallRecord) -> None:
        try:
            self._write(record, about, about.parent.name)
        except OSError as error:  # then the next run hashes again, with the same result
            if error.errno not in _NOT_WRITABLE:
                raise


def _children(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _lock_of(folder: Path) -> str:
    return folder.name.rpartition("-")[0]


def file_name(entry_id: str) -> str:
    """The prefix of an entry's folder names, and the name of the lock that guards them."""
    # A plus sign in a path is read as a space by code that takes paths for URLs.
    return entry_id.replace("+", "_")


@dataclass
class CheckCost:
    """What checks looked at and how long they took; `hashed_bytes` is 0 for a quick check."""

    installs: int = 0
    files: int = 0
    hashed_bytes: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        method = "by size, times and inode"
        if self.hashed_bytes:
            method = f"{self.hashed_bytes / 1e6:.0f} MB of them hashed"
        return f"{self.installs} installs, {self.files} files, {method}, in {self.seconds:.2f} s"


class Checks:
    """Adds up the cost of checks, from several threads."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._sum = CheckCost()

    @contextmanager
    def measure(self) -> Iterator[CheckCost]:
        """Time one check; the caller fills in what it looked at."""
        cost = CheckCost(installs=1)
        began_s = time.monotonic()
        try:
            yield cost
        finally:
            with self._guard:
                self._sum.installs += 1
                self._sum.files += cost.files
                self._sum.hashed_bytes += cost.hashed_bytes
                self._sum.seconds += time.monotonic() - began_s

    @property
    def total(self) -> CheckCost:
        """All checks so far."""
        with self._guard:
            return CheckCost(**vars(self._sum))

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is an unpacked JDK still, byte for byte, what was installed?

Each use compares every file's size, times and inode with the record: a changed byte moves the
ctime even if the mtime is set back. Only a file that differs there is hashed again, or all files
on request, as root can write to the disk below the file system.
"""

import hashlib
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from jdkmatrix.machine.files import sha256_of
from jdkmatrix.supply.unpack.bound_program import sha256_unbound

_CAPABILITIES = "security.capability"
# The mode bits that are the same on every machine, whatever its umask: set-user-id, set-group-id,
# sticky and the owner's execute permission.
_LOCKED_MODE = 0o7100


class FileRecord(NamedTuple):
    """One file as it was recorded; `mode` holds the permission bits."""

    sha256: str
    size_bytes: int
    mode: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class Manifest(BaseModel):
    """Every file and symbolic link under a folder, by relative path.

    `unbound` has the SHA-256 of each program that is bound to a loader in the folder, taken without
    the folder's own path: the same on every machine.
    """

    model_config = ConfigDict(defer_build=True, frozen=True)

    files: dict[str, FileRecord]
    links: dict[str, str]
    unbound: dict[str, str] = {}


class ManifestMismatch(Exception):
    """The folder is not what was recorded; the text names the first file and what changed."""


class TreeCheck(NamedTuple):
    """The result of a check: `manifest`, renewed if times or inodes differ, and what was read.

    `tree_sha256` covers the whole tree and is the same on every machine: see `_tree_sha256`.
    """

    manifest: Manifest
    files: int
    hashed_bytes: int
    tree_sha256: str


def record_tree(root: Path, final: Path | None = None) -> TreeCheck:
    """Hash everything under `root`, which will lie at `final`.

    Raises OSError, and ManifestMismatch for anything but files, folders and links, for another
    user's file and for one with capabilities.
    """
    final = final or root
    files, links, folders = _scan(root)
    hashes = {name: sha256_unbound(root / name, final) for name in sorted(files)}
    manifest = Manifest(
        files={
            name: _make_record(sha256_of(root / name), state)
            for name, state in sorted(files.items())
        },
        links=dict(sorted(links.items())),
        unbound={name: sha256 for name, sha256 in hashes.items() if sha256},
    )
    size_bytes = sum(state.st_size for state in files.values())
    return TreeCheck(manifest, len(files), size_bytes, _tree_sha256(manifest, folders))


def check(
    root: Path, manifest: Manifest, ignored_files: frozenset[str] = frozenset(), full: bool = False
) -> TreeCheck:
    """Compare `root` with `manifest`; those in `ignored_files` are ignored.

    The result has `manifest` itself, or a renewed one if only times or inodes differ (a copied
    cache). With `full` every file is hashed. Raises ManifestMismatch, OSError.
    """
    files, links, folders = _scan(root)
    for name in ignored_files:
        files.pop(name, None)
    _check_names(manifest, files, links)
    new_records: dict[str, FileRecord] = {}
    hashed_bytes = 0
    for name, state in files.items():
        old = manifest.files[name]
        new = _make_record(old.sha256, state)
        is_read = full or new != old
        if is_read:
            _check_content(root, name, old, new)
            hashed_bytes += new.size_bytes
        # A cache that is moved as a whole keeps times and inodes, but bound programs do not start.
        digest = manifest.unbound.get(name)
        if (is_read or digest) and sha256_unbound(root / name, root) != digest:
            raise ManifestMismatch(f"{name} is bound to a different loader from the one recorded")
        if new != old:
            new_records[name] = new
    if new_records:
        manifest = manifest.model_copy(update={"files": {**manifest.files, **new_records}})
    return TreeCheck(manifest, len(files), hashed_bytes, _tree_sha256(manifest, folders))


def _check_names(
    manifest: Manifest, files: Mapping[str, os.stat_result], links: Mapping[str, str]
) -> None:
    for name in sorted(manifest.files.keys() - files.keys()):
        raise ManifestMismatch(f"{name} is missing")
    for name in sorted((files.keys() - manifest.files.keys()) | (links.keys() ^ manifest.links)):
        raise ManifestMismatch(f"{name} was {'removed' if name in manifest.links else 'added'}")
    for name, target in links.items():
        if target != manifest.links[name]:
            raise ManifestMismatch(f"{name} now links to {target}")


def _check_content(root: Path, name: str, old: FileRecord, new: FileRecord) -> None:
    if new.size_bytes != old.size_bytes:
        raise ManifestMismatch(f"{name} changed ({new.size_bytes} bytes, not {old.size_bytes})")
    if new.mode != old.mode:
        raise ManifestMismatch(f"{name} changed (mode {new.mode:o}, not {old.mode:o})")
    sha256 = sha256_of(root / name)
    if sha256 != old.sha256:
        raise ManifestMismatch(f"{name} changed (SHA-256 {sha256}, not {old.sha256})")


def _make_record(sha256: str, state: os.stat_result) -> FileRecord:
    return FileRecord(
        sha256,
        state.st_size,
        stat.S_IMODE(state.st_mode),
        state.st_mtime_ns,
        state.st_ctime_ns,
        state.st_ino,
    )


def _tree_sha256(manifest: Manifest, folders: list[str]) -> str:
    """One hash over a line for each file, link and folder; every machine should get the same."""
    lines = [f"folder {name!r}" for name in folders]
    lines += [f"link {name!r} {target!r}" for name, target in manifest.links.items()]
    for name, file in manifest.files.items():
        sha256 = manifest.unbound.get(name, file.sha256)
        lines.append(f"file {name!r} {file.mode & _LOCKED_MODE:o} {sha256}")
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()


def _scan(root: Path) -> tuple[dict[str, os.stat_result], dict[str, str], list[str]]:
    files: dict[str, os.stat_result] = {}
    links: dict[str, str] = {}
    owner = root.stat().st_uid
    stack, folders = [""], []
    while stack:
        prefix = stack.pop()
        folders.append(prefix)
        with os.scandir(root / prefix) as children:
            for child in children:
                name = prefix + child.name
                state = child.stat(follow_symlinks=False)
                if state.st_uid != owner:
                    raise ManifestMismatch(f"{name} belongs to user {state.st_uid}, not {owner}")
                if child.is_symlink():
                    links[name] = str(Path(child.path).readlink())
                elif child.is_dir():
                    stack.append(name + "/")
                elif child.is_file():
                    if _CAPABILITIES in _attributes(child.path):
                        raise ManifestMismatch(f"{name} has file capabilities")
                    files[name] = state
                else:  # reading a pipe would never end
                    raise ManifestMismatch(f"{name} is not a file, folder or link")
    return files, links, folders


def _attributes(path: str) -> list[str]:
    try:
        return os.listxattr(path, follow_symlinks=False)
    except OSError:  # a file system without extended attributes
        return []

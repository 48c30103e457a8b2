# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is an unpacked JDK still, byte for byte, what was installed?

Each use compares every file's size, times and inode with what was recorded: a changed byte moves
the ctime even where the mtime is set back. Only a file that differs there is hashed again, or all
of them if that is asked for: root can write to the disk below the file system.
"""

import os
import stat
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from jdkmatrix.machine.hashing import sha256_of


class FileRecord(NamedTuple):
    """One file as it was when it was recorded; `mode` holds the permission bits."""

    sha256: str
    size_bytes: int
    mode: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class Manifest(BaseModel):
    """Every file and symbolic link under a folder, by relative path."""

    model_config = ConfigDict(frozen=True)

    files: dict[str, FileRecord]
    links: dict[str, str]


class Changed(Exception):
    """The folder is not what was recorded; the text names the first file and what changed."""


def record(root: Path) -> Manifest:
    """Hash everything under `root`. Raises Changed at a device or pipe, OSError."""
    files, links = _scan(root)
    return Manifest(
        files={
            name: _recorded(sha256_of(root / name), state) for name, state in sorted(files.items())
        },
        links=dict(sorted(links.items())),
    )


class Checked(NamedTuple):
    """What a check gave: `manifest` renewed if times or inodes differ, and what it looked at."""

    manifest: Manifest
    files: int
    hashed_bytes: int


def check(
    root: Path, manifest: Manifest, aside: frozenset[str] = frozenset(), full: bool = False
) -> Checked:
    """Compare `root` with `manifest`; the names in `aside` are not looked at.

    Gives `manifest` itself, or a renewed one if only times or inodes differ (a copied cache).
    With `full` every file is hashed. Raises Changed, OSError.
    """
    files, links = _scan(root)
    for name in aside:
        files.pop(name, None)
    for name in sorted(manifest.files.keys() - files.keys()):
        raise Changed(f"{name} is missing")
    for name in sorted((files.keys() - manifest.files.keys()) | (links.keys() ^ manifest.links)):
        raise Changed(f"{name} was {'removed' if name in manifest.links else 'added'}")
    for name, target in links.items():
        if target != manifest.links[name]:
            raise Changed(f"{name} now links to {target}")
    renewed: dict[str, FileRecord] = {}
    hashed_bytes = 0
    for name, state in files.items():
        was = manifest.files[name]
        now = _recorded(was.sha256, state)
        if full or now != was:
            _check_content(root, name, was, now)
            hashed_bytes += now.size_bytes
        if now != was:
            renewed[name] = now
    if renewed:
        manifest = Manifest(files={**manifest.files, **renewed}, links=manifest.links)
    return Checked(manifest, len(files), hashed_bytes)


def _check_content(root: Path, name: str, was: FileRecord, now: FileRecord) -> None:
    if now.size_bytes != was.size_bytes:
        raise Changed(f"{name} changed ({now.size_bytes} bytes, not {was.size_bytes})")
    if now.mode != was.mode:
        raise Changed(f"{name} changed (mode {now.mode:o}, not {was.mode:o})")
    sha256 = sha256_of(root / name)
    if sha256 != was.sha256:
        raise Changed(f"{name} changed (SHA-256 {sha256}, not {was.sha256})")


def _recorded(sha256: str, state: os.stat_result) -> FileRecord:
    return FileRecord(
        sha256,
        state.st_size,
        stat.S_IMODE(state.st_mode),
        state.st_mtime_ns,
        state.st_ctime_ns,
        state.st_ino,
    )


def _scan(root: Path) -> tuple[dict[str, os.stat_result], dict[str, str]]:
    files: dict[str, os.stat_result] = {}
    links: dict[str, str] = {}
    folders = [""]
    while folders:
        prefix = folders.pop()
        with os.scandir(root / prefix) as entries:
            for entry in entries:
                name = prefix + entry.name
                if entry.is_symlink():
                    links[name] = str(Path(entry.path).readlink())
                elif entry.is_dir():
                    folders.append(name + "/")
                elif entry.is_file():
                    files[name] = entry.stat(follow_symlinks=False)
                else:  # to read a pipe would never end
                    raise Changed(f"{name} is no file, folder or link")
    return files, links

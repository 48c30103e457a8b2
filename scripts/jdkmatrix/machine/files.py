# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a file written whole or not at all, and what counts as a file of a run? `trees.py` has
folders, `bounded.py` what is read.
"""

import ctypes
import errno
import fcntl
import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from jdkmatrix.errors import MachineError

# renameat2(2), since Linux 3.15.
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_NOT_HERE = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP)
_LEAST_FREE_BYTES = 2**20


def write_atomically(path: Path, text: str) -> None:
    """Write `text` to `path` in one step: no reader sees half a file, no power cut leaves one, and
    once this returns the file survives a power cut.

    Raises MachineError if that can't be done, as on a full disk.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())  # otherwise the name may reach the disk before the bytes
        partial.replace(path)
        _sync_folder(path.parent)  # otherwise the new name may not have reached the disk
    except OSError as error:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        raise MachineError(f"{path}: cannot be written: {error.strerror}") from None


def is_plain(path: Path) -> bool:
    """Whether `path` exists and is a regular file itself: no link, pipe or device."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except (OSError, ValueError):  # no file has a name with a zero byte in it
        return False


def is_lock_taken(file: IO[Any] | int) -> bool:
    """Lock a file, until it is closed, if nobody has it locked; return whether it is ours now.
    Raises OSError on a file system without locks.
    """
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def check_free(folder: Path) -> None:
    """Raises OSError if its disk has less left than one recording needs."""
    if shutil.disk_usage(folder).free < _LEAST_FREE_BYTES:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def exchange(path: Path, other_path: Path) -> bool:
    """Swap two paths of one file system in one step, so that no reader finds either missing.
    False if one does not exist, or if this system or file system cannot do it. Raises OSError.
    """
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        return False
    paths = os.fsencode(path), os.fsencode(other_path)
    if rename(_AT_FDCWD, paths[0], _AT_FDCWD, paths[1], _RENAME_EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number == errno.ENOENT or number in _NOT_HERE:
        return False
    raise OSError(number, os.strerror(number), str(other_path))


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

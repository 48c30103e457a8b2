# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a file written whole or not at all, and what counts as a file of a run?"""

import ctypes
import errno
import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path

from jdkmatrix.errors import MachineError

# renameat2(2), since Linux 3.15.
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_NOT_HERE = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP)


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


def odd_names(folder: str, names: list[str]) -> set[str]:
    """Those `names` that are neither plain files nor folders: an `ignore` of `shutil.copytree`."""
    return {name for name in names if not _is_kept(Path(folder, name))}


def remove_odd_files(folder: Path) -> None:
    """Remove links, pipes and the like, at any depth; the targets of links stay."""
    for root, folders, files in os.walk(folder):
        for name in odd_names(root, [*folders, *files]):
            Path(root, name).unlink()


def remove(path: Path) -> None:
    """Remove a file, a link or a folder with all in it, if it exists."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


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


def start_of(path: Path, most_bytes: int = 1 << 20) -> str:
    """The beginning of a text file, at most `most_bytes`: a test may write without end."""
    with path.open("rb") as file:
        return file.read(most_bytes).decode("utf-8", errors="replace")


def _is_kept(path: Path) -> bool:
    mode = path.lstat().st_mode
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a file read that a user names or a run holds, and how is one written whole or not at all?

Never a pipe or a device is read, which may have no end, and never more than a bound. All of the kit
reads its files here: `test_bounded.py` looks. `trees.py` has folders.
"""

import ctypes
import errno
import fcntl
import gzip
import hashlib
import os
import shutil
import stat
import zlib
from collections.abc import Iterator
from contextlib import suppress
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from typing import IO, Any

from jdkmatrix.errors import MachineError

# renameat2(2), since Linux 3.15.
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_NOT_HERE = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP)
_LEAST_FREE_BYTES = 2**20
# The largest file of text that the kit itself has is 0.3 MB, the JDK's largest source 1.3 MB.
MOST_TEXT_BYTES = 16 << 20
# Of a class file, a digest, a recording's events or a program: 256 MiB hold any.
MOST_BYTES = 256 << 20
# What follows in a line of a log is a line of its own.
MOST_LINE_CHARACTERS = 1 << 20
_GZIP = b"\x1f\x8b"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
# Python takes memory for all that may be read, before it reads: most files are smaller than this.
_SMALL_BYTES = 1 << 16


def open_plain(path: Path) -> BufferedReader:
    """Open a regular file, or one that a link leads to. Raises OSError, for anything else, too."""
    try:
        # Else opening a pipe waits for who writes to it.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except ValueError:  # a zero byte
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path)) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return os.fdopen(descriptor, "rb")


def content_of(path: Path, most_bytes: int = MOST_BYTES) -> bytes:
    """The content of a regular file. Raises OSError, also if it has more than `most_bytes`."""
    with open_plain(path) as file:
        content = file.read(min(_SMALL_BYTES, most_bytes + 1))
        if len(content) == _SMALL_BYTES:
            content += file.read(most_bytes + 1 - _SMALL_BYTES)
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, f"more than {most_bytes:,} bytes", str(path))
    return content


def text_of(
    path: Path, most_bytes: int = MOST_TEXT_BYTES, encoding: str = "utf-8", errors: str = "strict"
) -> str:
    """The text of a regular file, its lines ended as Python's text files end them. Raises OSError,
    also if it has more than `most_bytes`, or bytes that are no text.
    """
    content = content_of(path, most_bytes)
    try:
        text = content.decode(encoding, errors)
    except UnicodeDecodeError as error:
        reason = f"not {encoding.upper()} at byte {error.start}"
        raise OSError(errno.EILSEQ, reason, str(path)) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def start_of(path: Path, most_bytes: int = 1 << 20) -> str:
    """The beginning of a text file, at most `most_bytes`: a test may write without end."""
    with open_plain(path) as file:
        return file.read(most_bytes).decode("utf-8", errors="replace")


def lines_of(path: Path) -> Iterator[str]:
    """The lines of a log of any length, gzipped or not, in UTF-8 or UTF-16. Raises OSError, also if
    the gzip is damaged.
    """
    with open_plain(path) as file:
        begin = file.peek(2)[:2]
        source = gzip.GzipFile(fileobj=file) if begin == _GZIP else file
        encoding = "utf-16" if begin in _UTF_16 else "utf-8-sig"
        with TextIOWrapper(source, encoding, errors="replace") as text:
            try:
                while line := text.readline(MOST_LINE_CHARACTERS):
                    yield line
            except (EOFError, zlib.error):
                raise OSError(errno.EIO, "a damaged gzip file", str(path)) from None


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


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's content, in hex. Raises OSError."""
    with open_plain(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

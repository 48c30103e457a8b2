# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a file read that a user names or a run holds? Never a pipe or a device, which may have no
end, and never more than a bound. All of the kit reads its files here: `test_bounded.py` looks.
"""

import errno
import gzip
import os
import stat
import zlib
from collections.abc import Iterator
from io import BufferedReader, TextIOWrapper
from pathlib import Path

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

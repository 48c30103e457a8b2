# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is an untrusted tar.gz file unpacked? `archive_limits.py` has the rules.

Python's own `tarfile.data_filter` is applied too, where it exists (not in Debian 12's 3.11.2).
"""

import gzip
import os
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jdkmatrix.machine.files import open_plain
from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.unpack.archive_limits import (
    COPY_BYTES,
    DAMAGE,
    MOST_UNPACKED_BYTES,
    ArchiveEntries,
    damage_error,
)
from jdkmatrix.supply.unpack.unzip import unzip

# tarfile reads a header whole, and a long name or a pax header is as long as it claims. It keeps
# headers for all entries, and reads some 300 headers in a row before Python's stack is too deep.
_MOST_AT_ONCE_BYTES = COPY_BYTES
_GZIP = b"\x1f\x8b"
_ZIP = b"PK\3\4"


def untar(
    archive: Path, target: Path, name: str | None = None, *, drop_absolute_links: bool = False
) -> None:
    """Unpack `archive`, called `name`, into `target`. Raises SourceError, naming the entry refused.

    With `drop_absolute_links`, such links are left out instead of refused: in some archives they
    lead to where these were built. What came before a refused entry has been written: discard
    `target` then.
    """
    archive_name = name or archive.name
    entries = ArchiveEntries(archive_name)
    target.mkdir(parents=True, exist_ok=True)
    with (
        _name_in_errors(archive_name),
        _LimitedGzip(archive, "rb") as stream,
        tarfile.open(fileobj=stream, mode="r:", errorlevel=2) as tar,
    ):
        for member in tar:
            _check_headers(tar)
            if not (drop_absolute_links and member.issym() and member.linkname.startswith("/")):
                _extract(tar, member, entries, target)
            # Otherwise every header stays in memory; the stubs do not know the attribute.
            tar.members.clear()  # type: ignore[attr-defined]
    entries.check_links(target)


def _extract(
    tar: tarfile.TarFile, member: tarfile.TarInfo, entries: ArchiveEntries, target: Path
) -> None:
    if member.isdir():
        path = target / entries.folder(member.name)
    elif member.issym():
        path = target / entries.link(member.name, member.linkname)
    elif member.islnk():
        second, first = entries.hard_link(member.name, member.linkname)
        path = target / second
    elif member.isreg() and not member.issparse():
        path = target / entries.file(member.name, member.size)
    else:
        raise entries.refusal(member.name, "is neither a file, a folder nor a link")
    _check_by_python(member, entries, target)
    path.parent.mkdir(parents=True, exist_ok=True)
    if member.isdir():
        path.mkdir(exist_ok=True)
    elif member.issym():
        path.symlink_to(member.linkname)
    elif member.islnk():
        os.link(target / first, path)
    else:
        _write_file(tar, member, path)


def _write_file(tar: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> None:
    content = tar.extractfile(member)
    assert content is not None
    with content, path.open("xb") as copy:
        shutil.copyfileobj(content, copy, COPY_BYTES)
    path.chmod(0o755 if member.mode & 0o100 else 0o644)


def _check_by_python(member: tarfile.TarInfo, entries: ArchiveEntries, target: Path) -> None:
    """Ask the filter of Python, too, where it has one (3.11.4)."""
    if not hasattr(tarfile, "data_filter"):
        return
    try:
        tarfile.data_filter(member, str(target))
    except tarfile.FilterError as error:
        reason = type(error).__name__
        if member.issym():
            reason = f"links out of its folder, to {member.linkname!r}"
        raise entries.refusal(member.name, reason) from None
    except OSError as error:  # of links that lead round in a circle, which 3.13 follows
        reason = f"has no place: {error.strerror}"
        raise entries.refusal(member.name, reason) from None


@contextmanager
def _name_in_errors(archive_name: str) -> Iterator[None]:
    try:
        yield
    except _ArchiveTooLarge as error:
        raise SourceError(f"{archive_name}: refused: {error}") from None
    except (tarfile.TarError, gzip.BadGzipFile, *DAMAGE) as error:
        raise damage_error(archive_name, error) from None


class _ArchiveTooLarge(Exception):
    """The archive exceeds a limit."""


class _LimitedGzip(gzip.GzipFile):
    """The unpacked bytes, limited in all and in how many are read into memory at once."""

    def read(self, size: int | None = -1) -> bytes:
        """Raises _ArchiveTooLarge for a header too large to be read whole, and beyond the limit."""
        if size is None or size < 0 or size > _MOST_AT_ONCE_BYTES:
            raise _ArchiveTooLarge(f"a header of {size} bytes")
        _check_place(self.tell())
        return super().read(size)

    def seek(self, offset: int, whence: int = 0) -> int:
        """Raises _ArchiveTooLarge beyond the limit."""
        _check_place(offset)
        return super().seek(offset, whence)


def _check_headers(tar: tarfile.TarFile) -> None:
    header_bytes = sum(len(key) + len(text) for key, text in tar.pax_headers.items())
    if header_bytes > _MOST_AT_ONCE_BYTES:
        raise _ArchiveTooLarge(f"headers of {header_bytes} bytes for all entries")


def _check_place(place: int) -> None:
    if place > MOST_UNPACKED_BYTES:
        raise _ArchiveTooLarge(f"more than {MOST_UNPACKED_BYTES} bytes when unpacked")


def unpack(archive: Path, target: Path, name: str, *, drop_absolute_links: bool = False) -> None:
    """Unpack a tar.gz or zip file, called `name`, into `target`. Raises SourceError.

    With `drop_absolute_links` a tar.gz file is unpacked without these.
    """
    with open_plain(archive) as file:
        start = file.read(4)
    if start.startswith(_GZIP):
        untar(archive, target, name, drop_absolute_links=drop_absolute_links)
    elif start == _ZIP:
        target.mkdir(parents=True, exist_ok=True)
        unzip(archive, target, name)
    else:
        raise SourceError(f"{name}: neither a tar.gz nor a zip file")

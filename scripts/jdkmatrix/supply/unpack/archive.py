# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is an untrusted archive, tar.gz or zip, unpacked so that it cannot leave its folder or fill
the disk?

Python's own `tarfile.data_filter` is applied too, where it exists (not in Debian 12's 3.11.2).
"""

import gzip
import os
import re
import shutil
import stat
import struct
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from jdkmatrix.machine.files import open_plain
from jdkmatrix.supply.build import SourceError

_GZIP = b"\x1f\x8b"
_ZIP = b"PK\3\4"
MOST_UNPACKED_BYTES = 2 << 30
MOST_ENTRIES = 50_000
COPY_BYTES = 256 << 10
# tarfile reads a header whole, and a long name or a pax header is as long as it claims. It keeps
# headers for all entries, and reads some 300 headers in a row before Python's stack is too deep.
_MOST_AT_ONCE_BYTES = COPY_BYTES
_CONTROL = re.compile(r"[\0-\x1f\x7f]")
_DRIVE = re.compile(r"[A-Za-z]:")
_MOST_SHOWN = 200
# What Python's readers raise for bytes that no tool wrote, besides BadZipFile and the like: errors
# from numbers, names and tables that they trust (`GNU.sparse.map` in a pax header, invalid UTF-8).
DAMAGE = (
    EOFError,
    ValueError,
    LookupError,
    ArithmeticError,
    RuntimeError,
    struct.error,
    zlib.error,
)
# An entry takes 46 bytes plus its name there; a JDK's 1,500 entries are 150 kB.
_MOST_DIRECTORY_BYTES = 4 << 20
_END = b"PK\5\6"
_END_BYTES = 22
_MOST_COMMENT_BYTES = 0xFFFF
_LOCATOR_64 = b"PK\6\7"
_LOCATOR_64_BYTES = 20
_ENCRYPTED = 0x1
_MOST_LINK_BYTES = 4096  # PATH_MAX of Linux
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class ArchiveEntries:
    """The entries of one archive so far. Every method raises SourceError, naming the entry.

    Refused: a name that leaves the folder, a name twice or in two cases, an entry within a link or
    a file, a link that is absolute or leads out, more than 2 GiB or 50,000 entries.
    """

    def __init__(self, archive: str) -> None:
        self._archive = archive
        self._kinds: dict[str, tuple[PurePosixPath, str]] = {}
        self._links: list[PurePosixPath] = []
        self._unpacked_bytes = 0
        self._count = 0

    def folder(self, name: str) -> PurePosixPath:
        """A folder; it may be repeated, as some tools do. Returns its path in the archive."""
        return self._add(name, "folder")

    def file(self, name: str, size_bytes: int) -> PurePosixPath:
        """A file of that size."""
        path = self._add(name, "file")
        self._unpacked_bytes += size_bytes
        if self._unpacked_bytes > MOST_UNPACKED_BYTES:
            raise self.refusal(name, f"brings the unpacked size to {self._unpacked_bytes} bytes")
        return path

    def link(self, name: str, target: str) -> PurePosixPath:
        """A symbolic link. `check_links` checks where it leads once everything is unpacked."""
        path = self._add(name, "link")
        if not target or target.startswith("/") or _is_foreign(target):
            raise self.refusal(name, f"is an absolute link, to {target!r}")
        self._links.append(path)
        return path

    def hard_link(self, name: str, target: str) -> tuple[PurePosixPath, PurePosixPath]:
        """A second name of an earlier file; returns both paths."""
        target_path = PurePosixPath(target)
        earlier = self._kinds.get(_fold_case(target_path))
        if earlier != (target_path, "file"):
            raise self.refusal(name, f"is a hard link to {target!r}, which is not an earlier file")
        return self._add(name, "file"), target_path

    def check_links(self, root: Path) -> None:
        """Refuse a link that leads out of `root`, through whatever other links."""
        real_root = os.path.realpath(root)
        for path in self._links:
            target_path = os.path.realpath(root / path)
            if os.path.commonpath([real_root, target_path]) != real_root:
                target = (root / path).readlink()
                raise self.refusal(str(path), f"links out of its folder, to {str(target)!r}")

    def refusal(self, name: str, reason: str) -> SourceError:
        """The error for an entry."""
        return SourceError(f"{self._archive}: refused: {name!r} {reason}")

    def _add(self, name: str, kind: str) -> PurePosixPath:
        self._count += 1
        if self._count > MOST_ENTRIES:
            raise self.refusal(name, f"is one entry more than {MOST_ENTRIES}")
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or _is_foreign(name):
            raise self.refusal(name, "leaves its folder")
        if _CONTROL.search(name):
            raise self.refusal(name, "has a control character")
        if not path.parts and kind != "folder":
            raise self.refusal(name, "has no name")
        for parent in reversed(path.parents[:-1]):
            self._place(parent, "folder", name)
        if path.parts:  # otherwise "./", the archive's own root
            self._place(path, kind, name)
        return path

    def _place(self, path: PurePosixPath, kind: str, name: str) -> None:
        key = _fold_case(path)
        if key not in self._kinds:
            self._kinds[key] = (path, kind)
            return
        earlier_path, known_kind = self._kinds[key]
        if earlier_path != path:
            raise self.refusal(name, f"differs from {str(earlier_path)!r} in case only")
        if kind != "folder":
            raise self.refusal(name, "is there twice")
        if known_kind != "folder":
            raise self.refusal(
                name, f"is or lies within {str(earlier_path)!r}, which is a {known_kind}"
            )


def damage_error(archive: str, error: Exception) -> SourceError:
    """The error for an archive that its reader cannot read; the text is one short line."""
    text = (str(error).splitlines() or [""])[0] or type(error).__name__
    return SourceError(f"{archive}: damaged: {text[:_MOST_SHOWN].lower()}")


def _is_foreign(name: str) -> bool:
    """Whether a name has a backslash or a drive: parts of a path on Windows only."""
    return "\\" in name or _DRIVE.match(name) is not None


def _fold_case(path: PurePosixPath) -> str:
    # Like file systems that preserve case but ignore it (NFC and case folding).
    return unicodedata.normalize("NFC", str(path)).casefold()


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
                _untar_member(tar, member, entries, target)
            # Otherwise every header stays in memory; the stubs do not know the attribute.
            tar.members.clear()  # type: ignore[attr-defined]
    entries.check_links(target)


def _untar_member(
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


def unzip(archive: Path, target: Path, name: str | None = None) -> None:
    """Unpack `archive`, called `name`, into `target`. Raises SourceError, naming the entry refused.

    Nothing is written if an entry is refused: the list of contents is checked first. A link that
    leads out by way of other links is refused last: discard `target` then.
    """
    archive_name = name or archive.name
    entries = ArchiveEntries(archive_name)
    _check_directory_size(archive, archive_name)
    try:
        with zipfile.ZipFile(archive) as zip_file:
            members = zip_file.infolist()
            _check_members(zip_file, members, entries)
            for member in members:
                _unzip_member(zip_file, member, target / member.filename)
    except (zipfile.BadZipFile, *DAMAGE) as error:
        raise damage_error(archive_name, error) from None
    entries.check_links(target)


def _check_members(
    zip_file: zipfile.ZipFile, members: list[zipfile.ZipInfo], entries: ArchiveEntries
) -> None:
    for member in members:
        if _kind(member) not in (0, stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK):
            raise entries.refusal(member.filename, "is neither a file, a folder nor a link")
        if member.header_offset < 0:  # zipfile would seek there: an OSError
            raise entries.refusal(member.filename, "lies outside of the archive")
        if member.flag_bits & _ENCRYPTED:
            raise entries.refusal(member.filename, "is encrypted")
        if member.compress_type not in _COMPRESSIONS:
            raise entries.refusal(member.filename, "is neither stored nor deflated")
        if _kind(member) == stat.S_IFLNK:
            if member.file_size > _MOST_LINK_BYTES:
                raise entries.refusal(member.filename, f"is a link of {member.file_size} bytes")
            entries.link(member.filename, zip_file.read(member).decode())
        elif member.filename.endswith("/"):  # is_dir() breaks on an empty name
            entries.folder(member.filename)
        else:
            entries.file(member.filename, member.file_size)


def _unzip_member(zip_file: zipfile.ZipFile, member: zipfile.ZipInfo, place: Path) -> None:
    if member.is_dir():
        place.mkdir(parents=True, exist_ok=True)
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    if _kind(member) == stat.S_IFLNK:
        place.symlink_to(zip_file.read(member).decode())
        return
    # zipfile returns no more than the size that was checked, whatever the data would unpack to.
    with zip_file.open(member) as source, place.open("xb") as copy:
        shutil.copyfileobj(source, copy, COPY_BYTES)
    if (member.external_attr >> 16) & stat.S_IXUSR:
        place.chmod(0o755)


def _kind(member: zipfile.ZipInfo) -> int:
    """The kind of file in Unix's mode bits; 0 if a system without them made the archive."""
    return stat.S_IFMT(member.external_attr >> 16)


def _check_directory_size(archive: Path, archive_name: str) -> None:
    """Refuse a directory that says it is too large: zipfile reads it whole into memory.

    APPNOTE.TXT 4.3.16: the end record has the size at offset 12. A zip64 file has another size
    elsewhere (4.3.14), found by a record right before the end record (4.3.15), and is refused.
    """
    size_bytes = archive.stat().st_size
    with open_plain(archive) as file:
        file.seek(max(0, size_bytes - _LOCATOR_64_BYTES - _END_BYTES - _MOST_COMMENT_BYTES))
        tail = file.read()
    offset = tail.rfind(_END)
    if offset < 0 or len(tail) - offset < _END_BYTES:
        raise SourceError(f"{archive_name}: damaged: not a zip file")
    if tail[max(0, offset - _LOCATOR_64_BYTES) : offset].startswith(_LOCATOR_64):
        raise SourceError(f"{archive_name}: refused: a zip64 file")
    (directory_bytes,) = struct.unpack_from("<I", tail, offset + 12)
    if directory_bytes > _MOST_DIRECTORY_BYTES:
        raise SourceError(
            f"{archive_name}: refused: its list of contents has {directory_bytes} bytes"
        )

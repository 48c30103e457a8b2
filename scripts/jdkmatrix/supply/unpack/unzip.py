# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is an untrusted zip file unpacked? `archive_limits.py` has the rules."""

import shutil
import stat
import struct
import zipfile
from pathlib import Path

from jdkmatrix.machine.files import open_plain
from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.unpack.archive_limits import COPY_BYTES, DAMAGE, ArchiveEntries, damage_error

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
            _check(zip_file, members, entries)
            for member in members:
                _extract(zip_file, member, target / member.filename)
    except (zipfile.BadZipFile, *DAMAGE) as error:
        raise damage_error(archive_name, error) from None
    entries.check_links(target)


def _check(
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


def _extract(zip_file: zipfile.ZipFile, member: zipfile.ZipInfo, place: Path) -> None:
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

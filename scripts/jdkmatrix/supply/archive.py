# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a zip file of a stranger unpacked without letting it out of its folder?"""

import shutil
import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from jdkmatrix.supply.source import SourceError

_MAX_UNPACKED_BYTES = 2 << 30
_COPY_BYTES = 1 << 20


def unzip(archive: Path, target: Path) -> None:
    """Unpack `archive` into `target`. Raises SourceError, naming the entry that is refused.

    Refused: a name that leaves `target`, a name twice, a link, more than 2 GiB in all.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            members = opened.infolist()
            _check(archive.name, members)
            for member in members:
                place = target / member.filename
                if member.is_dir():
                    place.mkdir(parents=True, exist_ok=True)
                    continue
                place.parent.mkdir(parents=True, exist_ok=True)
                with opened.open(member) as source, place.open("xb") as copy:
                    shutil.copyfileobj(source, copy, _COPY_BYTES)
    except (zipfile.BadZipFile, EOFError, zlib.error) as error:
        raise SourceError(f"{archive.name}: damaged: {error}") from None


def _check(archive: str, members: list[zipfile.ZipInfo]) -> None:
    seen: set[str] = set()
    for member in members:
        name = member.filename
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or "\\" in name or not path.parts:
            raise SourceError(f"{archive}: refused: {name!r} leaves its folder")
        if name.lower() in seen:
            raise SourceError(f"{archive}: refused: {name!r} is there twice")
        seen.add(name.lower())
        kind = stat.S_IFMT(member.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise SourceError(f"{archive}: refused: {name!r} is no plain file")
    unpacked_bytes = sum(member.file_size for member in members)
    if unpacked_bytes > _MAX_UNPACKED_BYTES:
        raise SourceError(f"{archive}: refused: {unpacked_bytes} bytes when unpacked")

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How can a program that is bound to a loader in the cache have the same hash in every cache?

A program names its loader by an absolute path, so its bytes would differ from cache to cache. The
path is padded with leading slashes to LOADER_BYTES: then nothing else differs.
"""

import hashlib
import os
import struct
from pathlib import Path
from typing import NamedTuple

from jdkmatrix.machine.files import content_of, open_plain

_ELF = b"\x7fELF"
_PT_INTERP = 3
_HEADER_BYTES = 56  # of a program header, in ELF-64
# Enough for a home on a network drive; the kernel takes 4,096 (PATH_MAX).
LOADER_BYTES = 512


class _Place(NamedTuple):
    offset: int
    size_bytes: int


def is_elf(path: Path) -> bool:
    """Whether it is an ELF file and not a link to one. Raises OSError."""
    if path.is_symlink() or not path.is_file():
        return False
    with open_plain(path) as file:
        return file.read(4) == _ELF


def is_started_by_a_loader(path: Path) -> bool:
    """Whether it is a program: 64-bit little-endian ELF with a PT_INTERP header (ELF-64, 1998)."""
    return _loader_place(path) is not None


def pad_loader(loader: Path) -> str:
    """The path, padded to LOADER_BYTES. Raises ValueError if it is longer."""
    padding_bytes = LOADER_BYTES - len(os.fsencode(loader))
    if padding_bytes < 0:
        raise ValueError(f"longer than {LOADER_BYTES} bytes")
    return "/" * padding_bytes + str(loader)


def sha256_unbound(path: Path, folder: Path) -> str | None:
    """The SHA-256 of a program whose loader lies in `folder`, taken as if `folder` were the root.

    None for any other file. Raises OSError.
    """
    place = _loader_place(path)
    if place is None or place.size_bytes != LOADER_BYTES + 1:  # with the NUL at its end
        return None
    content = bytearray(content_of(path))
    end = place.offset + place.size_bytes
    loader = content[place.offset : end].rstrip(b"\0")
    prefix = os.fsencode(folder) + b"/"
    loader_name = b"/" + loader.lstrip(b"/")
    if len(loader) != LOADER_BYTES or not loader_name.startswith(prefix):
        return None
    content[place.offset : end] = loader_name[len(prefix) :].rjust(place.size_bytes, b"/")
    return hashlib.sha256(content).hexdigest()


def _loader_place(path: Path) -> _Place | None:
    if not path.is_file():
        return None
    with open_plain(path) as file:
        header = file.read(64)
        if len(header) < 64 or not header.startswith(_ELF) or header[4:6] != b"\2\1":
            return None
        (offset,) = struct.unpack_from("<Q", header, 32)
        size, count = struct.unpack_from("<HH", header, 54)
        if size < _HEADER_BYTES or offset > path.stat().st_size:
            return None
        file.seek(offset)
        headers = file.read(size * count)
    for n in range(len(headers) // size):
        if struct.unpack_from("<I", headers, n * size)[0] == _PT_INTERP:
            return _Place(*struct.unpack_from("<Q16xQ", headers, n * size + 8))
    return None

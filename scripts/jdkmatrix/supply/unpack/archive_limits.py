# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What may an untrusted archive contain, so that it cannot leave its folder or fill the disk?

The rules apply to tar and zip alike; `untar.py` and `unzip.py` read the formats.
"""

import os
import re
import struct
import unicodedata
import zlib
from pathlib import Path, PurePosixPath

from jdkmatrix.supply.build import SourceError

MOST_UNPACKED_BYTES = 2 << 30
MOST_ENTRIES = 50_000
COPY_BYTES = 256 << 10
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

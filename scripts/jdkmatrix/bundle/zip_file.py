# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are the files of a bundle put into one zip that is verifiable and reproducible?"""

import errno
import hashlib
import os
import shutil
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.machine.files import open_plain

SUMS = "SHA256SUMS"
# Zip has no time zones and begins in 1980; the run's own times are in its results.
_TIME = (2000, 1, 1, 0, 0, 0)
# What link(2) says on file systems that have no hard links: vfat, exfat, some network mounts.
_NO_LINKS = (errno.EPERM, errno.ENOTSUP)


def free_place(folder: Path, name: str) -> Path:
    """Where the zip goes. Raises UsageError if it exists already: nothing is overwritten."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"--out {folder}: not a folder; accepted: one that exists or can be made")
    place = folder / name
    if place.exists():
        raise UsageError(f"{place}: already exists; accepted: another --out, or remove it first")
    return place


def write_zip(place: Path, files: Mapping[str, bytes]) -> None:
    """Write `files` below one folder, with their sums, in one step. Raises MachineError.

    `sha256sum -c SHA256SUMS` in that folder checks the sums.
    """
    sums = "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))
    partial = place.with_name(f".{place.name}.{os.getpid()}.partial")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as target:
            for name, content in {**files, SUMS: sums.encode()}.items():
                member = zipfile.ZipInfo(f"{place.stem}/{name}", _TIME)
                member.compress_type = zipfile.ZIP_DEFLATED
                member.external_attr = 0o644 << 16
                target.writestr(member, content)
        _place(partial, place)
    except OSError as error:
        raise MachineError(f"{place}: cannot be written: {error.strerror}") from None
    finally:
        with suppress(OSError):
            partial.unlink()


def _place(partial: Path, place: Path) -> None:
    """Give the finished zip its name. Raises FileExistsError if that was taken meanwhile.

    A rename would overwrite it.
    """
    try:
        os.link(partial, place)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        with place.open("xb") as target:
            try:
                with open_plain(partial) as source:
                    shutil.copyfileobj(source, target)
            except BaseException:  # leave no half zip behind
                place.unlink()
                raise

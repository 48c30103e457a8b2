# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are the files of a bundle put into one zip that can be checked, and made twice alike?"""

import hashlib
import os
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from jdkmatrix.errors import MachineError, UsageError

SUMS = "SHA256SUMS"
# Zip has no time zones and begins in 1980; the run's own times are in its results.
_TIME = (2000, 1, 1, 0, 0, 0)


def free_place(folder: Path, name: str) -> Path:
    """Where the zip goes. Raises UsageError if it is there already: nothing is overwritten."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"--out {folder}: no folder; accepted: one that exists or can be made")
    place = folder / name
    if place.exists():
        raise UsageError(f"{place}: is there already; accepted: another --out, or remove it first")
    return place


def write_zip(place: Path, files: Mapping[str, bytes]) -> None:
    """Write `files` below one folder, with their sums, in one step. Raises MachineError.

    The sums are checked by `sha256sum -c SHA256SUMS` in that folder.
    """
    sums = "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))
    partial = place.with_name(f".{place.name}.{os.getpid()}.partial")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as target:
            for name, content in {**files, SUMS: sums.encode()}.items():
                info = zipfile.ZipInfo(f"{place.stem}/{name}", _TIME)
                info.compress_type = zipfile.ZIP_DEFLATED
                info.external_attr = 0o644 << 16
                target.writestr(info, content)
        os.link(partial, place)  # fails if the place was taken meanwhile, which rename would not
    except OSError as error:
        raise MachineError(f"{place}: cannot be written: {error.strerror}") from None
    finally:
        with suppress(OSError):
            partial.unlink()

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which format is an archive in, judging by its first bytes?"""

from pathlib import Path

from jdkmatrix.machine.bounded import open_plain
from jdkmatrix.supply.sources.source import SourceError
from jdkmatrix.supply.unpack.untar import untar
from jdkmatrix.supply.unpack.unzip import unzip

_GZIP = b"\x1f\x8b"
_ZIP = b"PK\3\4"


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

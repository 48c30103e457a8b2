# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is the SHA-256 of a file, and how many bytes does a folder hold?"""

import hashlib
import os
from pathlib import Path


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's content, in hex. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def size_of_tree(folder: Path) -> int:
    """Bytes of all files under `folder`, some of which may vanish meanwhile."""
    total_bytes = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total_bytes += (Path(parent) / name).lstat().st_size
            except FileNotFoundError:
                continue
    return total_bytes

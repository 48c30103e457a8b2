# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is the SHA-256 of a file?"""

import hashlib
from pathlib import Path

from jdkmatrix.machine.bounded import open_plain


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's content, in hex. Raises OSError."""
    with open_plain(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

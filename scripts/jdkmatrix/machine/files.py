# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a file written so that it is never half there?"""

import os
from contextlib import suppress
from pathlib import Path

from jdkmatrix.errors import MachineError


def write_atomically(path: Path, text: str) -> None:
    """Write `text` to `path` in one step: neither a reader nor a power cut leaves half a file.

    Raises MachineError if that can't be done, as on a full disk.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())  # else the name may reach the disk before the bytes
        partial.replace(path)
    except OSError as error:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        raise MachineError(f"{path}: cannot be written: {error.strerror}") from None

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is it made sure that one throughput run at a time measures on a machine?"""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from jdkmatrix.errors import MachineError

_NAME = "jdkmatrix-throughput.lock"


@contextmanager
def measuring_alone(what: str) -> Iterator[None]:
    """Hold the machine's lock; `what` tells others who does. The system frees it if we die.

    Raises MachineError, naming the holder, if another run has it.
    """
    path = Path(tempfile.gettempdir()) / _NAME
    try:
        descriptor = _opened(path)
    except OSError as error:
        raise MachineError(f"{path}: cannot be opened: {error.strerror}") from None
    with os.fdopen(descriptor, "r+", encoding="utf-8", errors="replace") as lock:
        with suppress(OSError):
            path.chmod(0o666)  # the umask may have narrowed it; not ours if another made it
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = lock.read().strip() or "unknown"
            raise MachineError(
                f"another throughput run measures on this machine: {holder}; wait for its end"
            ) from None
        lock.truncate(0)
        lock.write(f"pid {os.getpid()}, {what}\n")
        lock.flush()
        try:
            yield
        finally:
            lock.seek(0)
            lock.truncate(0)


def _opened(path: Path) -> int:
    """The file for all users of the machine; not cut off, as it names the holder."""
    try:
        # Linux refuses O_CREAT for a file of somebody else in /tmp (fs.protected_regular).
        return os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are throughput runs on one machine, and processes that work on one run, kept to one at a
time?
"""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from jdkmatrix.errors import MachineError, translate_os_errors
from jdkmatrix.machine.files import is_lock_taken

_NAME = "jdkmatrix-throughput.lock"
# Not TMPDIR: two jobs with a TMPDIR each would measure on the same cores.
PLACE = Path("/tmp")
_RUN_LOCK = ".lock"


@contextmanager
def measuring_alone(
    purpose: str, place: Path, wait: Callable[[str], None] | None = None
) -> Iterator[None]:
    """Hold the machine's lock in `place`; `purpose` tells others who does. Our death releases it.

    While another run has it, `wait` is called again and again with who that is. Raises
    MachineError, naming the holder, where there is no `wait`, or if the file can't be opened.
    """
    path = place / _NAME
    with translate_os_errors(MachineError, f"{path}: cannot be opened"):
        descriptor = _open(path)
    with os.fdopen(descriptor, "r+", encoding="utf-8", errors="replace") as lock:
        while not _take(lock.fileno()):
            lock.seek(0)
            holder = lock.read().strip() or "unknown"
            if wait is None:
                raise MachineError(
                    f"another run is measuring on this machine: {holder}; wait until it ends, as "
                    "--wait does"
                )
            wait(holder)
        lock.seek(0)
        lock.truncate(0)
        lock.write(f"pid {os.getpid()}, {purpose}\n")
        lock.flush()
        try:
            yield
        finally:
            lock.seek(0)
            lock.truncate(0)


@contextmanager
def going_on(run: Path) -> Iterator[None]:
    """Hold the lock on a run's folder; its file is removed afterwards.

    Raises MachineError, naming the holder, if another process has it, or if nothing can be written.
    """
    path = run / _RUN_LOCK
    with translate_os_errors(MachineError, f"{path}: cannot be opened"):
        lock = path.open("a+", encoding="utf-8", errors="replace")
    with lock:
        if not _is_ours(lock.fileno()):
            lock.seek(0)
            holder = lock.read().strip() or "just ending"
            raise MachineError(f"{run}: this run is still going ({holder}); wait until it ends")
        lock.truncate(0)  # left by a process that was killed
        lock.write(f"pid {os.getpid()}\n")
        lock.flush()
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def _take(lock: int) -> bool:
    with suppress(OSError):
        return is_lock_taken(lock)
    return False


def _is_ours(lock: int) -> bool:
    try:
        if not is_lock_taken(lock):
            return False
    except OSError:  # a file system without locks, where nothing can be known
        return True
    return os.fstat(lock).st_nlink > 0  # otherwise its holder removed it after we opened it


def _open(path: Path) -> int:
    """Open the file, which all users share; it is not truncated, as it names the holder.

    Anybody may have put something else there: through a link we would empty a file of our own.
    """
    flags = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        # Linux refuses O_CREAT for another user's file in /tmp (fs.protected_regular).
        descriptor = os.open(path, flags)
    except FileNotFoundError:
        try:
            descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:  # another run was quicker
            return _open(path)
        os.fchmod(descriptor, 0o666)  # the umask may have narrowed it
        return descriptor
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file; remove it")
    return descriptor

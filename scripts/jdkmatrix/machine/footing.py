# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does this machine have now what each test stands on, whatever build it is run on?

Without it good builds fail, too, so nothing may be graded. `doctor` says the same beforehand.
"""

import _thread
import os
import resource
import shutil
import stat
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from jdkmatrix.errors import MachineError
from jdkmatrix.machine import clock
from jdkmatrix.machine.loopback import REMEDY_OF_NAME, check_loopback, name_fault

# What one cell may leave; twenty of the default selection leave as much (November 2026).
_LEAST_FREE_MIB = 16
# HotSpot reserves half of it for classes alone (CompressedClassSpaceSize).
_LEAST_ADDRESSES_MIB = 2_048
# A JVM of the tests has some 30 threads, one of its peers as many.
_THREADS = 64
_STACK_BYTES = 64 * 1024
# jtreg and the JVMs of one cell. With 64 a run of one cell went well.
_DESCRIPTORS = 48
_STDERR = 2
_OWN_PROCESS = Path("/proc/self")


class Fault(NamedTuple):
    """What lacks, and what to do."""

    text: str
    remedy: str


def check_footing(folders: Iterable[Path]) -> None:
    """Raises MachineError for the first fault, LoopbackError for that of the loopback interface.
    `folders` are those that a run writes to, which need not exist yet.
    """
    check_loopback()
    for fault in faults_of_limits(folders):
        raise MachineError(f"{fault.text}; to fix it: {fault.remedy}")


def faults_of_limits(folders: Iterable[Path]) -> Iterator[Fault]:
    """The limits of space, threads and descriptors that no cell can keep, a clock without pace, no
    /proc, and a name that leads its clients elsewhere.
    """
    if text := clock.clock_fault():
        yield Fault(text, clock.REMEDY)
    if not _exists(_OWN_PROCESS):
        yield Fault("/proc is not mounted, no JVM finds its libraries", "mount -t proc proc /proc")
    if text := name_fault():
        yield Fault(text, REMEDY_OF_NAME)
    try:
        places = [*folders, Path(tempfile.gettempdir())]
    except OSError:
        yield Fault("no temporary folder can be written", "set TMPDIR to one that can")
        return
    for place in places:
        parent = next((path for path in (place, *place.parents) if _exists(path)), Path("/"))
        free_mib = shutil.disk_usage(parent).free >> 20
        if free_mib < _LEAST_FREE_MIB:
            yield Fault(f"{free_mib} MiB free for {place}", f"free {_LEAST_FREE_MIB} MiB")
    address_bytes, _ = resource.getrlimit(resource.RLIMIT_AS)
    if address_bytes != resource.RLIM_INFINITY and address_bytes >> 20 < _LEAST_ADDRESSES_MIB:
        text = f"{address_bytes >> 20} MiB of addresses, a JVM reserves {_LEAST_ADDRESSES_MIB}"
        yield Fault(text, "allow more (ulimit -v)")
        return  # there threads may hang that the rest would start
    if (thread_count := _startable_threads()) < _THREADS:
        text = f"{thread_count} threads can be started, a cell takes {_THREADS}"
        yield Fault(text, "allow more processes (ulimit -u, pids.max) or memory (ulimit -v)")
    if (descriptor_count := _openable_descriptors()) < _DESCRIPTORS:
        text = f"{descriptor_count} files can be opened, a cell takes {_DESCRIPTORS}"
        yield Fault(text, "allow more open files (ulimit -n)")
    elif text := _null_fault():
        yield Fault(text, f"rm -f {os.devnull}; mknod -m 666 {os.devnull} c 1 3")


def _exists(path: Path) -> bool:
    with suppress(OSError):
        return path.exists()
    return False


def _startable_threads() -> int:
    """How many threads more can run at once, at most _THREADS; one limit counts processes, too.

    Not by `threading`, which waits for ever for a thread that had no memory to say that it began.
    """
    gate = _thread.allocate_lock()

    def wait() -> None:
        with gate:
            pass

    count = 0
    former_bytes = threading.stack_size(_STACK_BYTES)
    try:
        with gate:
            while count < _THREADS:
                _thread.start_new_thread(wait, ())
                count += 1
    except (RuntimeError, MemoryError):
        pass
    finally:
        threading.stack_size(former_bytes)
    return count


def _openable_descriptors() -> int:
    """How many files more can be open at once, at most _DESCRIPTORS."""
    descriptors: list[int] = []
    try:
        while len(descriptors) < _DESCRIPTORS:
            descriptors.append(os.dup(_STDERR))
    except OSError:
        pass
    finally:
        for descriptor in descriptors:
            os.close(descriptor)
    return len(descriptors)


def _null_fault() -> str | None:
    """Why the null device is none; None if it is. Most programs of a cell read or write it."""
    try:
        with Path(os.devnull).open("r+b", buffering=0) as device:
            is_device = stat.S_ISCHR(os.fstat(device.fileno()).st_mode)
    except OSError as error:
        return f"{os.devnull}: {error.strerror}"
    return None if is_device else f"{os.devnull} is a file, not the device"

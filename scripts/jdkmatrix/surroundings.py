# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does the caller hand on that would change the kit, or each program that it starts?

Closed streams, ignored signals and variables are put right before anything else, so that none of
them is taken for a fault of a JDK. Standard library only.
"""

import io
import os
import re
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from types import TracebackType

# HotSpot's, those of its launchers and tools, OpenJ9's, and jtreg's.
JAVA_VARIABLES = (
    "CLASSPATH",
    "IBM_JAVA_OPTIONS",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVAC_OPTIONS",
    "JDK_JAVADOC_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "JT_JAVA",
    "OPENJ9_JAVA_OPTIONS",
    "_JAVA_OPTIONS",
)
# `python --help-env`; PYTHON_VERSION and its kin are the images' own.
_PYTHON_VARIABLE = re.compile("PYTHON[A-Z0-9]+")
# Common in images of containers, and without an effect on what is done; or it only keeps files of
# the user out, as the kit does anyway.
_HARMLESS = (
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONNOUSERSITE",
    "PYTHONSAFEPATH",
    "PYTHONUNBUFFERED",
)
_STANDARD_STREAMS = (0, 1, 2)
_MACHINE_FAILED = 2


class LastingFile(io.FileIO):
    """A standard stream that never raises: what its reader, or a full disk, does not take is lost.
    `fault` is then the first reason.
    """

    fault: OSError | None = None

    # Bytes, or a view of them.
    def write(self, content: object) -> int:
        """Write it, also to a pipe that does not block; return the number of bytes taken."""
        try:
            while (count := super().write(content)) is None:  # type: ignore[arg-type]
                select.select([], [self], [])
        except OSError as error:
            self.fault = self.fault or error
            return len(content)  # type: ignore[arg-type]
        return count


def settle_faults() -> None:
    """Have a fault that nothing expects end this process with 2. Python's own 1 is a finding's."""
    sys.excepthook = _end_by_fault


def _end_by_fault(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    try:
        sys.__excepthook__(kind, error, trace)
        sys.stdout.flush()
    finally:
        os._exit(_MACHINE_FAILED)


def settle_signals() -> None:
    """Have children waited for and signals arrive, whatever the caller did with SIGCHLD and the
    mask.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def settle_streams() -> None:
    """Open the standard streams that are closed, and make sure that writing to them raises
    nothing.
    """
    for descriptor in _STANDARD_STREAMS:
        try:
            os.fstat(descriptor)
        except OSError:  # otherwise the next file that is opened would take its place
            os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(descriptor, True)
    sys.stdout, sys.stderr = _lasting(1), _lasting(2)


def _lasting(descriptor: int) -> io.TextIOWrapper:
    former = sys.stdout if descriptor == 1 else sys.stderr
    return io.TextIOWrapper(
        io.BufferedWriter(LastingFile(descriptor, "w", closefd=False)),
        encoding=former.encoding if former else "utf-8",
        errors="backslashreplace",
        line_buffering=descriptor == 2 or os.isatty(descriptor),
    )


def stdout_fault() -> str | None:
    """Why not all results could be written to standard output; None if they could."""
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    fault = raw.fault if isinstance(raw, LastingFile) else None
    return None if fault is None else fault.strerror or str(fault)


def withhold_variables() -> list[str]:
    """Remove the variables that would change every JVM or Python; return the names of those that
    change what it does.
    """
    names = sorted(filter(is_withheld, os.environ))
    for name in names:
        del os.environ[name]
    return [name for name in names if name not in _HARMLESS]


def handed_on() -> Iterator[tuple[str, str]]:
    """The variables of a child that is no part of the kit."""
    return ((name, text) for name, text in os.environ.items() if not is_withheld(name))


def is_withheld(name: str) -> bool:
    """Whether a variable would change every JVM or Python behind the kit's back."""
    return name in JAVA_VARIABLES or bool(_PYTHON_VARIABLE.fullmatch(name))

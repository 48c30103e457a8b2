# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is asked of JVMs that have timed out, before they are killed?

Flight Recorder's recording, if there is one, and three thread dumps a second apart: a thread that
does not move between them is stuck. A JVM that does not answer jcmd is sent SIGQUIT, which makes it
print a dump on its standard output.
"""

import os
import signal
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from jdkmatrix.machine.java_program import TOOL_SHORT_LIVED
from jdkmatrix.machine.processes import run_jvm

# What jcmd is asked for threads, monitors and owned locks.
THREAD_DUMP = ("Thread.print", "-l")
_DUMPS = 3
_BETWEEN_DUMPS_S = 1.0
# A healthy JVM answers within a second, on a loaded machine within three.
_ANSWER_TIMEOUT_S = 10.0
_PRINTING_S = 1.0


def take_dumps(tool_java_home: Path, pids: Iterable[int], folder: Path) -> None:
    """Leave `hang-PID.jfr` and `hang-PID-threads-N.txt` of every JVM among `pids` in `folder`.

    Other processes are not asked: to them, the question would be a signal that ends them.
    """
    jcmd = tool_java_home / "bin" / "jcmd"
    jvms = [pid for pid in pids if is_jvm(pid)]
    answering = {pid: _dump_recording(jcmd, pid, folder) for pid in jvms}
    for number in range(1, _DUMPS + 1):
        if number > 1:
            time.sleep(_BETWEEN_DUMPS_S)
        for pid in jvms:
            answering[pid] = answering[pid] and _dump_threads(jcmd, pid, folder, number)
            if not answering[pid]:
                print_threads(pid)


def is_jvm(pid: int) -> bool:
    """Does that process run a `java` launcher?"""
    with suppress(OSError):
        return Path(f"/proc/{pid}/exe").readlink().name == "java"
    return False


def _dump_recording(jcmd: Path, pid: int, folder: Path) -> bool:
    """Does the JVM answer? A refusal is an answer, too: there may be no recording in progress."""
    return _ask(jcmd, pid, "JFR.dump", f'filename="{folder}/hang-{pid}.jfr"') is not None


def _dump_threads(jcmd: Path, pid: int, folder: Path, number: int) -> bool:
    """Dump the threads; False if the JVM does not answer."""
    dump = _ask(jcmd, pid, *THREAD_DUMP)
    if dump:
        (folder / f"hang-{pid}-threads-{number}.txt").write_text(dump, encoding="utf-8")
    return bool(dump)


def _ask(jcmd: Path, pid: int, *question: str) -> str | None:
    """As `ask_jvm`; None, too, if jcmd cannot ask."""
    with suppress(OSError):
        return ask_jvm(jcmd, pid, question, _ANSWER_TIMEOUT_S)
    return None


def ask_jvm(jcmd: Path, pid: int, question: Sequence[str], timeout_s: float) -> str | None:
    """The JVM's answer to jcmd, empty if it refuses; None if it gives none in time. Raises OSError
    if jcmd cannot be run.
    """
    process = run_jvm([jcmd, *TOOL_SHORT_LIVED, str(pid), *question], timeout_s=timeout_s)
    if process.is_late:
        return None
    return process.output if process.code == 0 else ""


def print_threads(pid: int) -> None:
    """Make a JVM print its threads on its standard output."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGQUIT)
    time.sleep(_PRINTING_S)  # nothing tells when it has printed all of it

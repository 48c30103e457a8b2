# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a tool of the machine run to its end, and what does it say when it fails?"""

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from jdkmatrix.machine.supervised import SupervisedProcess
from jdkmatrix.machine.trees import scratch_folder
from jdkmatrix.surroundings import JAVA_VARIABLES, handed_on

_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s'\",)]+", re.IGNORECASE)
_HOST = re.compile(r"(?<=host=)(['\"])[^'\"]*\1|\b(?:\d{1,3}\.){3}\d{1,3}:\d+\b")
_POLL_S = 0.2
# pip and apt-get name the cause in an early line, the consequence in the last one.
_CAUSES = {
    "No space left on device": "no space left on device",
    "Read-only file system": "read-only file system",
    "onnection refused": "connection refused",
    "Temporary failure": "host name not found",
    "Name or service not known": "host name not found",
    "Could not resolve": "host name not found",
    "imed out": "timed out",
    "still running after": "still running after the time allowed",
}


@dataclass(frozen=True)
class FinishedProcess:
    """A process that has ended; `output` is its stdout and `errors` its stderr. `is_late`: it was
    killed at its time-out.
    """

    code: int
    output: str
    errors: str
    is_late: bool = False


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str | None] | None = None,
    stdin: Path = Path(os.devnull),
    timeout_s: float,
    while_running: Callable[[], None] = lambda: None,
) -> FinishedProcess:
    """Run `command` with English messages and `env` added; a None in `env` removes a variable.

    `while_running` is called five times a second. The process is killed after `timeout_s`; its
    errors then say so. Raises OSError if it cannot be started.
    """
    # Not plain C, with which Java can't name a path beyond ASCII.
    english = {"LC_ALL": "C.UTF-8", "LANGUAGE": None}
    variables = {**os.environ, **english, **(env or {})}
    environment = {name: text for name, text in variables.items() if text is not None}
    with (
        stdin.open("rb") as stdin_file,
        tempfile.TemporaryFile() as output,
        tempfile.TemporaryFile() as errors,
    ):
        process = SupervisedProcess(
            [str(part) for part in command],
            cwd=cwd,
            env=environment,
            stdin=stdin_file,
            stdout=output,
            stderr=errors,
        )
        late = not _wait(process, timeout_s, while_running)
        process.check_started()
        return FinishedProcess(
            process.code,
            _text(output),
            _text(errors) + (f"\nstill running after {timeout_s:.0f} s" if late else ""),
            late,
        )


def run_jvm(
    command: Sequence[str | Path], *, stdin: Path = Path(os.devnull), timeout_s: float
) -> FinishedProcess:
    """Run a program of a JDK, without the variables that would change every JVM.

    Paths in `command` must be absolute: it runs in a temporary folder, as a JVM that fails leaves
    logs where it was started. Raises OSError if it cannot be started.
    """
    with scratch_folder() as folder:
        withheld = dict.fromkeys(JAVA_VARIABLES)
        return run(command, cwd=folder, env=withheld, stdin=stdin, timeout_s=timeout_s)


def start_java(command: Sequence[str | Path], errors: Path) -> SupervisedProcess:
    """Start a Java process that is talked to over its pipes; its stderr goes to `errors`, and what
    a failing JVM leaves goes beside it.
    """
    with errors.open("wb") as log:
        return SupervisedProcess(
            [str(part) for part in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            cwd=errors.parent,
            env=dict(handed_on()),
        )


def end(processes: Sequence[SupervisedProcess], timeout_s: float) -> None:
    """End processes of `start_java`: close their input, wait for all, then kill the rest."""
    for process in processes:
        for pipe in (process.supervisor.stdin, process.supervisor.stdout):
            if pipe:
                with suppress(OSError):
                    pipe.close()
    deadline_s = time.monotonic() + timeout_s
    for process in processes:
        with suppress(subprocess.TimeoutExpired):
            process.wait(deadline_s - time.monotonic())
        process.close()


def _wait(process: SupervisedProcess, timeout_s: float, tick: Callable[[], None]) -> bool:
    waited_s = 0.0
    try:
        while waited_s < timeout_s:
            try:
                process.wait(min(_POLL_S, timeout_s - waited_s))
                return True
            except subprocess.TimeoutExpired:
                waited_s += _POLL_S
                tick()
        return False
    finally:
        process.close()


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", errors="replace")


def complaint(process: FinishedProcess, *marks: str) -> str:
    """Why a process failed, in one line: a known cause, or its last line with one of `marks`.

    Addresses are left out: they may hold credentials, and reasons are kept in reports.
    """
    text = process.errors + "\n" + process.output
    for sign, cause in _CAUSES.items():
        if sign in text:
            return cause
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    marked_lines = [line for line in lines if any(mark in line for mark in marks)]
    line = (
        marked_lines[-1]
        if marked_lines
        else lines[-1]
        if lines
        else f"ended with code {process.code}"
    )
    return redact(line)


def redact(text: str) -> str:
    """`text` without the hosts of addresses; the last part of an address's path is kept."""
    return _HOST.sub("(host)", _ADDRESS.sub(_last_part, text))


def _last_part(match: re.Match[str]) -> str:
    path = match[0].partition("://")[2].partition("/")[2].rstrip("/.:;")
    return path.rpartition("/")[2] or "(address)"

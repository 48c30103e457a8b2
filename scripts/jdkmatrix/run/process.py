# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is one supervised child process started, bounded in time and stopped?"""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from threading import Lock

_SUPERVISOR = Path(__file__).with_name("supervisor.py")


class Ended(StrEnum):
    """How a child ended."""

    FINISHED = "finished"
    TIMEOUT = "timeout"
    INTERRUPTED = "interrupted"


class Children:
    """The running children of one run: started here, and all stopped by one call."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._stopped = False

    def run(
        self, command: Sequence[str], log: Path, env: Mapping[str, str], timeout_s: float
    ) -> tuple[Ended, int]:
        """Run `command` to its end, output to `log`; return how it ended and its exit code.

        Past `timeout_s`, after `stop` or by Ctrl-C, its whole process group is killed.
        """
        with log.open("wb") as output:
            with self._lock:
                if self._stopped:
                    return Ended.INTERRUPTED, -1
                child = subprocess.Popen(
                    [sys.executable, "-I", "-S", str(_SUPERVISOR), *command],
                    stdin=subprocess.PIPE,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    env=dict(env),
                    # Ctrl-C on the terminal is for the kit, which then stops its children.
                    start_new_session=True,
                )
                self._running.add(child)
            try:
                code = child.wait(timeout_s)
                ended = Ended.FINISHED
            except subprocess.TimeoutExpired:
                _hang_up(child)
                code = child.wait()
                ended = Ended.TIMEOUT
            except BaseException:  # Ctrl-C: `stop` comes too late, it would not know this child
                _hang_up(child)
                raise
            finally:
                with self._lock:
                    self._running.discard(child)
        _hang_up(child)
        return (Ended.INTERRUPTED if self._stopped else ended), code

    def stop(self) -> None:
        """Kill every running child with what it started; later ones do not start."""
        with self._lock:
            self._stopped = True
            for child in self._running:
                _hang_up(child)


def _hang_up(child: subprocess.Popen[bytes]) -> None:
    if child.stdin and not child.stdin.closed:
        child.stdin.close()


def clean_environment() -> dict[str, str]:
    """The user's environment without what would change every JVM behind a test's back."""
    hidden = ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH", "JT_JAVA")
    return {name: value for name, value in os.environ.items() if name not in hidden}

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a process started so that nothing it starts outlives it or the kit? By `supervisor.py`."""

import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from jdkmatrix.machine.supervisor import KILL_S, children_by_parent, descendants

# Imported, as Python compiles a script anew each time, and each process has a supervisor.
_RUN = "import sys; sys.path.append(sys.argv[1]); from supervisor import run; run(*sys.argv[2:])"
_PROGRAM = ("-c", _RUN, str(Path(__file__).parent))
_KILLED = -9
_POLL_S = 0.01
_Stream = int | IO[bytes] | None


@dataclass(frozen=True)
class Supervisor:
    """The program between the kit and a process, as Python's arguments name it, and how long it is
    given to answer and to end.

    The inner supervisor may wait for what cannot be killed, then the outer one for the same.
    """

    program: tuple[str, ...] = _PROGRAM
    answer_s: float = 10.0
    longest_end_s: float = 2 * KILL_S + 5.0


_SUPERVISOR = Supervisor()


class SupervisedProcess:
    """One process with all that it starts, in a session of its own: Ctrl-C on the terminal goes to
    the kit, which then ends it.

    `supervisor` is the process to wait for: it ends once nothing is left.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        stdin: _Stream = subprocess.DEVNULL,
        stdout: _Stream,
        stderr: _Stream,
        env: Mapping[str, str],
        cwd: Path | None = None,
        supervisor: Supervisor = _SUPERVISOR,
    ) -> None:
        self._limits = supervisor
        self._own_end, other_end = socket.socketpair()
        self._output = b""
        with other_end:
            self.supervisor = subprocess.Popen(
                [
                    sys.executable,
                    "-I",
                    "-S",
                    *supervisor.program,
                    str(other_end.fileno()),
                    *command,
                ],
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                env=dict(env),
                cwd=cwd,
                pass_fds=(other_end.fileno(),),
                start_new_session=True,
            )

    @property
    def pid(self) -> int | None:
        """The pid of the process itself, once it is known; None if it never had one.

        Also None if the supervisor does not answer.
        """
        while (pid := self._number_after("started")) is None and self._hear(self._limits.answer_s):
            pass
        return pid

    def wait(self, timeout_s: float) -> int:
        """Wait until nothing is left; return the exit code, or minus the number of a signal.

        Raises subprocess.TimeoutExpired.
        """
        self.supervisor.wait(timeout_s)
        return self.code

    def close(self) -> int:
        """End it and return its exit code, at most 25 s later. May be called more than once."""
        self.end()
        self.wait_to_be_reaped()
        self.supervisor.wait()
        return self.code

    def wait_to_be_reaped(self) -> None:
        """After `end`: wait until nothing is left but the supervisor's exit code and CPU time.

        A supervisor that does not react (hung in a preloaded library) is killed with all below it.
        """
        deadline_s = time.monotonic() + self._limits.longest_end_s
        while self._runs():
            if time.monotonic() >= deadline_s:
                outer = self.supervisor.pid
                for pid in (*descendants(outer, children_by_parent()), outer):
                    with suppress(OSError):
                        os.kill(pid, signal.SIGKILL)
            time.sleep(_POLL_S)

    def _runs(self) -> bool:
        if self.supervisor.returncode is not None:
            return False
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self.supervisor.pid, flags) is None

    def poll(self) -> int | None:
        """The exit code; None while anything is left of it."""
        return None if self.supervisor.poll() is None else self.code

    @property
    def code(self) -> int:
        """The exit code, once it has ended."""
        self._hear_all()
        code = self._number_after("ended")
        return _KILLED if code is None else code

    def check_started(self) -> None:
        """Raise OSError if the command, which has ended, could not be run."""
        self._hear_all()
        if (error_number := self._number_after("failed")) is not None:
            raise OSError(error_number, os.strerror(error_number))

    def end(self) -> None:
        """Kill it with all that it started. May be called more than once."""
        with suppress(OSError):
            self._own_end.shutdown(socket.SHUT_WR)
        # A stopped one would never end. Not `send_signal`, which reaps an ended one: whoever waits
        # for it wants its CPU time.
        if self.supervisor.returncode is None:
            with suppress(OSError):
                os.kill(self.supervisor.pid, signal.SIGCONT)

    def _number_after(self, word: str) -> int | None:
        for line in self._output.decode().splitlines():
            name, _, number = line.partition(" ")
            if name == word:
                return int(number)
        return None

    def _hear_all(self) -> None:
        while self._hear(0.0):
            pass
        self._own_end.close()

    def _hear(self, wait_s: float) -> bool:
        """Read what the supervisor says; False if nothing comes within `wait_s`, or ever again."""
        try:
            answer = select.poll()
            answer.register(self._own_end, select.POLLIN)
            if not answer.poll(1000 * wait_s):
                return False
            chunk = self._own_end.recv(4096)
        except (OSError, ValueError):  # it is closed: everything was read
            return False
        self._output += chunk
        return bool(chunk)

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a process started so that nothing of it outlives it, or the kit? By `supervisor.py`."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_KILLED = -9
_Stream = int | IO[bytes] | None


class Supervised:
    """One process with all that it starts, in a session of its own: Ctrl-C on the terminal is for
    the kit, which then ends it.

    `supervisor` is what is waited for: it ends once nothing is left.
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
    ) -> None:
        self._ours, theirs = socket.socketpair()
        self._said = b""
        with theirs:
            self.supervisor = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_SUPERVISOR), str(theirs.fileno()), *command],
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                env=dict(env),
                cwd=cwd,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )

    @property
    def pid(self) -> int | None:
        """The id of the process itself, waited for; None if it never had one."""
        while (pid := self._told("started")) is None and self._hear(wait=True):
            pass
        return pid

    def wait(self, timeout_s: float | None = None) -> int:
        """The exit code, of a signal minus its number, once nothing of it is left.

        Raises subprocess.TimeoutExpired.
        """
        self.supervisor.wait(timeout_s)
        return self.code

    def poll(self) -> int | None:
        """The same, None while there is anything left of it."""
        return None if self.supervisor.poll() is None else self.code

    @property
    def code(self) -> int:
        """The exit code of what has ended."""
        self._hear_all()
        code = self._told("ended")
        return _KILLED if code is None else code

    def check_started(self) -> None:
        """Raises OSError if what has ended could not be run."""
        self._hear_all()
        if (failed := self._told("failed")) is not None:
            raise OSError(failed, os.strerror(failed))

    def end(self) -> None:
        """Kill it with all that it started; more than once is the same."""
        with suppress(OSError):
            self._ours.shutdown(socket.SHUT_WR)
        # One that is stopped would be waited for. Not `send_signal`, which reaps what has ended:
        # whoever waits for it wants its CPU time.
        if self.supervisor.returncode is None:
            with suppress(OSError):
                os.kill(self.supervisor.pid, signal.SIGCONT)

    def _told(self, word: str) -> int | None:
        for line in self._said.decode().splitlines():
            name, _, number = line.partition(" ")
            if name == word:
                return int(number)
        return None

    def _hear_all(self) -> None:
        while self._hear(wait=False):
            pass
        self._ours.close()

    def _hear(self, *, wait: bool) -> bool:
        """Take what the supervisor says; False if it says nothing more, or not yet."""
        try:
            said = self._ours.recv(4096, 0 if wait else socket.MSG_DONTWAIT)
        except OSError:
            return False
        self._said += said
        return bool(said)

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The real pip, without its start, which costs ten times what it then does with a small wheel.

A process imports it once; each download is a fork of that one, with its own environment.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from jdkmatrix.machine.processes import FinishedProcess

_SERVER = """
import json, os, sys
import pip._internal.commands.download
from pip._internal.cli.main import main
for line in sys.stdin:
    request = json.loads(line)
    child = os.fork()
    if not child:
        code = 70
        try:
            os.chdir(request["cwd"])
            os.environ.clear()
            os.environ.update(request["env"])
            for n, name in ((1, "output"), (2, "errors")):
                os.dup2(os.open(request[name], os.O_WRONLY | os.O_CREAT), n)
            code = main(request["arguments"])
            sys.stdout.flush()
        finally:
            os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
START = (sys.executable, "-m", "pip")


class PipAtHand:
    """Downloads one at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._server: subprocess.Popen[str] | None = None

    def run(
        self,
        command: Sequence[str | Path],
        *,
        cwd: Path,
        env: Mapping[str, str],
        timeout_s: float,
        while_running: Callable[[], None],
    ) -> FinishedProcess:
        """As `processes.run` does it."""
        assert tuple(command[: len(START)]) == START
        assert timeout_s > 60
        output, errors = cwd / "pip-output", cwd / "pip-errors"
        request = {
            "arguments": [str(part) for part in command[len(START) :]],
            "cwd": str(cwd),
            "env": {**os.environ, "LC_ALL": "C.UTF-8", **env},
            "output": str(output),
            "errors": str(errors),
        }
        with self._lock:
            code = self._answer(json.dumps(request))
        while_running()
        return FinishedProcess(code, output.read_text(), errors.read_text())

    def end(self) -> None:
        """It ends once its input does."""
        if self._server:
            self._server.communicate()

    def _answer(self, line: str) -> int:
        if self._server is None:
            command, pipe = [sys.executable, "-c", _SERVER], subprocess.PIPE
            self._server = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
        assert self._server.stdin
        assert self._server.stdout
        self._server.stdin.write(f"{line}\n")
        self._server.stdin.flush()
        return int(self._server.stdout.readline())

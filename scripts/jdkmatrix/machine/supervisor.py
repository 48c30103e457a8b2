# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a test end when the kit does, even by `kill -9`?

Run as a program of its own, with the standard library alone: `python supervisor.py COMMAND...`.
It starts the command in its own process group and keeps a pipe from the kit as standard input.
When that pipe closes (the kit asked, or is gone), or the command ends by itself, it kills the whole
group: the test's JVM, or jtreg, and whatever they started.
"""

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress

_NO_COMMAND = 127


def _kill_group_at_end_of_input(group: int) -> None:
    while os.read(sys.stdin.fileno(), 1):
        pass
    _kill(group)


def _kill(group: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def main(command: list[str]) -> int:
    """Run `command`; return its exit code, negative if a signal ended it, as a shell's for none."""
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
    except OSError as error:
        print(f"{command[0]} cannot be run: {error.strerror}", file=sys.stderr)
        return _NO_COMMAND
    threading.Thread(target=_kill_group_at_end_of_input, args=(process.pid,), daemon=True).start()
    code = process.wait()
    _kill(process.pid)  # what outlived it, as when the machine was out of memory
    return code


if __name__ == "__main__":
    sys.exit(abs(main(sys.argv[1:])))

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A cancelled job and a closed terminal end a run as Ctrl-C does: with what was found so far."""

import signal
import subprocess
import sys

import pytest

PROGRAM = """
import signal, sys, time
from jdkmatrix.cli.signals import end_as_by_ctrl_c
if "ignored" in sys.argv:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
end_as_by_ctrl_c()
try:
    print("up", flush=True)
    time.sleep(3 if "ignored" in sys.argv else 60)
except KeyboardInterrupt:
    sys.exit("interrupted")
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_ends_alike(number: signal.Signals) -> None:
    code, told = ended_by(number)
    assert (code, told) == (1, "interrupted\n")


def test_under_nohup_a_closed_terminal_ends_nothing() -> None:
    assert ended_by(signal.SIGHUP, "ignored") == (0, "")


def ended_by(number: signal.Signals, *arguments: str) -> tuple[int, str]:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout
        assert program.stdout.readline() == "up\n"
        program.send_signal(number)
        _, told = program.communicate(timeout=30)
        return program.returncode, told

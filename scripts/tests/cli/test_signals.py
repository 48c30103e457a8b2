# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A cancelled job and a closed terminal end a run as Ctrl-C does: with what was found so far."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from jdkmatrix import bootstrap
from tests.conftest import ROOT

PROGRAM = """
import signal, sys, time
from jdkmatrix.cli.signals import end_as_by_ctrl_c
hangup = signal.SIG_IGN if "ignored" in sys.argv else signal.SIG_DFL  # not as these tests have it
signal.signal(signal.SIGHUP, hangup)
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
end_as_by_ctrl_c()
try:
    print("up", flush=True)
    for _ in range(30 if "ignored" in sys.argv else 600):
        time.sleep(0.1)  # a signal just before a sleep is told after it
except KeyboardInterrupt:
    if "twice" in sys.argv:
        print("storing", flush=True)
        sys.stdin.readline()
    sys.exit("interrupted")
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_ends_alike(number: signal.Signals) -> None:
    code, output = ended_by(number)
    assert (code, output) == (1, "interrupted\n")


def test_under_nohup_a_closed_terminal_ends_nothing() -> None:
    assert ended_by(signal.SIGHUP, "ignored") == (0, "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_second_one_ends_nothing_while_what_was_found_is_stored(number: signal.Signals) -> None:
    """timeout(1) signals the process, and then its group."""
    assert ended_by(number, "twice") == (1, "interrupted\n")


def ended_by(number: signal.Signals, *arguments: str) -> tuple[int, str]:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout
        assert program.stdout.readline() == "up\n"
        program.send_signal(number)
        if "twice" in arguments:
            assert program.stdout.readline() == "storing\n"
            program.send_signal(number)
        _, output = program.communicate("\n", timeout=30)
        return program.returncode, output


INTERRUPTED = """
import sys
from jdkmatrix.cli import app, history
def interrupt(*_, **__):
    raise KeyboardInterrupt
history.history_file = interrupt
import jdkmatrix.history.database as database
database.history_file = interrupt
sys.exit(app.main(["history"]))
"""


def test_a_command_that_is_interrupted_says_so() -> None:
    process = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False
    )
    assert (process.returncode, process.stderr) == (2, "matrix: interrupted\n")


IN_A_TEXT = """
import runpy
from jdkmatrix.cli import app
def interrupted(_):
    try:
        exec("raise KeyboardInterrupt")  # as dataclasses and namedtuple run what they write
    except KeyboardInterrupt:
        return 2
app.main = interrupted
runpy.run_module("jdkmatrix", run_name="__main__")
"""


def test_interrupted_while_a_dataclass_is_made_it_ends_with_its_own_code(tmp_path: Path) -> None:
    (tmp_path / "interrupted.py").write_text(IN_A_TEXT)
    paths = f"{tmp_path}{os.pathsep}{Path(__file__).parents[2]}"
    process = subprocess.run(
        [sys.executable, "-m", "interrupted"], env={**os.environ, "PYTHONPATH": paths}, check=False
    )
    assert process.returncode == 2


@pytest.fixture(scope="module")
def _environment() -> None:
    """The kit's own, which an empty cache lacks: making it says so."""
    bootstrap.environment(ROOT / "scripts" / "requirements.txt")


@pytest.mark.usefixtures("_environment")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("after_s", [0.02, 0.1, 0.3, 0.6])
def test_at_any_moment_of_the_start_it_is_one_line(number: signal.Signals, after_s: float) -> None:
    """From where `bootstrap.start` hands over, through all imports."""
    command = ["-m", "jdkmatrix", "plan", "--build", "temurin-17.0.9+9"]
    program = "from jdkmatrix import bootstrap; print('up', flush=True); "
    program += f"bootstrap.start('requirements.txt', {command})"
    with subprocess.Popen(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as kit:
        assert kit.stdout
        assert kit.stdout.readline() == "up\n"
        time.sleep(after_s)
        kit.send_signal(number)
        _, errors = kit.communicate(timeout=60)
    if kit.returncode:  # else it was too late, or before the handover
        assert errors.count("\n") <= 1
        assert (kit.returncode, errors) in [
            (2, "matrix: interrupted\n"),
            (-signal.SIGTERM, ""),  # before the handover: the shell says "Terminated"
        ]

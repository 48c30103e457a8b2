# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Children end: by themselves, at their time-out, when stopped, and when the kit is killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import pytest

from jdkmatrix.machine.children import Children, Ended, clean_environment

# A child with a child of its own, as jtreg has a test JVM; it writes that one's pid.
PARENT = ["sh", "-c", 'sleep 60 & echo $! > "$0"; wait']


# Runs a child in its main thread, and lives on when it is interrupted.
KIT = """
import os, sys, time
from pathlib import Path
from jdkmatrix.machine.children import Children
try:
    Children().run(sys.argv[2:], Path(sys.argv[1]), os.environ, 60)
except KeyboardInterrupt:
    time.sleep(60)
"""


def start_kit(log: Path, pid_file: Path) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", KIT, str(log), *PARENT, str(pid_file)]
    return subprocess.Popen(
        command,
        env=environment,
        # A shell's background job, as CI may be, ignores SIGINT and hands that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def wait_until(condition: object, timeout_s: float = 10) -> None:
    deadline = time.monotonic() + timeout_s
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline, "not within the time"
        time.sleep(0.02)


def grandchild(path: Path) -> int:
    wait_until(lambda: path.exists() and path.read_text().endswith("\n"))
    return int(path.read_text())


def test_output_and_exit_code(tmp_path: Path) -> None:
    command = ["sh", "-c", "echo out; echo err >&2; exit 3"]
    ended = Children().run(command, tmp_path / "log", clean_environment(), 10)
    assert ended == (Ended.FINISHED, 3)
    assert (tmp_path / "log").read_text() == "out\nerr\n"


def test_what_outlives_the_command_is_killed(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    command = ["sh", "-c", 'sleep 60 & echo $! > "$0"; exit 3', str(pid_file)]
    ended = Children().run(command, tmp_path / "log", os.environ, 10)
    assert ended == (Ended.FINISHED, 3)
    wait_until(lambda: not is_alive(grandchild(pid_file)))


def test_timeout_kills_the_whole_group(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    ended, _ = Children().run([*PARENT, str(pid_file)], tmp_path / "log", os.environ, 0.5)
    assert ended is Ended.TIMEOUT
    wait_until(lambda: not is_alive(grandchild(pid_file)))


def test_stop_kills_the_whole_group_and_starts_no_more(tmp_path: Path) -> None:
    children = Children()
    pid_file = tmp_path / "pid"
    results: list[tuple[Ended, int]] = []
    command = [*PARENT, str(pid_file)]
    thread = Thread(
        target=lambda: results.append(children.run(command, tmp_path / "log", os.environ, 60))
    )
    thread.start()
    pid = grandchild(pid_file)
    children.stop()
    thread.join(10)
    assert results[0][0] is Ended.INTERRUPTED
    wait_until(lambda: not is_alive(pid))
    assert children.run(["true"], tmp_path / "log", os.environ, 10)[0] is Ended.INTERRUPTED


def test_ctrl_c_while_the_main_thread_waits_kills_the_whole_group(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    kit = start_kit(tmp_path / "log", pid_file)
    pid = grandchild(pid_file)
    kit.send_signal(signal.SIGINT)
    try:
        wait_until(lambda: not is_alive(pid))
        assert kit.poll() is None, "the end of the kit is not to be what ended it"
    finally:
        kit.kill()
        kit.wait()


def test_kill_9_of_the_kit_leaves_no_orphan(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    kit = start_kit(tmp_path / "log", pid_file)
    pid = grandchild(pid_file)
    kit.send_signal(signal.SIGKILL)
    kit.wait()
    wait_until(lambda: not is_alive(pid))


def test_java_options_of_the_user_do_not_reach_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Dhttps.protocols=TLSv1.2")
    assert "JAVA_TOOL_OPTIONS" not in clean_environment()

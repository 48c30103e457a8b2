# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Children end: by themselves, at their time-out, when stopped, and when the kit is killed.

With them ends all that they started, in whatever session, whoever of the tree is killed.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Thread

import pytest

from jdkmatrix.machine.children import Bounds, ChildEnd, Children, clean_environment
from jdkmatrix.machine.processes import run
from jdkmatrix.machine.supervised import SupervisedProcess, Supervisor
from jdkmatrix.machine.supervisor import children_by_parent, descendants

# A child with a child of its own, as jtreg has a test JVM; it writes that one's pid.
PARENT = ["sh", "-c", 'sleep 60 & echo $! > "$0"; wait']
# One that holds its parent's output and is nobody's child, in a session of its own.
ESCAPED = 'setsid sh -c "sleep 60 & echo \\$! > $0" & '
# As a harness does: it reads what a test prints, to its end.
HARNESS = """
import subprocess, sys
escaping = 'setsid sh -c "sleep 60 & echo \\$! > $0" & sleep 0.2'
subprocess.run(["sh", "-c", escaping, sys.argv[1]], stdout=subprocess.PIPE)
"""

# As a supervisor that has started something and then does nothing more.
HANGING = """
import subprocess, sys, time
from pathlib import Path
child = subprocess.Popen(["sleep", "60"])
Path(sys.argv[2]).write_text(f"{child.pid}\\n")
time.sleep(60)
"""

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


def start_kit(
    log: Path, pid_file: Path, parent: Sequence[str] = tuple(PARENT)
) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", KIT, str(log), *parent, str(pid_file)]
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
    outcome = Children().run(command, tmp_path / "log", clean_environment(), 10)
    assert outcome == (ChildEnd.FINISHED, 3)
    assert (tmp_path / "log").read_text() == "out\nerr\n"


@pytest.mark.parametrize(
    ("command", "excess"),
    [
        ("while :; do echo printing; done", "more than 1 MiB of output"),
        ("mkdir d; cd d; n=0; while :; do n=$((n + 1)); : > $n; done", "more than 50 files or"),
        ("while :; do head -c 1000000 /dev/zero >> file; done", "or 5 MiB in them"),
        ("head -c 2000000 /dev/zero", "more than 1 MiB of output"),  # and ends by itself
        ("truncate -s 1G sparse; sleep 0.3", ""),
    ],
)
def test_a_child_that_leaves_too_much_is_ended(tmp_path: Path, command: str, excess: str) -> None:
    bounds = Bounds(log_bytes=1 << 20, bytes=5 << 20, files=50)
    children = Children(look_every_s=0.1, bounds=bounds)
    log = tmp_path / "log"
    began_s = time.monotonic()
    child = children.run_watched(["sh", "-c", command], log, os.environ, 60, 60)
    assert time.monotonic() - began_s < 50
    assert (child.end, bool(child.excess)) == (ChildEnd.FINISHED, bool(excess))
    assert excess in child.excess
    assert log.stat().st_size <= bounds.log_bytes


def test_what_outlives_the_command_is_killed(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    command = ["sh", "-c", 'sleep 60 & echo $! > "$0"; exit 3', str(pid_file)]
    outcome = Children().run(command, tmp_path / "log", os.environ, 10)
    assert outcome == (ChildEnd.FINISHED, 3)
    wait_until(lambda: not is_alive(grandchild(pid_file)))


def test_timeout_kills_the_whole_group(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    end, _ = Children().run([*PARENT, str(pid_file)], tmp_path / "log", os.environ, 0.5)
    assert end is ChildEnd.TIMEOUT
    wait_until(lambda: not is_alive(grandchild(pid_file)))


def test_stop_kills_the_whole_group_and_starts_no_more(tmp_path: Path) -> None:
    running = Children()
    pid_file = tmp_path / "pid"
    outcomes: list[tuple[ChildEnd, int]] = []
    command = [*PARENT, str(pid_file)]
    thread = Thread(
        target=lambda: outcomes.append(running.run(command, tmp_path / "log", os.environ, 60))
    )
    thread.start()
    pid = grandchild(pid_file)
    running.stop()
    thread.join(10)
    assert outcomes[0][0] is ChildEnd.INTERRUPTED
    wait_until(lambda: not is_alive(pid))
    assert running.run(["true"], tmp_path / "log", os.environ, 10)[0] is ChildEnd.INTERRUPTED


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


@pytest.mark.parametrize("victim", ["kit", "outer", "inner", "command"])
def test_whoever_is_killed_nothing_is_left_within_two_seconds(tmp_path: Path, victim: str) -> None:
    pid_file = tmp_path / "pid"
    kit = start_kit(tmp_path / "log", pid_file, ["sh", "-c", f"{ESCAPED} sleep 60; true"])
    try:
        orphan = grandchild(pid_file)
        tree = children_by_parent()
        (outer,) = tree[kit.pid]
        (inner,) = tree[outer]
        (command,) = (pid for pid in tree[inner] if pid != orphan)
        pids = {outer, *descendants(outer, tree)}
        assert orphan in tree[inner], "it has lost its parent"
        pids_by_name = {"kit": kit.pid, "outer": outer, "inner": inner, "command": command}
        os.kill(pids_by_name[victim], signal.SIGKILL)
        wait_until(lambda: not any(map(is_alive, pids)), timeout_s=2)
    finally:
        kit.kill()
        kit.wait()


@pytest.mark.parametrize("victim", ["outer", "inner", "command", "all"])
def test_whoever_is_stopped_it_ends_within_two_seconds_once_it_shall(victim: str) -> None:
    child = SupervisedProcess(
        ["sleep", "60"], stdout=subprocess.DEVNULL, stderr=None, env=os.environ
    )
    outer, command = child.supervisor.pid, child.pid
    assert command
    (inner,) = children_by_parent()[outer]
    pids_by_name = {"outer": outer, "inner": inner, "command": command}
    for pid in pids_by_name.values() if victim == "all" else [pids_by_name[victim]]:
        os.kill(pid, signal.SIGSTOP)
    try:
        child.end()
        assert child.wait(2) == -signal.SIGKILL
        assert not any(map(is_alive, pids_by_name.values()))
    finally:
        for pid in filter(is_alive, pids_by_name.values()):
            os.kill(pid, signal.SIGKILL)


def test_a_supervisor_that_hangs_is_not_waited_for_without_end(
    tmp_path: Path,
) -> None:
    hanging, pid_file = tmp_path / "hanging.py", tmp_path / "pid"
    hanging.write_text(HANGING)
    child = SupervisedProcess(
        [str(pid_file)],
        stdout=subprocess.DEVNULL,
        stderr=None,
        env=os.environ,
        supervisor=Supervisor((str(hanging),), answer_s=0.2, longest_end_s=0.2),
    )
    below_it = grandchild(pid_file)
    assert child.pid is None
    assert child.close() == -signal.SIGKILL
    wait_until(lambda: not is_alive(below_it))


def test_one_that_is_told_to_end_once_it_has_is_still_there_to_be_reaped() -> None:
    child = SupervisedProcess(["true"], stdout=subprocess.DEVNULL, stderr=None, env=os.environ)
    os.waitid(os.P_PID, child.supervisor.pid, os.WEXITED | os.WNOWAIT)
    child.end()
    assert os.wait4(child.supervisor.pid, 0)[1] == 0
    child.supervisor.returncode = 0


def test_what_a_test_leaves_does_not_keep_the_harness_that_waits_for_its_output(
    tmp_path: Path,
) -> None:
    pid_file = tmp_path / "pid"
    command = [sys.executable, "-c", HARNESS, str(pid_file)]
    start_s = time.monotonic()
    process = Children(look_every_s=0.2).run_watched(command, tmp_path / "log", os.environ, 50, 50)
    assert (process.end, process.code) == (ChildEnd.FINISHED, 0)
    assert time.monotonic() - start_s < 40
    assert not is_alive(grandchild(pid_file))


def test_a_tool_leaves_nothing_either(tmp_path: Path) -> None:
    process = run(["sh", "-c", f"{ESCAPED} exit 3", tmp_path / "pid"], timeout_s=50)
    assert (process.code, process.is_late) == (3, False)
    killed_process = run(["sh", "-c", "kill -9 $$"], timeout_s=50)
    assert killed_process.code == -signal.SIGKILL
    with pytest.raises(FileNotFoundError):
        run([tmp_path / "none"], timeout_s=50)
    late = run(["sh", "-c", f"{ESCAPED} sleep 60", tmp_path / "late"], timeout_s=2)
    assert late.is_late
    assert not is_alive(grandchild(tmp_path / "late"))


def test_java_options_of_the_user_do_not_reach_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Dhttps.protocols=TLSv1.2")
    assert "JAVA_TOOL_OPTIONS" not in clean_environment()

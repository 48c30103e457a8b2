# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What a running JVM is asked for, and what is said where there is none."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.evidence.digest import digester_of
from jdkmatrix.paths import Checkout
from jdkmatrix.run.live_jvm import DUMPS, LiveJvm
from tests.evidence.conftest import SHORT_LIVED
from tests.in_process import Capture, matrix

pytestmark = pytest.mark.jdk

PROGRAM = """
public final class Quiet {
    public static void main(String[] args) throws Exception {
        Object till = new Object();
        Thread owner = new Thread(() -> { synchronized (till) { hold(); } }, "owner");
        owner.start();
        Thread.sleep(300);
        new Thread(() -> { synchronized (till) { hold(); } }, "buyer").start();
        Thread.sleep(300);
        System.out.println("ready");
        Thread.sleep(Long.MAX_VALUE);
    }

    static void hold() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
"""


@pytest.fixture(scope="module")
def jvm(tool_jdk: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The process id of a JVM in which "buyer" waits for a monitor of "owner"."""
    folder = tmp_path_factory.mktemp("quiet")
    (folder / "Quiet.java").write_text(PROGRAM)
    output = folder / "output"
    command = [str(tool_jdk / "bin" / "java"), *SHORT_LIVED, str(folder / "Quiet.java")]
    with output.open("w") as stdout, subprocess.Popen(command, stdout=stdout) as process:
        try:
            while "ready" not in output.read_text():
                assert process.poll() is None
                os.sched_yield()
            yield process.pid
        finally:
            process.kill()


def test_its_threads_are_dumped_with_owners(jvm: int, tool_jdk: Path, tmp_path: Path) -> None:
    LiveJvm(jvm, tool_jdk, between_s=0.1).dump_threads(tmp_path / "dumps")
    text = (tmp_path / "dumps").read_text()
    assert text.count("Full thread dump ") == DUMPS
    assert "waiting to lock <" in text and "Locked ownable synchronizers" in text


def test_it_is_recorded_and_keeps_no_recording(
    jvm: int, tool_jdk: Path, root: Path, tmp_path: Path
) -> None:
    live = LiveJvm(jvm, tool_jdk)
    live.record(tmp_path / "a.jfr", Checkout(root).recording_settings, 1)
    assert (tmp_path / "a.jfr").read_bytes().startswith(b"FLR\0")
    assert "No available recordings" in (live._ask("JFR.check") or "")


def test_a_jvm_with_other_folders_has_the_kits_settings_too(
    jvm: int, tool_jdk: Path, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A JVM with our own folders stands for one in a container: its files come and go as there."""
    monkeypatch.setattr(LiveJvm, "_is_elsewhere", lambda _: True)
    file = tmp_path / "a.jfr"
    LiveJvm(jvm, tool_jdk).record(file, Checkout(root).recording_settings, 1)
    (recording,) = digester_of(Checkout(root), tool_jdk).digest([file]).readable
    assert recording.settings["jdk.JavaMonitorEnter"].threshold_ms == 1
    assert any("buyer" in group.names for group in recording.stacks) or recording.waits
    assert list(Path("/tmp").glob(f"kit-{os.getpid()}.jf*")) == []


def test_a_file_that_is_there_is_not_written(
    jvm: int, tool_jdk: Path, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be a link that somebody in the container made."""
    monkeypatch.setattr(LiveJvm, "_is_elsewhere", lambda _: True)
    link = Path(f"/tmp/kit-{os.getpid()}.jfc")
    (tmp_path / "mine").write_text("mine")
    link.symlink_to(tmp_path / "mine")
    with pytest.raises(MachineError, match=r"jfc: File exists"):
        LiveJvm(jvm, tool_jdk).record(tmp_path / "a.jfr", Checkout(root).recording_settings, 1)
    assert (tmp_path / "mine").read_text() == "mine"
    link.unlink()


def test_a_jvm_that_jcmd_does_not_reach_prints_its_threads_into_its_output(
    jvm: int, tmp_path: Path
) -> None:
    """A jcmd that fails stands for a JVM that does not answer."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "jcmd").symlink_to("/bin/false")
    LiveJvm(jvm, tmp_path, between_s=0.1).dump_threads(tmp_path / "dumps")
    assert (tmp_path / "dumps").read_text().count("Full thread dump ") == DUMPS
    with pytest.raises(MachineError, match=r"the JVM does not answer JFR\.start"):
        LiveJvm(jvm, tmp_path).record(tmp_path / "a.jfr", tmp_path, 1)


def test_what_is_no_jvm_is_not_asked(tool_jdk: Path) -> None:
    with subprocess.Popen(["/bin/sleep", "60"]) as sleeper:
        with pytest.raises(
            UsageError, match=f"--pid {sleeper.pid}: is no JVM of HotSpot; accepted"
        ):
            LiveJvm(sleeper.pid, tool_jdk)
        assert sleeper.poll() is None
        sleeper.kill()
    with pytest.raises(UsageError, match=f"--pid {sleeper.pid}: no such process; accepted"):
        LiveJvm(sleeper.pid, tool_jdk)


def test_a_process_outside_of_a_container_has_no_number_there(
    tool_jdk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "pid"
    monkeypatch.setattr("jdkmatrix.run.live_jvm._PROCESS_NAMES", link)
    for inode, place in (("4026531836", ""), ("4026532201", " in this container")):
        link.unlink(missing_ok=True)
        link.symlink_to(f"pid:[{inode}]")
        with pytest.raises(UsageError, match=f"--pid 99999999: no such process{place}; accepted"):
            LiveJvm(99999999, tool_jdk)


def test_numbers_of_another_namespace_are_not_asked(
    jvm: int, tool_jdk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own number is then another one than that in /proc."""
    monkeypatch.setattr(os, "getpid", lambda: 1)
    with pytest.raises(UsageError, match=r"/proc shows the processes of another namespace; acce"):
        LiveJvm(jvm, tool_jdk)


def test_the_command_says_what_its_threads_do(
    jvm: int, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LiveJvm.__init__, "__defaults__", (1.0,))
    answer = matrix(capsys, "diagnose", "--pid", str(jvm))
    lines = answer.stdout.splitlines()
    assert answer.returncode == 0, answer
    assert lines[0] == f"process {jvm}"
    assert "'buyer' sat " in lines[1] and "held by 'owner', which is in Thread.sleep" in lines[1]

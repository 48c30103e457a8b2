# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Peers answer or say why not, and none outlives the kit."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from jdkmatrix.run.samples.peers import PeerError, Peers
from tests.conftest import ROOT
from tests.run.samples.conftest import behave, make_scenario

PATHS = {"RelayProcess": "relay", "BarePeer": "peer"}


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def peer_pid(tool_java: Path) -> int:
    return int((tool_java.parents[2] / "peer.pid").read_text())


def test_a_host_with_delay_has_a_relay(tool_java: Path, tmp_path: Path) -> None:
    with Peers(tool_java, PATHS, make_scenario(), tmp_path / "logs") as peers:
        assert peers.endpoints["far"].relay_control == 4434
        assert peers.complaint() is None
        pid = peer_pid(tool_java)
        assert is_alive(pid)
        # Else one without memory would live on and answer nobody.
        assert b"-XX:+ExitOnOutOfMemoryError" in Path(f"/proc/{pid}/cmdline").read_bytes()
    assert not is_alive(pid)


def test_without_delay_there_is_none(tool_java: Path, tmp_path: Path) -> None:
    scenario = make_scenario(hosts={"far": {"peer": "bare"}})
    with Peers(tool_java, PATHS, scenario, tmp_path / "logs") as peers:
        assert peers.endpoints["far"].relay_control is None


@pytest.mark.parametrize(
    ("behaviour", "says"),
    [
        (
            {"refuses": "port 4433 is taken"},
            "the peer of far did not start (exit code 1: BarePeer: port 4433 is taken)",
        ),
        (
            {"refuses": "keystore x.p12 cannot be read"},
            "the peer of far did not start (exit code 1: BarePeer: keystore x.p12 cannot be read)",
        ),
        ({"says": "hello"}, "did not report that it is ready; it printed: 'hello'"),
        ({"says": '{"ready": false}'}, "did not report that it is ready"),
    ],
)
def test_a_peer_that_does_not_answer(
    tool_java: Path, tmp_path: Path, behaviour: dict[str, str], says: str
) -> None:
    behave(tool_java.parents[1], **behaviour)
    with (
        pytest.raises(PeerError) as error,
        Peers(tool_java, PATHS, make_scenario(), tmp_path / "logs"),
    ):
        pass
    assert says in str(error.value)


@pytest.mark.parametrize(
    "says_first",
    [
        "Recording 1 scheduled to start in 1 s. No limit.\n\nUse jcmd 7 JFR.dump name=1\n",
        "Started recording 1.\n\nUse jcmd 7 JFR.dump name=1 to copy recording data to file.\n",
        "[0.4s][info][jfr,startup] Recording 1 scheduled to start in 1 s.\n[0.4s][info][jfr] \n",
    ],
    ids=["11", "8", "17"],
)
def test_what_a_jvm_says_of_its_recording_is_passed_over(
    tool_java: Path, tmp_path: Path, says_first: str
) -> None:
    behave(tool_java.parents[1], says_first=says_first)
    with Peers(tool_java, PATHS, make_scenario(), tmp_path / "logs") as peers:
        assert peers.endpoints["far"].peer_control == 4434


def test_a_missing_java(tmp_path: Path) -> None:
    with (
        pytest.raises(PeerError, match="the peer of far did not start: No such file"),
        Peers(tmp_path / "java", PATHS, make_scenario(), tmp_path / "logs"),
    ):
        pass


def test_one_that_dies_is_told_and_started_again(tool_java: Path, tmp_path: Path) -> None:
    with Peers(tool_java, PATHS, make_scenario(), tmp_path / "logs") as peers:
        pid = peer_pid(tool_java)
        os.kill(pid, signal.SIGKILL)
        deadline_s = time.monotonic() + 60
        while peers.complaint() is None and time.monotonic() < deadline_s:
            time.sleep(0.01)
        assert peers.complaint() == "the peer of far died (exit code -9)"
        peers.restart()
        assert peers.complaint() is None
        assert peer_pid(tool_java) != pid


def test_one_that_is_stopped_is_ended_all_the_same(tool_java: Path, tmp_path: Path) -> None:
    with Peers(tool_java, PATHS, make_scenario(), tmp_path / "logs") as peers:
        pids = peers.pids  # a relay, too
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
    assert len(pids) == 2
    assert not any(map(is_alive, pids))


def test_no_peer_outlives_a_kit_that_is_killed(tool_java: Path, tmp_path: Path) -> None:
    program = f"""
import sys, time
from pathlib import Path
from jdkmatrix.run.samples.peers import Peers
from tests.run.samples.conftest import make_scenario
logs = Path({str(tmp_path / "logs")!r})
peers = Peers(Path({str(tool_java)!r}), {PATHS!r}, make_scenario(), logs)
with peers:
    print("ready", flush=True)
    time.sleep(60)
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}
    kit = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, env=environment)
    assert kit.stdout and kit.stdout.readline() == b"ready\n"
    pid = peer_pid(tool_java)
    kit.kill()
    kit.wait()
    kit.stdout.close()
    deadline_s = time.monotonic() + 5
    while is_alive(pid) and time.monotonic() < deadline_s:
        time.sleep(0.02)
    assert not is_alive(pid)

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What makes a sample void, and what the load JVM is told."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from jdkmatrix.machine.children import Children
from jdkmatrix.plan.blocks import Arm
from jdkmatrix.records.record import OverlayRecord
from jdkmatrix.records.sample_record import SampleRecord
from jdkmatrix.run.samples.peers import KeptServices, Peers
from jdkmatrix.run.samples.sample_jvm import LoadCommand, Sampling
from jdkmatrix.vocabulary import Metric
from tests.run.samples.conftest import make_build, make_client, make_java, make_scenario
from tests.run.samples.test_peers import is_alive

BUILD = "temurin-17.0.9+9"
PATHS = {"RelayProcess": "relay", "BarePeer": "peer"}


@pytest.fixture(scope="module")
def peers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Peers]:
    """The same for all tests, of which one kills the peer: it comes with those of its own."""
    folder = tmp_path_factory.mktemp("peers")
    with Peers(make_java(folder / "tool"), PATHS, make_scenario(), folder / "logs") as running:
        yield running


def sample_of(peers: Peers, tmp_path: Path, **behaviour: object) -> SampleRecord:
    build = make_build(tmp_path / "build", BUILD, always_bad=True, **behaviour)
    scenario = make_scenario(**{"timeout-ms": 1500})
    command = LoadCommand("test", scenario, make_client(), "classes")
    sampling = Sampling(command, peers, KeptServices(), Children())
    return sampling.take(Arm(BUILD, BUILD), build, tmp_path / "sample")


def test_a_good_one(peers: Peers, tmp_path: Path) -> None:
    record = sample_of(peers, tmp_path)
    assert record.counts
    assert 990 <= record.figures[Metric.REQUESTS_PER_S] <= 1010
    assert record.figures[Metric.WORST_LATENCY_US] == 50
    assert Metric.P99_LATENCY_US not in record.figures
    assert record.connections == 3


FAULTS = [
    ("hang", "the load JVM was still running after 2 s"),
    ("stopped", "the load JVM was still running after 2 s"),
    ("oom", "java.lang.OutOfMemoryError: Java heap space"),
    ("no-file", "the load JVM failed (exit code 1): Error: Could not find or load main class Load"),
    ("void", "no TLSv1.3 in this JDK"),
    ("wrong-jvm", f"it ran on 1.2.3 (temurin), not on {BUILD} (17.0.9+9, temurin)"),
    ("idle", "no request ended in the window: no requests-per-s"),
    ("killed", "the load JVM failed (exit code -9): no message"),
]


@pytest.mark.parametrize(("fault", "says"), FAULTS)
def test_void(peers: Peers, tmp_path: Path, fault: str, says: str) -> None:
    is_void(sample_of(peers, tmp_path, fault=fault), says)


def test_void_where_the_peer_is_killed(tool_java: Path, tmp_path: Path) -> None:
    with Peers(tool_java, PATHS, make_scenario(), tmp_path / "logs") as own_peers:
        record = sample_of(own_peers, tmp_path, fault="kill-peer")
    is_void(record, "the peer of far died (exit code -9)")


def is_void(record: SampleRecord, says: str) -> None:
    assert record.void is not None
    assert says in record.void
    assert record.figures == {}
    assert not record.counts


def test_nothing_is_left_of_a_driver_that_is_killed(peers: Peers, tmp_path: Path) -> None:
    sample_of(peers, tmp_path, fault="killed")
    child = int((tmp_path / "build" / "child.pid").read_text())
    assert not is_alive(child)


def test_a_build_without_java(peers: Peers, tmp_path: Path) -> None:
    build = make_build(tmp_path / "build", BUILD)
    java = tmp_path / "build" / "bin" / "java"
    java.unlink()
    command = LoadCommand("test", make_scenario(), make_client(), "classes")
    arm = Arm(BUILD, BUILD)
    sampling = Sampling(command, peers, KeptServices(), Children())
    record = sampling.take(arm, build, tmp_path / "sample")
    assert record.void == (
        f"the load JVM failed (exit code 127): {java} cannot be run: No such file or directory"
    )


def test_a_veto_forbids_the_figures(peers: Peers, tmp_path: Path) -> None:
    record = sample_of(peers, tmp_path, fault="veto")
    assert record.void is None
    assert record.vetoes == ("Host far negotiated TLSv1.2, not TLSv1.3 alone.",)
    assert not record.counts


def test_where_every_request_failed_it_says_with_what(peers: Peers, tmp_path: Path) -> None:
    record = sample_of(peers, tmp_path, fault="failing")
    assert record.void is None
    assert record.vetoes == (
        "Requests of group load failed: {SSLException=9}, the first with SSLException.",
    )
    assert Metric.REQUESTS_PER_S not in record.figures


def test_an_overlay_is_in_force(peers: Peers, tmp_path: Path) -> None:
    plain = make_build(tmp_path / "build", BUILD)
    overlay = OverlayRecord(
        name="slow",
        option="--overlay slow",
        sha256="ab" * 32,
        java_options=("--patch-module=java.base=slow/java.base",),
        note="one class as given",
    )
    build = plain.model_copy(update={"id": f"{BUILD}+overlay-slow", "overlay": overlay})
    command = LoadCommand("test", make_scenario(), make_client(), "classes")
    arm = Arm(build.id, build.id)
    sampling = Sampling(command, peers, KeptServices(), Children())
    record = sampling.take(arm, build, tmp_path / "sample")
    assert record.counts
    arguments = json.loads((tmp_path / "build" / "arguments.json").read_text())
    assert arguments.index("--patch-module=java.base=slow/java.base") < arguments.index("-cp")


def test_what_the_load_is_told(peers: Peers, tmp_path: Path) -> None:
    sample_of(peers, tmp_path)
    lines = (tmp_path / "sample" / "SAMPLE.properties").read_text().splitlines()
    assert {
        "scenario=test",
        "client=FakeClient",
        f"out={tmp_path / 'sample'}",
        "pacing=closed",
        "warm_up_ms=0",
        "measure_ms=100",
        "protocols=TLSv1.3",
        "host.far.url=https://127.0.0.1:4433",
        "host.far.relay_control=127.0.0.1:4434",
        "group.load.host=far",
        "group.load.read_timeout_ms=1000",
        "group.load.close_after=false",
        "group.load.measured=true",
        "expect.protocol=TLSv1.3",
        "expect.far.resumed=none",
    } <= set(lines)
    assert not [line for line in lines if "None" in line]


def test_options_of_scenario_and_client() -> None:
    scenario = make_scenario(
        **{"system-properties": {"http.maxConnections": 8}, "jvm-options": ["-Xmx64m"]}
    )
    client = make_client(**{"system-properties": {"a.b": True}})
    command = LoadCommand("test", scenario, client, "classes")
    assert command.java_options() == [
        "-XX:+ExitOnOutOfMemoryError",
        "-Xmx64m",
        "-Dhttp.maxConnections=8",
        "-Da.b=true",
    ]

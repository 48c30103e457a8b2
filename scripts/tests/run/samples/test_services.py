# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A service is on the build, its load on the tool JDK; when is their sample void?"""

import json
from pathlib import Path
from typing import Any

import pytest

from jdkmatrix.config.clients import Service
from jdkmatrix.machine.children import Children
from jdkmatrix.plan.blocks import Arm
from jdkmatrix.records.sample_record import SampleRecord
from jdkmatrix.run.samples.peers import KeptServices, Peers
from jdkmatrix.run.samples.sample_jvm import LoadCommand, Sampling, ServiceProgram
from jdkmatrix.vocabulary import Metric
from tests.run.samples.conftest import behave, make_build, make_client, make_java, make_scenario

BUILD = "temurin-17.0.9+9"
SCENARIO = {
    "clients": [],
    "services": ["fake-tls"],
    "driver": "fake",
    "headline": "cpu-us-per-request",
    "hosts": {"far": {"peer": "service", "settings": {"tickets": False}}},
    "expect": {"protocol": "TLSv1.3", "resumed": "none"},
}
SAME_JVM = {"runtime_version": "17.0.9+9", "vendor": "temurin"}
SERVICE = {"class": "FakeService", "sources": ["fake"], "settings": {"tls": "jsse"}}


def sample_of(
    tmp_path: Path,
    layer: str = "jsse",
    driver: dict[str, Any] | None = None,
    same_collector: bool = False,
    **behaviour: Any,
) -> SampleRecord:
    build = make_build(tmp_path / "build", BUILD)
    behave(tmp_path / "build", **{**SAME_JVM, **behaviour})
    java = make_java(tmp_path / "driver", runtime_version="17", vendor="tool", **driver or {})
    service = Service.model_validate({**SERVICE, "layer": layer})
    program = ServiceProgram(service, "service-classes", java, same_collector)
    scenario = make_scenario(**SCENARIO)
    command = LoadCommand("test", scenario, make_client(), "classes", program)
    with Peers(java, {}, scenario, tmp_path / "peers") as peers:
        assert peers.endpoints == {}
        sampling = Sampling(command, peers, KeptServices(), Children())
        return sampling.take(Arm(BUILD, BUILD), build, tmp_path / "sample")


def test_the_service_is_on_the_build_and_the_load_on_the_tool_jdk(tmp_path: Path) -> None:
    record = sample_of(tmp_path, same_collector=True)
    assert record.counts
    service = json.loads((tmp_path / "build" / "arguments.json").read_text())
    assert service[-5:] == ["-cp", "service-classes", "FakeService", "tls=jsse", "tickets=false"]
    assert "-XX:+UseParallelGC" in service
    load = json.loads((tmp_path / "driver" / "arguments.json").read_text())
    assert load[-4:-1] == ["-cp", "classes", "Load"]
    assert "-XX:+UseParallelGC" not in load


@pytest.mark.parametrize(
    ("layer", "scheme", "expects"), [("jsse", "https", True), ("plain", "http", False)]
)
def test_nothing_of_tls_is_expected_of_a_plain_one(
    tmp_path: Path, layer: str, scheme: str, expects: bool
) -> None:
    sample_of(tmp_path, layer)
    text = (tmp_path / "sample" / "SAMPLE.properties").read_text()
    assert f"host.far.url={scheme}://127.0.0.1:4433\n" in text
    assert "costs_of=hosts\n" in text
    assert [name in text for name in ("expect.protocol", "expect.resumed")] == 2 * [expects]


def test_a_rate_tells_nothing_where_the_driver_may_be_the_limit(tmp_path: Path) -> None:
    idle = sample_of(tmp_path / "idle", driver={"driver_cores": 0.5})
    busy = sample_of(tmp_path / "busy", driver={"driver_cores": 0.51})
    assert Metric.REQUESTS_PER_S in idle.figures
    assert Metric.REQUESTS_PER_S not in busy.figures
    assert Metric.CPU_US_PER_REQUEST in busy.figures


def test_a_service_that_does_not_start_makes_the_sample_void(tmp_path: Path) -> None:
    record = sample_of(tmp_path, refuses="no native library for this machine")
    assert record.void == (
        "the service far did not start (exit code 1: BarePeer: no native library for this machine)"
    )


def test_a_service_on_another_jdk_makes_the_sample_void(tmp_path: Path) -> None:
    record = sample_of(tmp_path, runtime_version="17.0.8+7")
    assert record.void is not None
    assert record.void.startswith("it ran on 17.0.8+7 (temurin), not on temurin-17.0.9+9")

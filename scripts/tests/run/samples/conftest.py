# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A throughput run without a JVM: a `java` that is a small Python program.

As a peer or relay it says that it is ready and waits for the end of its input; as a load it writes
the `sample.json` that `behaviour.json` beside it describes.
"""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jdkmatrix.config.clients import Client, Service
from jdkmatrix.config.scenarios import Scenario
from jdkmatrix.errors import MachineError
from jdkmatrix.machine.children import ChildEnd, Children
from jdkmatrix.machine.processes import start_java
from jdkmatrix.plan.blocks import Arm
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.records.sample_record import SampleRecord
from tests.run.samples import fake_load, fake_peer

FAKE_LOAD, FAKE_PEER = (Path(__file__).with_name(f"fake_{end}.py") for end in ("load", "peer"))
SCENARIO = {
    "title": "A test",
    "clients": ["fake"],
    "warm-up-ms": 0,
    "measure-ms": 100,
    "timeout-ms": 5000,
    "hosts": {"far": {"peer": "bare", "rtt-ms": 2}},
    "groups": {"load": {"host": "far", "threads": 2, "read-timeout-ms": 1000}},
    "expect": {"protocol": "TLSv1.3", "hosts": {"far": {"resumed": "none"}}},
}


def make_scenario(**changes: Any) -> Scenario:
    return Scenario.model_validate({**SCENARIO, **changes})


def make_client(**changes: Any) -> Client:
    return Client.model_validate(
        {"class": "FakeClient", "sources": ["load"], "layer": "httpurlconnection", **changes}
    )


def make_java(home: Path, **behaviour: Any) -> Path:
    """A `bin/java` at `home` that behaves so."""
    java = home / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(
        f"""#!/bin/sh
case "$*" in
*/SAMPLE.properties) program="{FAKE_LOAD}" ;;
*) program="{FAKE_PEER}" ;;
esac
exec "{sys.executable}" -I -S "$program" "{home}" "$@"
"""
    )
    java.chmod(0o755)
    behave(home, **behaviour)
    return java


def behave(home: Path, **behaviour: Any) -> None:
    (home / "behaviour.json").write_text(json.dumps(behaviour))


def make_build(home: Path, build_id: str, **behaviour: Any) -> BuildRecord:
    vendor, _, version = build_id.partition("-")
    make_java(home, runtime_version=version, vendor=vendor, **behaviour)
    return BuildRecord(
        id=build_id,
        entry=build_id,
        version=version,
        vendor=vendor,
        train=int(version.partition(".")[0]),
        source="wheel",
        sha256="ab" * 32,
        home=str(home),
        facts={"version": version, "vendor": vendor, "vm_name": "Fake", "has_jfr": False},
    )


@dataclass
class EventLog:
    """A listener that remembers."""

    samples: list[SampleRecord] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    stop_after: int | None = None

    def comparison_started(self, name: str, number_of: str) -> None:
        pass

    def sample_started(self, arm: Arm, block: int) -> None:
        if self.stop_after is not None and len(self.samples) >= self.stop_after:
            raise KeyboardInterrupt

    def sample_ended(self, sample: SampleRecord, block: int) -> None:
        self.samples.append(sample)

    def notice(self, text: str) -> None:
        self.notices.append(text)


class InProcess(Children):
    """Plays a load JVM without a process, which costs two starts of Python, where it can."""

    def run(
        self, command: Sequence[str], log: Path, env: Mapping[str, str], timeout_s: float
    ) -> tuple[ChildEnd, int]:
        home = Path(command[0]).parents[1]
        behaviour = json.loads((home / "behaviour.json").read_text())
        if behaviour.get("fault") in ENDS_A_PROCESS and fake_load.is_bad(home, behaviour):
            return super().run(command, log, env, timeout_s)
        try:
            fake_load.main(home, list(command[1:]))
        except SystemExit as stop:
            log.write_text("" if isinstance(stop.code, int) else f"{stop.code}\n")
            return ChildEnd.FINISHED, stop.code if isinstance(stop.code, int) else 1
        return ChildEnd.FINISHED, 0


# What only a process can do: stand still, print, be killed.
ENDS_A_PROCESS = ("hang", "stopped", "oom", "no-file", "killed")


class PlayedPeer:
    """Plays a peer or relay that lives for as long as it shall, without a process.

    A process costs three starts of Python.
    """

    pid = os.getpid()

    def __init__(self) -> None:
        says, write_end = os.pipe()
        os.write(write_end, json.dumps(fake_peer.ready({}, self.pid)).encode() + b"\n")
        os.close(write_end)
        self.supervisor = SimpleNamespace(stdin=None, stdout=open(says, "rb"))  # noqa: PTH123, SIM115

    def poll(self) -> None:
        """It runs."""

    def wait(self, timeout_s: float) -> int:
        return 0

    def close(self) -> int:
        return 0


def start_played(command: Sequence[str], errors: Path) -> Any:
    """`start_java`, but for peers of which `behaviour.json` tells nothing: those are played."""
    behaviour = Path(command[0]).parents[1] / "behaviour.json"
    return start_java(command, errors) if json.loads(behaviour.read_text()) else PlayedPeer()


@dataclass(frozen=True)
class FakePrograms:
    """What `LoadPrograms` gives, without compiling."""

    java: Path

    def class_path(self, client: Client) -> str:
        if client.jars == "none":
            raise MachineError("jars: not in the cache, and offline")
        return "classes"

    def service_class_path(self, service: Service) -> str:
        return "service-classes"

    def peer_class_paths(self, kinds: Sequence[str]) -> Mapping[str, str]:
        return {"RelayProcess": "relay", "BarePeer": "peer", "WireMockPeer": "peer"}


@pytest.fixture
def tool_java(tmp_path: Path) -> Path:
    """What peers run on."""
    return make_java(tmp_path / "tool")

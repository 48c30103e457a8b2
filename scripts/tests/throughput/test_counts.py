# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a sample count what a request takes, and what if it cannot?"""

import random
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from jdkmatrix.run.samples.turns import Schedule, Turns
from tests.throughput.load_kit import TIMEOUT_S, Java, PeerOf, Program, Settings

pytestmark = [pytest.mark.jdk, pytest.mark.network]

CLOSING = {"group.load.close_after": "true"}
# Before the JVMs have compiled anything.
COLD_BYTES = {"reused": (2_000, 100_000), "closed": (50_000, 5_000_000)}


@pytest.fixture
def samples(java: Java, peer_of: PeerOf) -> dict[str, dict[str, Any]]:
    """Those of JVMs that take turns, by what each does."""
    staying, closing = peer_of(), peer_of("tickets=false")
    return take_in_turns(
        java,
        {
            "reused": (staying, {}),
            "closed": (closing, CLOSING),
            "more": (staying, {"client": "TakesMore"}),
            "one port": (staying, {"client": "AsksOnePort"}),
        },
    )


def take_in_turns(
    java: Java, loads: Mapping[str, tuple[Program, Settings]]
) -> dict[str, dict[str, Any]]:
    with Turns(Schedule(turn_ms=300, warm_up_ms=1200, measure_ms=1200)) as turns:
        jvms = {}
        for name, (peer, settings) in loads.items():
            jvm = replace(java, folder=java.folder / name.replace(" ", "-"), _programs=[])
            jvm.folder.mkdir()
            command = jvm.sample_command(peer, {"turns": turns.address, **settings})
            process = subprocess.Popen(command)
            jvms[name] = jvm, process
            turns.admit(lambda process=process: process.poll() is not None)  # type: ignore[misc]
        turns.give(random.Random(1))
        for _, process in jvms.values():
            assert process.wait(TIMEOUT_S) == 0
    return {name: jvm.read() for name, (jvm, _) in jvms.items()}


def test_what_a_request_takes_is_counted(samples: Mapping[str, dict[str, Any]]) -> None:
    assert {name: (sample["void"], sample["vetoes"]) for name, sample in samples.items()} == {
        name: (None, []) for name in samples
    }
    wire = {name: sample["wire"] for name, sample in samples.items()}
    assert (wire["reused"]["records_per_request"], wire["reused"]["round_trips_per_request"]) == (
        2,
        1,
    )
    assert 300 < wire["reused"]["bytes_per_request"] < 600
    # Hello; hello, change_cipher_spec, four messages of the server; change_cipher_spec, Finished;
    # request and reply: each a record of its jvm. Alerts do not count.
    assert (wire["closed"]["records_per_request"], wire["closed"]["round_trips_per_request"]) == (
        11,
        2,
    )
    assert (wire["more"]["records_per_request"], wire["more"]["round_trips_per_request"]) == (4, 2)
    assert wire["more"]["bytes_per_request"] == 2 * wire["reused"]["bytes_per_request"]
    # The figures of time stay.
    assert wire["one port"] == {"failure": "java.io.IOException: another port"}
    assert samples["one port"]["requests"] > 0
    for name, (least_bytes, most_bytes) in COLD_BYTES.items():
        assert least_bytes < samples[name]["allocated_bytes_per_request"] < most_bytes
    more_bytes = [samples[name]["allocated_bytes_per_request"] for name in ("reused", "more")]
    assert 64 * 1024 < more_bytes[1] - more_bytes[0] < 64 * 1024 + 2 * more_bytes[0]

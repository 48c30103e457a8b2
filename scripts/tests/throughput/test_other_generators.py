# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is the peer of `reuse` faster than the client that is measured with it?

That is asked with load generators written in C, in turn with ours and on the same peer. For longer:
`GENERATOR_ROUNDS=6 GENERATOR_SECONDS=8 scripts/test tests/throughput/test_other_generators.py -s`
"""

import os
import random
import re
import shutil
import subprocess
from collections.abc import Callable
from statistics import median

import pytest

from tests.throughput.load_kit import TIMEOUT_S, Java, Program

pytestmark = [pytest.mark.jdk, pytest.mark.network, pytest.mark.quiet]

ROUNDS = int(os.environ.get("GENERATOR_ROUNDS", "1"))
MEASURE_S = int(os.environ.get("GENERATOR_SECONDS", "2"))
WARM_UP_S = 8
CONNECTIONS = 8  # as the scenario `reuse`
# wrk tells of failures only where there are some; h2load of each kind, and of the protocol.
FAILURES = ("Non-2xx", "Socket errors", r"[1-9]\d* (?:failed|errored|timeout)", r"TLSv1\.[0-2]")


def rate(command: list[str], pattern: str) -> float:
    """Requests/s, as a load generator prints them."""
    process = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=True)
    match = re.search(pattern, process.stdout)
    assert match, process.stdout
    for failure in FAILURES:
        assert not re.search(failure, process.stdout), process.stdout
    return float(match[1])


def wrk(address: str) -> float:
    command = ["wrk", f"-c{CONNECTIONS}", "-t2", f"-d{MEASURE_S}s", address]
    return rate(command, r"Requests/sec:\s+([\d.]+)")


def h2load(address: str) -> float:
    command = ["h2load", "--h1", f"-c{CONNECTIONS}", "-t2", "-D", str(MEASURE_S), address]
    return rate(command, r"finished in [\d.]+s, ([\d.]+) req/s")


GENERATORS: dict[str, Callable[[str], float]] = {"wrk": wrk, "h2load": h2load}


def own_rate(java: Java, peer: Program) -> float:
    settings = {
        "warm_up_ms": WARM_UP_S * 1000,
        "measure_ms": MEASURE_S * 1000,
        "group.load.threads": CONNECTIONS,
        "expect.max_new_connections_per_1000_requests": 1,
    }
    program, *arguments = java.sample_command(peer, settings)
    subprocess.run(
        [program, f"-Dhttp.maxConnections={CONNECTIONS}", *arguments],
        capture_output=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    sample = java.read()
    assert (sample["vetoes"], sample["void"]) == ([], None)
    return float(sample["groups"][0]["requests_per_s"])


def test_the_peer_answers_more_than_the_client_asks(java: Java) -> None:
    names = [name for name in GENERATORS if shutil.which(name)]
    if not names:
        pytest.skip(f"this machine has none of {', '.join(GENERATORS)}")
    peer = java.start("BarePeer", "warm_up_ms=12000")
    address = f"https://127.0.0.1:{peer.port}/body?bytes=100"
    rates: dict[str, list[float]] = {name: [] for name in ("HttpsURLConnection", *names)}
    for _ in range(ROUNDS):
        for name in random.sample(list(rates), len(rates)):
            rates[name].append(
                GENERATORS[name](address) if name in GENERATORS else own_rate(java, peer)
            )
    medians = {name: median(samples) for name, samples in rates.items()}
    own_median = medians.pop("HttpsURLConnection")
    print(f"\nHttpsURLConnection {own_median:,.0f} requests/s, median of {ROUNDS}")
    for name, median_rate in medians.items():
        print(f"{name} {median_rate:,.0f} requests/s: {median_rate / own_median:.2f} times as many")
    assert max(medians.values()) > own_median

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a sample tell what happened, and does nothing that went wrong count?"""

import os
import random
import re
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from jdkmatrix.run.samples.turns import Schedule, Turns
from tests.throughput.load_kit import (
    MEASURE_MS,
    TIMEOUT_S,
    WARM_UP_MS,
    Java,
    PeerOf,
    Program,
    Settings,
    serve_text,
)

pytestmark = [pytest.mark.jdk, pytest.mark.network]

STALL_S = 1.0


def test_a_sample_tells_what_was_measured(java: Java, peer_of: PeerOf) -> None:
    sample = java.sample(peer_of())
    assert (sample["vetoes"], sample["void"]) == ([], None)
    assert (sample["protocol"], sample["cipher"]) == ("TLSv1.3", "TLS_AES_256_GCM_SHA384")
    (group,), (host,) = sample["groups"], sample["hosts"]
    assert group["requests"] == sample["requests"] > 0
    assert group["requests_per_s"] == pytest.approx(
        1000 * group["requests"] / sample["measured_ms"], rel=0.01
    )
    # The peer's window is a little longer: counters are read before it and after.
    assert group["requests"] <= host["peer"]["requests"] < 1.5 * group["requests"] + 10
    assert group["bytes_per_s"] == pytest.approx(100 * group["requests_per_s"], rel=0.01)
    assert host["peer"]["connections"] == 0
    latency = group["latency_us"]
    assert 0 < latency["p50"] <= latency["p99"] <= latency["max"]
    assert latency["max"] >= group["longest_us"]
    assert (java.folder / group["latency_log"]).read_text().count("\n") > 3
    assert 0 < sample["cpu_us_per_request"] * sample["requests"] / 1000 <= sample["cpu_ms"] * 1.01
    assert sample["allocated_bytes_per_request"] > 100
    assert sample["jit_cpu_ms"] > 0


@pytest.fixture(scope="module")
def interpreted_sample(
    tool_jdk: Path, load_class_path: str, tmp_path_factory: pytest.TempPathFactory, peer_of: PeerOf
) -> dict[str, Any]:
    """A sample of a JVM that compiles nothing, without the histograms' jar."""
    classes = load_class_path.partition(os.pathsep)[0]
    java = Java(tool_jdk, classes, tmp_path_factory.mktemp("interpreted"), ("-Xint",))
    return java.sample(peer_of())


def test_what_the_compiler_takes_is_not_the_cost_of_a_request(
    interpreted_sample: dict[str, Any],
) -> None:
    assert (interpreted_sample["vetoes"], interpreted_sample["void"]) == ([], None)
    assert interpreted_sample["jit_cpu_ms"] == 0 < interpreted_sample["cpu_ms"]


def test_without_the_histograms_jar_there_are_no_percentiles(
    interpreted_sample: dict[str, Any],
) -> None:
    (group,) = interpreted_sample["groups"]
    assert (group["latency_us"], group["latency_log"]) == (None, None)
    assert group["longest_us"] > 0


@dataclass(frozen=True)
class Case:
    """A sample that is taken beside others in one JVM: its settings, and its peer's arguments."""

    settings: Settings
    peer: tuple[str, ...] = ()
    relay: str | None = None  # the arguments of the relay to a peer without any, if there is one


WITHOUT_TICKETS = ("tickets=false",)
CLOSING = {"group.load.close_after": "true", "group.load.think_ms": 40, "measure_ms": 2000}
WITH_A_FIN = {"expect.one.min_client_fins": 1}
VETOED = {
    "TLSv1.2 reused": Case(
        {
            "protocols": "TLSv1.2",
            "expect.one.min_new_connections_per_1000_requests": 990,
            "expect.resumed": "all",
        }
    ),
    "closed and resumed": Case(
        {
            **CLOSING,
            "expect.max_new_connections_per_1000_requests": 1,
            "expect.resumed": "none",
        }
    ),
    "closed and full": Case({**CLOSING, "expect.resumed": "all"}, WITHOUT_TICKETS),
}
EXPECTED = {
    f"{protocol} {resumption}": Case(
        {
            "protocols": protocol,
            "expect.protocol": protocol,
            "expect.resumed": resumption,
            "expect.min_new_connections_per_1000_requests": 900,
            **CLOSING,
        },
        peer,
    )
    for protocol in ("TLSv1.3", "TLSv1.2")
    for peer, resumption in (((), "all"), (WITHOUT_TICKETS, "none"))
}
BY_RELAY = {
    "closes": Case({**WITH_A_FIN, **CLOSING}, relay="rtt_ms=0"),
    "closes nothing": Case(WITH_A_FIN, relay="rtt_ms=0"),
    # The handshake has its time-out too, so it is the first thing that fails.
    "fails": Case({"group.load.read_timeout_ms": 50}, relay="rtt_ms=400"),
}


@pytest.fixture(scope="module")
def samples(
    tool_jdk: Path, load_class_path: str, tmp_path_factory: pytest.TempPathFactory, peer_of: PeerOf
) -> Iterator[Mapping[str, dict[str, Any]]]:
    """The sample of each case, one after the other in a JVM that is cold for the first alone."""
    java = Java(tool_jdk, load_class_path, tmp_path_factory.mktemp("samples"))
    relay = cache(lambda arguments: java.relay(peer_of(), arguments))
    cases = {**EXPECTED, **VETOED, **BY_RELAY}
    javas = {name: replace(java, folder=java.folder / name) for name in cases}
    files: list[str] = []
    for name, case in cases.items():
        javas[name].folder.mkdir()
        warm_up_ms = WARM_UP_MS if not files else WARM_UP_MS // 2
        peer = peer_of(*case.peer)
        way = relay(case.relay) if case.relay else None
        settings = {"warm_up_ms": warm_up_ms, **case.settings}
        files.append(javas[name].sample_command(peer, settings, way)[-1])
    process = java.run("EachLoad", *files)
    assert process.stdout.split() == ["0"] * len(cases), process.stderr
    yield {name: case_java.read() for name, case_java in javas.items()}
    java.close()


@pytest.mark.parametrize(
    ("name", "vetoes"),
    [
        (
            "TLSv1.2 reused",
            ("negotiated TLSv1.2, not TLSv1.3 alone", "too much reuse", "0 did, 0 were full"),
        ),
        ("closed and resumed", ("reuse failed", "none had to resume")),
        ("closed and full", ("all had to resume",)),
    ],
)
def test_what_was_not_expected_vetoes(
    samples: Mapping[str, dict[str, Any]], name: str, vetoes: tuple[str, ...]
) -> None:
    texts = samples[name]["vetoes"]
    assert len(texts) == len(vetoes)
    for veto in vetoes:
        assert any(veto in text for text in texts), (veto, texts)


def test_a_sample_in_which_nothing_was_closed_is_vetoed_where_that_matters(
    samples: Mapping[str, dict[str, Any]],
) -> None:
    (veto,) = samples["closes nothing"]["vetoes"]
    assert veto == (
        "The client closed 0 connections to host one in the window, "
        "and 1 are the least that is needed."
    )
    assert samples["closes"]["vetoes"] == []


@pytest.mark.parametrize("name", EXPECTED)
def test_what_was_expected_does_not(samples: Mapping[str, dict[str, Any]], name: str) -> None:
    assert samples[name]["vetoes"] == []


def test_in_turns_a_load_works_in_its_own_alone(java: Java, peer_of: PeerOf) -> None:
    peer = peer_of()
    with Turns(Schedule(turn_ms=200, warm_up_ms=WARM_UP_MS // 2, measure_ms=600)) as turns:
        command = java.sample_command(peer, {"turns": turns.address, "group.load.threads": 4})
        with subprocess.Popen(command) as load:
            turns.admit(lambda: load.poll() is not None)
            rest_count = peer.counters()["requests"]
            time.sleep(0.5)
            assert peer.counters()["requests"] == rest_count
            turns.give(random.Random(1))
            assert load.wait(TIMEOUT_S) == 0
    sample = java.read()
    (group,), (host,) = sample["groups"], sample["hosts"]
    assert (sample["turns"], sample["void"], sample["vetoes"]) == (3, None, [])
    assert 600 <= sample["measured_ms"] < 3000  # four requests may end late, not more
    # Every request of a turn has ended before the next: peer and client count the same.
    assert group["requests"] == host["peer"]["requests"] > 0
    warm_up_count = peer.counters()["requests"] - rest_count - group["requests"]
    assert 0 < sample["warm_up_requests"] <= warm_up_count, "some turns are to warm up"
    assert list(turns.requests) == [sample["warm_up_requests"]]


def test_a_load_that_can_not_pause_works_before_between_and_in_its_turns(
    java: Java, peer_of: PeerOf
) -> None:
    peer = peer_of()
    with Turns(Schedule(turn_ms=0, warm_up_ms=WARM_UP_MS // 2, measure_ms=600)) as turns:
        command = java.sample_command(peer, {"turns": turns.address, "pauses": "false"})
        with subprocess.Popen(command) as load:
            turns.admit(lambda: load.poll() is not None)
            _await_requests(peer, peer.counters()["requests"] + 2)
            turns.give(random.Random(1))
            assert load.wait(TIMEOUT_S) == 0
    sample = java.read()
    assert (sample["turns"], sample["void"], sample["vetoes"]) == (1, None, [])
    assert sample["groups"][0]["requests"] > 0
    assert list(turns.requests) == [sample["warm_up_requests"]]
    assert sample["warm_up_requests"] > 0


def test_a_load_that_gets_no_turn_any_more_is_void(java: Java, peer_of: PeerOf) -> None:
    with Turns(Schedule(turn_ms=200, warm_up_ms=WARM_UP_MS, measure_ms=600)) as turns:
        load = subprocess.Popen(java.sample_command(peer_of(), {"turns": turns.address}))
        turns.admit(lambda: load.poll() is not None)
    assert load.wait(TIMEOUT_S) == 3
    assert "nobody gives turns any more" in java.read()["void"]


def test_failed_requests_veto_and_are_counted_by_kind(
    samples: Mapping[str, dict[str, Any]],
) -> None:
    sample = samples["fails"]
    (group,) = sample["groups"]
    assert group["errors"]["SocketTimeoutException"] > 0
    assert "SocketTimeoutException" in group["first_error"]
    assert any("group load failed" in veto for veto in sample["vetoes"])


def test_a_peer_that_dies_makes_the_sample_void(java: Java) -> None:
    peer = java.peer()
    command = java.sample_command(peer, {"measure_ms": 4000})
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as load:
        _await_requests(peer, 10)
        peer.process.kill()
        assert load.wait(TIMEOUT_S) == 3
    assert "the peer of host one does not answer" in java.read()["void"]


H2LOAD = {"client": "H2loadCrew", "driver.program": "h2load"}
BUSY = "HTTP/1.1 503 Busy\r\n\r\n"
IDLE = {"client": "IdleCrew", "group.load.threads": 2}
MADE_UP = {
    "client": "AsksNobody",
    "warm_up_ms": 0,
    "measure_ms": 200,
    "group.load.request_body_bytes": 100,
}


def test_why_a_sample_is_void(java: Java) -> None:
    """Each for itself, though all in one JVM."""
    refusal = "client {} cannot do this: "
    of_h2load, of_idle = refusal.format("H2loadCrew"), refusal.format("IdleCrew")
    with (
        serve_text("") as silent,
        serve_text("requests=0\n") as telling,
        serve_text(BUSY, once_asked=True) as busy,
    ):
        cases: list[tuple[dict[str, object], str]] = [
            (
                {**H2LOAD, "pacing": "open", "rate_per_s": 10},
                f"{of_h2load}h2load asks for one group, in a closed loop",
            ),
            ({"client": "H2loadCrew"}, f"{of_h2load}no driver.program"),
            (
                {**H2LOAD, "driver.http": "http2"},
                f"{of_h2load}driver.http=http2: give one of h1, h2",
            ),
            (
                {**H2LOAD, "driver.streams": 0},
                f"{of_h2load}driver.streams=0: give a whole number from 1 to 1000",
            ),
            (
                {**H2LOAD, "expect.group": "secp384r1"},
                f"{of_h2load}h2load knows no group secp384r1: "
                "give one of [X25519MLKEM768, secp256r1, x25519]",
            ),
            (
                {**IDLE, "turns": "127.0.0.1:1"},
                f"{of_idle}it keeps connections of one group, in one go",
            ),
            (
                {
                    **IDLE,
                    "host.one.url": f"http://127.0.0.1:{busy}",
                    "host.one.peer_control": f"127.0.0.1:{telling}",
                },
                "connection 1 of 2 failed: java.io.IOException: it answers HTTP/1.1 503 Busy",
            ),
            (
                {**MADE_UP, "host.one.peer_control": f"127.0.0.1:{silent}"},
                f"the peer of host one does not answer on 127.0.0.1:{silent}: "
                "java.io.EOFException: it has told nothing",
            ),
            (
                {"client": "NoSuchClient"},
                "client NoSuchClient cannot be had: java.lang.ClassNotFoundException: NoSuchClient",
            ),
            (
                {"client": "UnwillingClient"},
                refusal.format("UnwillingClient") + "not on Tuesdays",
            ),
            (
                {"client": "BrokenClient", "host.one.peer_control": f"127.0.0.1:{telling}"},
                "a thread of the load broke: java.lang.OutOfMemoryError: planted",
            ),
        ]
        javas = [Java(java.home, java.class_path, java.folder / str(n)) for n in range(len(cases))]
        files = []
        for case_java, (settings, _) in zip(javas, cases, strict=True):
            case_java.folder.mkdir()
            files.append(case_java.sample_command(_ended_peer(), settings)[-1])
        process = java.run("EachLoad", *files)
    assert process.stdout.split() == ["3"] * len(cases), process.stderr
    assert process.stderr == ""
    assert [case_java.read()["void"] for case_java in javas] == [void for _, void in cases]


def test_what_nobody_tells_vetoes(java: Java) -> None:
    with serve_text("requests=0\n") as telling:
        settings = {
            **MADE_UP,
            "group.load.request_body_bytes": 99,
            "host.one.peer_control": f"127.0.0.1:{telling}",
            "expect.resumed": "none",
        }
        sample = java.sample(_ended_peer(), settings)
    (group,) = sample["groups"]
    assert group["requests"] == 0 < group["errors"]["WrongLengthException"]
    count = group["errors"]["WrongLengthException"]
    assert sample["vetoes"] == [
        f"Requests of group load failed: {{WrongLengthException={count}}}, the first with "
        "Worker$WrongLengthException: the body had 99 bytes, not 100.",
        "Nothing tells which protocol was negotiated with host one.",
        "Nothing tells whether the handshakes with host one resumed.",
    ]


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"pacing": "ajar"}, "pacing=ajar: give one of closed, open"),
        ({"pacing": "open"}, "no rate_per_s"),
        ({"measure_ms": "0"}, "measure_ms=0: give a whole number from 1 to 3600000"),
        ({"group.load.host": "two"}, "group.load.host=two: give one of [one]"),
        ({"group.load.measured": "false"}, "no group is measured"),
        ({"expect.resumed": "some"}, "expect.resumed=some: give one of any, all, none"),
    ],
)
def test_a_wrong_property_is_one_line(java: Java, settings: dict[str, Any], complaint: str) -> None:
    command = java.sample_command(_ended_peer(), settings)
    process = subprocess.run(
        command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )
    assert process.returncode == 4
    (line,) = process.stderr.splitlines()
    assert complaint in line


def _ended_peer() -> Program:
    """A peer that has ended, on ports where nothing answers."""
    peer = Program(subprocess.Popen("true", text=True), 1, 1)
    peer.process.wait()
    return peer


def test_a_stall_shows_in_the_percentiles_of_an_open_loop_alone(java: Java) -> None:
    """An open loop counts what should have been asked meanwhile, a closed one a single request."""
    usual = {"measure_ms": 5000, "group.load.think_ms": 5}  # a stall is no hundredth of requests
    cases = ({**usual, "pacing": "open", "rate_per_s": 100}, {**usual, "pacing": "closed"})
    javas = [Java(java.home, java.class_path, java.folder / str(case["pacing"])) for case in cases]
    with ThreadPoolExecutor() as pool:  # a load of its own peer each, a hundred requests a second
        open_group, closed_group = (
            sample["groups"][0] for sample in pool.map(_sample_with_stall, javas, cases)
        )
    for group in (open_group, closed_group):
        assert group["latency_us"]["max"] > 0.8e6 * STALL_S
    assert closed_group["latency_us"]["p99"] < 0.5e6 * STALL_S < open_group["latency_us"]["p99"]


def _sample_with_stall(java: Java, settings: Settings) -> dict[str, Any]:
    """A sample whose peer stops for a while."""
    java.folder.mkdir()
    peer = java.peer()
    count = peer.counters()["requests"]
    with subprocess.Popen(java.sample_command(peer, settings)) as load:
        _await_requests(peer, count + 2)
        time.sleep(WARM_UP_MS / 1000 + STALL_S)  # well inside the window, on a busy machine too
        os.kill(peer.process.pid, signal.SIGSTOP)
        time.sleep(STALL_S)
        os.kill(peer.process.pid, signal.SIGCONT)
        assert load.wait(TIMEOUT_S) == 0
    java.close()
    sample = java.read()
    assert sample["pacing"] == settings["pacing"]
    return sample


def _await_requests(peer: Program, count: int) -> None:
    deadline_s = time.monotonic() + TIMEOUT_S
    while peer.counters()["requests"] < count:
        assert time.monotonic() < deadline_s, "the load does not begin"
        time.sleep(0.02)


def test_by_hand_a_control_takes_a_sample_that_counts(java: Java, root: Path) -> None:
    """In less time than jtreg gives it."""
    _shorten(root, java.folder, WARM_UP_MS, MEASURE_MS)
    process = _reuse_by_hand(java, "relay", java.folder)
    assert process.returncode == 0, process.stderr
    sample = java.read()
    assert (sample["scenario"], sample["vetoes"]) == ("reuse/relay", [])
    assert sample["hosts"][0]["relay"]


def test_by_hand_a_sample_that_is_vetoed_fails(java: Java, root: Path) -> None:
    scenarios = _shorten(root, java.folder, 0, 200)
    text = scenarios.read_text()
    scenarios.write_text(
        text.replace("/no-read-timeout = ", "/no-read-timeout = protocols=TLSv1.2 ")
    )
    process = _reuse_by_hand(java, "no-read-timeout", java.folder)
    assert process.returncode == 1
    assert java.read()["vetoes"]
    assert "AssertionError: the sample does not count: see void or vetoes above" in process.stderr


def _shorten(root: Path, folder: Path, warm_up_ms: int, measure_ms: int) -> Path:
    """Scenarios by hand as they are shipped, but for their times, in a folder to run them in."""
    path = Path("test", "throughput", "hand", "scenarios.properties")
    text = re.sub(r"warm_up_ms=\d+", f"warm_up_ms={warm_up_ms}", (root / path).read_text())
    (folder / path).parent.mkdir(parents=True)
    (folder / path).write_text(re.sub(r"measure_ms=\d+", f"measure_ms={measure_ms}", text))
    return folder / path


def test_by_hand_an_unknown_control_is_told_what_there_is(java: Java, root: Path) -> None:
    process = _reuse_by_hand(java, "relais", root)
    assert process.returncode == 1
    assert "no scenario reuse/relais: give one of [reuse/brief, reuse/no-read" in process.stderr


def _reuse_by_hand(java: Java, control: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        java.command("Reuse", control),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )

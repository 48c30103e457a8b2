# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does the relay do to known transfers what it is told, and count them rightly?"""

import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from tests.throughput.load_kit import TIMEOUT_S, Java, PeerOf, Program

pytestmark = [pytest.mark.jdk, pytest.mark.network]

MIB = 1024 * 1024
# Two transfers of 2 MiB at 1 MiB/s.
BOUNDED_S = 4.0
UNBOUNDED_MIB = 16
# The relay's own queue, and the head, records and handshake around a body.
OVERHEAD = 1.05


def context(version: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3) -> ssl.SSLContext:
    """One that trusts anybody: the relay is under test."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.minimum_version = context.maximum_version = version
    return context


@contextmanager
def connect(
    port: int, tls: ssl.SSLContext, session: ssl.SSLSession | None = None
) -> Iterator[ssl.SSLSocket]:
    with (
        socket.create_connection(("127.0.0.1", port), TIMEOUT_S) as plain,
        tls.wrap_socket(plain, session=session) as connection,
    ):
        yield connection


def exchange(connection: ssl.SSLSocket, reply: int, request: int = 0) -> None:
    """One request, and all of its reply."""
    head = f"POST /body?bytes={reply} HTTP/1.1\r\nHost: x\r\nContent-Length: {request}\r\n\r\n"
    connection.sendall(head.encode() + bytes(request))
    answer = connection.makefile("rb")
    while answer.readline().strip():
        pass
    assert len(answer.read(reply)) == reply


def seconds_of(reply: int, port: int) -> float:
    """How long one exchange takes on a connection of its own."""
    with connect(port, context()) as connection:
        began_s = time.monotonic()
        exchange(connection, reply)
        return time.monotonic() - began_s


def await_count(program: Program, name: str, count: int) -> dict[str, int]:
    """The counters once `name` is `count`: the client is ahead of the relay."""
    deadline_s = time.monotonic() + TIMEOUT_S
    while (counters := program.counters())[name] != count:
        assert time.monotonic() < deadline_s, counters
        time.sleep(0.02)
    return counters


@pytest.mark.parametrize(("reply", "request_body"), [(2 * MIB, 0), (0, 2 * MIB)])
def test_bandwidth_bounds_both_directions_and_all_connections_together(
    java: Java, peer_of: PeerOf, reply: int, request_body: int
) -> None:
    relay = java.relay(peer_of(), f"bandwidth_bytes_per_s={MIB}")
    tls = context()
    with connect(relay.port, tls) as first, connect(relay.port, tls) as second:
        start_s = time.monotonic()
        exchange(first, reply, request_body)
        exchange(second, reply, request_body)
        seconds = time.monotonic() - start_s
    assert BOUNDED_S * 0.95 < seconds < 4 * BOUNDED_S


def test_without_a_bandwidth_nothing_is_bounded(java: Java, peer_of: PeerOf) -> None:
    peer = peer_of()
    relay = java.relay(peer)
    direct_s, relayed_s = (
        seconds_of(UNBOUNDED_MIB * MIB, port) for port in (peer.port, relay.port)
    )
    # At 1 MiB/s it would take a second each. A busy machine is as slow without the relay.
    assert relayed_s < max(UNBOUNDED_MIB * 0.95, 10 * direct_s)


def test_bytes_and_fins_are_counted(java: Java, peer_of: PeerOf) -> None:
    relay = java.relay(peer_of())
    with connect(relay.port, context()) as connection:
        exchange(connection, 2 * MIB, MIB)
        counters = relay.counters()
        assert 2 * MIB < counters["bytes.down"] < 2 * MIB * OVERHEAD
        assert MIB < counters["bytes.up"] < MIB * OVERHEAD
        assert (counters["connections"], counters["client_fins"]) == (1, 0)
    assert await_count(relay, "peer_fins", 1)["client_fins"] == 1


def test_relay_and_peer_tell_full_and_resumed_handshakes_apart(java: Java, peer_of: PeerOf) -> None:
    """Python's client is the witness: it knows itself whether it has resumed."""
    peer = peer_of()
    relay = java.relay(peer)
    tls = context()
    with connect(relay.port, tls) as first:
        exchange(first, 10)
        session = first.session
        assert not first.session_reused
    old = peer.counters()
    with connect(relay.port, tls, session) as second:
        exchange(second, 10)
        assert second.session_reused
    counters = await_count(relay, "connections", 2)
    assert (counters["handshakes.full"], counters["handshakes.resumed"]) == (1, 1)
    assert counters["protocol.TLSv1.3"] == 2
    new = peer.counters()
    assert new["handshakes.resumed"] == old["handshakes.resumed"] + 1
    assert new["handshakes.full"] == old["handshakes.full"]


def test_a_retried_hello_is_one_handshake(java: Java, peer_of: PeerOf) -> None:
    """A client whose only group is not the one it guessed is asked again (RFC 8446, 4.1.4)."""
    relay = java.relay(peer_of())
    tls = context()
    tls.set_ecdh_curve("secp521r1")
    with connect(relay.port, tls) as connection:
        exchange(connection, 10)
    assert relay.counters()["handshakes.full"] == 1


@pytest.mark.parametrize(
    "request_text",
    [
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 2,
        "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nabc",
        f"GET /{'x' * 40_000}",
    ],
    ids=["chunked", "two at once", "half a body", "endless"],
)
def test_what_a_bare_peer_does_not_understand_it_does_not_answer(
    peer_of: PeerOf, request_text: str
) -> None:
    peer = peer_of()
    old = peer.counters()
    with connect(peer.port, context()) as connection:
        connection.sendall(request_text.encode())
        connection.settimeout(0.0)
        with suppress(OSError):
            connection.unwrap()  # no more comes
        connection.settimeout(TIMEOUT_S)
        with suppress(ConnectionError, ssl.SSLZeroReturnError):
            assert connection.recv(1) == b""
    new = await_count(peer, "failures", old["failures"] + 1)
    assert new["requests"] == old["requests"]


def test_a_peer_without_tickets_resumes_nothing(peer_of: PeerOf) -> None:
    peer = peer_of("tickets=false")
    tls = context(ssl.TLSVersion.TLSv1_2)
    with connect(peer.port, tls) as first:
        exchange(first, 10)
        session = first.session
    with connect(peer.port, tls, session) as second:
        exchange(second, 10)
        assert not second.session_reused
    assert peer.counters()["handshakes.resumed"] == 0


def test_tls_1_2_is_told_by_its_protocol_alone(java: Java, peer_of: PeerOf) -> None:
    relay = java.relay(peer_of())
    with connect(relay.port, context(ssl.TLSVersion.TLSv1_2)) as connection:
        exchange(connection, 10)
    counters = relay.counters()
    assert (counters["protocol.TLSv1.2"], counters["protocol.TLSv1.3"]) == (1, 0)
    assert counters["handshakes.full"] + counters["handshakes.resumed"] == 0


def test_the_fin_of_each_connection_is_late(java: Java, peer_of: PeerOf) -> None:
    """The client closes as JSSE does: a close_notify, and its FIN at once."""
    relay = java.relay(peer_of(), "rtt_ms=20", "late_fin_ms=500")
    for _ in range(2):
        with socket.create_connection(("127.0.0.1", relay.port), TIMEOUT_S) as plain:
            tls = context().wrap_socket(plain, suppress_ragged_eofs=False)
            exchange(tls, 10)
            tls.settimeout(0.0)
            with pytest.raises(ssl.SSLWantReadError):
                tls.unwrap()
            raw = socket.socket(fileno=tls.detach())
            raw.settimeout(TIMEOUT_S)
            start_s = time.monotonic()
            raw.shutdown(socket.SHUT_WR)
            assert raw.recv(1) in (b"", b"\x17")  # the end, or an encrypted close_notify
            assert 0.45 < time.monotonic() - start_s < 2
            raw.close()


@pytest.mark.parametrize(
    ("program", "arguments", "code", "complaint"),
    [
        ("RelayProcess", ["target=nowhere"], 4, "target=nowhere: give target=HOST:PORT"),
        ("RelayProcess", ["target=127.0.0.1:1"], 2, "Connection refused"),
        (
            "RelayProcess",
            ["target=127.0.0.1:1", "late_fin_ms=5"],
            4,
            "a late FIN needs a round trip of 2 ms or more",
        ),
        ("RelayProcess", ["rtt_ms=-1"], 4, "give"),
        ("BarePeer", ["tickets=maybe"], 4, "tickets=maybe: give true or false"),
        ("BarePeer", ["speed=11"], 4, "unknown argument speed: accepted are [keep_alive_s"),
        ("BarePeer", ["tickets"], 4, "tickets: give key=value"),
        ("BarePeer", ["tickets=true", "tickets=false"], 4, "tickets is given twice"),
    ],
)
def test_a_wrong_argument_is_one_line(
    java: Java, program: str, arguments: list[str], code: int, complaint: str
) -> None:
    process = java.run(program, *arguments)
    assert process.returncode == code
    (line,) = process.stderr.splitlines()
    assert complaint in line
    assert line.startswith(program)


def test_a_peer_that_can_start_no_thread_ends(
    java: Java, capfd: pytest.CaptureFixture[str]
) -> None:
    peer = java.start("DeafPeer")
    with socket.create_connection(("127.0.0.1", peer.port), TIMEOUT_S):
        assert peer.process.wait(TIMEOUT_S) == 2
    message = "accept cannot go on: java.lang.OutOfMemoryError: unable to create native thread\n"
    assert capfd.readouterr().err == message


def test_a_peer_without_file_descriptors_ends(
    java: Java, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    java_script = tmp_path / "limited" / "bin" / "java"
    java_script.parent.mkdir(parents=True)
    java_script.write_text(f'#!/bin/sh\nulimit -n 64\nexec "{java.home}/bin/java" "$@"\n')
    java_script.chmod(0o755)
    java.home = tmp_path / "limited"
    peer = java.peer()
    with ExitStack() as connections:
        for _ in range(64):
            with suppress(ConnectionError):
                connections.enter_context(socket.create_connection(("127.0.0.1", peer.port)))
        assert peer.process.wait(TIMEOUT_S) == 2
    assert "accept cannot go on: java.io.IOException: Too many open files" in capfd.readouterr().err

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Do the clients of other libraries do all that a scenario asks, on the TLS they are named for?"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.supplier import Supplier
from tests.throughput.http_kit import Clients, Peer, class_path, compile_classes, running_peer

pytestmark = [pytest.mark.jdk, pytest.mark.network]

CLIENTS = ("JavaNetHttpClient", "AzureJdkClient", "AzureBoringSslClient")
# One with each client where it is least at home: the oldest, and the runtime with fewest modules.
# Of java.net.http that is 11.0.24; from 17 to 22 it gives up each connection on which a ticket
# comes in the wrong moment (JDK-8330572).
BUILDS = {
    "debian-8": CLIENTS[1:],
    "temurin-11.0.9.1+1": CLIENTS[2:],
    "debian-11.0.24+8": CLIENTS[:1],
    "debian-17": CLIENTS[1:],
}


@pytest.fixture(scope="module")
def supplier(jdks: JdksFile, root: Path) -> Supplier:
    return Supplier(jdks, root / "jdks.lock", cache_root())


@pytest.fixture(scope="module")
def peer(supplier: Supplier, tool_jdk: Path, root: Path) -> Iterator[Peer]:
    """WireMock, on the tool JDK."""
    throughput, library = root / "test" / "throughput", root / "test" / "lib"
    jars = supplier.jars(Checkout(root)).class_path("peer")
    main = [throughput / "peer" / "WireMockPeer.java"]
    classes = compile_classes(tool_jdk, 11, main, [library], jars)
    with running_peer(tool_jdk, class_path(classes, *jars), "WireMockPeer", "warm_up_ms=0") as peer:
        yield peer


@pytest.fixture(scope="module")
def clients(supplier: Supplier, tool_jdk: Path, root: Path) -> Iterator[Clients]:
    """All clients, compiled as they are for the builds under test."""
    throughput = root / "test" / "throughput"
    fixtures = root / "scripts" / "tests" / "fixtures" / "throughput"
    folders = [root / "test" / "lib", throughput / "load", fixtures]
    jars = supplier.jars(Checkout(root)).class_path("azure")
    java_8 = [*sorted((throughput / "azure").glob("*.java")), *sorted(fixtures.glob("*.java"))]
    classes = compile_classes(tool_jdk, 8, java_8, folders, jars)
    java_11 = sorted((throughput / "http").glob("*.java"))
    of_11 = compile_classes(tool_jdk, 11, java_11, (), (classes, *jars))
    clients = Clients(class_path(classes, of_11, *jars))
    yield clients
    clients.close()


@pytest.mark.parametrize(
    ("entry_id", "client"),
    [(entry_id, client) for entry_id, names in BUILDS.items() for client in names],
)
def test_a_client_reuses_closes_sends_times_out_and_tells_a_refusal(
    entry_id: str, client: str, supplier: Supplier, jdks: JdksFile, peer: Peer, clients: Clients
) -> None:
    (build,) = supplier.supply([jdks.entry(entry_id)])
    assert isinstance(build, Build), str(build)
    old_counters = peer.counters()
    answers = clients.ask(build.home, client, peer.url, "TLSv1.3")
    new_counters = peer.counters()

    assert answers["get"] == ["64"] * 3
    assert (answers["no-timeout"], answers["bulk"]) == (["65"], ["1048576"])
    assert answers["post"] == ["66"]
    assert answers["close"] == ["67"] * 3
    assert answers["refused"] == ["IOException: status 400"]
    assert answers["silent"][0].startswith(("SocketTimeoutException: ", "HttpTimeoutException: "))
    assert 2000 <= int(answers["silent-ms"][0]) < 20_000

    new = {name: new_counters[name] - old_counters.get(name, 0) for name in new_counters}
    assert new["requests"] == 10
    # One for what is reused, on which the first that closes may go out, and one for each after it.
    assert 4 <= new["connections"] <= 5
    assert new["protocol.TLSv1.3"] == new["connections"]
    assert new["handshakes.full"] + new["handshakes.resumed"] == new["connections"]
    assert new["handshakes.resumed"] >= 2
    assert new["bytes.in"] > 1_048_576 < new["bytes.out"]


def test_a_client_keeps_to_the_protocol_it_is_told(
    tool_jdk: Path, peer: Peer, clients: Clients
) -> None:
    old_counters = peer.counters()
    clients.ask(tool_jdk, "AzureBoringSslClient", peer.url, "TLSv1.2")
    new_counters = peer.counters()
    assert new_counters["protocol.TLSv1.3"] == old_counters["protocol.TLSv1.3"]
    assert new_counters["protocol.TLSv1.2"] - old_counters.get("protocol.TLSv1.2", 0) >= 4


class TestTheWrongTls:
    def test_a_silent_fall_back_to_the_jdk_fails_every_request(
        self, tool_jdk: Path, peer: Peer, clients: Clients
    ) -> None:
        answers = clients.ask(tool_jdk, "OnTheWrongTls", peer.url, "TLSv1.3")
        message = (
            "IOException: a connection on the wrong TLS library: sun.security.ssl.SSLEngineImpl"
        )
        assert answers["get"] == [message] * 3

    def test_without_boringssl_the_client_does_not_start(
        self, tool_jdk: Path, peer: Peer, clients: Clients
    ) -> None:
        off = ("-Dio.netty.handler.ssl.noOpenSsl=true",)
        question = ("AzureBoringSslClient", peer.url, "TLSv1.3")
        answers = clients.ask(tool_jdk, *question, options=off)
        assert list(answers) == ["prepare"]
        message = "IllegalStateException: BoringSSL does not load here: "
        assert answers["prepare"][0].startswith(message)


def test_where_java_net_http_cannot_ask_to_close_the_client_does_not_start(
    supplier: Supplier, jdks: JdksFile, peer: Peer, clients: Clients
) -> None:
    (build,) = supplier.supply([jdks.entry("temurin-11.0.13+8")])
    assert isinstance(build, Build), str(build)
    client = "JavaNetHttpClient"
    answers = clients.ask(build.home, client, peer.url, "TLSv1.3")
    assert list(answers) == ["prepare"]
    assert "lets nobody send" in answers["prepare"][0]

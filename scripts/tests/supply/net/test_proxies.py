# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a proxy of the machine's that is not there, refuses, lies or cheats told in one line?"""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.net.download import fetch_archive
from jdkmatrix.supply.net.web import Patience, Web
from tests.supply.net.test_fuzzed_answers import BODY, MOST_CHARACTERS, OFFER, Server, answer

pytestmark = pytest.mark.slow

LENGTH = [(b"Content-Length", b"500")]
NOTHING_THERE = "http://127.0.0.1:9"
ASKS_FOR_A_PASSWORD = answer(407, b"\x1b[31mwho?", [(b"Proxy-Authenticate", b"Basic")], b"")
TUNNEL = b"HTTP/1.1 200 Connection established\r\n\r\n"


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """The machine's, for both schemes; it answers what it is told to."""
    new_proxy = Server()
    use_proxy(new_proxy.address.removesuffix("/jdk.tar.gz"), monkeypatch)
    yield new_proxy
    new_proxy.close()


def use_proxy(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "HTTPS_PROXY"):
        monkeypatch.setenv(name, address)
    for name in ("no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


def fetch_reason(scheme: str, folder: Path) -> str:
    """Why the file of a host that only a proxy can know did not come; "" if it did."""
    web = Web(threading.Event(), Patience(3, 0.0, 0.0, 2.0, 2.0))
    address = f"{scheme}://jdk.invalid/jdk.tar.gz"
    try:
        file = fetch_archive(web, address, OFFER, folder, "in a test", lambda byte_count: None)
    except SourceError as error:
        assert str(error).isprintable()
        assert len(str(error)) <= MOST_CHARACTERS
        assert "127.0.0.1" not in str(error)
        return str(error)
    assert file.path.read_bytes() == BODY
    return ""


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_one_that_is_not_there(
    scheme: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_proxy(NOTHING_THERE, monkeypatch)
    assert fetch_reason(scheme, tmp_path) == "jdk.tar.gz: connection refused"


def test_one_that_is_no_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_proxy("garbage://[::1", monkeypatch)
    assert fetch_reason("http", tmp_path)


def test_one_that_works(proxy: Server, tmp_path: Path) -> None:
    proxy.answers = [answer(200, b"OK", LENGTH, BODY)]
    assert fetch_reason("http", tmp_path) == ""
    assert proxy.requests[0].startswith(b"GET http://jdk.invalid/jdk.tar.gz ")


@pytest.mark.parametrize(
    ("scheme", "server_answer", "text"),
    [
        ("http", ASKS_FOR_A_PASSWORD, "407"),
        ("https", ASKS_FOR_A_PASSWORD, "407"),
        ("http", answer(200, b"OK", LENGTH, BODY[::-1]), "SHA-256"),
        ("http", answer(302, b"", [(b"Location", b"file:///etc/passwd")], b""), "jdk.tar.gz"),
        ("http", b"\x00\xff" * 40, "jdk.tar.gz"),
        ("https", b"\x00\xff" * 40, "jdk.tar.gz"),
        ("https", TUNNEL, "jdk.tar.gz"),
        ("https", TUNNEL + answer(200, b"OK", LENGTH, BODY), "jdk.tar.gz"),
        ("https", answer(200, b"OK", LENGTH, BODY), "jdk.tar.gz"),
    ],
)
def test_one_that_is_hostile(
    proxy: Server, tmp_path: Path, scheme: str, server_answer: bytes, text: str
) -> None:
    proxy.answers = [server_answer] * 5
    assert text in fetch_reason(scheme, tmp_path)
    assert proxy.requests

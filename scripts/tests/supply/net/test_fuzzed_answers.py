# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a server get more out of a source than a file, or a reason of one line?"""

import hashlib
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import strategies as st

from jdkmatrix.supply.build import Offer, SourceError
from jdkmatrix.supply.net.download import fetch_archive
from jdkmatrix.supply.net.web import Patience, Web
from tests.fuzz import fuzz

pytestmark = pytest.mark.slow

BODY = b"0123456789" * 50
OFFER = Offer("jdk.tar.gz", "17", len(BODY), hashlib.sha256(BODY).hexdigest())
MOST_CHARACTERS = 500


class Server:
    """Answers each connection with the next of `answers`, byte for byte, and closes it."""

    def __init__(self) -> None:
        self.answers: list[bytes] = []
        self.requests: list[bytes] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}/jdk.tar.gz"
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._socket.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection, suppress(OSError):
                connection.settimeout(1)
                self.requests.append(connection.recv(65536))
                connection.sendall(self.answers.pop(0) if self.answers else _GONE)


_GONE = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
ODD = st.one_of(
    st.sampled_from(
        [
            *(b"\xb2", b"\xff\xfe", b"-1", b"9" * 5_000, b"1e9", b"", b"\x1b[31m", b"a=\xff", b"0"),
            *(b'"\xe4"', b'"a"', b'W/"a"', b"Thu, 99 Foo 9999 25:61:61 GMT", b"bytes 0-9/500"),
            *(b"Fri, 31 Dec 9999 23:59:59 -1200", b"Wed, 21 Oct 2015 07:28:00 GMT", b"gzip", b"br"),
            *(b"bytes 10-499/500", b"bytes \xd9\xa1-2/3", b"http://[::1", b"http://127.0.0.1:1/"),
            *(b"https://127.0.0.1:1/", b"file:///etc/passwd", b"/jdk.tar.gz"),
            *(b"::stop-commands::x", b"chunked", b"identity", b"a, b", b"x" * 70_000, b"500"),
        ]
    ),
    st.binary(max_size=20),
)
STATUS = st.one_of(
    st.sampled_from([200, 206, 301, 302, 307, 304, 403, 416, 429, 500, 503, 100, 101, 204, 999]),
    st.integers(0, 1000),
)
HEADER = st.tuples(
    st.sampled_from(
        [
            *(b"Retry-After", b"ETag", b"Last-Modified", b"Set-Cookie", b"Location"),
            *(b"Content-Length", b"Content-Range", b"Content-Encoding", b"Transfer-Encoding"),
            *(b"Content-Type", b"Connection", b"X-\xff", b""),
        ]
    ),
    ODD,
)


def answer(status: int, reason: bytes, headers: list[tuple[bytes, bytes]], body: bytes) -> bytes:
    lines = [b"HTTP/1.1 %d " % status + reason, *(name + b": " + text for name, text in headers)]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


ANSWER = st.one_of(
    st.builds(
        answer,
        STATUS,
        ODD,
        st.lists(HEADER, max_size=4),
        st.sampled_from([BODY, BODY[:10], BODY[10:], b"", b"5\r\n01234\r\n", b"\x1f\x8b\x08" * 9]),
    ),
    st.binary(max_size=60),
)
DROPPED = [(b"Content-Length", b"500")]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    new_server = Server()
    yield new_server
    new_server.close()


@pytest.fixture(scope="module")
def web() -> Web:
    return Web(threading.Event(), Patience(3, 0.0, 0.0, 2.0, 2.0))


def outcome(server: Server, web: Web, answers: list[bytes]) -> str:
    """Ask for the file, and then for a text; the first one's reason, "" if it came."""
    reasons = []
    for ask in (_file, lambda *arguments: arguments[1].text(arguments[0])):
        server.answers = list(answers)
        try:
            ask(server.address, web)
            reasons.append("")
        except SourceError as error:
            reasons.append(str(error))
            assert 0 < len(str(error)) <= MOST_CHARACTERS
            assert str(error).isprintable()
    return reasons[0]


def _file(address: str, web: Web) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = fetch_archive(
            web, address, OFFER, Path(folder), "in a test", lambda byte_count: None
        )
        assert file.path.read_bytes() == BODY


# 150 inputs of three answers made 756 requests: the short form has some 3,000.
@fuzz(600, answers=st.lists(ANSWER, min_size=3, max_size=3))
def test_whatever_a_server_says(server: Server, web: Web, answers: list[bytes]) -> None:
    outcome(server, web, answers)


@pytest.mark.parametrize(
    "answers",
    [
        [answer(503, b"", [(b"Retry-After", b"\xb2")], b"")],
        [answer(200, b"OK", [(b"ETag", b'"\xe4"'), *DROPPED], BODY[:10])],
        [answer(200, b"OK", [(b"Set-Cookie", b"a=\xff"), *DROPPED], BODY[:10])],
        [answer(429, b"", [(b"Retry-After", b"Thu, 99 Foo 9999 25:61:61 GMT")], b"")],
    ],
    ids=["pause", "entity tag", "cookie", "date"],
)
def test_an_odd_answer_is_tried_again(server: Server, web: Web, answers: list[bytes]) -> None:
    assert outcome(server, web, [*answers, answer(200, b"OK", DROPPED, BODY)]) == ""


def test_no_cookie_is_kept(server: Server, web: Web) -> None:
    server.requests.clear()
    set_cookie = answer(302, b"", [(b"Set-Cookie", b"a=b"), (b"Location", b"/x")], b"")
    assert outcome(server, web, [set_cookie, answer(200, b"OK", DROPPED, BODY)]) == ""
    assert len(server.requests) == 4
    assert b"cookie" not in b"".join(server.requests).lower()


def test_what_a_terminal_would_obey_does_not_reach_it(server: Server, web: Web) -> None:
    reason = outcome(server, web, [answer(403, b"\x1b]0;x\x07\x1b[31mForbidden", [], b"")])
    assert reason.startswith("jdk.tar.gz: 403 ")

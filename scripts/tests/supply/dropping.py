# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What stands in for a file host whose links drop? WireMock cannot cut a connection at a byte.

One file, with byte ranges and If-Range as RFC 9110 has them, unless a fault is asked for.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass
class DroppingHost:
    """What it does: the n-th answer ends after `cuts[n]` bytes (None: all of them).

    `tags[n]` is the entity tag then (the last one stays); without tags it sends none. `dates[n]`
    is the date of the last change in the same way. It pauses after each 1,000 bytes behind the
    first `burst_bytes` of the file. A part that `ignores_if_range` is of whatever it has then; one
    that is spoilt has the right tag and other bytes; one without `says_range` is of no known place.
    """

    content: bytes
    cuts: Sequence[int | None] = ()
    tags: Sequence[str] = ('"1"',)
    dates: Sequence[str] = ()
    heeds_ranges: bool = True
    range_shift: int = 0
    says_range: bool = True
    refuses_ranges: bool = False
    ignores_if_range: bool = False
    spoils_parts: bool = False
    burst_bytes: int = 0
    pause_s: float = 0.0
    requests: list[dict[str, str]] = field(default_factory=list)
    address: str = ""

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        """Serve one request."""
        n = len(self.requests)
        self.requests.append(dict(handler.headers.items()))
        tag = self.tags[min(n, len(self.tags) - 1)] if self.tags else None
        date = self.dates[min(n, len(self.dates) - 1)] if self.dates else None
        range_header = handler.headers.get("Range")
        start = int(range_header.removeprefix("bytes=").removesuffix("-")) if range_header else 0
        same = self.ignores_if_range or handler.headers.get("If-Range") in (None, tag, date)
        if range_header and self.refuses_ranges:
            handler.send_error(416)
            return
        is_part = bool(range_header) and same and self.heeds_ranges
        offset = start if is_part else 0
        body = self.content[offset:]
        if is_part and self.spoils_parts:
            body = bytes(len(body))
        handler.send_response(206 if is_part else 200)
        if is_part and self.says_range:
            first, total = start + self.range_shift, len(self.content)
            handler.send_header("Content-Range", f"bytes {first}-{total - 1}/{total}")
        if tag:
            handler.send_header("ETag", tag)
        if date:
            handler.send_header("Last-Modified", date)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        end_byte = self.cuts[n] if n < len(self.cuts) else None
        self._send(
            handler,
            body if end_byte is None else body[:end_byte],
            max(0, self.burst_bytes - offset),
        )
        if end_byte is not None:
            handler.close_connection = True
            handler.connection.close()

    def _send(self, handler: BaseHTTPRequestHandler, body: bytes, burst_bytes: int) -> None:
        handler.wfile.write(body[:burst_bytes])
        step = 1000 if self.pause_s else len(body) or 1
        for offset in range(burst_bytes, len(body), step):
            handler.wfile.write(body[offset : offset + step])
            time.sleep(self.pause_s)


@contextmanager
def serving(host: DroppingHost) -> Iterator[DroppingHost]:
    """Let it listen on 127.0.0.1, on a port of the system's choice."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            try:
                host.answer(self)
            except OSError:  # the client has had enough
                self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    host.address = f"http://127.0.0.1:{server.server_address[1]}/jdk.tar.gz"
    try:
        yield host
    finally:
        server.shutdown()
        server.server_close()

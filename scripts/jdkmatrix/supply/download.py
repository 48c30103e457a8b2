# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a large file come over a link that drops, and are its bytes the ones that were meant?

What has come is kept, and the rest asked for (RFC 9110, sections 13.1.5 and 14: Range with
If-Range), so that a file replaced meanwhile starts anew instead of being mixed. It is hashed as it
comes; memory does not grow with the file.
"""

import hashlib
import re
import time
from pathlib import Path
from typing import IO

import httpx

from jdkmatrix.supply.process import redacted
from jdkmatrix.supply.source import Advanced, SourceError
from jdkmatrix.supply.web import PassingTrouble, Web

_MOST_BYTES = 2 << 30
# A link that is slower than this for half a minute is asked anew.
_SLOWEST_BYTES_PER_S = 1024
_SLOW_FOR_S = 30.0
_CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(?:\d+|\*)")


class Download:
    """One file from `address` to `path`, of `size_bytes` if that is known."""

    def __init__(self, web: Web, address: str, path: Path, size_bytes: int | None) -> None:
        self._web = web
        self._address = address
        self._what = redacted(address)
        self._path = path
        self._size_bytes = size_bytes
        self._validator: str | None = None
        self._done_bytes = 0
        self._done_before = 0
        self._hash = hashlib.sha256()
        self.resumed = 0

    def run(self, advanced: Advanced) -> str:
        """Get it whole; return its SHA-256. Raises SourceError, OSError."""
        with self._path.open("w+b") as file:
            self._web.patiently(lambda: self._attempt(file, advanced), self._has_progressed)
        return self._hash.hexdigest()

    def _attempt(self, file: IO[bytes], advanced: Advanced) -> None:
        self._done_before = self._done_bytes
        headers = {"Accept-Encoding": "identity"}
        if self._done_bytes and self._validator:
            headers |= {"Range": f"bytes={self._done_bytes}-", "If-Range": self._validator}
        with self._web.response(self._address, headers) as answer:
            if not self._goes_on(answer):
                self._start_anew(file)
            if answer.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
                raise PassingTrouble(f"{self._what}: 416 for the rest of a file")
            self._validator = _validator(answer)
            self._take(answer, file, advanced)
        if self._size_bytes is not None and self._done_bytes != self._size_bytes:
            told = f"{self._what}: {self._done_bytes} bytes, not {self._size_bytes}"
            self._start_anew(file)
            raise PassingTrouble(told)

    def _goes_on(self, answer: httpx.Response) -> bool:
        if answer.status_code != httpx.codes.PARTIAL_CONTENT:
            return False
        match = _CONTENT_RANGE.match(answer.headers.get("Content-Range", ""))
        if match is None or int(match[1]) != self._done_bytes:
            self._validator = None
            raise PassingTrouble(f"{self._what}: answered with another part than asked for")
        self.resumed += 1
        return True

    def _start_anew(self, file: IO[bytes]) -> None:
        file.seek(0)
        file.truncate()
        self._done_bytes = 0
        self._hash = hashlib.sha256()

    def _take(self, answer: httpx.Response, file: IO[bytes], advanced: Advanced) -> None:
        began_s = time.monotonic()
        began_bytes = self._done_bytes
        most_bytes = _MOST_BYTES if self._size_bytes is None else self._size_bytes
        try:
            for chunk in answer.iter_raw():
                self._done_bytes += len(chunk)
                if self._done_bytes > most_bytes:
                    raise SourceError(f"{self._what}: more than {most_bytes} bytes")
                file.write(chunk)
                self._hash.update(chunk)
                advanced(self._done_bytes)
                waited_s = time.monotonic() - began_s
                bytes_per_s = (self._done_bytes - began_bytes) / max(waited_s, 1.0)
                if waited_s > _SLOW_FOR_S and bytes_per_s < _SLOWEST_BYTES_PER_S:
                    raise PassingTrouble(f"{self._what}: below {_SLOWEST_BYTES_PER_S} bytes/s")
        finally:
            file.flush()

    def _has_progressed(self) -> bool:
        return self._done_bytes > self._done_before


def _validator(answer: httpx.Response) -> str | None:
    """What names these bytes: a strong entity tag, else the date of the last change."""
    tag: str = answer.headers.get("ETag", "")
    if tag.startswith('"'):
        return tag
    changed: str | None = answer.headers.get("Last-Modified")
    return changed

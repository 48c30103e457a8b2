# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a large file fetched over a link that drops, and are its bytes the right ones?

What has arrived is kept, and only the rest is requested (RFC 9110, sections 13.1.5 and 14: Range
with If-Range): a file replaced meanwhile starts anew instead of being mixed. A later run can resume
it too, as its validator is stored beside it. The file is hashed as it arrives; memory use does not
grow with its size.
"""

from __future__ import annotations

import hashlib
import re
import time
from http import HTTPStatus
from io import BufferedRandom
from pathlib import Path
from typing import TYPE_CHECKING

from jdkmatrix.machine.files import text_of
from jdkmatrix.machine.processes import redact
from jdkmatrix.supply.build import Artifact, ByteReport, FetchedFile, Offer, SourceError
from jdkmatrix.supply.net.web import PassingTrouble, Web

if TYPE_CHECKING:
    import httpx

_MOST_BYTES = 2 << 30
_CONTENT_RANGE = re.compile(r"bytes ([0-9]{1,18})-[0-9]+/(?:[0-9]+|\*)")


def fetch_archive(
    web: Web, address: str, offer: Offer, folder: Path, said_by: str, report_bytes: ByteReport
) -> FetchedFile:
    """Fetch the file `offer` from `address`, complete and with its SHA-256, if one is known.

    What an earlier run left of it in `folder` is resumed; if the parts do not make the right file,
    it is fetched once more from the start. `said_by` says where the SHA-256 is from.
    Raises SourceError, OSError.
    """
    path = folder / "archive"
    download = Download(web, address, path, offer.size_bytes)
    sha256 = download.run(report_bytes)
    if sha256 != offer.sha256 and (download.found_bytes or download.resumptions):
        download.forget()
        download = Download(web, address, path, offer.size_bytes)
        sha256 = download.run(report_bytes)
    if offer.sha256 not in (None, sha256):
        download.forget()
        raise SourceError(f"{offer.name}: SHA-256 is {sha256}, not {offer.sha256} as {said_by}")
    notice = f"resumed after {download.found_bytes / 1e6:.1f} MB from an earlier run"
    return FetchedFile(
        Artifact(offer.name, offer.version, path.stat().st_size, sha256),
        path,
        notices=(notice,) if download.found_bytes else (),
    )


class Download:
    """One file from `address` to `path`, of `size_bytes` if that is known.

    `found_bytes` is how much of it an earlier run left there.
    """

    def __init__(self, web: Web, address: str, path: Path, size_bytes: int | None) -> None:
        self._web = web
        self._address = address
        self._label = redact(address)
        self._path = path
        self._validator_path = path.with_suffix(".validator")
        self._size_bytes = size_bytes
        self._validator: str | None = None
        self._done_bytes = 0
        self._done_before = 0
        self._hash = hashlib.sha256()
        self.resumptions = 0
        self.found_bytes = 0

    def run(self, report_bytes: ByteReport) -> str:
        """Fetch the whole file; return its SHA-256. Raises SourceError, OSError."""
        with self._path.open("r+b" if self._path.exists() else "w+b") as file:
            self._take_up(file)
            if self._done_bytes == 0 or self._done_bytes != self._size_bytes:
                self._web.retry(lambda: self._attempt(file, report_bytes), self._has_progressed)
        return self._hash.hexdigest()

    def forget(self) -> None:
        """Remove what has arrived."""
        self._path.unlink(missing_ok=True)
        self._validator_path.unlink(missing_ok=True)

    def _take_up(self, file: BufferedRandom) -> None:
        """Resume what lies there, if its validator says which file it is a part of."""
        if self._validator_path.is_file():
            text = text_of(self._validator_path, errors="replace")
            # A file cut short by a power failure may hold anything.
            self._validator = text if _can_be_sent(text) else None
        if self._validator is None:
            self._start_anew(file)
            return
        hashlib.file_digest(file, lambda: self._hash)
        self._done_bytes = file.tell()
        if self._size_bytes is not None and self._done_bytes > self._size_bytes:
            self._start_anew(file)
        self.found_bytes = self._done_bytes

    def _attempt(self, file: BufferedRandom, report_bytes: ByteReport) -> None:
        self._done_before = self._done_bytes
        headers = {"Accept-Encoding": "identity"}
        if self._done_bytes and self._validator:
            headers |= {"Range": f"bytes={self._done_bytes}-", "If-Range": self._validator}
        with self._web.response(self._address, headers) as answer:
            if not self._goes_on(answer):
                self._start_anew(file)
                if answer.status_code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                    raise PassingTrouble(f"{self._label}: 416 for the rest of a file")
                self._validator = _validator(answer)
            self._validator_path.write_text(self._validator or "", encoding="utf-8")
            self._take(answer, file, report_bytes)
        if self._size_bytes is not None and self._done_bytes != self._size_bytes:
            text = f"{self._label}: {self._done_bytes} bytes, not {self._size_bytes}"
            self._start_anew(file)
            raise PassingTrouble(text)

    def _goes_on(self, answer: httpx.Response) -> bool:
        if answer.status_code != HTTPStatus.PARTIAL_CONTENT:
            return False
        match = _CONTENT_RANGE.match(answer.headers.get("Content-Range", ""))
        if match is None or int(match[1]) != self._done_bytes:
            self._validator = None
            raise PassingTrouble(f"{self._label}: sent a different part from the one asked for")
        if not _is_named(answer, self._validator or ""):
            self._validator = None
            raise PassingTrouble(f"{self._label}: sent part of a different file")
        self.resumptions += 1
        return True

    def _start_anew(self, file: BufferedRandom) -> None:
        file.seek(0)
        file.truncate()
        self._done_bytes = self.found_bytes = 0
        self._hash = hashlib.sha256()

    def _take(self, answer: httpx.Response, file: BufferedRandom, report_bytes: ByteReport) -> None:
        patience = self._web.patience
        since_s, since_bytes = time.monotonic(), self._done_bytes
        most_bytes = _MOST_BYTES if self._size_bytes is None else self._size_bytes
        try:
            for chunk in answer.iter_raw():
                self._done_bytes += len(chunk)
                if self._done_bytes > most_bytes:
                    raise SourceError(f"{self._label}: more than {most_bytes} bytes")
                file.write(chunk)
                self._hash.update(chunk)
                report_bytes(self._done_bytes)
                waited_s = time.monotonic() - since_s
                if waited_s > patience.slow_for_s:
                    if self._done_bytes - since_bytes < patience.slowest_bytes_per_s * waited_s:
                        limit = f"below {patience.slowest_bytes_per_s} bytes/s"
                        raise PassingTrouble(f"{self._label}: {limit}")
                    since_s, since_bytes = time.monotonic(), self._done_bytes
        finally:
            file.flush()

    def _has_progressed(self) -> bool:
        return self._done_bytes > self._done_before


def _validator(answer: httpx.Response) -> str | None:
    """What identifies these bytes: a strong entity tag, or else the date of the last change."""
    tag: str = answer.headers.get("ETag", "")
    date: str = answer.headers.get("Last-Modified", "")
    validator = tag if tag.startswith('"') else date
    return validator if _can_be_sent(validator) else None


def _can_be_sent(validator: str) -> bool:
    return bool(validator) and validator.isascii() and validator.isprintable()


def _is_named(answer: httpx.Response, validator: str) -> bool:
    """Whether the part has that validator; it need not name one (RFC 9110, section 15.3.7)."""
    kind = "ETag" if validator.startswith('"') else "Last-Modified"
    part_validator: str = answer.headers.get(kind, validator)
    return part_validator == validator

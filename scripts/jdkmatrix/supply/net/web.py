# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a request survive a server that is busy, slow, or gone for a moment?

Proxies and trusted certificates are the machine's (`HTTPS_PROXY`, `SSL_CERT_FILE`). After trouble
that may pass, the request is repeated with growing pauses, or after the pause the server asks for.
"""

from __future__ import annotations

import random
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property
from http import HTTPStatus
from http.cookiejar import CookieJar
from typing import TYPE_CHECKING, TypeVar

from jdkmatrix import __version__
from jdkmatrix.machine.processes import redact
from jdkmatrix.supply.build import SourceError

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")
_PASSING_STATUS = (408, 425, 429, 500, 502, 503, 504)
_MOST_REDIRECTS = 10
_MOST_ATTEMPTS = 200
# What libraries raise on text that they do not expect.
_BY_CONTENT = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
# Of a pause in seconds: more would exceed any patience.
_MOST_DIGITS = 9
# The largest page of the API seen is below 1 MB.
_MOST_TEXT_BYTES = 16 << 20


@dataclass(frozen=True)
class Patience:
    """How long to wait trouble out. `attempts` is the limit of those in a row without progress.

    A link that brings less than `slowest_bytes_per_s` for `slow_for_s` is tried anew, however fast
    it was before.
    """

    attempts: int = 5
    first_pause_s: float = 0.5
    longest_pause_s: float = 60.0
    connect_timeout_s: float = 15.0
    read_timeout_s: float = 30.0
    longest_text_s: float = 300.0
    slow_for_s: float = 30.0
    slowest_bytes_per_s: int = 1024


class PassingTrouble(SourceError):
    """It may work a little later; `after_s` is the pause that the server asked for, if any."""

    def __init__(self, text: str, after_s: float | None = None, status: int | None = None) -> None:
        super().__init__(text)
        self.after_s = after_s
        self.status = status


class NotThere(SourceError):
    """The server says that there is no such thing (404, 410)."""


class Web:
    """Requests with patience, from several threads. Methods raise SourceError."""

    def __init__(self, stop: threading.Event, patience: Patience | None = None) -> None:
        self._stop = stop
        self.patience = patience or Patience()

    def go_on(self) -> None:
        """Raise SourceError if the run is being stopped."""
        if self._stop.is_set():
            raise SourceError("interrupted")

    def text(self, address: str, parameters: Mapping[str, str | int] | None = None) -> str:
        """The text at `address`. Raises NotThere, PassingTrouble (if it persists), SourceError."""
        content = self.content(address, _MOST_TEXT_BYTES, parameters)
        return content.decode("utf-8", errors="replace")

    def content(
        self, address: str, most_bytes: int, parameters: Mapping[str, str | int] | None = None
    ) -> bytes:
        """The bytes at `address`, `most_bytes` at most. Raises as `text` does."""
        return self.retry(lambda: self._content(address, most_bytes, parameters))

    def retry(
        self, attempt: Callable[[], T], has_progressed: Callable[[], bool] = lambda: False
    ) -> T:
        """Repeat `attempt` while it raises PassingTrouble, but not for ever.

        An attempt after which `has_progressed` is true does not count as failed: a link that drops
        again and again is resumed as long as something arrives each time.
        """
        patience = self.patience
        failures = attempts = 0
        while True:
            try:
                return self._unless_stopped(attempt)
            except PassingTrouble as trouble:
                pause_s = self._pause_s(trouble, failures)
                attempts += 1
                failures = 0 if has_progressed() else failures + 1
                is_too_long = trouble.after_s is not None and pause_s > patience.longest_pause_s
                if is_too_long or attempts >= _MOST_ATTEMPTS or failures >= patience.attempts:
                    raise
                self._stop.wait(pause_s)

    def _pause_s(self, trouble: PassingTrouble, failures: int) -> float:
        """For how long the server asks, else longer with each failure before this one."""
        if trouble.after_s is not None:
            return trouble.after_s
        growing_s = self.patience.first_pause_s * 2 ** max(0, failures - 1)
        return float(min(self.patience.longest_pause_s, growing_s * random.uniform(1.0, 1.5)))

    @contextmanager
    def response(
        self,
        address: str,
        headers: Mapping[str, str] | None = None,
        parameters: Mapping[str, str | int] | None = None,
    ) -> Iterator[httpx.Response]:
        """One answer, its body not read yet; redirects are followed, but not from https to http.

        Raises NotThere, PassingTrouble or SourceError for any failure except 416.
        """
        import httpx  # only where something is fetched: it loads for as long as `--help` takes

        subject = redact(address)
        try:
            request = self._client.build_request("GET", address, headers=headers, params=parameters)
            answer = self._follow_redirects(request)
            try:
                _refuse_failure(answer, subject)
                yield answer
            finally:
                answer.close()
        except httpx.TimeoutException:
            raise PassingTrouble(f"{subject}: timed out") from None
        except httpx.TransportError as error:
            raise _transport_trouble(subject, error) from None
        except (httpx.InvalidURL, httpx.HTTPError) as error:
            raise SourceError(f"{subject}: {redact(str(error))}") from None

    def _unless_stopped(self, attempt: Callable[[], T]) -> T:
        self.go_on()
        return attempt()

    def _content(
        self, address: str, most_bytes: int, parameters: Mapping[str, str | int] | None
    ) -> bytes:
        with self.response(address, parameters=parameters) as answer:
            content = bytearray()
            began_s = time.monotonic()
            for chunk in answer.iter_bytes():
                content += chunk
                if time.monotonic() - began_s > self.patience.longest_text_s:
                    raise PassingTrouble(f"{redact(address)}: still running after the time allowed")
                if len(content) > most_bytes:
                    raise SourceError(f"{redact(address)}: more than {most_bytes} bytes")
            return bytes(content)

    def _follow_redirects(self, request: httpx.Request) -> httpx.Response:
        import httpx

        for _ in range(_MOST_REDIRECTS):
            try:
                answer = self._client.send(request, stream=True)
            except httpx.InvalidURL:
                raise
            except _BY_CONTENT as error:
                subject = redact(str(request.url))
                raise SourceError(f"{subject}: an answer that cannot be read: {error}") from None
            following = answer.next_request
            if following is None:
                return answer
            answer.close()
            if request.url.scheme == "https" and following.url.scheme != "https":
                subject = redact(str(request.url))
                raise SourceError(f"{subject}: refused: redirected from https to http")
            request = following
        raise SourceError(f"{redact(str(request.url))}: more than {_MOST_REDIRECTS} redirects")

    @cached_property
    def _client(self) -> httpx.Client:
        import httpx

        # Created on first use: offline there is no client at all.
        return httpx.Client(
            verify=ssl.create_default_context(),
            timeout=httpx.Timeout(
                self.patience.read_timeout_s, connect=self.patience.connect_timeout_s
            ),
            headers={"User-Agent": f"jdkmatrix/{__version__}"},
            cookies=_NoCookies(),
        )


class _NoCookies(CookieJar):
    """Keeps no cookies: none is needed, and a malformed one breaks the next request."""

    def extract_cookies(self, response: object, request: object) -> None:
        """Ignore them."""


def _refuse_failure(answer: httpx.Response, subject: str) -> None:
    status = answer.status_code
    if answer.is_success or status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
        return
    text = f"{subject}: {status} {answer.reason_phrase}".rstrip()
    if status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
        raise NotThere(text)
    if status in _PASSING_STATUS:
        after_s = _retry_after_s(answer.headers.get("Retry-After"))
        suffix = f", asks to wait {after_s:.0f} s" if after_s is not None else ""
        raise PassingTrouble(text + suffix, after_s, status)
    raise SourceError(text)


def _transport_trouble(subject: str, error: httpx.TransportError) -> SourceError:
    import httpx

    reason = redact(str(error)) or type(error).__name__
    if isinstance(error, httpx.ConnectError) and "CERTIFICATE_VERIFY_FAILED" in str(error):
        return SourceError(f"{subject}: certificate not trusted ({reason})")
    if isinstance(error, httpx.UnsupportedProtocol | httpx.ProxyError):
        return SourceError(f"{subject}: {reason}")
    if "refused" in reason:
        reason = "connection refused"
    elif "Name or service" in reason or "name resolution" in reason:
        reason = "host name not found"
    return PassingTrouble(f"{subject}: {reason}")


def _retry_after_s(text: str | None) -> float | None:
    """The pause of a Retry-After (RFC 9110 section 10.2.3): seconds, or a date."""
    if text is None:
        return None
    if text.isascii() and text.isdigit():
        return float(text[:_MOST_DIGITS])
    try:
        date = parsedate_to_datetime(text)
        current_time = datetime.fromtimestamp(time.time(), UTC)
        return max(0.0, (date.replace(tzinfo=date.tzinfo or UTC) - current_time).total_seconds())
    except _BY_CONTENT:  # such as month 13, or the year 9999 in another zone
        return None

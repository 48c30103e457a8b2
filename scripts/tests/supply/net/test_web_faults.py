# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is every fault of a server survived, or told in one line? Each is WireMock's doing."""

import time
from typing import Any

import pytest

from tests.supply.adoptium_kit import Market, adoptium, reason, require_build
from tests.supply.standin import release

pytestmark = pytest.mark.jdk

FILE = "/files/jre.tar.gz"
OK = {"status": 200, "bodyFileName": "jre.tar.gz"}
PASSING = {
    "500 once": {"status": 500},
    "502 once": {"status": 502},
    "503 once": {"status": 503},
    "504 once": {"status": 504},
    "429 without a pause": {"status": 429},
    "429 with a pause": {"status": 429, "headers": {"Retry-After": "1"}},
    "429 until a date": {
        "status": 429,
        "headers": {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"},
    },
    "an empty answer": {"fault": "EMPTY_RESPONSE"},
    "garbage, then the end": {"fault": "RANDOM_DATA_THEN_CLOSE"},
    "a malformed chunk": {"status": 200, "fault": "MALFORMED_RESPONSE_CHUNK"},
    "silence": {**OK, "fixedDelayMilliseconds": 4000},
    "fewer bytes than announced": {
        "status": 200,
        "base64Body": "H4sIAAAA",
        "headers": {"Content-Length": "5000"},
    },
}
LASTING = {
    "500": ({"status": 500}, "500 Server Error"),
    "403": ({"status": 403}, "403 Forbidden"),
    "404": ({"status": 404}, "404 Not Found"),
    "429 for an hour": (
        {"status": 429, "headers": {"Retry-After": "3600"}},
        "429 Too Many Requests, asks to wait 3600 s",
    ),
    "an empty answer": ({"fault": "EMPTY_RESPONSE"}, "Server disconnected without sending"),
    "silence": ({**OK, "fixedDelayMilliseconds": 4000}, "timed out"),
    "a redirect in a circle": (
        {"status": 302, "headers": {"Location": FILE}},
        "more than 10 redirects",
    ),
}


def offer(market: Market, **package: Any) -> dict[str, Any]:
    """The release of the entry, its archive at FILE."""
    upload = market.standin.serve("jre.tar.gz", market.archive())
    market.stub_release("jdk-17.0.3+7", release("jdk-17.0.3+7", "17.0.3+7", {**upload, **package}))
    return upload


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING.keys())
def test_a_fault_that_passes_is_survived(market: Market, fault: dict[str, Any]) -> None:
    offer(market)
    market.standin.in_turn(FILE, [fault, OK])
    began_s = time.monotonic()
    require_build(market.buy(adoptium()))
    assert len(market.standin.requests(FILE)) == 2
    if "Retry-After" in fault.get("headers", {}) and fault["headers"]["Retry-After"] == "1":
        assert time.monotonic() - began_s > 1.0


@pytest.mark.parametrize(("fault", "problem"), LASTING.values(), ids=LASTING.keys())
def test_a_fault_that_lasts_is_told_in_one_line(
    market: Market, fault: dict[str, Any], problem: str
) -> None:
    offer(market)
    market.standin.stub(FILE, fault)
    text = reason(market.buy(adoptium()))
    assert text.startswith("jre.tar.gz: ")
    assert problem in text
    assert "\n" not in text
    assert "127.0.0.1" not in text
    assert market.shop.installs() == market.shop.list_staging() == []


def test_an_answer_in_dribs_is_waited_for(market: Market) -> None:
    offer(market)
    dribble = {"numberOfChunks": 20, "totalDuration": 3000}
    market.standin.stub(FILE, {**OK, "chunkedDribbleDelay": dribble})
    require_build(market.buy(adoptium()))
    assert len(market.standin.requests(FILE)) == 1


def test_a_redirect_to_the_file_host_is_followed(market: Market) -> None:
    offer(market, link=f"{market.standin.http}/moved")
    market.standin.stub("/moved", {"status": 302, "headers": {"Location": FILE}})
    require_build(market.buy(adoptium()))


def test_a_refused_connection_is_named(market: Market) -> None:
    market.base = "http://127.0.0.1:9"
    assert reason(market.buy(adoptium())).endswith("connection refused")


class TestHttps:
    @pytest.fixture
    def trusting(self, market: Market, monkeypatch: pytest.MonkeyPatch) -> Market:
        monkeypatch.setenv("SSL_CERT_FILE", str(market.standin.ca))
        monkeypatch.delenv("SSL_CERT_DIR", raising=False)
        market.base = market.standin.https
        return market

    def test_a_build_comes_over_https(self, trusting: Market) -> None:
        offer(trusting, link=f"{trusting.standin.https}{FILE}")
        require_build(trusting.buy(adoptium()))

    def test_a_certificate_of_an_unknown_ca_is_refused(
        self, market: Market, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("SSL_CERT_FILE", raising=False)
        market.base = market.standin.https
        offer(market)
        assert "certificate not trusted" in reason(market.buy(adoptium()))
        assert market.standin.requests(FILE) == []

    def test_no_redirect_leads_from_https_to_http(self, trusting: Market) -> None:
        offer(trusting, link=f"{trusting.standin.https}/moved")
        plain = f"{trusting.standin.http}{FILE}"
        trusting.standin.stub("/moved", {"status": 302, "headers": {"Location": plain}})
        text = reason(trusting.buy(adoptium()))
        assert text == "moved: refused: redirected from https to http"
        assert trusting.standin.requests(FILE) == []

    def test_faults_are_survived_as_over_http(self, trusting: Market) -> None:
        offer(trusting, link=f"{trusting.standin.https}{FILE}")
        faults: list[dict[str, Any]] = [
            {"fault": "EMPTY_RESPONSE"},
            {"fault": "MALFORMED_RESPONSE_CHUNK"},
            OK,
        ]
        trusting.standin.in_turn(FILE, faults)
        require_build(trusting.buy(adoptium()))


class TestUrl:
    def entry(self, market: Market, **source: str) -> dict[str, Any]:
        upload = market.standin.serve("jre.tar.gz", market.archive())
        config = {"source": "url", "url": upload["link"], "sha256": upload["checksum"], **source}
        return {"id": "temurin-17.0.3+7", "sources": [config]}

    def test_an_archive_by_its_address_and_sha256(self, market: Market) -> None:
        build = require_build(market.buy(self.entry(market)))
        assert (build.id, build.source) == ("temurin-17.0.3+7", "url")
        assert "127.0.0.1" not in market.shop.lock.read_text()
        assert require_build(market.buy(self.entry(market), offline=True)).home == build.home

    def test_other_bytes_are_refused(self, market: Market) -> None:
        text = reason(market.buy(self.entry(market, sha256="2" * 64)))
        assert text.endswith(f"not {'2' * 64} as in jdks.yaml")

    def test_another_sha256_for_the_same_build_is_an_error(self, market: Market) -> None:
        first = require_build(market.buy(self.entry(market)))
        text = reason(market.buy(self.entry(market, sha256="2" * 64)))
        assert f"jdks.lock has {first.sha256} for the same build" in text
        assert market.standin.requests(FILE) == market.standin.requests(FILE)[:1]

    def test_the_next_source_is_tried_and_the_change_said(self, market: Market) -> None:
        offer(market)
        mixed_entry = self.entry(market)
        mixed_entry["sources"] = [*adoptium()["sources"], *mixed_entry["sources"]]
        market.standin.stub("/v3/assets/release_name/eclipse/jdk-17.0.3+7", {"status": 403})
        assert require_build(market.buy(mixed_entry)).source == "url"

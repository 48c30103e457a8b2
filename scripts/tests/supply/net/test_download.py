# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a file come whole and unmixed over links that drop, crawl or lie?"""

import hashlib
import os
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from jdkmatrix.supply.build import FetchedFile, Offer, SourceError
from jdkmatrix.supply.net.download import Download, fetch_archive
from jdkmatrix.supply.net.web import Patience, Web
from tests.supply.dropping import DroppingHost, serving

pytestmark = pytest.mark.slow

CONTENT = os.urandom(400_000)
SHA256 = hashlib.sha256(CONTENT).hexdigest()
BRISK = Patience(attempts=3, first_pause_s=0.01, longest_pause_s=0.1, read_timeout_s=1.0)


def run_download(
    host: DroppingHost,
    path: Path,
    size_bytes: int | None = len(CONTENT),
    patience: Patience = BRISK,
) -> tuple[Download, str]:
    with serving(host):
        download = Download(Web(threading.Event(), patience), host.address, path, size_bytes)
        return download, download.run(lambda n: None)


def test_a_dropped_link_is_gone_on_with(tmp_path: Path) -> None:
    host = DroppingHost(CONTENT, cuts=[100_000, 150_000, 1, 50_000])
    download, sha256 = run_download(host, tmp_path / "f")
    assert (sha256, (tmp_path / "f").read_bytes()) == (SHA256, CONTENT)
    assert download.resumptions == 4
    ranges = [(headers.get("Range"), headers.get("If-Range")) for headers in host.requests]
    assert ranges[0] == (None, None)
    assert ranges[1] == ("bytes=100000-", '"1"')
    assert ranges[4] == ("bytes=300001-", '"1"')


def test_a_link_that_drops_often_is_borne_while_something_comes(tmp_path: Path) -> None:
    host = DroppingHost(CONTENT, cuts=[20_000] * 19)
    assert run_download(host, tmp_path / "f")[1] == SHA256
    assert len(host.requests) == 20


def test_a_link_that_gives_nothing_more_is_given_up(tmp_path: Path) -> None:
    host = DroppingHost(CONTENT, cuts=[1000] + [0] * 20)
    with pytest.raises(SourceError, match=r"^jdk\.tar\.gz: "):
        run_download(host, tmp_path / "f")
    assert len(host.requests) == 1 + BRISK.attempts


@pytest.mark.parametrize(
    "fault",
    [
        DroppingHost(CONTENT, cuts=[100_000], tags=['"old"', '"new"']),
        DroppingHost(CONTENT, cuts=[100_000], heeds_ranges=False),
        DroppingHost(CONTENT, cuts=[100_000], tags=[]),
        DroppingHost(CONTENT, cuts=[100_000], tags=['W/"weak"']),
        DroppingHost(CONTENT, cuts=[100_000], range_shift=5),
        DroppingHost(CONTENT, cuts=[100_000], says_range=False),
        DroppingHost(CONTENT, cuts=[100_000], refuses_ranges=True),
        DroppingHost(CONTENT, cuts=[100_000], tags=['"old"', '"new"'], ignores_if_range=True),
        DroppingHost(CONTENT, cuts=[100_000], tags=[], dates=["Mon", "Tue"], ignores_if_range=True),
    ],
    ids=[
        "replaced",
        "no-ranges",
        "no-validator",
        "weak-validator",
        "other-range",
        "unsaid-range",
        "416",
        "part-of-another-by-tag",
        "part-of-another-by-date",
    ],
)
def test_what_cannot_be_gone_on_with_starts_anew(tmp_path: Path, fault: DroppingHost) -> None:
    download, sha256 = run_download(fault, tmp_path / "f")
    assert (sha256, (tmp_path / "f").stat().st_size) == (SHA256, len(CONTENT))
    assert download.resumptions == 0


def test_a_date_names_the_bytes_where_no_tag_does(tmp_path: Path) -> None:
    host = DroppingHost(CONTENT, cuts=[100_000], tags=['W/"weak"'], dates=["Mon"])
    download, sha256 = run_download(host, tmp_path / "f")
    assert (sha256, download.resumptions) == (SHA256, 1)
    assert host.requests[1]["If-Range"] == "Mon"


def archive(host: DroppingHost, folder: Path) -> FetchedFile:
    with serving(host):
        web = Web(threading.Event(), BRISK)
        offer = Offer("jdk.tar.gz", "17", len(CONTENT), SHA256)
        return fetch_archive(web, host.address, offer, folder, "the test says", lambda n: None)


def test_parts_that_do_not_make_the_file_are_got_again_as_one(tmp_path: Path) -> None:
    host = DroppingHost(CONTENT, cuts=[100_000], spoils_parts=True)
    assert archive(host, tmp_path).artifact.sha256 == SHA256
    assert (tmp_path / "archive").read_bytes() == CONTENT
    assert [headers.get("Range") for headers in host.requests] == [None, "bytes=100000-", None]


def test_a_whole_file_of_other_bytes_is_not_got_twice(tmp_path: Path) -> None:
    host = DroppingHost(bytes(len(CONTENT)))
    with pytest.raises(SourceError, match=f"not {SHA256} as the test says"):
        archive(host, tmp_path)
    assert len(host.requests) == 1


def test_a_slow_link_is_waited_for(tmp_path: Path) -> None:
    host = DroppingHost(CONTENT[:30_000], pause_s=0.05)
    began_s = time.monotonic()
    _, sha256 = run_download(host, tmp_path / "f", 30_000)
    assert sha256 == hashlib.sha256(CONTENT[:30_000]).hexdigest()
    assert time.monotonic() - began_s > BRISK.read_timeout_s  # it is the silence that counts
    assert len(host.requests) == 1


def test_a_link_that_crawls_is_asked_anew(tmp_path: Path) -> None:
    patience = replace(BRISK, slow_for_s=0.3, slowest_bytes_per_s=1_000_000)
    host = DroppingHost(CONTENT[:30_000], pause_s=0.05)
    assert (
        run_download(host, tmp_path / "f", 30_000, patience)[1]
        == hashlib.sha256(CONTENT[:30_000]).hexdigest()
    )
    assert len(host.requests) > 1


def test_a_link_that_crawls_after_a_fast_start_is_asked_anew(tmp_path: Path) -> None:
    patience = replace(BRISK, slow_for_s=0.3, slowest_bytes_per_s=100_000)
    host = DroppingHost(CONTENT, burst_bytes=370_000, pause_s=0.05)
    assert run_download(host, tmp_path / "f", patience=patience)[1] == SHA256
    assert len(host.requests) > 1


def test_more_than_was_announced_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"^jdk\.tar\.gz: more than 1000 bytes$"):
        run_download(DroppingHost(CONTENT), tmp_path / "f", 1000)


def test_less_than_was_announced_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"400000 bytes, not 400001$"):
        run_download(DroppingHost(CONTENT), tmp_path / "f", 400_001)


def test_a_stop_ends_the_waiting(tmp_path: Path) -> None:
    stop = threading.Event()
    patience = Patience(attempts=100, first_pause_s=30.0)
    download = Download(Web(stop, patience), "http://127.0.0.1:9/jdk", tmp_path / "f", None)
    threading.Timer(0.2, stop.set).start()
    began_s = time.monotonic()
    with pytest.raises(SourceError, match=r"^interrupted$"):
        download.run(lambda n: None)
    assert time.monotonic() - began_s < 5

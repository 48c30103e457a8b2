# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a run go on with the download that an earlier one had to leave?"""

import hashlib
import os
from pathlib import Path

import pytest

from jdkmatrix.supply.build import Build, Unavailable
from jdkmatrix.supply.cache.holdings import Holdings
from jdkmatrix.supply.net.web import Patience
from jdkmatrix.supply.sources.kinds import Circumstances
from jdkmatrix.supply.supplier import Supplier
from tests.supply.adoptium_kit import Market, adoptium, require_build, tar_gz
from tests.supply.dropping import DroppingHost, serving
from tests.supply.standin import release
from tests.supply.supply_kit import Shop, jdks_of, write_jdk

HASTY = Circumstances(patience=Patience(attempts=1, first_pause_s=0.01))
ENTRY = "temurin-17.0.3+7"
CUT = 60_000


@pytest.fixture
def host(shop: Shop) -> DroppingHost:
    """A host whose link drops once and is dead then; `mend` it."""
    home = write_jdk(shop.root / "made")
    (home / "lib" / "modules").write_bytes(os.urandom(100_000))
    content = tar_gz(shop.root / "jdk.tar.gz", home, "jdk").read_bytes()
    return DroppingHost(content, cuts=[CUT, *[0] * 20])


def mend(host: DroppingHost) -> None:
    """From now on it gives all that is asked for."""
    host.cuts = ()
    host.requests.clear()


def ranges(host: DroppingHost) -> list[tuple[str | None, str | None]]:
    return [(headers.get("Range"), headers.get("If-Range")) for headers in host.requests]


def list_begun(shop: Shop) -> list[Path]:
    folder = shop.cache / "begun"
    return list(folder.iterdir()) if folder.is_dir() else []


class Customer:
    """Buys one build by its address and SHA-256, in a run of its own each time."""

    def __init__(self, shop: Shop, host: DroppingHost, sha256: str | None = None) -> None:
        sha256 = sha256 or hashlib.sha256(host.content).hexdigest()
        source = {"source": "url", "url": host.address, "sha256": sha256}
        self._shop = shop
        self.jdks = jdks_of({"id": ENTRY, "sources": [source]})

    def buy(self) -> Build | Unavailable:
        shop = self._shop
        supplier = Supplier(
            self.jdks, shop.lock, shop.cache, False, shop.progress, circumstances=HASTY
        )
        (outcome,) = supplier.supply(self.jdks.builds)
        return outcome


def test_the_next_run_asks_for_the_rest_only(shop: Shop, host: DroppingHost) -> None:
    with serving(host):
        customer = Customer(shop, host)
        assert isinstance(customer.buy(), Unavailable)
        (folder,) = list_begun(shop)
        assert (folder / "archive").stat().st_size == CUT
        mend(host)
        assert isinstance(customer.buy(), Build)
    assert ranges(host) == [(f"bytes={CUT}-", '"1"')]
    assert f"{ENTRY}: resumed after 0.1 MB from an earlier run" in shop.progress.notices
    assert list_begun(shop) == shop.list_staging() == []


def test_a_file_replaced_between_two_runs_is_not_mixed(shop: Shop, host: DroppingHost) -> None:
    with serving(host):
        customer = Customer(shop, host)
        customer.buy()
        mend(host)
        host.tags = ['"2"']
        assert isinstance(customer.buy(), Build)
    assert len(host.requests) == 1


def test_what_lies_there_damaged_is_fetched_anew(shop: Shop, host: DroppingHost) -> None:
    with serving(host):
        customer = Customer(shop, host)
        customer.buy()
        (folder,) = list_begun(shop)
        (folder / "archive").write_bytes(os.urandom(CUT))
        mend(host)
        assert isinstance(customer.buy(), Build)
    assert ranges(host) == [(f"bytes={CUT}-", '"1"'), (None, None)]


@pytest.mark.parametrize("validator", [b"", b"\0\0\0", b'"\xff"', None])
def test_bytes_of_an_unknown_file_are_not_gone_on_with(
    shop: Shop, host: DroppingHost, validator: bytes | None
) -> None:
    with serving(host):
        customer = Customer(shop, host)
        customer.buy()
        (folder,) = list_begun(shop)
        if validator is None:
            (folder / "archive.validator").unlink()
        else:
            (folder / "archive.validator").write_bytes(validator)
        mend(host)
        assert isinstance(customer.buy(), Build)
    assert ranges(host) == [(None, None)]


def test_wrong_bytes_are_not_kept(shop: Shop, host: DroppingHost) -> None:
    with serving(host):
        mend(host)
        outcome = Customer(shop, host, "0" * 64).buy()
    assert isinstance(outcome, Unavailable)
    assert "not 0000" in str(outcome)
    assert list_begun(shop) == []


def test_nothing_is_kept_where_nothing_came(shop: Shop) -> None:
    dead_host = DroppingHost(b"", address="http://127.0.0.1:9/jdk.tar.gz")
    assert isinstance(Customer(shop, dead_host).buy(), Unavailable)
    assert list_begun(shop) == shop.list_staging() == []


def test_prune_removes_what_was_begun_long_ago(shop: Shop, host: DroppingHost) -> None:
    with serving(host):
        customer = Customer(shop, host)
        customer.buy()
    holdings = Holdings(customer.jdks, shop.lock, shop.cache)
    (folder,) = list_begun(shop)
    assert holdings.list_unneeded(unused_days=1) == []
    os.utime(folder, (0, 0))
    assert holdings.list_unneeded(unused_days=1) == [folder]
    outcome = holdings.prune(folder, remove=True)
    assert (outcome.is_removed, outcome.size_bytes >= CUT) == (True, True)
    assert list_begun(shop) == shop.list_staging() == []


@pytest.mark.jdk
@pytest.mark.quiet
def test_a_release_of_the_api_is_gone_on_with(market: Market, host: DroppingHost) -> None:
    market.circumstances = HASTY
    with serving(host):
        sha256 = hashlib.sha256(host.content).hexdigest()
        size = len(host.content)
        package = {"name": "x.tar.gz", "link": host.address, "size": size, "checksum": sha256}
        market.stub_release("jdk-17.0.3+7", release("jdk-17.0.3+7", "17.0.3+7", package))
        assert isinstance(market.buy(adoptium()), Unavailable)
        mend(host)
        assert require_build(market.buy(adoptium())).sha256 == sha256
    assert ranges(host) == [(f"bytes={CUT}-", '"1"')]

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which of several sources is asked first? The one whose bytes jdks.lock has."""

import hashlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.supply.build import Build
from tests.supply.adoptium_kit import tar_gz
from tests.supply.dropping import DroppingHost, serving
from tests.supply.supply_kit import Shop, from_wheel, jdks_of, write_jdk

pytestmark = pytest.mark.slow

ENTRY_ID = "temurin-17.0.3+7"


@dataclass
class TwoSources:
    """An address and a wheel, both with the build; the lock has the wheel, the cache nothing."""

    shop: Shop
    host: DroppingHost
    wheel: Path
    url: dict[str, Any]

    def jdks(self, *sources: dict[str, Any]) -> JdksFile:
        return jdks_of({"id": ENTRY_ID, "sources": sources})

    def source_of(self, jdks: JdksFile, *, renew: bool = False) -> str:
        supplier = self.shop.supplier(jdks)
        (build,) = supplier.renew(jdks.builds) if renew else supplier.supply(jdks.builds)
        assert isinstance(build, Build), str(build)
        return build.source


WHEEL: dict[str, Any] = from_wheel(ENTRY_ID, "1.0")["sources"][0]  # type: ignore[index]


@pytest.fixture
def both(shop: Shop) -> Iterator[TwoSources]:
    archive = tar_gz(shop.root / "jdk.tar.gz", write_jdk(shop.root / "made"), "jdk")
    with serving(DroppingHost(archive.read_bytes())) as host:
        sha256 = hashlib.sha256(host.content).hexdigest()
        url = {"source": "url", "url": host.address, "sha256": sha256}
        made = TwoSources(shop, host, shop.offer("1.0", "17.0.3+7"), url)
        assert made.source_of(made.jdks(WHEEL)) == "wheel"
        shutil.rmtree(shop.cache / "builds")
        yield made


def test_the_locked_source_goes_before_one_that_stands_first(both: TwoSources) -> None:
    before = both.shop.lock.read_bytes()
    assert both.source_of(both.jdks(both.url, WHEEL)) == "wheel"
    assert both.shop.lock.read_bytes() == before
    assert both.host.asked == []


def test_a_renewed_lock_follows_the_order_of_jdks_yaml(both: TwoSources) -> None:
    jdks = both.jdks(both.url, WHEEL)
    assert both.source_of(jdks, renew=True) == "url"
    assert both.source_of(jdks) == "url"


def test_the_next_one_serves_where_the_locked_source_cannot(both: TwoSources) -> None:
    both.wheel.unlink()
    assert both.source_of(both.jdks(both.url, WHEEL)) == "url"
    assert both.shop.told.notices[-1] == f"{ENTRY_ID}: now from url; jdks.lock had wheel"


def test_what_the_lock_has_of_an_edited_source_does_not_count(both: TwoSources) -> None:
    assert both.source_of(both.jdks(both.url, {**WHEEL, "version": "2.0"})) == "url"


def test_a_local_jdk_keeps_its_place(both: TwoSources) -> None:
    local = {"source": "local", "path": str(both.shop.root / "made")}
    assert both.source_of(both.jdks(local, both.url, WHEEL)) == "local"
    assert both.source_of(both.jdks(both.url, WHEEL, local)) == "wheel"

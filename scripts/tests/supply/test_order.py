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
def pair(shop: Shop) -> Iterator[TwoSources]:
    archive = tar_gz(shop.root / "jdk.tar.gz", write_jdk(shop.root / "made"), "jdk")
    with serving(DroppingHost(archive.read_bytes())) as host:
        sha256 = hashlib.sha256(host.content).hexdigest()
        url = {"source": "url", "url": host.address, "sha256": sha256}
        new_pair = TwoSources(shop, host, shop.offer("1.0", "17.0.3+7"), url)
        assert new_pair.source_of(new_pair.jdks(WHEEL)) == "wheel"
        shutil.rmtree(shop.cache / "builds")
        yield new_pair


def test_the_locked_source_goes_before_one_that_stands_first(pair: TwoSources) -> None:
    old_lock = pair.shop.lock.read_bytes()
    assert pair.source_of(pair.jdks(pair.url, WHEEL)) == "wheel"
    assert pair.shop.lock.read_bytes() == old_lock
    assert pair.host.requests == []


def test_a_renewed_lock_follows_the_order_of_jdks_yaml(pair: TwoSources) -> None:
    jdks = pair.jdks(pair.url, WHEEL)
    assert pair.source_of(jdks, renew=True) == "url"
    assert pair.source_of(jdks) == "url"


def test_the_next_one_serves_where_the_locked_source_cannot(pair: TwoSources) -> None:
    pair.wheel.unlink()
    assert pair.source_of(pair.jdks(pair.url, WHEEL)) == "url"
    assert pair.shop.progress.notices[-1] == f"{ENTRY_ID}: now from url; jdks.lock had wheel"


def test_what_the_lock_has_of_an_edited_source_does_not_count(pair: TwoSources) -> None:
    assert pair.source_of(pair.jdks(pair.url, {**WHEEL, "version": "2.0"})) == "url"


def test_a_local_jdk_keeps_its_place(pair: TwoSources) -> None:
    local = {"source": "local", "path": str(pair.shop.root / "made")}
    assert pair.source_of(pair.jdks(local, pair.url, WHEEL)) == "local"
    assert pair.source_of(pair.jdks(pair.url, WHEEL, local)) == "wheel"

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""An archive whose checksum nobody publishes: are its first bytes locked, and others refused?"""

import shutil
from collections.abc import Iterator

import pytest

from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.supply.build import Build, Unavailable
from tests.supply.adoptium_kit import tar_gz
from tests.supply.dropping import DroppingHost, serving
from tests.supply.supply_kit import Shop, jdks_of, write_jdk

pytestmark = pytest.mark.slow

# The entry does not know the build's number either: an index has it seldom.
ENTRY_ID = "temurin-17.0.3"


@pytest.fixture
def host(shop: Shop) -> Iterator[DroppingHost]:
    archive = tar_gz(shop.root / "jdk.tar.gz", write_jdk(shop.root / "made"), "jdk")
    with serving(DroppingHost(archive.read_bytes())) as dropping_host:
        yield dropping_host


def jdks_at(host: DroppingHost, path: str = "") -> JdksFile:
    url = {"source": "url", "url": host.address + path}
    return jdks_of({"id": ENTRY_ID, "sources": [url]})


def test_the_first_bytes_are_locked_and_said_to_be(shop: Shop, host: DroppingHost) -> None:
    (build,) = shop.supplier(jdks_at(host)).supply(jdks_at(host).builds)
    assert isinstance(build, Build), str(build)
    assert build.entry_id == ENTRY_ID
    (notice,) = [line for line in shop.progress.notices if "SHA-256" in line]
    assert notice.endswith("no published SHA-256; these bytes are locked")


def test_other_bytes_are_refused_then(shop: Shop, host: DroppingHost) -> None:
    jdks = jdks_at(host)
    shop.supplier(jdks).supply(jdks.builds)
    shutil.rmtree(shop.cache / "builds")
    host.content = host.content[:-1] + b"x"
    (outcome,) = shop.supplier(jdks).supply(jdks.builds)
    assert isinstance(outcome, Unavailable)
    assert "in jdks.lock" in str(outcome)


def test_what_another_address_has_is_taken_by_locking_it(shop: Shop, host: DroppingHost) -> None:
    jdks = jdks_at(host)
    shop.supplier(jdks).supply(jdks.builds)
    shutil.rmtree(shop.cache / "builds")
    archive = tar_gz(shop.root / "2.tar.gz", write_jdk(shop.root / "made2"), "another")
    host.content = archive.read_bytes()
    new_jdks = jdks_at(host, "?2")
    (outcome,) = shop.supplier(new_jdks).supply(new_jdks.builds)
    assert "to accept it: scripts/matrix jdks lock" in str(outcome)
    (outcome,) = shop.supplier(new_jdks).renew(new_jdks.builds)
    assert isinstance(outcome, Build), str(outcome)

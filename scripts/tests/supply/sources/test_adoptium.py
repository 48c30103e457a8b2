# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does the kit find the release that is meant, in whatever state the API is?"""

from typing import Any

import pytest

from jdkmatrix.supply.build import Unavailable
from jdkmatrix.supply.cache.jdks_lock import LockFile
from jdkmatrix.supply.parts import Circumstances
from jdkmatrix.supply.platform import Platform
from tests.supply.adoptium_kit import API, BRISK, Market, adoptium, got, reason
from tests.supply.standin import answer, release

pytestmark = pytest.mark.jdk

NAME = "jdk-17.0.3+7"
LIST = f"{API}/feature_releases/17/ga"


def offer(market: Market, version: str = "17.0.3+7", **more: Any) -> dict[str, Any]:
    """A release with a small JDK, on offer by name."""
    package = market.standin.put(f"jre-{version}.tar.gz", market.archive(version))
    made = release(f"jdk-{version}", version, {**package, **more})
    market.named(f"jdk-{version}", made)
    return made


def bare(*versions: str) -> list[dict[str, Any]]:
    """Releases of which only one will be downloaded."""
    package = {"name": "x.tar.gz", "link": "http://127.0.0.1:9/x", "checksum": "0" * 64}
    return [release(f"jdk-{version}", version, package) for version in versions]


def test_a_release_by_name_is_fetched_locked_and_then_cached(market: Market) -> None:
    made = offer(market)
    build = got(market.buy(adoptium()))
    assert (build.id, build.source) == ("temurin-17.0.3+7", "adoptium")
    package = made["binaries"][0]["package"]
    assert build.sha256 == package["checksum"]
    locked = LockFile(market.shop.lock).entry("linux-x64", "temurin-17.0.3+7")
    assert locked is not None
    assert (locked.scm_ref, locked.mutable) == ("jdk-17.0.3+7_adopt", False)
    assert (locked.artifacts[0].name, locked.artifacts[0].version) == (package["name"], NAME)
    assert "127.0.0.1" not in market.shop.lock.read_text()
    market.standin.reset()
    assert got(market.buy(adoptium(), offline=True)).home == build.home


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"image": "jdk"}, "it has no javac, but a jdk was asked for"),
        ({"jvm": "openj9"}, "its VM is OpenJDK 64-Bit Server VM, not openj9"),
    ],
)
def test_a_cached_build_is_not_served_for_another_kind(
    market: Market, asked: dict[str, str], told: str
) -> None:
    offer(market)
    got(market.buy(adoptium()))
    refused = reason(market.buy(adoptium(**asked), offline=True))
    assert refused == f"cached temurin-17.0.3+7: refused: {told}, and offline"
    assert got(market.buy(adoptium(), offline=True)).source == "adoptium"
    assert isinstance(market.buy(adoptium(**asked)), Unavailable)


def test_the_platform_is_asked_for_in_the_apis_words(market: Market) -> None:
    offer(market)
    market.circumstances = Circumstances(Platform("alpine-linux", "aarch64"), patience=BRISK)
    assert isinstance(market.buy(adoptium()), Unavailable)
    (first, *_) = market.standin.requests(f"{API}/release_name/eclipse/{NAME}")
    for asked in ("os=alpine-linux", "architecture=aarch64", "image_type=jre", "jvm_impl=hotspot"):
        assert asked in first["url"]


def test_a_missing_platform_is_told_with_those_that_there_are(market: Market) -> None:
    offer(market)
    path = f"{API}/release_name/eclipse/{NAME}"
    market.standin.stub(path, {"status": 404}, {"os": "alpine-linux"})
    market.listed("ga", [])
    market.circumstances = Circumstances(Platform("alpine-linux", "x64"), patience=BRISK)
    told = reason(market.buy(adoptium()))
    assert told == f"{NAME} is not available for alpine-linux/x64 jre; available: linux/x64 jre"


def test_an_unknown_release_is_told(market: Market) -> None:
    told = reason(market.buy(adoptium("temurin-17.0.99+1")))
    assert told == "the API has no release jdk-17.0.99+1 of eclipse"


def test_a_range_is_looked_for_on_every_page(market: Market) -> None:
    made = offer(market)
    others = bare(*(f"17.0.{n}+1" for n in range(60, 10, -1)))
    market.listed("ga", [*others, made])
    build = got(market.buy(adoptium("temurin-17", range="17.0.1..17.0.9")))
    assert build.id == "temurin-17.0.3+7"
    asked = market.standin.requests(LIST)
    assert [one["url"].partition("&page=")[2][:1] for one in asked] == ["0", "1", "2", "3"]
    assert all("page_size=20" in one["url"] for one in asked)


@pytest.mark.parametrize(
    ("which", "newest"),
    [("latest-ga", "17.0.10+7"), ("previous-ga", "17.0.9+9")],
)
def test_newest_is_by_version_and_a_respin_is_not_the_previous(
    market: Market, which: str, newest: str
) -> None:
    made = offer(market, newest)
    versions = ["17.0.9+9", "17.0.10+7", "17.0.10+5", "17.0.9+8", "17.0.8+7"]
    listed = [made if v == newest else bare(v)[0] for v in versions]
    market.listed("ga", listed)
    assert got(market.buy(adoptium("temurin-17", release=which))).id == f"temurin-{newest}"


def test_a_locked_release_is_obeyed_until_the_lock_is_renewed(market: Market) -> None:
    entry = adoptium("temurin-17", release="latest-ga")
    market.listed("ga", [offer(market)])
    assert got(market.buy(entry)).id == "temurin-17.0.3+7"
    market.listed("ga", [offer(market, "17.0.7+7"), offer(market)])
    (market.shop.installs()[0] / "installed.json").unlink()
    assert got(market.buy(entry)).id == "temurin-17.0.3+7"
    renewed = got(market.renew(entry))
    assert renewed.id == "temurin-17.0.7+7"
    assert renewed.notices == ("temurin-17: latest-ga is now 17.0.7+7, lock had 17.0.3+7",)
    assert got(market.buy(entry, offline=True)).id == "temurin-17.0.7+7"


def test_a_release_on_which_the_api_breaks_is_found_in_the_lists(market: Market) -> None:
    made = offer(market)
    market.standin.stub(f"{API}/release_name/eclipse/{NAME}", {"status": 500})
    market.listed("ga", [made])
    assert got(market.buy(adoptium())).id == "temurin-17.0.3+7"


def test_a_release_that_breaks_its_page_is_left_out(market: Market) -> None:
    made = offer(market)
    market.listed("ga", [])
    market.standin.stub(LIST, {"status": 500}, {"page": "0", "page_size": "20"})
    for n, one in enumerate([*bare("17.0.2+8"), None, made]):
        body = {"status": 500} if one is None else answer([one])
        market.standin.stub(LIST, body, {"page": str(n), "page_size": "1"})
    build = got(market.buy(adoptium("temurin-17", release="latest-ga")))
    assert build.id == "temurin-17.0.3+7"


def test_other_trouble_than_a_release_that_breaks_hides_no_release(market: Market) -> None:
    market.listed("ga", bare("17.0.2+8"))
    market.standin.stub(LIST, {"status": 500}, {"page": "0", "page_size": "20"})
    market.standin.stub(LIST, answer(bare("17.0.2+8")), {"page": "0", "page_size": "1"})
    market.standin.stub(LIST, {"status": 503}, {"page": "1", "page_size": "1"})
    told = reason(market.buy(adoptium("temurin-17", release="latest-ga")))
    assert told == "ga: 503 Service Unavailable"


def test_an_api_that_is_down_is_not_asked_for_ever(market: Market) -> None:
    market.standin.stub(LIST, {"status": 500})
    told = reason(market.buy(adoptium("temurin-17", release="latest-ga")))
    assert told == "ga: 500 Server Error"


def test_missing_fields_are_borne(market: Market) -> None:
    made = offer(market, checksum=None, size=None, checksum_link=f"{market.standin.http}/sum")
    sha256 = market.standin.put("x", market.shop.root / "17.0.3+7.tar.gz")["checksum"]
    market.standin.stub("/sum", {"status": 200, "body": f"{sha256}  jre.tar.gz\n"})
    del made["version_data"], made["release_type"], made["binaries"][0]["scm_ref"]
    made["binaries"].insert(0, {"os": "linux", "installer": {}})
    market.named(NAME, made)
    assert got(market.buy(adoptium())).sha256 == sha256


def test_a_null_is_as_if_the_field_were_missing(market: Market) -> None:
    made = offer(market, checksum_link=None, signature_link=None, size=None)
    made["binaries"][0]["scm_ref"] = made["release_type"] = made["version_data"] = None
    other = {**made["binaries"][0], "os": None, "jvm_impl": None, "project": None, "package": None}
    made["binaries"].insert(0, other)
    market.named(NAME, made)
    assert got(market.buy(adoptium())).id == "temurin-17.0.3+7"
    market.named(NAME, {**made, "binaries": None})
    market.listed("ga", [])
    (market.shop.installs()[0] / "installed.json").unlink()
    assert reason(market.buy(adoptium())).startswith(f"{NAME} is not available for linux/x64 jre")


@pytest.mark.parametrize("checksum", ["../../../../tmp/x", "0" * 63, "g" * 64, f"{'0' * 64}\n"])
def test_what_is_no_sha256_is_as_if_it_were_missing(market: Market, checksum: str) -> None:
    offer(market, checksum=checksum)
    told = reason(market.buy(adoptium()))
    assert told == "jre-17.0.3+7.tar.gz: the API has no SHA-256 for it"
    assert not (market.shop.cache / "begun").exists()


def test_a_sha256_in_capitals_is_one(market: Market) -> None:
    made = offer(market)
    sha256 = made["binaries"][0]["package"]["checksum"]
    offer(market, checksum=sha256.upper())
    assert got(market.buy(adoptium())).sha256 == sha256


def test_without_any_sha256_nothing_is_downloaded(market: Market) -> None:
    offer(market, checksum=None, checksum_link=f"{market.standin.http}/not-there")
    told = reason(market.buy(adoptium()))
    assert told == "jre-17.0.3+7.tar.gz: the API has no SHA-256 for it"
    assert market.standin.requests("/files/jre-17.0.3+7.tar.gz") == []


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("{", "the API's answer is not JSON"),
        ("[]", "the API's answer on a release: "),
        ('{"release_name": 1}', "the API's answer on 1: release_name: input should be a valid"),
    ],
)
def test_an_answer_of_another_shape_is_one_line(market: Market, body: str, told: str) -> None:
    path = f"{API}/release_name/eclipse/{NAME}"
    market.standin.stub(path, {"status": 200, "body": body})
    assert told in reason(market.buy(adoptium()))


def test_bytes_that_the_api_does_not_name_are_refused(market: Market) -> None:
    offer(market, checksum="0" * 64)
    told = reason(market.buy(adoptium()))
    assert "SHA-256 is " in told
    assert told.endswith(f"not {'0' * 64} as the API says")
    assert market.shop.installs() == market.shop.staged() == []
    assert not market.shop.lock.exists()


def test_other_bytes_for_a_locked_ga_build_are_an_error(market: Market) -> None:
    offer(market)
    first = got(market.buy(adoptium()))
    before = market.shop.lock.read_bytes()
    offer(market, checksum="1" * 64)
    for again in (market.renew, market.buy):
        if again == market.buy:
            (market.shop.installs()[0] / "installed.json").unlink()
        told = reason(again(adoptium()))
        assert told.endswith(f"SHA-256 is {'1' * 64}, but jdks.lock has {first.sha256}")
    assert market.shop.lock.read_bytes() == before


class TestEarlyAccess:
    NAME = "jdk-17.0.12+6-ea-beta"
    ENTRY = adoptium("temurin-17-ea", release="latest-ea")

    def offer(self, market: Market, version: str, name: str = "ea.tar.gz") -> None:
        package = market.standin.put(name, market.archive(version))
        made = release(self.NAME, "17.0.12-beta+6-ea", package)
        market.named(self.NAME, made)
        market.listed("ea", [made])

    @pytest.mark.parametrize("name", ["ea.tar.gz", "renamed.tar.gz"])
    def test_the_first_bytes_are_kept_and_a_change_upstream_is_reported(
        self, market: Market, name: str
    ) -> None:
        self.offer(market, "17.0.12-beta+6-ea")
        first = got(market.buy(self.ENTRY))
        assert first.notices[0].endswith("early access: the first bytes are kept")
        self.offer(market, "17.0.12-beta+6-ea ", name)
        kept = got(market.renew(self.ENTRY))
        assert kept.home == first.home
        (told, *_) = kept.notices
        assert "was replaced upstream: SHA-256 is " in told
        assert told.endswith(f"jdks.lock has {first.sha256}; the first bytes are kept")
        locked = LockFile(market.shop.lock).entry("linux-x64", "temurin-17-ea")
        assert locked is not None
        assert (locked.mutable, locked.artifacts[0].sha256) == (True, first.sha256)

    def test_first_bytes_that_are_gone_are_not_replaced_silently(self, market: Market) -> None:
        self.offer(market, "17.0.12-beta+6-ea")
        got(market.buy(self.ENTRY))
        (market.shop.installs()[0] / "installed.json").unlink()
        self.offer(market, "17.0.12-beta+6-ea ")
        told = reason(market.buy(self.ENTRY))
        assert "replaced upstream" in told
        assert told.endswith("remove the entry from jdks.lock to take the new ones")

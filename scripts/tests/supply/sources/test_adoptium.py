# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does the kit find the release that is meant, in whatever state the API is?"""

from typing import Any

import pytest

from jdkmatrix.supply.build import Unavailable
from jdkmatrix.supply.cache.jdks_lock import LockFile
from jdkmatrix.supply.platform import Platform
from jdkmatrix.supply.sources.kinds import Circumstances
from tests.supply.adoptium_kit import API, BRISK, Market, adoptium, reason, require_build
from tests.supply.standin import answer, release

pytestmark = pytest.mark.jdk

NAME = "jdk-17.0.3+7"
LIST = f"{API}/feature_releases/17/ga"


def offer(market: Market, version: str = "17.0.3+7", **fields: Any) -> dict[str, Any]:
    """A release with a small JDK, on offer by name."""
    package = market.standin.serve(f"jre-{version}.tar.gz", market.archive(version))
    api_release = release(f"jdk-{version}", version, {**package, **fields})
    market.stub_release(f"jdk-{version}", api_release)
    return api_release


def bare(*versions: str) -> list[dict[str, Any]]:
    """Releases of which only one will be downloaded."""
    package = {"name": "x.tar.gz", "link": "http://127.0.0.1:9/x", "checksum": "0" * 64}
    return [release(f"jdk-{version}", version, package) for version in versions]


def test_a_release_by_name_is_fetched_locked_and_then_cached(market: Market) -> None:
    api_release = offer(market)
    build = require_build(market.buy(adoptium()))
    assert (build.id, build.source) == ("temurin-17.0.3+7", "adoptium")
    package = api_release["binaries"][0]["package"]
    assert build.sha256 == package["checksum"]
    lock_entry = LockFile(market.shop.lock).entry("linux-x64", "temurin-17.0.3+7")
    assert lock_entry is not None
    assert (lock_entry.scm_ref, lock_entry.mutable) == ("jdk-17.0.3+7_adopt", False)
    assert (lock_entry.artifacts[0].name, lock_entry.artifacts[0].version) == (
        package["name"],
        NAME,
    )
    assert "127.0.0.1" not in market.shop.lock.read_text()
    market.standin.reset()
    assert require_build(market.buy(adoptium(), offline=True)).home == build.home


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"image": "jdk"}, "it has no javac, but a jdk was asked for"),
        ({"jvm": "openj9"}, "its VM is OpenJDK 64-Bit Server VM, not openj9"),
    ],
)
def test_a_cached_build_is_not_served_for_another_kind(
    market: Market, options: dict[str, str], text: str
) -> None:
    offer(market)
    require_build(market.buy(adoptium()))
    refusal = reason(market.buy(adoptium(**options), offline=True))
    assert refusal == f"cached temurin-17.0.3+7: refused: {text}, and offline"
    assert require_build(market.buy(adoptium(), offline=True)).source == "adoptium"
    assert isinstance(market.buy(adoptium(**options)), Unavailable)


def test_the_platform_is_asked_for_in_the_apis_words(market: Market) -> None:
    offer(market)
    market.circumstances = Circumstances(Platform("alpine-linux", "aarch64"), patience=BRISK)
    assert isinstance(market.buy(adoptium()), Unavailable)
    (first, *_) = market.standin.requests(f"{API}/release_name/eclipse/{NAME}")
    for word in ("os=alpine-linux", "architecture=aarch64", "image_type=jre", "jvm_impl=hotspot"):
        assert word in first["url"]


def test_a_missing_platform_is_told_with_those_that_there_are(market: Market) -> None:
    offer(market)
    path = f"{API}/release_name/eclipse/{NAME}"
    market.standin.stub(path, {"status": 404}, {"os": "alpine-linux"})
    market.stub_list("ga", [])
    market.circumstances = Circumstances(Platform("alpine-linux", "x64"), patience=BRISK)
    text = reason(market.buy(adoptium()))
    assert text == f"{NAME} is not available for alpine-linux/x64 jre; available: linux/x64 jre"


def test_an_unknown_release_is_told(market: Market) -> None:
    text = reason(market.buy(adoptium("temurin-17.0.99+1")))
    assert text == "the API has no release jdk-17.0.99+1 of eclipse"


def test_a_range_is_looked_for_on_every_page(market: Market) -> None:
    api_release = offer(market)
    other_releases = bare(*(f"17.0.{n}+1" for n in range(60, 10, -1)))
    market.stub_list("ga", [*other_releases, api_release])
    build = require_build(market.buy(adoptium("temurin-17", range="17.0.1..17.0.9")))
    assert build.id == "temurin-17.0.3+7"
    requests = market.standin.requests(LIST)
    assert [request["url"].partition("&page=")[2][:1] for request in requests] == [
        "0",
        "1",
        "2",
        "3",
    ]
    assert all("page_size=20" in request["url"] for request in requests)


@pytest.mark.parametrize(
    ("release_name", "newest"),
    [("latest-ga", "17.0.10+7"), ("previous-ga", "17.0.9+9")],
)
def test_newest_is_by_version_and_a_respin_is_not_the_previous(
    market: Market, release_name: str, newest: str
) -> None:
    api_release = offer(market, newest)
    versions = ["17.0.9+9", "17.0.10+7", "17.0.10+5", "17.0.9+8", "17.0.8+7"]
    releases = [api_release if v == newest else bare(v)[0] for v in versions]
    market.stub_list("ga", releases)
    assert (
        require_build(market.buy(adoptium("temurin-17", release=release_name))).id
        == f"temurin-{newest}"
    )


def test_a_locked_release_is_obeyed_until_the_lock_is_renewed(market: Market) -> None:
    entry = adoptium("temurin-17", release="latest-ga")
    market.stub_list("ga", [offer(market)])
    assert require_build(market.buy(entry)).id == "temurin-17.0.3+7"
    market.stub_list("ga", [offer(market, "17.0.7+7"), offer(market)])
    (market.shop.installs()[0] / "installed.json").unlink()
    assert require_build(market.buy(entry)).id == "temurin-17.0.3+7"
    new_build = require_build(market.renew(entry))
    assert new_build.id == "temurin-17.0.7+7"
    assert new_build.notices == ("temurin-17: latest-ga is now 17.0.7+7, lock had 17.0.3+7",)
    assert require_build(market.buy(entry, offline=True)).id == "temurin-17.0.7+7"


def test_a_release_on_which_the_api_breaks_is_found_in_the_lists(market: Market) -> None:
    api_release = offer(market)
    market.standin.stub(f"{API}/release_name/eclipse/{NAME}", {"status": 500})
    market.stub_list("ga", [api_release])
    assert require_build(market.buy(adoptium())).id == "temurin-17.0.3+7"


def test_a_release_that_breaks_its_page_is_left_out(market: Market) -> None:
    api_release = offer(market)
    market.stub_list("ga", [])
    market.standin.stub(LIST, {"status": 500}, {"page": "0", "page_size": "20"})
    for n, page_release in enumerate([*bare("17.0.2+8"), None, api_release]):
        body = {"status": 500} if page_release is None else answer([page_release])
        market.standin.stub(LIST, body, {"page": str(n), "page_size": "1"})
    build = require_build(market.buy(adoptium("temurin-17", release="latest-ga")))
    assert build.id == "temurin-17.0.3+7"


def test_other_trouble_than_a_release_that_breaks_hides_no_release(market: Market) -> None:
    market.stub_list("ga", bare("17.0.2+8"))
    market.standin.stub(LIST, {"status": 500}, {"page": "0", "page_size": "20"})
    market.standin.stub(LIST, answer(bare("17.0.2+8")), {"page": "0", "page_size": "1"})
    market.standin.stub(LIST, {"status": 503}, {"page": "1", "page_size": "1"})
    text = reason(market.buy(adoptium("temurin-17", release="latest-ga")))
    assert text == "ga: 503 Service Unavailable"


def test_an_api_that_is_down_is_not_asked_for_ever(market: Market) -> None:
    market.standin.stub(LIST, {"status": 500})
    text = reason(market.buy(adoptium("temurin-17", release="latest-ga")))
    assert text == "ga: 500 Server Error"


def test_missing_fields_are_borne(market: Market) -> None:
    api_release = offer(
        market, checksum=None, size=None, checksum_link=f"{market.standin.http}/sum"
    )
    sha256 = market.standin.serve("x", market.shop.root / "17.0.3+7.tar.gz")["checksum"]
    market.standin.stub("/sum", {"status": 200, "body": f"{sha256}  jre.tar.gz\n"})
    del (
        api_release["version_data"],
        api_release["release_type"],
        api_release["binaries"][0]["scm_ref"],
    )
    api_release["binaries"].insert(0, {"os": "linux", "installer": {}})
    market.stub_release(NAME, api_release)
    assert require_build(market.buy(adoptium())).sha256 == sha256


def test_a_null_is_as_if_the_field_were_missing(market: Market) -> None:
    api_release = offer(market, checksum_link=None, signature_link=None, size=None)
    api_release["binaries"][0]["scm_ref"] = api_release["release_type"] = api_release[
        "version_data"
    ] = None
    null_binary = {
        **api_release["binaries"][0],
        "os": None,
        "jvm_impl": None,
        "project": None,
        "package": None,
    }
    api_release["binaries"].insert(0, null_binary)
    market.stub_release(NAME, api_release)
    assert require_build(market.buy(adoptium())).id == "temurin-17.0.3+7"
    market.stub_release(NAME, {**api_release, "binaries": None})
    market.stub_list("ga", [])
    (market.shop.installs()[0] / "installed.json").unlink()
    assert reason(market.buy(adoptium())).startswith(f"{NAME} is not available for linux/x64 jre")


@pytest.mark.parametrize("checksum", ["../../../../tmp/x", "0" * 63, "g" * 64, f"{'0' * 64}\n"])
def test_what_is_no_sha256_is_as_if_it_were_missing(market: Market, checksum: str) -> None:
    offer(market, checksum=checksum)
    text = reason(market.buy(adoptium()))
    assert text == "jre-17.0.3+7.tar.gz: the API has no SHA-256 for it"
    assert not (market.shop.cache / "begun").exists()


def test_a_sha256_in_capitals_is_one(market: Market) -> None:
    api_release = offer(market)
    sha256 = api_release["binaries"][0]["package"]["checksum"]
    offer(market, checksum=sha256.upper())
    assert require_build(market.buy(adoptium())).sha256 == sha256


def test_without_any_sha256_nothing_is_downloaded(market: Market) -> None:
    offer(market, checksum=None, checksum_link=f"{market.standin.http}/not-there")
    text = reason(market.buy(adoptium()))
    assert text == "jre-17.0.3+7.tar.gz: the API has no SHA-256 for it"
    assert market.standin.requests("/files/jre-17.0.3+7.tar.gz") == []


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("{", "the API's answer is not JSON"),
        ("[]", "the API's answer on a release: "),
        ('{"release_name": 1}', "the API's answer on 1: release_name: input should be a valid"),
    ],
)
def test_an_answer_of_another_shape_is_one_line(market: Market, body: str, text: str) -> None:
    path = f"{API}/release_name/eclipse/{NAME}"
    market.standin.stub(path, {"status": 200, "body": body})
    assert text in reason(market.buy(adoptium()))


def test_bytes_that_the_api_does_not_name_are_refused(market: Market) -> None:
    offer(market, checksum="0" * 64)
    text = reason(market.buy(adoptium()))
    assert "SHA-256 is " in text
    assert text.endswith(f"not {'0' * 64} as the API says")
    assert market.shop.installs() == market.shop.list_staging() == []
    assert not market.shop.lock.exists()


def test_other_bytes_for_a_locked_ga_build_are_an_error(market: Market) -> None:
    offer(market)
    first = require_build(market.buy(adoptium()))
    old_lock = market.shop.lock.read_bytes()
    offer(market, checksum="1" * 64)
    for action in (market.renew, market.buy):
        if action == market.buy:
            (market.shop.installs()[0] / "installed.json").unlink()
        text = reason(action(adoptium()))
        assert text.endswith(f"SHA-256 is {'1' * 64}, but jdks.lock has {first.sha256}")
    assert market.shop.lock.read_bytes() == old_lock


class TestEarlyAccess:
    NAME = "jdk-17.0.12+6-ea-beta"
    ENTRY = adoptium("temurin-17-ea", release="latest-ea")

    def offer(self, market: Market, version: str, name: str = "ea.tar.gz") -> None:
        package = market.standin.serve(name, market.archive(version))
        api_release = release(self.NAME, "17.0.12-beta+6-ea", package)
        market.stub_release(self.NAME, api_release)
        market.stub_list("ea", [api_release])

    @pytest.mark.parametrize("name", ["ea.tar.gz", "renamed.tar.gz"])
    def test_the_first_bytes_are_kept_and_a_change_upstream_is_reported(
        self, market: Market, name: str
    ) -> None:
        self.offer(market, "17.0.12-beta+6-ea")
        first = require_build(market.buy(self.ENTRY))
        assert first.notices[0].endswith("early access: the first bytes are kept")
        self.offer(market, "17.0.12-beta+6-ea ", name)
        build = require_build(market.renew(self.ENTRY))
        assert build.home == first.home
        (notice, *_) = build.notices
        assert "was replaced upstream: SHA-256 is " in notice
        assert notice.endswith(f"jdks.lock has {first.sha256}; the first bytes are kept")
        lock_entry = LockFile(market.shop.lock).entry("linux-x64", "temurin-17-ea")
        assert lock_entry is not None
        assert (lock_entry.mutable, lock_entry.artifacts[0].sha256) == (True, first.sha256)

    def test_first_bytes_that_are_gone_are_not_replaced_silently(self, market: Market) -> None:
        self.offer(market, "17.0.12-beta+6-ea")
        require_build(market.buy(self.ENTRY))
        (market.shop.installs()[0] / "installed.json").unlink()
        self.offer(market, "17.0.12-beta+6-ea ")
        text = reason(market.buy(self.ENTRY))
        assert "replaced upstream" in text
        assert text.endswith("remove the entry from jdks.lock to take the new ones")

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do the tests of the sources `adoptium` and `url` buy with? A stand-in and small archives."""

import tarfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.supply.build import Build, Unavailable
from jdkmatrix.supply.net.web import Patience
from jdkmatrix.supply.platform import Platform
from jdkmatrix.supply.sources.kinds import Circumstances
from jdkmatrix.supply.supplier import Supplier
from tests.supply.standin import Standin, answer
from tests.supply.supply_kit import Shop, jdks_of, write_jdk

LINUX = Platform("linux", "x64")
# Short pauses, so that faults cost little; the longest stays above the seconds that a server asks.
BRISK = Patience(attempts=3, first_pause_s=0.02, longest_pause_s=5.0, read_timeout_s=1.5)
API = "/v3/assets"


def tar_gz(path: Path, home: Path, top: str) -> Path:
    """A tar.gz of the JDK at `home`, within the folder `top`."""
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        archive.add(home, arcname=top)
    return path


@dataclass
class Market:
    """A shop that buys from the stand-in."""

    standin: Standin
    shop: Shop
    circumstances: Circumstances = field(
        default_factory=lambda: Circumstances(platform=LINUX, patience=BRISK)
    )
    base: str = ""

    def archive(self, version: str = "17.0.3+7", **jdk: str) -> Path:
        """A small JDK that says it is this version, as a tar.gz."""
        path = self.shop.root / f"{version}.tar.gz"
        if not path.exists():
            home = write_jdk(self.shop.root / f"made-{version}", version, **jdk)
            tar_gz(path, home, f"jdk-{version}-jre")
        return path

    def jdks(self, *entries: dict[str, Any]) -> JdksFile:
        api = f"{self.base or self.standin.http}/v3"
        return jdks_of(*entries).model_copy(update={"adoptium_api": api})

    def supplier(self, jdks: JdksFile, *, offline: bool = False) -> Supplier:
        shop = self.shop
        return Supplier(
            jdks,
            shop.lock,
            shop.cache,
            offline,
            shop.progress,
            circumstances=self.circumstances,
        )

    def buy(self, entry: dict[str, Any], *, offline: bool = False) -> Build | Unavailable:
        """What the supplier gives for one entry."""
        jdks = self.jdks(entry)
        (outcome,) = self.supplier(jdks, offline=offline).supply(jdks.builds)
        return outcome

    def renew(self, entry: dict[str, Any]) -> Build | Unavailable:
        """What `jdks lock` gives for one entry."""
        jdks = self.jdks(entry)
        (outcome,) = self.supplier(jdks).renew(jdks.builds)
        return outcome

    def stub_release(self, name: str, body: Any, **fields: Any) -> None:
        """What the API says of a release by its name."""
        self.standin.stub(f"{API}/release_name/eclipse/{name}", answer(body, **fields))

    def stub_list(self, kind: str, releases: list[Any], train: int = 17) -> None:
        """The API's list, in pages of 20; 404 behind the last one."""
        path = f"{API}/feature_releases/{train}/{kind}"
        self.standin.stub(path, {"status": 404, "body": "[]"})
        for start in range(0, len(releases), 20):
            page = {"page": str(start // 20), "page_size": "20", "vendor": "eclipse"}
            self.standin.stub(path, answer(releases[start : start + 20]), page)


def adoptium(entry_id: str = "temurin-17.0.3+7", **source: str) -> dict[str, Any]:
    """An entry from the API; the small JDKs have no javac."""
    source.setdefault("signature", "off")
    if not source.keys() & {"release", "range"}:
        source["release"] = f"jdk-{entry_id.partition('-')[2]}"
    return {"id": entry_id, "sources": [{"source": "adoptium", "image": "jre", **source}]}


def require_build(outcome: Build | Unavailable) -> Build:
    assert isinstance(outcome, Build), str(outcome)
    return outcome


def reason(outcome: Build | Unavailable) -> str:
    assert isinstance(outcome, Unavailable), outcome
    return outcome.reasons[-1][1]

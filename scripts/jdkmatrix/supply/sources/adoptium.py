# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a JDK fetched by the Adoptium API: which release is meant, and are its bytes right?

Once locked, a release is requested by its name, whatever is newest now.
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from jdkmatrix.config import version
from jdkmatrix.config.jdks import AdoptiumSource
from jdkmatrix.supply.build import Artifact
from jdkmatrix.supply.net.download import fetch_archive
from jdkmatrix.supply.net.signature import Signatures
from jdkmatrix.supply.net.web import NotThere, PassingTrouble, Web
from jdkmatrix.supply.platform import Platform
from jdkmatrix.supply.sources.adoptium_api import AdoptiumApi, Binary, Package, Release
from jdkmatrix.supply.sources.adoptium_pick import newest_in, newest_of
from jdkmatrix.supply.sources.source import Advanced, FetchedFile, Offer, SourceError
from jdkmatrix.supply.unpack.archive_format import unpack

_API_VENDORS = {
    "temurin": "eclipse",
    "zulu": "azul",
    "semeru": "ibm",
    "dragonwell": "alibaba",
    "bisheng": "huawei",
}
_SHA256 = re.compile(r"\b[0-9a-f]{64}\b")


def api_vendor(vendor: str) -> str:
    """The API's word for one of the kit's vendors: `eclipse` for `temurin`."""
    return _API_VENDORS.get(vendor, vendor)


@dataclass(frozen=True)
class AdoptiumWorld:
    """What the source needs from outside: the API, the web, this machine, the pinned keys."""

    api: AdoptiumApi
    web: Web
    platform: Platform
    signatures: Signatures


class Adoptium:
    """The source `adoptium`, for an entry of this train and vendor."""

    kind = "adoptium"
    goes_on = True

    def __init__(
        self, config: AdoptiumSource, world: AdoptiumWorld, train: int, vendor: str
    ) -> None:
        self._config = config
        self._world = world
        self._train = train
        self._vendor = config.vendor or api_vendor(vendor)
        self.where = config.release or config.range or ""

    def fits(self, locked: tuple[Artifact, ...]) -> bool:
        """Whether it is the release in `jdks.yaml`, or one that its moving name may have meant."""
        other_image = "jre" if self._config.image == "jdk" else "jdk"
        if len(locked) != 1 or f"-{other_image}_" in locked[0].name:
            return False
        if self._config.range is not None:
            found = Release(release_name=locked[0].version).version
            bounds = version.parse_range(self._config.range)
            return found is not None and version.is_within(found, bounds)
        return self._config.moves or locked[0].version == self._config.release

    def resolve(self, locked: tuple[Artifact, ...]) -> tuple[Offer, ...]:
        """The release: the locked one by its name, otherwise what the API has now."""
        if locked and self.fits(locked):
            release = self._named(locked[0].version)
        elif self._config.moves:
            release = self._moving()
        else:
            release = self._named(self._config.release or "")
        return (self._offer(release),)

    def fetch(
        self, offers: tuple[Offer, ...], staging: Path, advanced: Advanced
    ) -> tuple[FetchedFile, ...]:
        """Download it and check its SHA-256 and signature."""
        (offer,) = offers
        world = self._world
        got = fetch_archive(world.web, offer.link or "", offer, staging, "the API says", advanced)
        checked = world.signatures.check(
            got.path, offer.signature_link, self._vendor, self._config.signature
        )
        notices = (*got.notices, *checked.notices)
        return (replace(got, signed_by=checked.signed_by, notices=notices),)

    def install(self, files: tuple[FetchedFile, ...], target: Path, final: Path) -> Path:
        """Unpack it."""
        root = target / "root"
        unpack(files[0].path, root, files[0].artifact.name)
        return root

    def _moving(self) -> Release:
        config, api = self._config, self._world.api
        kind = "ea" if config.release == "latest-ea" else "ga"
        releases = api.listed(self._train, kind, self._vendor, self._wanted())
        if config.range is not None:
            found = newest_in(releases, version.parse_range(config.range))
        else:
            found = newest_of(releases, skip=1 if config.release == "previous-ga" else 0)
        if found is None:
            raise SourceError(
                f"the API has no {self.where} of {self._train} for {self._wanted_text()}"
            )
        return found

    def _named(self, name: str) -> Release:
        found, trouble = None, None
        try:
            found = self._world.api.named(self._vendor, name, self._wanted())
        except PassingTrouble as passing:
            trouble = passing
        if found is None or self._binary(found) is None:
            found = self._in_lists(name)
        if found is None:
            raise trouble or SourceError(self._why_not(name))
        return found

    def _in_lists(self, name: str) -> Release | None:
        """Look it up in the API's lists, which do not always agree with its single answers."""
        kind = "ea" if "-ea" in name or "beta" in name else "ga"
        for release in self._world.api.listed(self._train, kind, self._vendor, self._wanted()):
            if release.release_name == name and self._binary(release) is not None:
                return release
        return None

    def _why_not(self, name: str) -> str:
        try:
            everywhere = self._world.api.named(self._vendor, name, {})
        except SourceError:
            everywhere = None
        if everywhere is None:
            return f"the API has no release {name} of {self._vendor}"
        images = {
            f"{b.os}/{b.architecture} {b.image_type}"
            for b in everywhere.binaries
            if b.image_type in ("jdk", "jre")
        }
        has = ", ".join(sorted(images)) or "nothing"
        return f"{name} is not available for {self._wanted_text()}; available: {has}"

    def _binary(self, release: Release) -> Binary | None:
        wanted = self._wanted()
        for binary in release.binaries:
            package = binary.package
            if (
                package is not None
                and package.link
                and wanted.items() <= binary.model_dump().items()
            ):
                return binary
        return None

    def _offer(self, release: Release) -> Offer:
        binary = self._binary(release)
        if binary is None or binary.package is None:
            raise SourceError(self._why_not(release.release_name))
        package = binary.package
        return Offer(
            name=package.name or (package.link or "").rpartition("/")[2],
            version=release.release_name,
            size_bytes=package.size,
            sha256=self._sha256(package),
            link=package.link,
            signature_link=package.signature_link,
            scm_ref=binary.scm_ref,
            is_mutable=release.is_early_access,
        )

    def _sha256(self, package: Package) -> str:
        # It becomes part of a path: anything but a SHA-256 counts as missing.
        sha256 = (package.checksum or "").lower()
        if _SHA256.fullmatch(sha256):
            return sha256
        if package.checksum_link is not None:
            try:
                match = _SHA256.search(self._world.web.text(package.checksum_link).lower())
            except NotThere:
                match = None
            if match is not None:
                return match[0]
        raise SourceError(f"{package.name}: the API has no SHA-256 for it")

    def _wanted(self) -> dict[str, str]:
        return {
            "os": self._world.platform.os,
            "architecture": self._world.platform.arch,
            "image_type": self._config.image,
            "jvm_impl": self._config.jvm,
            "heap_size": "normal",
            "project": "jdk",
        }

    def _wanted_text(self) -> str:
        platform = self._world.platform
        return f"{platform.os}/{platform.arch} {self._config.image}"

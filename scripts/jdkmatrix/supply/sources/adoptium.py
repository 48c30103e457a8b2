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
from jdkmatrix.supply.build import Artifact, ByteReport, FetchedFile, Offer, SourceError
from jdkmatrix.supply.net.download import fetch_archive
from jdkmatrix.supply.net.signature import Signatures
from jdkmatrix.supply.net.web import NotThere, PassingTrouble, Web
from jdkmatrix.supply.platform import Platform
from jdkmatrix.supply.sources.adoptium_api import (
    AdoptiumApi,
    Binary,
    Package,
    Release,
    newest_in,
    newest_of,
)
from jdkmatrix.supply.unpack.archive import unpack

# VENDOR_VALUES of the API has no other vendor; an entry may name that of another API.
_API_VENDORS = {"temurin": "eclipse"}
_SHA256 = re.compile(r"\b[0-9a-f]{64}\b")


def api_vendor(vendor: str) -> str:
    """The API's word for one of the kit's vendors: `eclipse` for `temurin`."""
    return _API_VENDORS.get(vendor, vendor)


def binary_properties(
    platform: Platform, image: str = "jdk", jvm: str = "hotspot"
) -> dict[str, str]:
    """What the API calls the properties of an image for a platform."""
    return {
        "os": platform.os,
        "architecture": platform.arch,
        "image_type": image,
        "jvm_impl": jvm,
        "heap_size": "normal",
        "project": "jdk",
    }


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
        self._properties = binary_properties(world.platform, config.image, config.jvm)
        self.label = config.release or config.range or ""

    def fits(self, artifacts: tuple[Artifact, ...]) -> bool:
        """Whether it is the release in `jdks.yaml`, or one that its moving name may have meant."""
        other_image = "jre" if self._config.image == "jdk" else "jdk"
        if len(artifacts) != 1 or f"-{other_image}_" in artifacts[0].name:
            return False
        if self._config.range is not None:
            jdk_version = Release(release_name=artifacts[0].version).version
            bounds = version.parse_range(self._config.range)
            return jdk_version is not None and version.is_within(jdk_version, bounds)
        return self._config.moves or artifacts[0].version == self._config.release

    def resolve(self, artifacts: tuple[Artifact, ...]) -> tuple[Offer, ...]:
        """The release: the locked one by its name, otherwise what the API has now."""
        if artifacts and self.fits(artifacts):
            release = self._get_release(artifacts[0].version)
        elif self._config.moves:
            release = self._moving()
        else:
            release = self._get_release(self._config.release or "")
        return (self._offer(release),)

    def fetch(
        self, offers: tuple[Offer, ...], staging: Path, report_bytes: ByteReport
    ) -> tuple[FetchedFile, ...]:
        """Download it and check its SHA-256 and signature."""
        (offer,) = offers
        world = self._world
        file = fetch_archive(
            world.web, offer.link or "", offer, staging, "the API says", report_bytes
        )
        signature_check = world.signatures.check(
            file.path, offer.signature_link, self._vendor, self._config.signature
        )
        notices = (*file.notices, *signature_check.notices)
        return (replace(file, signed_by=signature_check.signed_by, notices=notices),)

    def install(self, files: tuple[FetchedFile, ...], target: Path, final: Path) -> Path:
        """Unpack it."""
        root = target / "root"
        unpack(files[0].path, root, files[0].artifact.name)
        return root

    def _moving(self) -> Release:
        config, api = self._config, self._world.api
        kind = "ea" if config.release == "latest-ea" else "ga"
        releases = api.list_releases(self._train, kind, self._vendor, self._properties)
        if config.range is not None:
            release = newest_in(releases, version.parse_range(config.range))
        else:
            release = newest_of(releases, skip=1 if config.release == "previous-ga" else 0)
        if release is None:
            raise SourceError(
                f"the API has no {self.label} of {self._train} for {self._platform_text()}"
            )
        return release

    def _get_release(self, name: str) -> Release:
        release, trouble = None, None
        try:
            release = self._world.api.get_release(self._vendor, name, self._properties)
        except PassingTrouble as passing:
            trouble = passing
        if release is None or self._binary(release) is None:
            release = self._in_lists(name)
        if release is None:
            raise trouble or SourceError(self._why_not(name))
        return release

    def _in_lists(self, name: str) -> Release | None:
        """Look it up in the API's lists, which do not always agree with its single answers."""
        kind = "ea" if "-ea" in name or "beta" in name else "ga"
        releases = self._world.api.list_releases(self._train, kind, self._vendor, self._properties)
        fit = (r for r in releases if r.release_name == name and self._binary(r) is not None)
        return next(fit, None)

    def _why_not(self, name: str) -> str:
        try:
            everywhere = self._world.api.get_release(self._vendor, name, {})
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
        return f"{name} is not available for {self._platform_text()}; available: {has}"

    def _binary(self, release: Release) -> Binary | None:
        properties = self._properties
        for binary in release.binaries:
            package = binary.package
            if (
                package is not None
                and package.link
                and properties.items() <= binary.model_dump().items()
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

    def _platform_text(self) -> str:
        platform = self._world.platform
        return f"{platform.os}/{platform.arch} {self._config.image}"

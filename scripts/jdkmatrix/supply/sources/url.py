# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a JDK got from an address, given its SHA-256?"""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from jdkmatrix.config.jdks import UrlSource
from jdkmatrix.supply.build import Artifact
from jdkmatrix.supply.net.download import fetch_archive
from jdkmatrix.supply.net.web import Web
from jdkmatrix.supply.sources.source import Advanced, Fetched, Offer
from jdkmatrix.supply.unpack.archive_format import unpack

# An address tells no version; the digest does, so that other bytes are another version.
_VERSION_DIGITS = 12


class Url:
    """The source `url`."""

    kind = "url"
    goes_on = True

    def __init__(self, config: UrlSource, web: Web) -> None:
        self._config = config
        self._web = web
        self.where = "the address"
        self._name = unquote(urlsplit(config.url).path).rpartition("/")[2] or "archive"

    def fits(self, locked: tuple[Artifact, ...]) -> bool:
        """Are these the bytes that `jdks.yaml` names?"""
        return [artifact.sha256 for artifact in locked] == [self._config.sha256]

    def resolve(self, locked: tuple[Artifact, ...]) -> tuple[Offer, ...]:
        """The archive that `jdks.yaml` names; its size is known once it was fetched."""
        size_bytes = locked[0].size_bytes if self.fits(locked) else None
        sha256 = self._config.sha256
        return (Offer(self._name, sha256[:_VERSION_DIGITS], size_bytes, sha256),)

    def fetch(
        self, offers: tuple[Offer, ...], staging: Path, advanced: Advanced
    ) -> tuple[Fetched, ...]:
        """Download it and check its SHA-256."""
        (offer,) = offers
        config = self._config
        return (fetch_archive(self._web, config.url, offer, staging, "in jdks.yaml", advanced),)

    def install(self, files: tuple[Fetched, ...], target: Path, final: Path) -> None:
        """Unpack it."""
        unpack(files[0].path, target / "root", files[0].artifact.name)

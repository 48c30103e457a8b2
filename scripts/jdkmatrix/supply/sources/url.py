# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a JDK fetched from an address?"""

import hashlib
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from jdkmatrix.config.jdks import UrlSource
from jdkmatrix.supply.build import Artifact, ByteReport, FetchedFile, Offer
from jdkmatrix.supply.net.download import fetch_archive
from jdkmatrix.supply.net.web import Web
from jdkmatrix.supply.unpack.archive import unpack

# An address has no version. The archive's digest serves as one, so that other bytes are another
# version; if jdks.yaml has no digest, that of the address does, so that another address is one.
_VERSION_DIGITS = 12


class Url:
    """The source `url`."""

    kind = "url"
    goes_on = True

    def __init__(self, config: UrlSource, web: Web) -> None:
        self._config = config
        self._web = web
        self.label = "the address"
        self._name = unquote(urlsplit(config.url).path).rpartition("/")[2] or "archive"

    def fits(self, artifacts: tuple[Artifact, ...]) -> bool:
        """Whether these are the bytes that `jdks.yaml` names or, without a SHA-256 there, come from
        its address.
        """
        if self._config.sha256:
            return [artifact.sha256 for artifact in artifacts] == [self._config.sha256]
        return [artifact.version for artifact in artifacts] == [self._version]

    def resolve(self, artifacts: tuple[Artifact, ...]) -> tuple[Offer, ...]:
        """The archive that `jdks.yaml` names; its size is known once it has been fetched."""
        artifact = artifacts[0] if self.fits(artifacts) else None
        sha256 = self._config.sha256 or (artifact.sha256 if artifact else None)
        return (
            Offer(self._name, self._version, artifact.size_bytes if artifact else None, sha256),
        )

    @property
    def _version(self) -> str:
        digest = self._config.sha256 or hashlib.sha256(self._config.url.encode()).hexdigest()
        return digest[:_VERSION_DIGITS]

    def fetch(
        self, offers: tuple[Offer, ...], staging: Path, report_bytes: ByteReport
    ) -> tuple[FetchedFile, ...]:
        """Download it and check its SHA-256; if none is known, note that these bytes are locked."""
        (offer,) = offers
        config = self._config
        origin = "in jdks.yaml" if config.sha256 else "in jdks.lock"
        file = fetch_archive(self._web, config.url, offer, staging, origin, report_bytes)
        if offer.sha256 is None:
            notice = f"{offer.name}: no published SHA-256; these bytes are locked"
            file = replace(file, notices=(*file.notices, notice))
        return (file,)

    def install(self, files: tuple[FetchedFile, ...], target: Path, final: Path) -> Path:
        """Unpack it."""
        root = target / "root"
        unpack(files[0].path, root, files[0].artifact.name)
        return root

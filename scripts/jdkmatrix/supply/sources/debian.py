# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a JDK (or jtreg) made from the packages of a Debian suite?"""

from pathlib import Path
from typing import Protocol

from jdkmatrix.config.jdks import DebianSource
from jdkmatrix.machine.hashing import sha256_of, size_of_tree
from jdkmatrix.machine.processes import complaint, run
from jdkmatrix.supply.build import Artifact
from jdkmatrix.supply.sources.apt import AptTree
from jdkmatrix.supply.sources.debian_version import is_older
from jdkmatrix.supply.sources.source import Advanced, Fetched, Offer, SourceError
from jdkmatrix.supply.unpack.relocate import reroot_links, use_own_libraries

_UNPACK_TIMEOUT_S = 600.0


class Suites(Protocol):
    """Gives suites, reading each one's index once."""

    def suite(self, name: str) -> AptTree:
        """The suite of that name. Raises SourceError."""


class Debian:
    """The source `debian`."""

    kind = "debian"
    goes_on = False

    def __init__(self, config: DebianSource, suites: Suites) -> None:
        self._config = config
        self._suites = suites
        self.where = config.suite

    def fits(self, locked: tuple[Artifact, ...]) -> bool:
        """Whether these are the packages in `jdks.yaml`, in the version it names, if any."""
        config = self._config
        names = [artifact.name for artifact in locked]
        versions = {artifact.version for artifact in locked[: len(config.packages)]}
        wanted = versions if config.version is None else {config.version}
        return names == [*config.packages, *config.libraries] and versions == wanted

    def resolve(self, locked: tuple[Artifact, ...]) -> tuple[Offer, ...]:
        """The locked packages while the suite has them all, otherwise what it has now.

        The suite is asked even for locked packages: they may have left it. An older version is
        refused, or a security pocket that cannot be read would silently bring back a JDK unfixed.
        """
        config = self._config
        suite = self._suites.suite(config.suite)
        has_locked = bool(locked) and self.fits(locked)
        if has_locked:
            try:
                return suite.packages([(artifact.name, artifact.version) for artifact in locked])
            except SourceError:  # they have left the suite
                pass
        wanted = [(name, config.version) for name in config.packages]
        now = suite.packages([*wanted, *((name, None) for name in config.libraries)])
        if has_locked and is_older(now[0].version, locked[0].version):
            raise SourceError(
                f"{config.suite} has {now[0].name} {now[0].version} at most, older than "
                f"{locked[0].version} of jdks.lock; could its security pocket not be read?"
            )
        return now

    def fetch(
        self, offers: tuple[Offer, ...], staging: Path, advanced: Advanced
    ) -> tuple[Fetched, ...]:
        """Let apt download the packages and check them again."""
        suite = self._suites.suite(self._config.suite)
        suite.download(offers, staging, lambda: advanced(size_of_tree(staging)))
        return tuple(_fetched(offer, staging) for offer in offers)

    def install(self, files: tuple[Fetched, ...], target: Path, final: Path) -> Path:
        """Unpack the JDK and, beside it, its libraries; fix links and programs."""
        root, libraries = target / "root", target / "libraries"
        packages = len(self._config.packages)
        for n, file in enumerate(files):
            _unpack(file.path, root if n < packages else libraries)
        reroot_links(root)
        if libraries.is_dir():
            reroot_links(libraries)
            use_own_libraries(root, libraries, final / "libraries")
        return root


def _fetched(offer: Offer, folder: Path) -> Fetched:
    found = list(folder.glob(f"{offer.name}_*.deb"))
    if len(found) != 1:
        raise SourceError(f"apt gave {len(found)} files for {offer.name}={offer.version}")
    path = found[0]
    artifact = Artifact(offer.name, offer.version, path.stat().st_size, sha256_of(path))
    if artifact.sha256 != offer.sha256:
        raise SourceError(
            f"{offer.name}={offer.version}: SHA-256 is {artifact.sha256}, "
            f"not {offer.sha256} as in the suite's index"
        )
    return Fetched(artifact, path)


def _unpack(package: Path, target: Path) -> None:
    ended = run(["dpkg-deb", "-x", package, target], timeout_s=_UNPACK_TIMEOUT_S)
    if ended.code != 0:
        raise SourceError(f"{package.name}: {complaint(ended, 'dpkg-deb:')}")

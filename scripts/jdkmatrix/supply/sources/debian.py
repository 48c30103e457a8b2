# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a JDK (or jtreg) made from the packages of a Debian suite?"""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol, TypeVar

from jdkmatrix.config.jdks import DebianSource
from jdkmatrix.machine.processes import complaint, run
from jdkmatrix.machine.trees import size_of_tree
from jdkmatrix.supply.build import Artifact, ByteReport, FetchedFile, Offer, SourceError
from jdkmatrix.supply.sources.apt import MAIN, AptTree
from jdkmatrix.supply.unpack.composed_configuration import complete
from jdkmatrix.supply.unpack.relocate import check_libraries, reroot_links, use_own_libraries

_UNPACK_TIMEOUT_S = 600.0
_COMPARE_TIMEOUT_S = 60.0

P = TypeVar("P")


class Suites(Protocol):
    """Gives suites, reading each one's index once."""

    def suite(self, name: str, components: tuple[str, ...] = MAIN) -> AptTree:
        """The suite of that name, with these parts of the archive. Raises SourceError."""


class Debian:
    """The source `debian`."""

    kind = "debian"
    goes_on = False

    def __init__(self, config: DebianSource, suites: Suites) -> None:
        self._config = config
        self._suites = suites
        self.label = config.suite

    def fits(self, artifacts: tuple[Artifact, ...]) -> bool:
        """Whether these are the packages in `jdks.yaml`, in the version it names, if any."""
        config = self._config
        names = [artifact.name for artifact in artifacts]
        versions = {artifact.version for artifact in artifacts[: len(config.packages)]}
        expected_versions = versions if config.version is None else {config.version}
        expected_names = [name for name, _ in self._pairs()]
        rest = names[
            len(expected_names) :
        ]  # only an index says which; it is checked when it is unpacked
        return (
            names[: len(expected_names)] == expected_names
            and versions == expected_versions
            and bool(rest) == config.with_depends
        )

    def resolve(self, artifacts: tuple[Artifact, ...]) -> tuple[Offer, ...]:
        """The locked packages while the suite has them all, otherwise what it has now.

        The suite is asked even for locked packages: they may have left it. An older version is
        refused, or a security pocket that cannot be read would silently bring back a JDK unfixed;
        but not of the tool JDK.
        """
        has_locked = bool(artifacts) and self.fits(artifacts)
        if has_locked:
            try:
                return self._offers([(artifact.name, artifact.version) for artifact in artifacts])
            except SourceError:  # they have left the suite
                pass
        offers = self._offers(self._pairs())
        if self._config.with_depends:
            offers += self._suite().libraries(offers)
        may_be_older = self._config.accepts_older or not has_locked
        if not may_be_older and _is_older(offers[0].version, artifacts[0].version):
            raise SourceError(
                f"{self._config.suite} has {offers[0].name} {offers[0].version} at most, older "
                f"than {artifacts[0].version} of jdks.lock; could its security pocket not be read?"
            )
        return offers

    def fetch(
        self, offers: tuple[Offer, ...], staging: Path, report_bytes: ByteReport
    ) -> tuple[FetchedFile, ...]:
        """Let apt download the packages and check them again."""
        jdk_packages, configuration_packages = self._divide(offers)
        for suite, packages in (
            (self._suite, jdk_packages),
            (self._configuration_suite, configuration_packages),
        ):
            if packages:
                suite().download(packages, staging, lambda: report_bytes(size_of_tree(staging)))
        return tuple(_find_download(offer, staging) for offer in offers)

    def install(self, files: tuple[FetchedFile, ...], target: Path, final: Path) -> Path:
        """Unpack the JDK and, beside it, its libraries; complete and fix it."""
        root, libraries = target / "root", target / "libraries"
        jdk_files, configuration_files = self._divide(files)
        for n, file in enumerate(jdk_files):
            _unpack(file.path, root if n < len(self._config.packages) else libraries)
        if self._config.configuration is not None:
            with TemporaryDirectory(dir=target.parent) as folder:
                for file in configuration_files:
                    _unpack(file.path, Path(folder))
                complete(root, Path(folder), self._config.configuration)
        reroot_links(root)
        if libraries.is_dir():
            reroot_links(libraries)
            use_own_libraries(root, libraries, final / "libraries")
            check_libraries(root, libraries, is_jdk=not self._config.with_depends)
        return root

    def _pairs(self) -> list[tuple[str, str | None]]:
        """Each package with the version it must have: the JDK's, its libraries, whose
        configuration it takes.
        """
        config = self._config
        pairs = [(name, config.version) for name in config.packages]
        configuration_names = (config.configuration.package,) if config.configuration else ()
        return [*pairs, *((name, None) for name in (*config.libraries, *configuration_names))]

    def _divide(self, packages: Sequence[P]) -> tuple[tuple[P, ...], tuple[P, ...]]:
        """What comes from the JDK's own suite, and what from its configuration's."""
        count = len(packages) - (1 if self._config.configuration else 0)
        return tuple(packages[:count]), tuple(packages[count:])

    def _suite(self) -> AptTree:
        return self._suites.suite(self._config.suite, self._config.components)

    def _configuration_suite(self) -> AptTree:
        if self._config.configuration is None:
            raise ValueError("this JDK has a configuration of its own")
        return self._suites.suite(self._config.configuration.suite)

    def _offers(self, pairs: Sequence[tuple[str, str | None]]) -> tuple[Offer, ...]:
        jdk_pairs, configuration_pairs = self._divide(pairs)
        offers = self._suite().packages(jdk_pairs)
        return (
            (*offers, *self._configuration_suite().packages(configuration_pairs))
            if configuration_pairs
            else offers
        )


def _find_download(offer: Offer, folder: Path) -> FetchedFile:
    paths = list(folder.glob(f"{offer.name}_*.deb"))
    if len(paths) != 1:
        raise SourceError(f"apt gave {len(paths)} files for {offer.name}={offer.version}")
    file = FetchedFile.of_offer(offer, paths[0])
    if file.artifact.sha256 != offer.sha256:
        raise SourceError(
            f"{offer.name}={offer.version}: SHA-256 is {file.artifact.sha256}, "
            f"not {offer.sha256} as in the suite's index"
        )
    return file


def _unpack(package: Path, target: Path) -> None:
    process = run(["dpkg-deb", "-x", package, target], timeout_s=_UNPACK_TIMEOUT_S)
    if process.code != 0:
        raise SourceError(f"{package.name}: {complaint(process, 'dpkg-deb:')}")


def _is_older(package_version: str, other_version: str) -> bool:
    """Whether a package version is older than another, by dpkg's order. Raises SourceError."""
    command = ["dpkg", "--compare-versions", package_version, "lt", other_version]
    process = run(command, timeout_s=_COMPARE_TIMEOUT_S)
    if process.code not in (0, 1):
        raise SourceError(f"{package_version}: {complaint(process, 'dpkg:')}")
    return process.code == 0

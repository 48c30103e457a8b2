# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a Java runtime inside an archive of a Maven repository fetched?

By the machine's `mvn`, or Debian's, as the jars are. The archive is a dependency of a POM that is
written for it: so Maven checks it, and fetches the POMs that declare its licence.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from jdkmatrix.config.jdks import BuildEntry, DebianSource, MavenSource
from jdkmatrix.machine.files import content_of
from jdkmatrix.machine.trees import size_of_tree
from jdkmatrix.supply.build import Artifact, ByteReport, FetchedFile, Offer, SourceError
from jdkmatrix.supply.jars.maven import MavenWay, first_command, resolve
from jdkmatrix.supply.platform import Platform, machine_platform
from jdkmatrix.supply.sources.debian import Debian, Suites
from jdkmatrix.supply.sources.licence import (
    POM,
    archive_licence,
    check_open_source,
    declaring_pom,
)
from jdkmatrix.supply.unpack.archive import unpack
from jdkmatrix.supply.unpack.emulated import check_emulator, emulate, is_emulated
from jdkmatrix.supply.unpack.relocate import use_own_libraries

_PROFILE = "build"


@dataclass(frozen=True)
class MavenWorld:
    """What the source needs from outside: the ways to get a Maven for an entry, and the kit's POM,
    which pins the version of Maven's dependency plugin.
    """

    ways: Callable[[str | None], Sequence[MavenWay]]
    parent_pom: Path
    platform: Platform = field(default_factory=machine_platform)


class Maven:
    """The source `maven`; `entry` is that of the build."""

    kind = "maven"
    goes_on = False

    def __init__(
        self, config: MavenSource, world: MavenWorld, suites: Suites, entry: BuildEntry | None
    ) -> None:
        self._config = config
        self._world = world
        self._entry_id = entry.id if entry else None
        self._target = entry.target if entry else ""
        self.label = f"{config.group}:{config.artifact}"
        self._libraries = None
        if config.libraries:
            libraries = config.libraries
            self._libraries = Debian(
                DebianSource(source="debian", suite=libraries.suite, packages=libraries.packages),
                suites,
            )

    def fits(self, artifacts: tuple[Artifact, ...]) -> bool:
        """Whether it is the archive that `jdks.yaml` names, with these libraries."""
        config = self._config
        names = [artifact.name for artifact in artifacts]
        libraries = config.libraries.packages if config.libraries else ()
        return names == [config.name, *libraries] and artifacts[0].version == config.version

    def resolve(self, artifacts: tuple[Artifact, ...]) -> tuple[Offer, ...]:
        """The archive that `jdks.yaml` names, whose bytes never change, and its libraries."""
        if is_emulated(self._target, self._world.platform):
            check_emulator()
        config = self._config
        first = artifacts[0] if self.fits(artifacts) else None
        archive = Offer(
            config.name,
            config.version,
            first.size_bytes if first else None,
            first.sha256 if first else None,
        )
        library_artifacts = artifacts[1:] if first else ()
        return (archive, *(self._libraries.resolve(library_artifacts) if self._libraries else ()))

    def fetch(
        self, offers: tuple[Offer, ...], staging: Path, report_bytes: ByteReport
    ) -> tuple[FetchedFile, ...]:
        """Let Maven download the archive, and apt its libraries."""
        archive, *libraries = offers
        repository = staging / "repository"
        repository.mkdir()
        maven = first_command(self._world.ways(self._entry_id), staging)
        pom = staging / "pom.xml"
        pom.write_bytes(self._pom(staging))
        place = repository.joinpath(*self._parts(self._file))
        resolve(maven, pom, _PROFILE, repository, lambda: report_bytes(_size_of(place.parent)))
        if not place.is_file():
            raise SourceError(f"{self._name}: Maven did not provide {self._file}")
        files = [FetchedFile.of_offer(archive, place)]
        if self._libraries:
            folder = staging / "libraries"
            folder.mkdir()
            archive_bytes = files[0].artifact.size_bytes
            files += self._libraries.fetch(
                tuple(libraries), folder, lambda n: report_bytes(archive_bytes + n)
            )
        return tuple(files)

    def install(self, files: tuple[FetchedFile, ...], target: Path, final: Path) -> Path:
        """Unpack it, keep the runtime alone, and check its licence; bind it to its libraries, or to
        an emulator with these.
        """
        archive, *libraries = files
        archive_root = archive.path.with_name("unpacked")
        # Flyway's have links for the licences of modules, to the folder of its build.
        unpack(archive.path, archive_root, archive.path.name, drop_absolute_links=True)
        root = target / "root"
        self._home(archive_root).rename(root)
        self._keep_pom(archive.path, target / POM)
        self._check_licence(target)
        if self._libraries:
            scratch = target / "beside"
            scratch.mkdir()
            self._libraries.install(tuple(libraries), scratch, final).rename(target / "libraries")
            scratch.rmdir()
            if self._target == "aarch64":
                emulate(root, target / "libraries")
            else:
                use_own_libraries(root, target / "libraries", final / "libraries")
        return root

    @property
    def _name(self) -> str:
        return f"{self._config.name}:{self._config.version}"

    @property
    def _file(self) -> str:
        config = self._config
        words = filter(None, (config.artifact, config.version, config.classifier))
        return f"{'-'.join(words)}.{config.type}"

    def _parts(self, file: str) -> tuple[str, ...]:
        """The path of a file of this version in a repository (Maven 2 repository layout)."""
        config = self._config
        return (*config.group.split("."), config.artifact, config.version, file)

    def _pom(self, folder: Path) -> bytes:
        """A POM with the archive, without what that depends on, as its one dependency."""
        config, parent = self._config, self._world.parent_pom
        project = ElementTree.Element("project", xmlns="http://maven.apache.org/POM/4.0.0")
        _add(project, {"modelVersion": "4.0.0", "artifactId": "build", "packaging": "pom"})
        relative_path = os.path.relpath(parent, folder)
        ids = {
            "groupId": "tls13kit",
            "artifactId": "jars",
            "version": "1",
            "relativePath": relative_path,
        }
        _add(ElementTree.SubElement(project, "parent"), ids)
        profile = ElementTree.SubElement(ElementTree.SubElement(project, "profiles"), "profile")
        _add(profile, {"id": _PROFILE})
        dependencies = ElementTree.SubElement(profile, "dependencies")
        dependency = ElementTree.SubElement(dependencies, "dependency")
        ids = {
            "groupId": config.group,
            "artifactId": config.artifact,
            "version": config.version,
            "type": config.type,
        }
        _add(dependency, ids | ({"classifier": config.classifier} if config.classifier else {}))
        exclusions = ElementTree.SubElement(dependency, "exclusions")
        exclusion = ElementTree.SubElement(exclusions, "exclusion")
        _add(exclusion, {"groupId": "*", "artifactId": "*"})
        return bytes(ElementTree.tostring(project, encoding="utf-8"))

    def _home(self, archive_root: Path) -> Path:
        """The runtime's folder in the archive. Raises SourceError if there is none, or several."""
        folder = self._config.folder
        place = archive_root / (folder or "")
        if not place.is_dir():
            raise SourceError(f"{self._name}: has no folder {folder}")
        homes = _runtimes(place)
        if not homes:
            raise SourceError(f"{self._name}: nothing in {folder or 'it'} has bin/java")
        names = [home.relative_to(archive_root).as_posix() for home in homes]
        if len(homes) > 1:
            raise SourceError(
                f"{self._name}: has several runtimes; to choose one, add to its source in "
                f"jdks.yaml: folder: {' or '.join(names)}"
            )
        if not (homes[0] / "release").is_file():
            raise SourceError(
                f"{self._name}: no file 'release' in its folder {names[0]}: not a JDK"
            )
        return homes[0]

    def _keep_pom(self, archive: Path, target: Path) -> None:
        """Keep the POM that declares the licence: the archive's own, or a parent's."""
        config = self._config
        archive_pom = archive.with_name(f"{config.artifact}-{config.version}.pom")
        repository = archive.parents[len(self._parts(self._file)) - 1]
        pom = declaring_pom(archive_pom, repository)
        target.write_bytes(content_of(pom) if pom else b"<project/>\n")

    def _check_licence(self, install: Path) -> None:
        licence = archive_licence(install)
        if licence is None:
            raise SourceError(
                f"{self._name}: refused: its runtime has no licence file (legal/java.base/LICENSE)"
            )
        claim = "what its POM declares, and what the runtime's own file says"
        refusal = f"{self._name}: refused: its licence is '{licence.text}' ({claim})"
        check_open_source(licence, self._config.licence_accepted, refusal)


def _runtimes(folder: Path) -> list[Path]:
    """The homes in a folder, in order; of an 8, without the runtime within its JDK."""
    homes = sorted(java.parents[1] for java in folder.rglob("bin/java") if java.is_file())
    return [home for home in homes if not (home.name == "jre" and home.parent in homes)]


def _add(parent: ElementTree.Element, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        ElementTree.SubElement(parent, name).text = text


def _size_of(folder: Path) -> int:
    return size_of_tree(folder) if folder.is_dir() else 0

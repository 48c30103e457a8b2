# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do the jars of `jtreg/jars.lock` get into the cache, each checked by its SHA-256?

The lock has each class path's jars in order, with coordinates, size and SHA-256; never a host. A
jar's name is `group:artifact` or `group:artifact:classifier`. Together they are one install,
checked again at each use, like a JDK.
"""

import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from jdkmatrix.errors import LackingError, MachineError, UsageError
from jdkmatrix.machine.files import sha256_of, text_of, write_atomically
from jdkmatrix.machine.json_models import Frozen, read_model
from jdkmatrix.supply.build import Artifact, SourceError
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.cache.jdk_cache import Cache, Corrupt, InstallRecord
from jdkmatrix.supply.jars.maven import MavenWay, lack_of_maven, resolve
from jdkmatrix.supply.net.progress import Progress

LABEL = "jars"
_STALE = "jtreg/jars.lock does not match jtreg/pom.xml: run scripts/lock-jars"
_SCHEMA = 1
_COORDINATES = re.compile(r"\w[\w.-]*:\w[\w.-]*(:\w[\w.-]*)?=\w[\w.-]*", re.ASCII)
_SHA256 = re.compile(r"[0-9a-f]{64}")
_MEND = "run scripts/lock-jars to regenerate it"


def _plain(jar: Artifact) -> Artifact:
    # The coordinates become a path.
    if not _COORDINATES.fullmatch(f"{jar.name}={jar.version}") or ".." in jar.name + jar.version:
        raise ValueError(f"not the coordinates of a jar: {jar.name} {jar.version}")
    if not _SHA256.fullmatch(jar.sha256):
        raise ValueError(f"{jar.name}: not a SHA-256: {jar.sha256}")
    return jar


class JarsLock(Frozen):
    """The whole of `jars.lock`."""

    schema_: Literal[1] = Field(alias="schema", default=1)
    class_paths: dict[str, tuple[Annotated[Artifact, AfterValidator(_plain)], ...]]

    @property
    def jars(self) -> tuple[Artifact, ...]:
        """Every jar of every class path, once, in a stable order."""
        jars_by_id = {
            (jar.name, jar.version): jar for path in self.class_paths.values() for jar in path
        }
        return tuple(jar for _, jar in sorted(jars_by_id.items()))


def jar_path(jar: Artifact) -> Path:
    """The jar's path in a Maven repository (Maven 2 repository layout)."""
    group, artifact, *classifier = jar.name.split(":")
    file = "-".join([artifact, jar.version, *classifier]) + ".jar"
    return Path(*group.split("."), artifact, jar.version, file)


def read_jars_lock(path: Path) -> JarsLock:
    """Read `jars.lock`. Raises UsageError."""
    try:
        return read_model(path, JarsLock, f"a lock file of schema {_SCHEMA}")
    except UsageError as error:
        raise UsageError(f"{error}; {_MEND}") from None


def write_jars_lock(path: Path, lock: JarsLock) -> bool:
    """Write it atomically if it has changed; return whether it has. Raises MachineError."""
    text = json.dumps(lock.model_dump(by_alias=True), indent=2, sort_keys=True) + "\n"
    if path.is_file() and text_of(path) == text:
        return False
    write_atomically(path, text)
    return True


@dataclass(frozen=True)
class Jars:
    """The jars of one lock; the `ways` to get a Maven are tried in order."""

    lock: JarsLock
    pom: Path
    cache: Cache
    locks: Locks
    ways: Sequence[MavenWay]
    progress: Progress
    offline: bool

    def class_path(self, name: str) -> tuple[Path, ...]:
        """The jars of a class path of `jars.lock`, fetched if need be.

        Raises UsageError for a name that the lock lacks, MachineError if they cannot be fetched:
        LackingError on a machine that has no Maven.
        """
        jars = self.lock.class_paths.get(name)
        if jars is None:
            names = ", ".join(sorted(self.lock.class_paths))
            raise UsageError(f"no class path '{name}' in jtreg/jars.lock; accepted: {names}")
        folder = self.fetch()
        return tuple(folder / jar_path(jar) for jar in jars)

    def fetch(self) -> Path:
        """The folder of all jars, fetched if need be. Raises MachineError, as `class_path`."""
        folder = self.cache.folder(LABEL, self.lock.jars)
        try:
            with self.locks.hold(LABEL):
                if not self._is_cached(folder):
                    self._fetch(folder)
        except SourceError as error:
            if lack := lack_of_maven():
                raise LackingError(f"jars: {lack}") from None
            raise MachineError(f"jars: {error}") from None
        except OSError as error:
            prefix = f"{error.filename}: " if error.filename else ""  # a failed write names no file
            raise MachineError(f"jars: {prefix}{error.strerror}") from None
        return folder

    def _is_cached(self, folder: Path) -> bool:
        try:
            record = self.cache.open_install(folder)
        except Corrupt as corrupt:
            if self.offline:
                raise SourceError(f"in the cache {corrupt}, and offline") from None
            self.progress.notice(f"cached jars: {corrupt}; they are fetched again")
            return False
        if record is None and self.offline:
            raise SourceError("not in the cache, and offline")
        if record is not None:
            self._check_record(record)
        return record is not None

    def _check_record(self, record: InstallRecord) -> None:
        for jar in self.lock.jars:
            file_record = record.manifest.files.get(str(jar_path(jar)))
            _check(jar, file_record.sha256 if file_record else None)

    def _fetch(self, folder: Path) -> None:
        with self.cache.staging(LABEL) as staging:
            kind, repository = self._resolve(staging)
            tree = staging / "tree"
            for jar in self.lock.jars:
                place = tree / jar_path(jar)
                place.parent.mkdir(parents=True, exist_ok=True)
                try:
                    shutil.move(repository / jar_path(jar), place)
                except FileNotFoundError:
                    lacks = f"Maven did not provide {jar.name} {jar.version}"
                    raise SourceError(f"{lacks}; {_STALE}") from None
                _check(jar, sha256_of(place))
            self.cache.commit(
                tree, folder, source=kind, artifacts=self.lock.jars, home=".", facts=None
            )

    def _resolve(self, staging: Path) -> tuple[str, Path]:
        """The kind of the way that worked, and the repository that it filled."""
        reasons = []
        for way in self.ways:
            repository = staging / way.kind / "repository"
            repository.mkdir(parents=True)
            try:
                jar_ids = self._try(way, repository)
            except SourceError as error:
                self.locks.go_on()
                reasons.append(f"{way.kind}: {error}")
                continue
            self._check_names(jar_ids)
            return way.kind, repository
        raise SourceError("; ".join(reasons))

    def _try(self, way: MavenWay, repository: Path) -> set[tuple[str, str]]:
        """Resolve class path by class path: two may have the same jar in different versions."""
        maven = way.command(repository.parent)
        jar_ids: set[tuple[str, str]] = set()
        self.progress.start(LABEL, sum(jar.size_bytes for jar in self.lock.jars))
        try:
            for profile in self.lock.class_paths:
                jar_ids.update(
                    resolve(maven, self.pom, profile, repository, lambda: self._report(repository))
                )
            return jar_ids
        finally:
            self.progress.finish(LABEL)

    def _check_names(self, jar_ids: set[tuple[str, str]]) -> None:
        lock_ids = {(jar.name, jar.version) for jar in self.lock.jars}
        for name, version in sorted(jar_ids ^ lock_ids):
            problem = "only the lock has" if (name, version) in lock_ids else "the lock lacks"
            raise SourceError(f"{problem} {name} {version}; {_STALE}")

    def _report(self, repository: Path) -> None:
        self.locks.go_on()
        paths = (repository / jar_path(jar) for jar in self.lock.jars)
        self.progress.advance(LABEL, sum(p.stat().st_size for p in paths if p.is_file()))


def _check(jar: Artifact, sha256: str | None) -> None:
    if sha256 != jar.sha256:
        raise SourceError(
            f"{jar.name} {jar.version}: SHA-256 is {sha256}, but jars.lock has {jar.sha256}"
        )

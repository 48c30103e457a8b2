# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do the jars of `jtreg/jars.lock` get into the cache, each checked by its SHA-256?

Together they are one install, checked again at each use, like a JDK.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path

from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.machine.hashing import sha256_of
from jdkmatrix.supply.build import Artifact
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.cache.jdk_cache import Cache, Corrupt, InstallRecord
from jdkmatrix.supply.jars.jars_lock import JarsLock, jar_path
from jdkmatrix.supply.jars.maven import MavenWay, resolve
from jdkmatrix.supply.net.progress import Progress
from jdkmatrix.supply.sources.source import SourceError

LABEL = "jars"
_STALE = "jtreg/jars.lock does not match jtreg/pom.xml: run scripts/lock-jars"


class Jars:
    """The jars of one lock; the `ways` to get a Maven are tried in order."""

    def __init__(
        self,
        lock: JarsLock,
        pom: Path,
        cache: Cache,
        locks: Locks,
        ways: Sequence[MavenWay],
        progress: Progress,
        offline: bool,
    ) -> None:
        self._lock = lock
        self._pom = pom
        self._cache = cache
        self._locks = locks
        self._ways = ways
        self._progress = progress
        self._offline = offline

    def class_path(self, name: str) -> tuple[Path, ...]:
        """The jars of a class path of `jars.lock`, fetched if need be.

        Raises UsageError for a name that the lock lacks, MachineError if they cannot be fetched.
        """
        wanted = self._lock.class_paths.get(name)
        if wanted is None:
            known = ", ".join(sorted(self._lock.class_paths))
            raise UsageError(f"no class path '{name}' in jtreg/jars.lock; accepted: {known}")
        folder = self.fetched()
        return tuple(folder / jar_path(jar) for jar in wanted)

    def fetched(self) -> Path:
        """The folder of all jars, fetched if need be. Raises MachineError."""
        folder = self._cache.folder(LABEL, self._lock.jars)
        try:
            with self._locks.held(LABEL):
                if not self._cached(folder):
                    self._fetch(folder)
        except SourceError as error:
            raise MachineError(f"jars: {error}") from None
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""  # a failed write names no file
            raise MachineError(f"jars: {where}{error.strerror}") from None
        return folder

    def _cached(self, folder: Path) -> bool:
        try:
            installed = self._cache.installed(folder)
        except Corrupt as corrupt:
            if self._offline:
                raise SourceError(f"in the cache {corrupt}, and offline") from None
            self._progress.notice(f"cached jars: {corrupt}; they are fetched again")
            return False
        if installed is None and self._offline:
            raise SourceError("not in the cache, and offline")
        if installed is not None:
            self._check_record(installed)
        return installed is not None

    def _check_record(self, installed: InstallRecord) -> None:
        for jar in self._lock.jars:
            recorded = installed.manifest.files.get(str(jar_path(jar)))
            _check(jar, recorded.sha256 if recorded else None)

    def _fetch(self, folder: Path) -> None:
        with self._cache.staging(LABEL) as staging:
            kind, repository = self._resolved(staging)
            tree = staging / "tree"
            for jar in self._lock.jars:
                place = tree / jar_path(jar)
                place.parent.mkdir(parents=True, exist_ok=True)
                try:
                    shutil.move(repository / jar_path(jar), place)
                except FileNotFoundError:
                    lacks = f"Maven did not provide {jar.name} {jar.version}"
                    raise SourceError(f"{lacks}; {_STALE}") from None
                _check(jar, sha256_of(place))
            self._cache.commit(
                tree, folder, source=kind, artifacts=self._lock.jars, home=".", facts=None
            )

    def _resolved(self, staging: Path) -> tuple[str, Path]:
        """The kind of the way that worked, and the repository that it filled."""
        reasons = []
        for way in self._ways:
            repository = staging / way.kind / "repository"
            repository.mkdir(parents=True)
            try:
                found = self._try(way, repository)
            except SourceError as error:
                self._locks.go_on()
                reasons.append(f"{way.kind}: {error}")
                continue
            self._check_names(found)
            return way.kind, repository
        raise SourceError("; ".join(reasons))

    def _try(self, way: MavenWay, repository: Path) -> set[tuple[str, str]]:
        """Resolve class path by class path: two may have the same jar in different versions."""
        maven = way.command(repository.parent)
        found: set[tuple[str, str]] = set()
        self._progress.started(LABEL, sum(jar.size_bytes for jar in self._lock.jars))
        try:
            for profile in self._lock.class_paths:
                found.update(
                    resolve(maven, self._pom, profile, repository, lambda: self._report(repository))
                )
            return found
        finally:
            self._progress.finished(LABEL)

    def _check_names(self, found: set[tuple[str, str]]) -> None:
        locked = {(jar.name, jar.version) for jar in self._lock.jars}
        for name, version in sorted(found ^ locked):
            which = "only the lock has" if (name, version) in locked else "the lock lacks"
            raise SourceError(f"{which} {name} {version}; {_STALE}")

    def _report(self, repository: Path) -> None:
        self._locks.go_on()
        arrived = (repository / jar_path(jar) for jar in self._lock.jars)
        self._progress.advanced(LABEL, sum(p.stat().st_size for p in arrived if p.is_file()))


def _check(jar: Artifact, sha256: str | None) -> None:
    if sha256 != jar.sha256:
        raise SourceError(
            f"{jar.name} {jar.version}: SHA-256 is {sha256}, but jars.lock has {jar.sha256}"
        )

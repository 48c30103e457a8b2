# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does one wanted thing get from its sources into the cache, verified at every step?"""

from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.config.jdks import AnySource, BuildEntry
from jdkmatrix.supply.build import Artifact, BuildFacts
from jdkmatrix.supply.cache import Cache, Corrupt, Installed, lock_name
from jdkmatrix.supply.debian import Suites
from jdkmatrix.supply.debian_version import jdk_version_of
from jdkmatrix.supply.facts import find_home, measure
from jdkmatrix.supply.identity import check_identity, vendor_of, version_of
from jdkmatrix.supply.lock import LockedEntry, LockFile, changes, check_against, this_platform
from jdkmatrix.supply.locks import Locks
from jdkmatrix.supply.progress import Progress
from jdkmatrix.supply.source import Fetched, Source, SourceError
from jdkmatrix.supply.sources import downloading

_LOCK_FILE_LOCK = "jdks.lock"


@dataclass(frozen=True)
class Wanted:
    """What is to be got: an entry of `jdks.yaml`, or something else (then `entry` is None).

    Its home is the folder under which `marker` lies, as `bin/java`.
    """

    id: str
    sources: tuple[AnySource, ...]
    marker: str
    entry: BuildEntry | None


@dataclass(frozen=True)
class Got:
    """An install in the cache, checked."""

    folder: Path
    installed: Installed
    notices: tuple[str, ...] = ()

    @property
    def home(self) -> Path:
        """The folder that has the marker of what was wanted: `bin/java`."""
        return self.folder / self.installed.home


class NotGot(Exception):
    """No source could give it."""

    def __init__(self, reasons: tuple[tuple[str, str], ...]) -> None:
        super().__init__(reasons)
        self.reasons = reasons


class Installer:
    """Gets wanted things one at a time; several threads may call it."""

    def __init__(
        self,
        cache: Cache,
        lock_file: LockFile,
        locks: Locks,
        suites: Suites,
        progress: Progress,
    ) -> None:
        self._cache = cache
        self._lock_file = lock_file
        self._locks = locks
        self._suites = suites
        self._progress = progress
        self._platform = this_platform()

    def cached(self, wanted: Wanted) -> Got | None:
        """What `jdks.lock` names, if it is in the cache; no index is read. Raises Corrupt."""
        locked = self._lock_file.entry(self._platform, wanted.id)
        if locked is None or not self._still_wanted(wanted, locked):
            return None
        return self._installed(self._cache.folder(wanted.id, locked.artifacts))

    def why_not_cached(self, wanted: Wanted) -> str:
        """Why `cached` gives nothing."""
        if self._lock_file.entry(self._platform, wanted.id) is None:
            return f"not in jdks.lock for {self._platform}"
        return "not in the cache"

    def get(self, wanted: Wanted) -> Got:
        """Get it from the first source that can give it. Raises NotGot."""
        try:
            with self._locks.held(lock_name(wanted.id)):
                got = self._cached_or_discarded(wanted)
                return got or self._from_sources(wanted)
        except (SourceError, OSError) as error:
            raise NotGot((("cache", _reason(error)),)) from None

    def _cached_or_discarded(self, wanted: Wanted) -> Got | None:
        try:
            return self.cached(wanted)
        except Corrupt as corrupt:
            self._progress.notice(f"cached {wanted.id}: {corrupt}; it is fetched again")
            locked = self._lock_file.entry(self._platform, wanted.id)
            if locked is not None:
                self._cache.discard(self._cache.folder(wanted.id, locked.artifacts))
            return None

    def _from_sources(self, wanted: Wanted) -> Got:
        reasons: list[tuple[str, str]] = []
        locked = self._lock_file.entry(self._platform, wanted.id)
        for config in wanted.sources:
            source = downloading(config, self._suites)
            if source is None:
                continue
            try:
                got = self._from_source(wanted, source, locked)
            except (SourceError, OSError) as error:
                reasons.append((source.kind, _reason(error)))
                continue
            told = self._record(wanted, source, locked, got.installed)
            return Got(got.folder, got.installed, told)
        raise NotGot(tuple(reasons))

    def _from_source(self, wanted: Wanted, source: Source, locked: LockedEntry | None) -> Got:
        known = locked.artifacts if locked and locked.source == source.kind else ()
        offers = source.resolve(known)
        check_against(locked, source.kind, offers)
        artifacts = tuple(
            Artifact(o.name, o.version, o.size_bytes, o.sha256)
            for o in offers
            if o.sha256 is not None and o.size_bytes is not None
        )
        if len(artifacts) == len(offers):
            here = self._intact(wanted, self._cache.folder(wanted.id, artifacts))
            if here:
                return here
        sizes = [offer.size_bytes for offer in offers]
        total_bytes = sum(size for size in sizes if size) if all(sizes) else None
        with self._cache.staging(wanted.id) as staging:
            downloads = staging / "download"
            downloads.mkdir()
            self._progress.started(wanted.id, total_bytes)
            try:
                files = source.fetch(offers, downloads, lambda n: self._advanced(wanted.id, n))
            finally:
                self._progress.finished(wanted.id)
            check_against(locked, source.kind, tuple(file.artifact for file in files))
            return self._install(wanted, source, files, staging)

    def _install(
        self, wanted: Wanted, source: Source, files: tuple[Fetched, ...], staging: Path
    ) -> Got:
        artifacts = tuple(file.artifact for file in files)
        folder = self._cache.folder(wanted.id, artifacts)
        here = self._intact(wanted, folder)
        if here:
            return here
        tree = staging / "tree"
        tree.mkdir()
        source.install(files, tree, folder)
        home = find_home(tree / "root", wanted.marker).relative_to(tree)
        facts: BuildFacts | None = None
        if wanted.entry is not None:
            with self._cache.as_if_installed(tree, folder):
                facts = measure(folder / home)
            check_identity(wanted.entry, facts)
        installed = self._cache.commit(
            tree,
            folder,
            source=source.kind,
            artifacts=artifacts,
            home=home.as_posix(),
            facts=facts,
        )
        return Got(folder, installed)

    def _intact(self, wanted: Wanted, folder: Path) -> Got | None:
        try:
            return self._installed(folder)
        except Corrupt as corrupt:
            self._progress.notice(f"cached {wanted.id}: {corrupt}; it is fetched again")
            self._cache.discard(folder)
            return None

    def _installed(self, folder: Path) -> Got | None:
        installed = self._cache.installed(folder)
        return None if installed is None else Got(folder, installed)

    def _still_wanted(self, wanted: Wanted, locked: LockedEntry) -> bool:
        sources = (downloading(config, self._suites) for config in wanted.sources)
        return any(s and s.kind == locked.source and s.fits(locked.artifacts) for s in sources)

    def _record(
        self, wanted: Wanted, source: Source, locked: LockedEntry | None, got: Installed
    ) -> tuple[str, ...]:
        """Bring `jdks.lock` up to date, and say what is new in it."""
        now = _locked_entry(source.kind, got)
        notices = []
        if locked is None:
            notices.append(f"{wanted.id}: first use on {self._platform}, {now.version} recorded")
        elif locked.source != source.kind:
            notices.append(f"{wanted.id}: from {source.kind} now, jdks.lock had {locked.source}")
        else:
            # Packages of one source move together; one line for each pair of versions.
            moved = {
                (before, after): name for name, before, after in changes(locked, got.artifacts)
            }
            for (before, after), name in moved.items():
                is_jdk = jdk_version_of(before) != before and wanted.entry is not None
                if is_jdk and jdk_version_of(before) != jdk_version_of(after):
                    name, before, after = "", jdk_version_of(before), jdk_version_of(after)
                has = f"{source.where} now has {name} {after}".replace("  ", " ")
                notices.append(f"{wanted.id}: {has}, lock had {before}")
        try:
            with self._locks.held(_LOCK_FILE_LOCK):
                self._lock_file.record(self._platform, wanted.id, now)
        except OSError as error:
            notices.append(f"{wanted.id}: jdks.lock not written: {error.strerror}")
        for notice in notices:
            self._progress.notice(notice)
        return tuple(notices)

    def _advanced(self, entry_id: str, done_bytes: int) -> None:
        self._locks.go_on()
        self._progress.advanced(entry_id, done_bytes)


def _locked_entry(source: str, got: Installed) -> LockedEntry:
    if got.facts is None:
        version = got.artifacts[0].version
        return LockedEntry(version=version, source=source, artifacts=got.artifacts)
    version_now = version_of(got.facts)
    return LockedEntry(
        version=str(version_now),
        vendor=vendor_of(got.facts.vendor),
        train=version_now.train,
        source=source,
        artifacts=got.artifacts,
    )


def _reason(error: SourceError | OSError) -> str:
    if isinstance(error, OSError):
        told = (error.strerror or str(error)).lower()
        return f"{told}: {Path(str(error.filename)).name}" if error.filename else told
    return str(error)

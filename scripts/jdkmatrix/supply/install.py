# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does one wanted thing get from its sources into the cache, verified at every step?"""

from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path

from jdkmatrix.config.jdks import AdoptiumSource, AnySource
from jdkmatrix.supply.build import Artifact, BuildFacts
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.cache.jdk_cache import Cache, Corrupt, InstallRecord, Origin, file_name
from jdkmatrix.supply.cache.jdks_lock import (
    LockedEntry,
    check_against,
    check_same_build,
    replaced_upstream,
)
from jdkmatrix.supply.cache.lock_keeper import LockKeeper
from jdkmatrix.supply.identity import check_identity, check_kind, check_runs_here
from jdkmatrix.supply.jdk_facts import check_configuration, find_home, measure
from jdkmatrix.supply.net.progress import Progress
from jdkmatrix.supply.sources.kinds import World, downloading
from jdkmatrix.supply.sources.source import FetchedFile, Offer, Source, SourceError
from jdkmatrix.supply.unpack.composed_configuration import differing_property
from jdkmatrix.supply.wanted import CachedInstall, Installable, NotGot


class Installer:
    """Gets wanted things one at a time; several threads may call it."""

    def __init__(
        self, cache: Cache, keeper: LockKeeper, locks: Locks, world: World, progress: Progress
    ) -> None:
        self._cache = cache
        self._keeper = keeper
        self._locks = locks
        self._world = world
        self._progress = progress
        self._noticed: set[str] = set()

    def in_order(self, wanted: Installable) -> tuple[AnySource, ...]:
        """The sources in the order to try them: the one in `jdks.lock` before other downloads.

        Otherwise a source that is down for a moment would change the bytes on one machine.
        """
        locked = self._keeper.locked(wanted.id)
        first = None if locked is None else self._locked_source(wanted, locked)
        downloads = [config for config in wanted.sources if config.source != "local"]
        downloads.sort(key=lambda config: config is not first)
        left = iter(downloads)
        return tuple(c if c.source == "local" else next(left) for c in wanted.sources)

    def locked_folder(self, wanted: Installable) -> Path | None:
        """The folder of the bytes in `jdks.lock`; None if it has none that `jdks.yaml` means."""
        locked = self._keeper.locked(wanted.id)
        if locked is None or self._locked_source(wanted, locked) is None:
            return None
        return self._cache.folder(wanted.id, locked.artifacts)

    def cached(self, wanted: Installable, full: bool = False) -> CachedInstall | None:
        """What `jdks.lock` names, if it is in the cache; no index is read. Raises Corrupt."""
        folder = self.locked_folder(wanted)
        return None if folder is None else self._installed(wanted, folder, full)

    def why_not_cached(self, wanted: Installable) -> str:
        """Why `cached` returns None."""
        if self._keeper.locked(wanted.id) is None:
            return f"not in jdks.lock for {self._keeper.platform}"
        if self.locked_folder(wanted) is None:
            return "jdks.lock does not have what jdks.yaml asks for"
        return "not in the cache"

    def get(self, wanted: Installable, renew: bool = False) -> CachedInstall:
        """Get it from the cache or from the first source that can give it. Raises NotGot.

        With `renew` it is what the source has now, in place of what `jdks.lock` has.
        """
        try:
            with self._locks.held(file_name(wanted.id), lambda: self._waits(wanted)):
                got = None if renew else self._cached_intact(wanted)
                return got or self._from_sources(wanted, renew)
        except (SourceError, OSError) as error:
            raise NotGot((("cache", _reason(error)),)) from None

    def _cached_intact(self, wanted: Installable) -> CachedInstall | None:
        folder = self.locked_folder(wanted)
        return None if folder is None else self._intact(wanted, folder)

    def _from_sources(self, wanted: Installable, renew: bool) -> CachedInstall:
        reasons: list[tuple[str, str]] = []
        locked = self._keeper.locked(wanted.id)
        for config in wanted.sources:
            source = downloading(config, self._world, wanted.entry)
            if source is None:
                continue
            try:
                got = self._from_source(wanted, config, source, locked, renew)
            except (SourceError, OSError) as error:
                reasons.append((source.kind, _reason(error)))
                continue
            changes = self._keeper.record(
                wanted.id, wanted.entry, source.where, locked, got.installed
            )
            for notice in (*got.notices, *changes):
                self._progress.notice(notice)
            return CachedInstall(got.folder, got.installed, (*got.notices, *changes))
        raise NotGot(tuple(reasons))

    def _from_source(
        self,
        wanted: Installable,
        config: AnySource,
        source: Source,
        locked: LockedEntry | None,
        renew: bool,
    ) -> CachedInstall:
        known = locked.artifacts if locked and locked.source == source.kind else ()
        offers = source.resolve(() if renew else known)
        if replaced_upstream(locked, source.kind, offers):
            return self._first_bytes(wanted, known, offers[0])
        self._check(wanted, source, locked, renew, offers)
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
        with (
            self._cache.staging(wanted.id) as staging,
            self._downloads(wanted, source, offers[0], staging) as downloads,
        ):
            self._progress.started(wanted.id, total_bytes)
            try:
                files = source.fetch(offers, downloads, lambda n: self._advanced(wanted.id, n))
            finally:
                self._progress.finished(wanted.id)
            self._check(wanted, source, locked, renew, tuple(file.artifact for file in files))
            return self._install(wanted, config, source, offers[0], files, staging, renew)

    def _downloads(
        self, wanted: Installable, source: Source, offer: Offer, staging: Path
    ) -> AbstractContextManager[Path]:
        if source.goes_on and offer.sha256 is not None:
            return self._cache.begun(wanted.id, offer.sha256)
        folder = staging / "download"
        folder.mkdir()
        return nullcontext(folder)

    def _check(
        self,
        wanted: Installable,
        source: Source,
        locked: LockedEntry | None,
        renew: bool,
        got: tuple[Artifact | Offer, ...],
    ) -> None:
        check_against(locked, source.kind, got)
        if not renew:
            check_same_build(locked, source.kind, wanted.entry, got[0])

    def _first_bytes(
        self, wanted: Installable, first: tuple[Artifact, ...], now: Offer
    ) -> CachedInstall:
        text = (
            f"{wanted.id}: {now.name} {now.version} was replaced upstream: "
            f"SHA-256 is {now.sha256} now, jdks.lock has {first[0].sha256}"
        )
        here = self._intact(wanted, self._cache.folder(wanted.id, first))
        if here is None:
            raise SourceError(
                f"{text}, whose bytes are not in the cache; remove the entry from jdks.lock to "
                "take the new ones"
            )
        return CachedInstall(here.folder, here.installed, (f"{text}; the first bytes are kept",))

    def _install(
        self,
        wanted: Installable,
        config: AnySource,
        source: Source,
        offer: Offer,
        files: tuple[FetchedFile, ...],
        staging: Path,
        renew: bool,
    ) -> CachedInstall:
        artifacts = tuple(file.artifact for file in files)
        folder = self._cache.folder(wanted.id, artifacts)
        here = self._intact(wanted, folder)
        if here:
            return here
        tree = staging / "tree"
        tree.mkdir()
        place = source.install(files, tree, folder)
        home = find_home(place, wanted.marker).relative_to(tree)
        facts: BuildFacts | None = None

        def accept(installed: InstallRecord) -> None:
            if not renew and (why := self._why_other_tree(wanted, folder, installed)):
                raise SourceError(f"refused: {why} (to accept it: {wanted.taken_by})")

        with ExitStack() as bound:
            if wanted.entry is not None:
                tree = bound.enter_context(self._cache.as_if_installed(tree, folder))
                facts = measure(folder / home)
                check_configuration(folder / home)
                check_identity(wanted.entry, facts)
                check_runs_here(self._world.adoptium.platform, facts, wanted.entry.target)
                check_kind(config, facts)
            installed = self._cache.commit(
                tree,
                folder,
                source=source.kind,
                artifacts=artifacts,
                home=home.as_posix(),
                facts=facts,
                origin=Origin(offer.scm_ref, offer.is_mutable, files[0].signed_by),
                accept=accept,
            )
        notices = (f"{wanted.id}: {notice}" for file in files for notice in file.notices)
        return CachedInstall(folder, installed, tuple(notices))

    def _intact(self, wanted: Installable, folder: Path) -> CachedInstall | None:
        try:
            return self._installed(wanted, folder)
        except Corrupt as corrupt:  # it stays until replaced: a run may use it
            notice = f"cached {wanted.id}: {corrupt}; it is fetched again"
            if notice not in self._noticed:
                self._noticed.add(notice)
                self._progress.notice(notice)
            return None

    def _installed(
        self, wanted: Installable, folder: Path, full: bool = False
    ) -> CachedInstall | None:
        installed = self._cache.installed(folder, full)
        if installed is None:
            return None
        if installed.signed_by is None and _needs_signature(wanted, installed.source):
            raise Corrupt("its signature was not checked, and jdks.yaml requires it")
        if why := _why_other_kind(wanted, installed):
            raise Corrupt(why)
        if why := _why_other_configuration(wanted, folder / installed.home, installed):
            raise Corrupt(why)
        if why := self._why_other_tree(wanted, folder, installed):
            raise Corrupt(why)
        return CachedInstall(folder, installed)

    def _why_other_tree(
        self, wanted: Installable, folder: Path, installed: InstallRecord
    ) -> str | None:
        """Why it is not the tree in `jdks.lock`, whatever its own record says; None if it is."""
        locked = self._keeper.locked(wanted.id)
        if locked is None or self._cache.folder(wanted.id, locked.artifacts) != folder:
            return None
        if locked.tree_sha256 in (None, installed.tree_sha256):
            return None
        return (
            f"its tree has the SHA-256 {installed.tree_sha256}, "
            f"but jdks.lock has {locked.tree_sha256}"
        )

    def _locked_source(self, wanted: Installable, locked: LockedEntry) -> AnySource | None:
        for config in wanted.sources:
            source = downloading(config, self._world, wanted.entry)
            if source and source.kind == locked.source and source.fits(locked.artifacts):
                return config
        return None

    def _waits(self, wanted: Installable) -> None:
        self._progress.notice(f"{wanted.id}: another process is fetching it; waiting")

    def _advanced(self, entry_id: str, done_bytes: int) -> None:
        self._locks.go_on()
        self._progress.advanced(entry_id, done_bytes)


def _needs_signature(wanted: Installable, source: str) -> bool:
    configs = [c for c in wanted.sources if isinstance(c, AdoptiumSource) and c.source == source]
    return any(config.signature == "require" for config in configs)


def _why_other_kind(wanted: Installable, installed: InstallRecord) -> str | None:
    """Why it is not the kind of JDK its source is asked for: `image` or `jvm` may be edited."""
    why = None
    for config in wanted.sources:
        if installed.facts is not None and config.source == installed.source:
            try:
                check_kind(config, installed.facts)
                return None
            except SourceError as refused:
                why = str(refused)
    return why


def _why_other_configuration(
    wanted: Installable, home: Path, installed: InstallRecord
) -> str | None:
    """Why its java.security is not composed as `jdks.yaml` says, which may have been edited."""
    composed = wanted.entry.configuration_of(installed.source) if wanted.entry else None
    name = differing_property(home, composed) if composed else None
    return f"its {name} is not as jdks.yaml says" if name else None


def _reason(error: SourceError | OSError) -> str:
    if isinstance(error, OSError):
        text = (error.strerror or str(error)).lower()
        return f"{text}: {Path(str(error.filename)).name}" if error.filename else text
    return str(error)

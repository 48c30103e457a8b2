# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a product get from its sources into the cache, verified at every step?"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jdkmatrix.config.jdks import AdoptiumSource, AnySource, JdksFile
from jdkmatrix.supply.build import Artifact, BuildFacts, FetchedFile, Offer, Source, SourceError
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.cache.jdk_cache import Cache, Corrupt, InstallRecord, Origin, file_name
from jdkmatrix.supply.cache.jdks_lock import (
    LockedEntry,
    LockFile,
    check_against,
    check_same_build,
    replaced_upstream,
)
from jdkmatrix.supply.cache.lock_keeper import LockKeeper
from jdkmatrix.supply.identity import check_identity, check_kind, check_runs_here
from jdkmatrix.supply.installable import CachedInstall, Installable, InstallError
from jdkmatrix.supply.jdk_facts import check_configuration, find_home, measure
from jdkmatrix.supply.net.progress import Progress
from jdkmatrix.supply.sources.kinds import Circumstances, World, downloading
from jdkmatrix.supply.unpack.composed_configuration import differing_property

if TYPE_CHECKING:
    from jdkmatrix.supply.jars.maven import MavenWay

API_VARIABLE = "JDKMATRIX_ADOPTIUM_API"


class _Errand(NamedTuple):
    """A product to be fetched from one source; with `renew`, what that has now, in place of what
    `jdks.lock` has: `lock_entry`.
    """

    product: Installable
    config: AnySource
    source: Source
    lock_entry: LockedEntry | None
    renew: bool

    def check(self, files: tuple[Artifact | Offer, ...]) -> None:
        """Refuse other bytes than those in `jdks.lock`. Raises SourceError."""
        check_against(self.lock_entry, self.source.kind, files)
        if not self.renew:
            check_same_build(self.lock_entry, self.source.kind, self.product.entry, files[0])


class Installer:
    """Gets products one at a time; several threads may call it."""

    def __init__(
        self, cache: Cache, keeper: LockKeeper, locks: Locks, world: World, progress: Progress
    ) -> None:
        self._cache = cache
        self._keeper = keeper
        self._locks = locks
        self._world = world
        self._progress = progress
        self._notices: set[str] = set()

    def in_order(self, product: Installable) -> tuple[AnySource, ...]:
        """The sources in the order to try them: the one in `jdks.lock` before other downloads.

        Otherwise a source that is down for a moment would change the bytes on one machine.
        """
        lock_entry = self._keeper.find_entry(product.id)
        first = None if lock_entry is None else self._locked_source(product, lock_entry)
        downloads = [config for config in product.sources if config.source != "local"]
        downloads.sort(key=lambda config: config is not first)
        rest = iter(downloads)
        return tuple(c if c.source == "local" else next(rest) for c in product.sources)

    def locked_folder(self, product: Installable) -> Path | None:
        """The folder of the bytes in `jdks.lock`; None if it has none that `jdks.yaml` means."""
        lock_entry = self._keeper.find_entry(product.id)
        if lock_entry is None or self._locked_source(product, lock_entry) is None:
            return None
        return self._cache.folder(product.id, lock_entry.artifacts)

    def find_cached(self, product: Installable, full: bool = False) -> CachedInstall | None:
        """What `jdks.lock` names, if it is in the cache; no index is read. Raises Corrupt."""
        folder = self.locked_folder(product)
        return None if folder is None else self._open_install(product, folder, full)

    def why_not_cached(self, product: Installable) -> str:
        """Why `find_cached` returns None."""
        if self._keeper.find_entry(product.id) is None:
            return f"not in jdks.lock for {self._keeper.platform}"
        if self.locked_folder(product) is None:
            return "jdks.lock does not have what jdks.yaml asks for"
        return "not in the cache"

    def get(self, product: Installable, renew: bool = False) -> CachedInstall:
        """Get it from the cache or from the first source that can give it. Raises InstallError.

        With `renew` it is what the source has now, in place of what `jdks.lock` has.
        """
        try:
            with self._locks.hold(file_name(product.id), lambda: self._waits(product)):
                install = None if renew else self._cached_intact(product)
                return install or self._from_sources(product, renew)
        except (SourceError, OSError) as error:
            raise InstallError((("cache", _reason(error)),)) from None

    def _cached_intact(self, product: Installable) -> CachedInstall | None:
        folder = self.locked_folder(product)
        return None if folder is None else self._intact(product, folder)

    def _from_sources(self, product: Installable, renew: bool) -> CachedInstall:
        reasons: list[tuple[str, str]] = []
        lock_entry = self._keeper.find_entry(product.id)
        for config in product.sources:
            source = downloading(config, self._world, product.entry)
            if source is None:
                continue
            try:
                install = self._fetch(_Errand(product, config, source, lock_entry, renew))
            except (SourceError, OSError) as error:
                reasons.append((source.kind, _reason(error)))
                continue
            changes = self._keeper.record(product, source.label, install.record)
            for notice in (*install.notices, *changes):
                self._progress.notice(notice)
            return CachedInstall(install.folder, install.record, (*install.notices, *changes))
        raise InstallError(tuple(reasons))

    def _fetch(self, errand: _Errand) -> CachedInstall:
        product, source, lock_entry = errand.product, errand.source, errand.lock_entry
        is_locked = lock_entry is not None and lock_entry.source == source.kind
        lock_artifacts = lock_entry.artifacts if lock_entry and is_locked else ()
        offers = source.resolve(() if errand.renew else lock_artifacts)
        if replaced_upstream(lock_entry, source.kind, offers):
            return self._first_bytes(product, lock_artifacts, offers[0])
        errand.check(offers)
        artifacts = tuple(
            Artifact(o.name, o.version, o.size_bytes, o.sha256)
            for o in offers
            if o.sha256 is not None and o.size_bytes is not None
        )
        if len(artifacts) == len(offers):
            install = self._intact(product, self._cache.folder(product.id, artifacts))
            if install:
                return install
        sizes = [offer.size_bytes for offer in offers]
        total_bytes = sum(size for size in sizes if size) if all(sizes) else None
        with (
            self._cache.staging(product.id) as staging,
            self._downloads(product, source, offers[0], staging) as downloads,
        ):
            self._progress.start(product.id, total_bytes)
            try:
                files = source.fetch(offers, downloads, lambda n: self._advance(product.id, n))
            finally:
                self._progress.finish(product.id)
            errand.check(tuple(file.artifact for file in files))
            return self._install(errand, offers[0], files, staging)

    def _downloads(
        self, product: Installable, source: Source, offer: Offer, staging: Path
    ) -> AbstractContextManager[Path]:
        if source.goes_on and offer.sha256 is not None:
            return self._cache.download_folder(product.id, offer.sha256)
        folder = staging / "download"
        folder.mkdir()
        return nullcontext(folder)

    def _first_bytes(
        self, product: Installable, first: tuple[Artifact, ...], offer: Offer
    ) -> CachedInstall:
        text = (
            f"{product.id}: {offer.name} {offer.version} was replaced upstream: "
            f"SHA-256 is {offer.sha256} now, jdks.lock has {first[0].sha256}"
        )
        install = self._intact(product, self._cache.folder(product.id, first))
        if install is None:
            raise SourceError(
                f"{text}, whose bytes are not in the cache; remove the entry from jdks.lock to "
                "take the new ones"
            )
        return CachedInstall(install.folder, install.record, (f"{text}; the first bytes are kept",))

    def _install(
        self, errand: _Errand, offer: Offer, files: tuple[FetchedFile, ...], staging: Path
    ) -> CachedInstall:
        product, source = errand.product, errand.source
        artifacts = tuple(file.artifact for file in files)
        folder = self._cache.folder(product.id, artifacts)
        install = self._intact(product, folder)
        if install:
            return install
        tree = staging / "tree"
        tree.mkdir()
        place = source.install(files, tree, folder)
        home = find_home(place, product.marker).relative_to(tree)
        facts: BuildFacts | None = None

        def accept(record: InstallRecord) -> None:
            if not errand.renew and (reason := self._why_other_tree(product, folder, record)):
                raise SourceError(f"refused: {reason} (to accept it: {product.taken_by})")

        with ExitStack() as stack:
            if product.entry is not None:
                tree = stack.enter_context(self._cache.as_if_installed(tree, folder))
                facts = measure(folder / home)
                check_configuration(folder / home)
                check_identity(product.entry, facts)
                check_runs_here(self._world.circumstances.platform, facts, product.entry.target)
                check_kind(errand.config, facts)
            record = self._cache.commit(
                tree,
                folder,
                source=source.kind,
                artifacts=artifacts,
                home=home.as_posix(),
                facts=facts,
                origin=Origin(offer.scm_ref, offer.is_mutable, files[0].signed_by),
                accept=accept,
            )
        notices = (f"{product.id}: {notice}" for file in files for notice in file.notices)
        return CachedInstall(folder, record, tuple(notices))

    def _intact(self, product: Installable, folder: Path) -> CachedInstall | None:
        try:
            return self._open_install(product, folder)
        except Corrupt as corrupt:  # it stays until replaced: a run may use it
            notice = f"cached {product.id}: {corrupt}; it is fetched again"
            if notice not in self._notices:
                self._notices.add(notice)
                self._progress.notice(notice)
            return None

    def _open_install(
        self, product: Installable, folder: Path, full: bool = False
    ) -> CachedInstall | None:
        record = self._cache.open_install(folder, full)
        if record is None:
            return None
        if record.signed_by is None and _needs_signature(product, record.source):
            raise Corrupt("its signature was not checked, and jdks.yaml requires it")
        if reason := _why_other_kind(product, record):
            raise Corrupt(reason)
        if reason := _why_other_configuration(product, folder / record.home, record):
            raise Corrupt(reason)
        if reason := self._why_other_tree(product, folder, record):
            raise Corrupt(reason)
        return CachedInstall(folder, record)

    def _why_other_tree(
        self, product: Installable, folder: Path, record: InstallRecord
    ) -> str | None:
        """Why it is not the tree in `jdks.lock`, whatever its own record says; None if it is."""
        lock_entry = self._keeper.find_entry(product.id)
        if lock_entry is None or self._cache.folder(product.id, lock_entry.artifacts) != folder:
            return None
        if lock_entry.tree_sha256 in (None, record.tree_sha256):
            return None
        return (
            f"its tree has the SHA-256 {record.tree_sha256}, "
            f"but jdks.lock has {lock_entry.tree_sha256}"
        )

    def _locked_source(self, product: Installable, lock_entry: LockedEntry) -> AnySource | None:
        for config in product.sources:
            if config.source == lock_entry.source:
                source = downloading(config, self._world, product.entry)
                if source and source.fits(lock_entry.artifacts):
                    return config
        return None

    def _waits(self, product: Installable) -> None:
        self._progress.notice(f"{product.id}: another process is fetching it; waiting")

    def _advance(self, entry_id: str, done_bytes: int) -> None:
        self._locks.go_on()
        self._progress.advance(entry_id, done_bytes)


def _needs_signature(product: Installable, source: str) -> bool:
    configs = [c for c in product.sources if isinstance(c, AdoptiumSource) and c.source == source]
    return any(config.signature == "require" for config in configs)


def _why_other_kind(product: Installable, record: InstallRecord) -> str | None:
    """Why it is not the kind of JDK its source is asked for: `image` or `jvm` may be edited."""
    reason = None
    for config in product.sources:
        if record.facts is not None and config.source == record.source:
            try:
                check_kind(config, record.facts)
                return None
            except SourceError as error:
                reason = str(error)
    return reason


def _why_other_configuration(product: Installable, home: Path, record: InstallRecord) -> str | None:
    """Why its java.security is not composed as `jdks.yaml` says, which may have been edited."""
    configuration = product.entry.configuration_of(record.source) if product.entry else None
    name = differing_property(home, configuration) if configuration else None
    return f"its {name} is not as jdks.yaml says" if name else None


def _reason(error: SourceError | OSError) -> str:
    if isinstance(error, OSError):
        text = (error.strerror or str(error)).lower()
        return f"{text}: {Path(str(error.filename)).name}" if error.filename else text
    return str(error)


@dataclass(frozen=True)
class Parts:
    """The parts, which share one cache and one event that stops them. What
    `unrecorded_installer` installs does not go into `jdks.lock`.
    """

    stop: threading.Event
    locks: Locks
    cache: Cache
    keeper: LockKeeper
    installer: Installer
    unrecorded_installer: Installer


def api_address(jdks: JdksFile) -> str:
    """Where the Adoptium API is: `JDKMATRIX_ADOPTIUM_API`, or else what `jdks.yaml` says."""
    return os.environ.get(API_VARIABLE) or jdks.adoptium_api


def parts_of(
    jdks: JdksFile,
    lock_path: Path,
    cache_root: Path,
    progress: Progress,
    paranoid: bool,
    circumstances: Circumstances,
    ways: Callable[[str | None], Sequence[MavenWay]] = lambda _: (),
    pom: Path = Path(),
) -> Parts:
    """Put the parts together, and remove what killed runs left. Opens no socket.

    `ways` are those to a Maven for an entry, and `pom` is the kit's. Without them nothing can be
    fetched by it.
    """
    stop = threading.Event()
    locks = Locks(cache_root / "locks", stop)
    cache = Cache(cache_root, locks, paranoid)
    keeper = LockKeeper(LockFile(lock_path), locks, circumstances.platform.lock_key)
    api = api_address(jdks)
    world = World(circumstances, api, cache_root, stop, locks, progress, ways, pom)
    try:
        cache.sweep()
        keeper.sweep()
    except OSError as error:  # a cache that others own can still be read
        progress.notice(f"leftovers in the cache stay: {error.strerror}")
    keepers = (keeper, replace(keeper, is_frozen=True))
    installers = (Installer(cache, each_keeper, locks, world, progress) for each_keeper in keepers)
    return Parts(stop, locks, cache, keeper, *installers)

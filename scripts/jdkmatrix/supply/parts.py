# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are the parts of the supply put together for one checkout, one cache and this machine?"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.cache.jdk_cache import Cache
from jdkmatrix.supply.cache.jdks_lock import LockFile
from jdkmatrix.supply.cache.lock_keeper import LockKeeper
from jdkmatrix.supply.install import Installer
from jdkmatrix.supply.net.progress import Progress
from jdkmatrix.supply.platform import Platform, machine_platform
from jdkmatrix.supply.sources.kinds import World

if TYPE_CHECKING:
    from jdkmatrix.supply.jars.maven import MavenWay
    from jdkmatrix.supply.net.web import Patience
    from jdkmatrix.supply.sources.adoptium import AdoptiumWorld
    from jdkmatrix.supply.sources.debian import Suites
    from jdkmatrix.supply.sources.maven import MavenWorld

API_VARIABLE = "JDKMATRIX_ADOPTIUM_API"
PINNED_KEYS = Path(__file__).parent / "net" / "keys"


@dataclass(frozen=True)
class Circumstances:
    """What differs between machines, and in tests: platform, pinned keys, patience with the web,
    None for the usual one.
    """

    platform: Platform = field(default_factory=machine_platform)
    pinned_keys: Path = PINNED_KEYS
    patience: Patience | None = None


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
    world = _world_of(jdks, cache_root, stop, locks, progress, circumstances, ways, pom)
    try:
        cache.sweep()
        keeper.sweep()
    except OSError as error:  # a cache that others own can still be read
        progress.notice(f"leftovers in the cache stay: {error.strerror}")
    keepers = (keeper, replace(keeper, is_frozen=True))
    installers = (Installer(cache, each_keeper, locks, world, progress) for each_keeper in keepers)
    return Parts(stop, locks, cache, keeper, *installers)


def _world_of(
    jdks: JdksFile,
    cache_root: Path,
    stop: threading.Event,
    locks: Locks,
    progress: Progress,
    circumstances: Circumstances,
    ways: Callable[[str | None], Sequence[MavenWay]],
    pom: Path,
) -> World:
    def suites() -> Suites:
        from jdkmatrix.supply.sources.debian_suites import AptSuites

        return AptSuites(cache_root / "apt", locks, progress)

    def adoptium() -> AdoptiumWorld:
        from jdkmatrix.supply.net.signature import Signatures
        from jdkmatrix.supply.net.web import Web
        from jdkmatrix.supply.sources.adoptium import AdoptiumWorld
        from jdkmatrix.supply.sources.adoptium_api import AdoptiumApi

        web = Web(stop, circumstances.patience)
        return AdoptiumWorld(
            api=AdoptiumApi(web, api_address(jdks)),
            web=web,
            platform=circumstances.platform,
            signatures=Signatures(web, circumstances.pinned_keys),
        )

    def maven() -> MavenWorld:
        from jdkmatrix.supply.sources.maven import MavenWorld

        return MavenWorld(ways, pom)

    return World(circumstances.platform, suites, adoptium, maven)

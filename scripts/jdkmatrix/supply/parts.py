# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are the parts of the supply put together for one checkout, one cache and this machine?"""

import os
import threading
from dataclasses import dataclass, field
from pathlib import Path

from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.cache.jdk_cache import Cache
from jdkmatrix.supply.cache.jdks_lock import LockFile
from jdkmatrix.supply.cache.lock_keeper import FrozenLockKeeper, LockKeeper
from jdkmatrix.supply.install import Installer
from jdkmatrix.supply.net.progress import Progress
from jdkmatrix.supply.net.signature import PINNED_KEYS, Signatures
from jdkmatrix.supply.net.web import Patience, Web
from jdkmatrix.supply.platform import Platform, machine_platform
from jdkmatrix.supply.sources.adoptium import AdoptiumWorld
from jdkmatrix.supply.sources.adoptium_api import AdoptiumApi
from jdkmatrix.supply.sources.debian_suites import AptSuites
from jdkmatrix.supply.sources.kinds import World
from jdkmatrix.supply.sources.maven import MavenWorld

API_VARIABLE = "JDKMATRIX_ADOPTIUM_API"


@dataclass(frozen=True)
class Circumstances:
    """What differs between machines, and in tests: platform, pinned keys, patience with the web."""

    platform: Platform = field(default_factory=machine_platform)
    pinned_keys: Path = PINNED_KEYS
    patience: Patience = field(default_factory=Patience)


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
    maven: MavenWorld | None = None,
) -> Parts:
    """Put the parts together, and remove what killed runs left. Opens no socket.

    Without `maven` nothing can be fetched by it.
    """
    stop = threading.Event()
    locks = Locks(cache_root / "locks", stop)
    cache = Cache(cache_root, locks, paranoid)
    file, platform = LockFile(lock_path), circumstances.platform.lock_key
    keeper = LockKeeper(file, locks, platform)
    web = Web(stop, circumstances.patience)
    world = World(
        suites=AptSuites(cache_root / "apt", locks, progress),
        adoptium=AdoptiumWorld(
            api=AdoptiumApi(web, api_address(jdks)),
            web=web,
            platform=circumstances.platform,
            signatures=Signatures(web, circumstances.pinned_keys),
        ),
        maven=maven or MavenWorld(lambda _: (), Path()),
    )
    try:
        cache.sweep()
        keeper.sweep()
    except OSError as error:  # a cache that others own can still be read
        progress.notice(f"leftovers in the cache stay: {error.strerror}")
    installers = (
        Installer(cache, lock_keeper, locks, world, progress)
        for lock_keeper in (keeper, FrozenLockKeeper(file, locks, platform))
    )
    return Parts(stop, locks, cache, keeper, *installers)

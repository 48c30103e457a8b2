# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does an install in the cache become a build that can be run?"""

from jdkmatrix.config.jdks import BuildEntry
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.identity import check_identity, check_runs_here, vendor_of, version_of
from jdkmatrix.supply.platform import Platform
from jdkmatrix.supply.wanted import Got


def ready_build(entry: BuildEntry, got: Got, platform: Platform) -> Build:
    """The build of an entry. Raises SourceError if it is not what the entry says."""
    installed = got.installed
    if installed.facts is None:
        raise ValueError(f"{entry.id} was installed without facts")
    check_identity(entry, installed.facts)
    check_runs_here(platform, installed.facts)
    version = version_of(installed.facts)
    vendor = vendor_of(installed.facts.vendor)
    return Build(
        id=f"{vendor}-{version}",
        entry_id=entry.id,
        version=version,
        vendor=vendor,
        train=version.train,
        source=installed.source,
        sha256=installed.artifacts[0].sha256,
        artifacts=installed.artifacts,
        home=got.home,
        facts=installed.facts,
        notices=got.notices,
    )

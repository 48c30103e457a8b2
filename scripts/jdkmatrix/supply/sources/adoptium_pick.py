# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which release of a list is the newest, the one before it, or the newest of a range?

The version decides, not the list's order; a release whose version cannot be parsed is left out.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from jdkmatrix.config.version import JdkVersion, is_within
from jdkmatrix.supply.sources.adoptium_api import PAGE_SIZE, Release

# The newest is on the first page: the API sorts, though not always by build.
_LOOKED_AT = PAGE_SIZE


def newest_of(releases: Iterable[Release], skip: int = 0) -> Release | None:
    """The newest release of the first page; with `skip`, the one so many versions before it.

    Builds of one version (17.0.4+8, 17.0.4+9) count as one: a respin is not "the previous".
    """
    newest: dict[tuple[int, ...], tuple[JdkVersion, Release]] = {}
    for version, release in _with_versions(islice(releases, _LOOKED_AT)):
        best = newest.get(version.numbers)
        if best is None or version > best[0]:
            newest[version.numbers] = (version, release)
    version_numbers = sorted(newest, reverse=True)
    return newest[version_numbers[skip]][1] if len(version_numbers) > skip else None


def newest_in(releases: Iterable[Release], bounds: tuple[JdkVersion, JdkVersion]) -> Release | None:
    """The newest release from the first version to the last."""
    pairs = [(v, release) for v, release in _with_versions(releases) if is_within(v, bounds)]
    return max(pairs, key=lambda pair: pair[0])[1] if pairs else None


def all_in(
    releases: Iterable[Release], bounds: tuple[JdkVersion, JdkVersion]
) -> list[tuple[JdkVersion, Release]]:
    """Every release of a range, oldest first."""
    pairs = [(v, release) for v, release in _with_versions(releases) if is_within(v, bounds)]
    return sorted(pairs, key=lambda pair: pair[0])


def _with_versions(releases: Iterable[Release]) -> Iterator[tuple[JdkVersion, Release]]:
    for release in releases:
        version = release.version
        if version is not None:
            yield version, release

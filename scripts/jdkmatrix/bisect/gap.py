# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What lies between the two builds where a bug came or went, and how can one get it? Pure."""

from jdkmatrix.config.version import JdkVersion

_LEGACY_TRAIN = 8
# The index of the update release in a version's numbers: 17.0.7, and 8u412 as (8, 0, 412).
_UPDATE = 2


def narrowing(older: JdkVersion, newer: JdkVersion) -> str | None:
    """One sentence on what lies between two builds of a train; None if no build does."""
    low, high = _update(older), _update(newer)
    if low == high:
        return None if _follows(older, newer) else _by_hand(older, newer, "builds of one release")
    has_own = newer.build is None or newer.build > 1
    if high - low == 1:
        return _by_hand(older, newer, f"only builds of {_name(newer, high)}") if has_own else None
    own_builds = f", and builds of {_name(newer, high)}" if has_own else ""
    if newer.train == _LEGACY_TRAIN:  # its update numbers mostly go up by tens
        middle, releases = "VERSION", "releases of 8u"
    else:
        middle = _name(newer, (low + high) // 2)
        first, last = _name(newer, low + 1), _name(newer, high - 1)
        releases = f"releases {first} to {last}" if first != last else f"release {first}"
    return _by_hand(
        older, newer, f"{releases} (scripts/matrix jdks add temurin {middle}){own_builds}"
    )


def _by_hand(older: JdkVersion, newer: JdkVersion, choices: str) -> str:
    return f"between {older} and {newer}: {choices}; --jdk DIR adds local builds"


def _follows(older: JdkVersion, newer: JdkVersion) -> bool:
    """Whether `newer` is the very next build of the same version."""
    if older.numbers != newer.numbers or older.build is None or newer.build is None:
        return False
    return newer.build - older.build <= 1


def _update(version: JdkVersion) -> int:
    return version.numbers[_UPDATE] if len(version.numbers) > _UPDATE else 0


def _name(version: JdkVersion, update: int) -> str:
    if version.train == _LEGACY_TRAIN:
        return f"8u{update}"
    return f"{version.train}.0.{update}"

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What lies between the two builds where a bug came or went, and how can one get it? Pure."""

from jdkmatrix.config.version import JdkVersion

_LEGACY_TRAIN = 8
# The index of the update release in a version's numbers: 17.0.7, and 8u412 as (8, 0, 412).
_UPDATE = 2


def narrowing(before: JdkVersion, after: JdkVersion) -> str | None:
    """One sentence on what lies between two builds of a train; None if no build does."""
    low, high = _update(before), _update(after)
    if low == high:
        return None if _follows(before, after) else _by_hand(before, after, "builds of one release")
    has_own = after.build is None or after.build > 1
    if high - low == 1:
        return _by_hand(before, after, f"only builds of {_name(after, high)}") if has_own else None
    own = f", and builds of {_name(after, high)}" if has_own else ""
    if after.train == _LEGACY_TRAIN:  # its update numbers mostly go up by tens
        middle, releases = "VERSION", "releases of 8u"
    else:
        middle = _name(after, (low + high) // 2)
        first, last = _name(after, low + 1), _name(after, high - 1)
        releases = f"releases {first} to {last}" if first != last else f"release {first}"
    return _by_hand(before, after, f"{releases} (scripts/matrix jdks add temurin {middle}){own}")


def _by_hand(before: JdkVersion, after: JdkVersion, what: str) -> str:
    return f"between {before} and {after}: {what}; --jdk DIR adds local builds"


def _follows(before: JdkVersion, after: JdkVersion) -> bool:
    """Whether `after` is the very next build of the same version."""
    if before.numbers != after.numbers or before.build is None or after.build is None:
        return False
    return after.build - before.build <= 1


def _update(version: JdkVersion) -> int:
    return version.numbers[_UPDATE] if len(version.numbers) > _UPDATE else 0


def _name(version: JdkVersion, update: int) -> str:
    if version.train == _LEGACY_TRAIN:
        return f"8u{update}"
    return f"{version.train}.0.{update}"

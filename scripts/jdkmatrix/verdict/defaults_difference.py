# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What differs between the defaults of two JDKs, and which known change explains it? Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from jdkmatrix.config import version
from jdkmatrix.config.known_changes import DefaultChange, Kind, KnownChange, VendorVersion
from jdkmatrix.supply.defaults import Defaults
from jdkmatrix.verdict.weakening import find_weaknesses

# Aspects without an order: lists that differ only in order are the same. An algorithm is disabled
# or legacy wherever it is in its list.
_SETS = (
    "service",
    "root",
    "known-property",
    "security-property",
    "session",
    "jdk.tls.disabledAlgorithms",
    "jdk.tls.legacyAlgorithms",
    "jdk.certpath.disabledAlgorithms",
    "jdk.jar.disabledAlgorithms",
    "jdk.security.legacyAlgorithms",
    "jdk.disabled.namedCurves",
    "jdk.security.caDistrustPolicies",
)
# A change of these breaks connections that worked, or allows some that did not. Other changes are
# only reported: a new property or algorithm hurts nobody, and roots are each vendor's own.
_AGREED_ON = (
    "client-protocol",
    "server-protocol",
    "client-cipher-suite",
    "server-cipher-suite",
    "named-group",
    "key-share",
    "signature-scheme",
    "session",
    "jdk.tls.disabledAlgorithms",
    "jdk.certpath.disabledAlgorithms",
    "jdk.security.caDistrustPolicies",
)


@dataclass(frozen=True)
class ExplainedChanges:
    """Changes that came with a `bug`, or, where that is None, between vendors."""

    bug: str | None
    title: str
    changes: tuple[DefaultChange, ...]


@dataclass(frozen=True)
class DefaultsDifference:
    """What changed from one JDK to another.

    `explained` are changes by what is known to have brought them, `unexplained` the others;
    `not_compared` has the aspects that one of the two could not tell, and why. `weaknesses` are
    those of `unexplained` that nothing could explain, as they make the JDK weaker.
    """

    explained: tuple[ExplainedChanges, ...]
    unexplained: tuple[DefaultChange, ...]
    not_compared: dict[str, str]
    weaknesses: tuple[DefaultChange, ...] = ()

    @property
    def surprises(self) -> tuple[DefaultChange, ...]:
        """What weakens the JDK, and unexplained changes of what connections agree on or fail by."""
        strange = (change for change in self.unexplained if change.aspect in _AGREED_ON)
        return tuple(dict.fromkeys((*self.weaknesses, *strange)))


def difference(
    older: Defaults, newer: Defaults, known_changes: Sequence[KnownChange]
) -> DefaultsDifference:
    """Compare two JDKs; each change is explained by the first of `known_changes` that fits it."""
    not_compared = {**older.unknown, **newer.unknown}
    explained: dict[int, list[DefaultChange]] = {}
    unexplained = []
    builds = [VendorVersion(version.parse(jdk.version), jdk.vendor) for jdk in (older, newer)]
    patterns = [known_change.changes_between(*builds) for known_change in known_changes]
    changes = list(_changes(older, newer, not_compared))
    weaknesses = find_weaknesses(changes)
    for change in changes:
        fitting = (
            number
            for number, of_change in enumerate(patterns)
            if any(pattern.fits(change) for pattern in of_change)
        )
        number = next(fitting, None)
        if number is None or change in weaknesses:
            unexplained.append(change)
        else:
            explained.setdefault(number, []).append(change)
    by_number = tuple(
        ExplainedChanges(
            known_changes[number].bug, known_changes[number].title, tuple(explained[number])
        )
        for number in sorted(explained)
    )
    return DefaultsDifference(by_number, tuple(unexplained), not_compared, weaknesses)


def _changes(older: Defaults, newer: Defaults, unknown: dict[str, str]) -> Iterator[DefaultChange]:
    for aspect in dict.fromkeys([*older.aspects, *newer.aspects]):
        if aspect in unknown:
            continue
        old, new = older.aspects.get(aspect, {}), newer.aspects.get(aspect, {})
        yield from _changed_items(aspect, old, new)
        if aspect not in _SETS:
            yield from _changed_order(aspect, old, new)


def _changed_items(
    aspect: str, old: Mapping[str, str], new: Mapping[str, str]
) -> Iterator[DefaultChange]:
    for item in old:
        if item not in new:
            yield DefaultChange(aspect, Kind.REMOVED, item, before=old[item])
        elif new[item] != old[item]:
            yield DefaultChange(aspect, Kind.CHANGED, item, old[item], new[item])
    for item in new:
        if item not in old:
            yield DefaultChange(aspect, Kind.ADDED, item, after=new[item])


def _changed_order(
    aspect: str, old: Mapping[str, str], new: Mapping[str, str]
) -> Iterator[DefaultChange]:
    old_order = [item for item in old if item in new]
    new_order = [item for item in new if item in old]
    if old_order != new_order:
        yield DefaultChange(
            aspect, Kind.REORDERED, aspect, " ".join(old_order), " ".join(new_order)
        )

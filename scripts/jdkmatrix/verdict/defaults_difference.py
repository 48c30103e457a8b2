# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What differs between the defaults of two JDKs, and which known change explains it? Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from jdkmatrix.config import version
from jdkmatrix.config.known_changes import DefaultChange, Kind, KnownChange, VendorVersion
from jdkmatrix.supply.runtime_facts import Defaults
from jdkmatrix.verdict.weakening import find_weaknesses

# Aspects without an order: lists that differ only in order are the same. An algorithm is disabled
# or legacy wherever it is in its list.
_SETS = (
    "service",
    "root",
    "known-property",
    "net-property",
    "security-property",
    "session",
    "default-type",
    "name-cache",
    "jdk.tls.disabledAlgorithms",
    "jdk.tls.legacyAlgorithms",
    "jdk.certpath.disabledAlgorithms",
    "jdk.jar.disabledAlgorithms",
    "jdk.security.legacyAlgorithms",
    "jdk.disabled.namedCurves",
    "jdk.security.caDistrustPolicies",
)
# A change of these breaks connections that worked, or allows some that did not. Other changes are
# only reported: a new property, algorithm or root hurts nobody.
_AGREED_ON = (
    "client-protocol",
    "server-protocol",
    "client-cipher-suite",
    "server-cipher-suite",
    "named-group",
    "key-share",
    "signature-scheme",
    "session",
    "provider",
    "default-type",
    "name-cache",
    "net-property",
    "jdk.tls.disabledAlgorithms",
    "jdk.tls.legacyAlgorithms",
    "jdk.certpath.disabledAlgorithms",
    "jdk.disabled.namedCurves",
    "jdk.security.caDistrustPolicies",
)
# Without a root, the servers below it are refused; without a service, what asks for it fails.
_MISSED = ("root", "service")
# java.security says of each what it is for: key and trust managers, key stores, random sources,
# caching of names, revocation, and TLS itself.
_CONNECTING_PROPERTIES = (
    "ssl.*",
    "keystore.type*",
    "securerandom.*",
    "networkaddress.cache.*",
    "ocsp.*",
    "jdk.tls.alpn*",
)

# What is no default itself: it says why others differ.
_REASONS = ("module", "property-module", "root-store")
_OTHER_MODULES = "the two images have other modules"
_OTHER_ROOTS = (
    "Debian's builds have the roots of the package ca-certificates-java, as this machine has it"
)


@dataclass(frozen=True)
class ExplainedChanges:
    """Changes that came with a `bug`, or, where that is None, between vendors or images."""

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
        strange = filter(_decides, self.unexplained)
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
    of_images = _changes_of_images(older, newer, changes)
    of_stores = _changes_of_stores(older, newer, changes)
    weaknesses = find_weaknesses(changes)
    for change in changes:
        if change in of_images or change in of_stores:
            continue
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
    by_number = [
        ExplainedChanges(
            known_changes[number].bug, known_changes[number].title, tuple(explained[number])
        )
        for number in sorted(explained)
    ]
    by_number += [
        ExplainedChanges(None, title, of_builds)
        for title, of_builds in ((_OTHER_MODULES, of_images), (_OTHER_ROOTS, of_stores))
        if of_builds
    ]
    return DefaultsDifference(tuple(by_number), tuple(unexplained), not_compared, weaknesses)


def _changes_of_images(
    older: Defaults, newer: Defaults, changes: Sequence[DefaultChange]
) -> tuple[DefaultChange, ...]:
    """Providers, with their services, and properties of modules that only one of the images has:
    no update did that, but whoever linked the images.
    """
    modules = older.aspects.get("module", {}).keys() ^ newer.aspects.get("module", {}).keys()
    module_of = {
        **older.aspects.get("property-module", {}),
        **newer.aspects.get("property-module", {}),
    }
    providers = {
        change.item
        for change in changes
        if change.aspect == "provider" and {change.before, change.after} & modules
    }
    return tuple(
        change
        for change in changes
        if (change.aspect == "provider" and change.item in providers)
        or (change.aspect == "service" and change.item.partition(" ")[0] in providers)
        or (change.aspect == "known-property" and module_of.get(change.item) in modules)
    )


def _changes_of_stores(
    older: Defaults, newer: Defaults, changes: Sequence[DefaultChange]
) -> tuple[DefaultChange, ...]:
    """Roots, where only one of the two has its own: no update did that, but the machine."""
    if ("root-store" in older.aspects) is ("root-store" in newer.aspects):
        return ()
    return tuple(change for change in changes if change.aspect == "root")


def _decides(change: DefaultChange) -> bool:
    if change.aspect == "security-property":
        return any(fnmatchcase(change.item, pattern) for pattern in _CONNECTING_PROPERTIES)
    if change.aspect == "known-property":  # a name is nothing yet, another default is
        return change.kind is Kind.CHANGED and bool(change.before and change.after)
    is_missed = change.aspect in _MISSED and change.kind is Kind.REMOVED
    return is_missed or change.aspect in _AGREED_ON


def _changes(older: Defaults, newer: Defaults, unknown: dict[str, str]) -> Iterator[DefaultChange]:
    for aspect in dict.fromkeys([*older.aspects, *newer.aspects]):
        if aspect in unknown or aspect in _REASONS:
            continue
        old, new = older.aspects.get(aspect, {}), newer.aspects.get(aspect, {})
        yield from _changed_items(aspect, old, new)
        if aspect not in _SETS:
            yield from _changed_order(aspect, old, new)


def _changed_items(
    aspect: str, old: Mapping[str, str], new: Mapping[str, str]
) -> Iterator[DefaultChange]:
    if aspect == "root":  # an authority that renews its certificate keeps its name
        old, new = _without_renewed(old, new), _without_renewed(new, old)
    for item in old:
        if item not in new:
            yield DefaultChange(aspect, Kind.REMOVED, item, before=old[item])
        elif new[item] != old[item]:
            yield DefaultChange(aspect, Kind.CHANGED, item, old[item], new[item])
    for item in new:
        if item not in old:
            yield DefaultChange(aspect, Kind.ADDED, item, after=new[item])


def _without_renewed(roots: Mapping[str, str], of_other: Mapping[str, str]) -> Mapping[str, str]:
    names = {text.rpartition(", ends ")[0] for text in of_other.values()}
    return {
        sha256: text
        for sha256, text in roots.items()
        if sha256 in of_other or text.rpartition(", ends ")[0] not in names
    }


def _changed_order(
    aspect: str, old: Mapping[str, str], new: Mapping[str, str]
) -> Iterator[DefaultChange]:
    old_order = [item for item in old if item in new]
    new_order = [item for item in new if item in old]
    if old_order != new_order:
        yield DefaultChange(
            aspect, Kind.REORDERED, aspect, " ".join(old_order), " ".join(new_order)
        )

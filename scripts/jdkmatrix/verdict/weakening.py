# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which changes of defaults make a JDK weaker, whatever is known to have brought them? Pure.

An update enables no suite without encryption or authentication, allows no algorithm again, and
trusts no authority again; a list of known changes must not be able to say otherwise.
"""

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

from jdkmatrix.config.known_changes import DefaultChange, Kind

_SUITES = ("client-cipher-suite", "server-cipher-suite")
# No encryption, keys of 40 and 56 bits, no authentication: RFC 5246, appendices A.5 and D.
_WEAK_SUITES = ("*_WITH_NULL_*", "*_EXPORT_*", "*_anon_*")
_DISABLED = (
    "jdk.tls.disabledAlgorithms",
    "jdk.certpath.disabledAlgorithms",
    "jdk.jar.disabledAlgorithms",
    "jdk.disabled.namedCurves",
)
_DISTRUSTED = "jdk.security.caDistrustPolicies"
# `RSA keySize < 1024`, as java.security describes it.
_KEY_SIZE = re.compile(r"(?P<algorithm>\S+) keySize < (?P<bits>\d+)")


def find_weaknesses(changes: Sequence[DefaultChange]) -> tuple[DefaultChange, ...]:
    """Weak suites that are enabled, and what is no longer disabled or distrusted."""
    return tuple(change for change in changes if _weakens(change, changes))


def _weakens(change: DefaultChange, changes: Sequence[DefaultChange]) -> bool:
    if change.kind is Kind.ADDED:
        is_weak = any(fnmatchcase(change.item, pattern) for pattern in _WEAK_SUITES)
        return change.aspect in _SUITES and is_weak
    if change.kind is not Kind.REMOVED:
        return False
    if change.aspect in _DISABLED:
        return not any(_replaces(other_change, change) for other_change in changes)
    return change.aspect == _DISTRUSTED


def _replaces(addition: DefaultChange, removal: DefaultChange) -> bool:
    """Whether the same list now disables the same algorithm altogether, or with longer keys."""
    if addition.kind is not Kind.ADDED or addition.aspect != removal.aspect:
        return False
    if addition.item == removal.item.partition(" ")[0]:
        return True
    old, new = _KEY_SIZE.fullmatch(removal.item), _KEY_SIZE.fullmatch(addition.item)
    if old is None or new is None or old["algorithm"] != new["algorithm"]:
        return False
    return int(new["bits"]) >= int(old["bits"])

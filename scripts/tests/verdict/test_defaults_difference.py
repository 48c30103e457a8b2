# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is each change of a default found, and explained by what came between the two builds alone?"""

import pytest

from jdkmatrix.config.known_changes import KnownChange
from jdkmatrix.supply.defaults import Defaults
from jdkmatrix.verdict.defaults_difference import (
    DefaultChange,
    DefaultsDifference,
    ExplainedChanges,
    Kind,
    difference,
)

SUITE = "client-cipher-suite"
RSA_OFF = KnownChange.model_validate(
    {
        "bug": "JDK-8245545",
        "title": "Disable TLS_RSA cipher suites",
        "since": {17: "17.0.12+7..17.0.19+10", 24: "24+0..24+36"},
        "changes": [{"aspect": "*-cipher-suite", "item": "TLS_RSA_*"}],
    }
)
VENDORS = KnownChange.model_validate(
    {
        "title": "other modules",
        "between-vendors": "w",
        "changes": [{"aspect": "provider", "item": "SunPCSC"}],
    }
)


def defaults(version: str, vendor: str = "v", **aspects: str) -> Defaults:
    """Of each aspect the items, which have a value behind an equals sign."""
    split = {
        name.replace("_", "-"): dict(part.partition("=")[::2] for part in items.split())
        for name, items in aspects.items()
    }
    return Defaults(version=version, vendor=vendor, aspects=split)


def found(older: Defaults, newer: Defaults) -> DefaultsDifference:
    return difference(older, newer, [RSA_OFF, VENDORS])


def test_the_same_has_no_difference() -> None:
    one = defaults("17.0.9+9", client_cipher_suite="a b", session="timeout=86400")
    assert found(one, one).explained == ()
    assert found(one, one).unexplained == ()


def test_what_came_went_changed_or_moved_is_told() -> None:
    older = defaults("17.0.9+9", client_cipher_suite="a b c", session="timeout=1", root="x y")
    newer = defaults("17.0.12+7", client_cipher_suite="c a d", session="timeout=2", root="y x")
    assert found(older, newer).unexplained == (
        DefaultChange(SUITE, Kind.REMOVED, "b"),
        DefaultChange(SUITE, Kind.ADDED, "d"),
        DefaultChange(SUITE, Kind.REORDERED, SUITE, "a c", "c a"),
        DefaultChange("session", Kind.CHANGED, "timeout", "1", "2"),
    )


@pytest.mark.parametrize(
    ("older", "newer", "is_explained"),
    [
        ("17.0.12+7", "17.0.19+10", True),
        ("17.0.12+7", "17.0.15+1", True),  # between the two nobody knows
        ("17.0.9+9", "17.0.12+7", False),
        ("17.0.19+10", "17.0.21+1", False),
        ("17.0.12+7", "25.0.2+10", True),
        ("21.0.8+9", "21.0.13+1", False),
    ],
)
def test_a_bug_explains_what_came_when_it_did(older: str, newer: str, is_explained: bool) -> None:
    before = defaults(older, client_cipher_suite="TLS_RSA_X TLS_AES")
    after = defaults(newer, client_cipher_suite="TLS_AES")
    told = found(before, after)
    change = DefaultChange(SUITE, Kind.REMOVED, "TLS_RSA_X")
    explained = ExplainedChanges(str(RSA_OFF.bug), RSA_OFF.title, (change,))
    assert told.explained == ((explained,) if is_explained else ())
    assert told.unexplained == (() if is_explained else (change,))


def test_a_bug_explains_nothing_else_that_came_with_it() -> None:
    before = defaults("17.0.12+7", client_cipher_suite="TLS_RSA_X TLS_AES_X", named_group="a")
    after = defaults("17.0.19+10", client_cipher_suite="", named_group="a TLS_RSA_X")
    told = difference(before, after, [RSA_OFF, RSA_OFF.model_copy(update={"bug": "JDK-2"})])
    (explained,) = told.explained  # the first that fits
    assert (explained.bug, explained.changes) == (
        "JDK-8245545",
        (DefaultChange(SUITE, Kind.REMOVED, "TLS_RSA_X"),),
    )
    assert told.surprises == (
        DefaultChange(SUITE, Kind.REMOVED, "TLS_AES_X"),
        DefaultChange("named-group", Kind.ADDED, "TLS_RSA_X"),
    )


@pytest.mark.parametrize("vendor", ["v", "w"])
def test_vendors_explain_nothing_within_one(vendor: str) -> None:
    told = found(defaults("17.0.9+9"), defaults("17.0.9+9", vendor, provider="SunPCSC"))
    assert bool(told.explained) == (vendor == "w")
    assert bool(told.unexplained) == (vendor == "v")


@pytest.mark.parametrize(
    ("aspects", "surprises"),
    [
        ({"client_cipher_suite": "TLS_AES_X"}, 1),
        ({"jdk.tls.disabledAlgorithms": "SHA1"}, 1),
        ({"session": "timeout=1"}, 1),
        ({"service": "SUN=x"}, 0),
        ({"known_property": "jdk.tls.new"}, 0),
        ({"root": "x"}, 0),
    ],
)
def test_a_surprise_is_what_connections_agree_on(aspects: dict[str, str], surprises: int) -> None:
    told = found(defaults("17.0.9+9"), defaults("17.0.12+7", **aspects))
    assert len(told.unexplained) == 1
    assert len(told.surprises) == surprises


@pytest.mark.parametrize(
    "aspect",
    [
        "jdk.tls.disabledAlgorithms",
        "jdk.certpath.disabledAlgorithms",
        "jdk.jar.disabledAlgorithms",
        "jdk.security.caDistrustPolicies",
    ],
)
def test_what_is_disabled_is_in_no_order(aspect: str) -> None:
    one, other = defaults("17.0.9+9", **{aspect: "SSLv3 RC4"}), {aspect: "RC4 SSLv3"}
    assert found(one, defaults("17.0.12+7", **other)).unexplained == ()


def test_what_one_cannot_tell_is_not_compared() -> None:
    older = defaults("17.0.9+9", root="x")
    newer = Defaults(version="17.0.12+7", vendor="v", aspects={}, unknown={"root": "not there"})
    assert found(older, newer).unexplained == ()
    assert found(older, newer).not_compared == {"root": "not there"}

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is each change of a default found, and explained by what came between the two builds alone?"""

import pytest

from jdkmatrix.config.known_changes import ChangePattern, DefaultChange, Kind, KnownChange
from jdkmatrix.supply.runtime_facts import Defaults
from jdkmatrix.verdict.defaults_difference import DefaultsDifference, ExplainedChanges, difference

SUITE = "client-cipher-suite"
RSA_OFF = KnownChange.model_validate(
    {
        "bug": "JDK-8245545",
        "title": "Disable TLS_RSA cipher suites",
        "since": {17: "17.0.12+7..17.0.19+10", 24: "24+0..24+36"},
        "changes": [{"aspect": "*-cipher-suite", "item": "TLS_RSA_*", "kind": "removed"}],
    }
)
VENDORS = KnownChange.model_validate(
    {
        "title": "other modules",
        "between-vendors": "w",
        "changes": [
            {"aspect": "provider", "item": "SunPCSC", "kind": "added"},
            {"aspect": "security-property", "kind": "changed", "from": "a*", "to": "b*"},
        ],
    }
)


def defaults(version: str, vendor: str = "v", **aspects: str) -> Defaults:
    """Of each aspect the items, which have a value behind an equals sign."""
    split = {
        name.replace("_", "-"): dict(part.partition("=")[::2] for part in text.split())
        for name, text in aspects.items()
    }
    return Defaults(version=version, vendor=vendor, aspects=split)


def compare(older: Defaults, newer: Defaults) -> DefaultsDifference:
    return difference(older, newer, [RSA_OFF, VENDORS])


def test_the_same_has_no_difference() -> None:
    jdk = defaults("17.0.9+9", client_cipher_suite="a b", session="timeout=86400")
    assert compare(jdk, jdk).explained == ()
    assert compare(jdk, jdk).unexplained == ()


def test_what_came_went_changed_or_moved_is_told() -> None:
    older = defaults("17.0.9+9", client_cipher_suite="a b c", session="timeout=1", root="x y")
    newer = defaults("17.0.12+7", client_cipher_suite="c a d", session="timeout=2", root="y x")
    assert compare(older, newer).unexplained == (
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
    old = defaults(older, client_cipher_suite="TLS_RSA_X TLS_AES")
    new = defaults(newer, client_cipher_suite="TLS_AES")
    delta = compare(old, new)
    change = DefaultChange(SUITE, Kind.REMOVED, "TLS_RSA_X")
    explanation = ExplainedChanges(str(RSA_OFF.bug), RSA_OFF.title, (change,))
    assert delta.explained == ((explanation,) if is_explained else ())
    assert delta.unexplained == (() if is_explained else (change,))


def test_a_bug_explains_nothing_else_that_came_with_it() -> None:
    old = defaults("17.0.12+7", client_cipher_suite="TLS_RSA_X TLS_AES_X", named_group="a")
    new = defaults("17.0.19+10", client_cipher_suite="", named_group="a TLS_RSA_X")
    delta = difference(old, new, [RSA_OFF, RSA_OFF.model_copy(update={"bug": "JDK-2"})])
    (explanation,) = delta.explained  # the first that fits
    assert (explanation.bug, explanation.changes) == (
        "JDK-8245545",
        (DefaultChange(SUITE, Kind.REMOVED, "TLS_RSA_X"),),
    )
    assert delta.surprises == (
        DefaultChange(SUITE, Kind.REMOVED, "TLS_AES_X"),
        DefaultChange("named-group", Kind.ADDED, "TLS_RSA_X"),
    )


def test_a_bug_does_not_explain_the_reverse() -> None:
    old = defaults("17.0.12+7", client_cipher_suite="TLS_AES TLS_RSA_A")
    new = defaults("17.0.19+10", client_cipher_suite="TLS_AES TLS_RSA_B")
    delta = compare(old, new)
    assert [explanation.changes for explanation in delta.explained] == [
        (DefaultChange(SUITE, Kind.REMOVED, "TLS_RSA_A"),)
    ]
    assert delta.surprises == (DefaultChange(SUITE, Kind.ADDED, "TLS_RSA_B"),)


@pytest.mark.parametrize(
    ("vendors", "settings", "is_explained"),
    [
        ("vw", ("a1", "b1"), True),
        ("vw", ("b1", "a1"), False),
        ("wv", ("b1", "a1"), True),
        ("wv", ("a1", "b1"), False),
        ("vw", ("a1", "c"), False),
        ("ww", ("a1", "b1"), False),
    ],
)
def test_vendors_explain_one_direction(
    vendors: str, settings: tuple[str, str], is_explained: bool
) -> None:
    old, new = (
        defaults("17.0.9+9", vendor, security_property=f"x={text}")
        for vendor, text in zip(vendors, settings, strict=True)
    )
    assert bool(compare(old, new).explained) is is_explained


@pytest.mark.parametrize(
    ("vendors", "providers", "is_explained"),
    [
        ("vw", ("", "SunPCSC"), True),
        ("wv", ("SunPCSC", ""), True),
        ("vw", ("SunPCSC", ""), False),
        ("wv", ("", "SunPCSC"), False),
    ],
)
def test_what_vendors_have_is_added_by_theirs(
    vendors: str, providers: tuple[str, str], is_explained: bool
) -> None:
    old, new = (
        defaults("17.0.9+9", vendor, provider=text)
        for vendor, text in zip(vendors, providers, strict=True)
    )
    assert bool(compare(old, new).explained) is is_explained


@pytest.mark.parametrize("vendor", ["v", "w"])
def test_vendors_explain_nothing_within_one(vendor: str) -> None:
    delta = compare(defaults("17.0.9+9"), defaults("17.0.9+9", vendor, provider="SunPCSC"))
    assert bool(delta.explained) == (vendor == "w")
    assert bool(delta.unexplained) == (vendor == "v")


@pytest.mark.parametrize(
    ("aspects", "surprises"),
    [
        ({"client_cipher_suite": "TLS_AES_X"}, 1),
        ({"jdk.tls.disabledAlgorithms": "SHA1"}, 1),
        ({"session": "timeout=1"}, 1),
        ({"service": "SUN=x"}, 0),
        ({"known_property": "jdk.tls.new"}, 0),
        ({"root": "x"}, 0),
        ({"jdk.tls.legacyAlgorithms": "RC4"}, 1),
        ({"jdk.disabled.namedCurves": "secp112r1"}, 1),
        ({"provider": "Evil"}, 1),
        ({"default_type": "KeyStore=jks"}, 1),
        ({"net_property": "jdk.http.ntlm.transparentAuth=allHosts"}, 1),
        ({"known_property": "jdk.rmi.new=true"}, 0),
        ({"name_cache": "failures=0"}, 1),
        ({"security_property": "networkaddress.cache.ttl=0"}, 1),
        ({"security_property": "ssl.KeyManagerFactory.algorithm=PKIX"}, 1),
        ({"security_property": "package.access=x"}, 0),
    ],
)
def test_a_surprise_is_what_connections_agree_on(aspects: dict[str, str], surprises: int) -> None:
    delta = compare(defaults("17.0.9+9"), defaults("17.0.12+7", **aspects))
    assert len(delta.unexplained) == 1
    assert len(delta.surprises) == surprises


@pytest.mark.parametrize(
    ("aspects", "surprises"),
    [
        ({"root": "x"}, 1),
        ({"service": "SunJCE=x"}, 1),
        ({"provider": "SunEC"}, 1),
        ({"known_property": "jdk.tls.old"}, 0),
    ],
)
def test_a_surprise_is_what_is_missed(aspects: dict[str, str], surprises: int) -> None:
    delta = compare(defaults("17.0.9+9", **aspects), defaults("17.0.12+7"))
    assert len(delta.unexplained) == 1
    assert len(delta.surprises) == surprises


@pytest.mark.parametrize(
    ("settings", "surprises"),
    [(("200", "100"), 1), (("", "100"), 0), (("200", ""), 0), (("200", "200"), 0)],
)
def test_another_default_of_a_property_is_a_surprise(
    settings: tuple[str, str], surprises: int
) -> None:
    """Where one of the two is not a constant beside the name, nothing is known of it."""
    older, newer = (
        defaults(version, known_property=f"sun.net.httpserver.maxReqHeaders={setting}")
        for version, setting in zip(("17.0.9+9", "17.0.12+7"), settings, strict=True)
    )
    assert len(compare(older, newer).surprises) == surprises


@pytest.mark.parametrize(
    ("stores", "surprises"), [(("", ""), 1), (("x", "x"), 1), (("", "x"), 0), (("x", ""), 0)]
)
def test_roots_of_a_machine_are_no_fault_of_an_update(
    stores: tuple[str, str], surprises: int
) -> None:
    older, newer = defaults("17.0.9+9"), defaults("17.0.12+7")
    for jdk, store in zip((older, newer), stores, strict=True):
        jdk.aspects["root"] = {jdk.version: f"CN={jdk.version}, ends 2036-01-01"}
        if store:
            jdk.aspects["root-store"] = {store: ""}
    delta = compare(older, newer)
    assert len(delta.surprises) == surprises
    titles = [explanation.title for explanation in delta.explained]
    assert [("ca-certificates-java" in title) for title in titles] == [True] * (1 - surprises)
    changes = (*delta.unexplained, *(c for group in delta.explained for c in group.changes))
    assert {change.aspect for change in changes} == {"root"}


def test_providers_in_another_order_are_a_surprise() -> None:
    delta = compare(defaults("17.0.9+9", provider="a b"), defaults("17.0.12+7", provider="b a"))
    assert [change.kind for change in delta.surprises] == [Kind.REORDERED]


@pytest.mark.parametrize(("modules", "is_explained"), [("a", True), ("a pcsc", False)])
def test_a_module_that_one_image_lacks_takes_what_it_has_with_it(
    modules: str, is_explained: bool
) -> None:
    old = defaults(
        "17.0.9+9",
        module="a pcsc",
        provider="SUN=a P=pcsc",
        service="P_X SUN_X",
        known_property="pcsc.y a.z",
        property_module="pcsc.y=pcsc a.z=a",
    )
    new = defaults(
        "17.0.12+7",
        module=modules,
        provider="SUN=a",
        service="SUN_X",
        known_property="a.z",
        property_module="a.z=a",
    )
    for jdk in (old, new):
        services = {name.replace("_", " "): "" for name in jdk.aspects["service"]}
        jdk.aspects["service"] = services
    delta = compare(old, new)
    names = [change.item for group in delta.explained for change in group.changes]
    assert names == (["P", "P X", "pcsc.y"] if is_explained else [])
    assert [change.item for change in delta.surprises] == ([] if is_explained else ["P", "P X"])


def test_a_renewed_root_is_not_lost() -> None:
    stores = {"ab12": "CN=X, ends 2030-01-01"}, {"cd34": "CN=X, ends 2036-01-01"}
    older, newer = (
        Defaults(version="17.0.9+9", vendor="v", aspects={"root": roots}) for roots in stores
    )
    assert compare(older, newer).unexplained == ()


def test_a_root_is_explained_by_its_name() -> None:
    fields = {"aspect": "root", "kind": "removed", "from": "CN=Gone,*"}
    removal = RSA_OFF.model_copy(update={"changes": (ChangePattern.model_validate(fields),)})
    for name, is_explained in (("CN=Gone,_C=XX", True), ("CN=Other,_C=XX", False)):
        delta = difference(
            defaults("17.0.12+7", root=f"ab12={name}"), defaults("17.0.19+10"), [removal]
        )
        assert bool(delta.explained) is is_explained


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
    jdk, aspects = defaults("17.0.9+9", **{aspect: "SSLv3 RC4"}), {aspect: "RC4 SSLv3"}
    assert compare(jdk, defaults("17.0.12+7", **aspects)).unexplained == ()


def test_what_one_cannot_tell_is_not_compared() -> None:
    older = defaults("17.0.9+9", root="x")
    newer = Defaults(version="17.0.12+7", vendor="v", aspects={}, unknown={"root": "not there"})
    assert compare(older, newer).unexplained == ()
    assert compare(older, newer).not_compared == {"root": "not there"}

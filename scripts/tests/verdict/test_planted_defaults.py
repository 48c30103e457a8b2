# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a fault in the defaults of a real update show, though known changes explain the update?

The two JDKs are those that the documentation compares; each fault is planted into what the newer
one, or the older, reported.
"""

import gzip

import pytest

from jdkmatrix.config.known_changes import KnownChange, load_known_changes
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.runtime_facts import Defaults
from jdkmatrix.verdict.defaults_difference import difference
from jdkmatrix.words.defaults import difference_sentence
from tests.conftest import FIXTURES, ROOT

ALGORITHMS = "jdk.tls.disabledAlgorithms"


def read_defaults(number: str) -> Defaults:
    file = FIXTURES / "docs" / f"defaults-{number}.json.gz"
    return Defaults.model_validate_json(gzip.decompress(file.read_bytes()))


@pytest.fixture(scope="module")
def known_changes() -> tuple[KnownChange, ...]:
    return load_known_changes(Checkout(ROOT).known_changes)


OLDER, NEWER = read_defaults("17.0.9"), read_defaults("17.0.21.1")


def plant(jdk: Defaults, aspect: str, adds: str = "", removes: str = "") -> Defaults:
    """That JDK with another item in an aspect, or without one that it has."""
    settings = dict(jdk.aspects[aspect])
    if removes:
        del settings[removes]
    if adds:
        name, _, text = adds.partition("=")
        settings[name] = text
    return jdk.model_copy(update={"aspects": {**jdk.aspects, aspect: settings}})


def test_the_update_itself_is_no_surprise(known_changes: tuple[KnownChange, ...]) -> None:
    delta = difference(OLDER, NEWER, known_changes)
    assert len(delta.explained) > 10
    assert delta.surprises == ()


@pytest.mark.parametrize(
    ("aspect", "adds", "removes", "sentence"),
    [
        (
            "client-cipher-suite",
            "TLS_RSA_WITH_NULL_SHA256",
            "",
            "weaker: + client-cipher-suite TLS_RSA_WITH_NULL_SHA256;",
        ),
        (
            "client-cipher-suite",
            "TLS_RSA_WITH_X",
            "",
            "for no known reason: + client-cipher-suite TLS_RSA_WITH_X;",
        ),
        ("signature-scheme", "rsa_pkcs1_sha1x_sha1", "", "+ signature-scheme rsa_pkcs1_sha1x_sha1"),
        ("key-share", "", "secp256r1", "for no known reason: - key-share secp256r1;"),
        ("named-group", "", "x448", "for no known reason: - named-group x448;"),
        (ALGORITHMS, "", "RC4", f"weaker: - {ALGORITHMS} RC4;"),
        ("jdk.tls.legacyAlgorithms", "", "RC4", "reason: - jdk.tls.legacyAlgorithms RC4;"),
        ("provider", "", "SunEC", "for no known reason: - provider SunEC;"),
        ("provider", "Other", "", "for no known reason: + provider Other;"),
        (
            "service",
            "",
            "SunJSSE SSLContext TLSv1.3",
            "for no known reason: - service SunJSSE SSLContext TLSv1.3;",
        ),
        (
            "security-property",
            "networkaddress.cache.ttl=0",
            "",
            "reason: + security-property networkaddress.cache.ttl = 0;",
        ),
    ],
)
def test_a_fault_beside_it_is(
    aspect: str, adds: str, removes: str, sentence: str, known_changes: tuple[KnownChange, ...]
) -> None:
    delta = difference(OLDER, plant(NEWER, aspect, adds, removes), known_changes)
    (surprise,) = delta.surprises
    assert surprise.item == (adds or removes).partition("=")[0]
    assert sentence in difference_sentence(delta)


@pytest.mark.parametrize("aspect", ["default-type", "name-cache"])
def test_another_default_is(aspect: str, known_changes: tuple[KnownChange, ...]) -> None:
    """The recordings are of before these were asked for."""
    older, newer = (
        jdk.model_copy(update={"aspects": {**jdk.aspects, aspect: {"name": setting}}})
        for jdk, setting in ((OLDER, "30"), (NEWER, "0"))
    )
    delta = difference(older, newer, known_changes)
    assert difference_sentence(delta).startswith(f"for no known reason: ~ {aspect} name: 30 -> 0; ")


def test_a_lost_root_is_named(known_changes: tuple[KnownChange, ...]) -> None:
    older, newer = (
        jdk.model_copy(update={"unknown": {}, "aspects": {**jdk.aspects, "root": roots}})
        for jdk, roots in ((OLDER, {"ab" * 32: "CN=X,O=Y, ends 2038-01-18"}), (NEWER, {}))
    )
    sentence = difference_sentence(difference(older, newer, known_changes))
    line = "- root CN=X,O=Y, ends 2038-01-18, SHA-256 abababababababab"
    assert sentence.startswith(f"for no known reason: {line}; ")
    sentence = difference_sentence(difference(newer, older, ()))
    assert "and not what connections agree on: " in sentence


def test_what_is_counted_is_named(known_changes: tuple[KnownChange, ...]) -> None:
    delta = difference(OLDER, NEWER, known_changes)
    assert difference_sentence(delta).endswith(
        "; unexplained, and not what connections agree on: "
        "+ security-property sun.security.krb5.acceptor.checkTransitedPolicy = true; "
        "+ known-property jdk.jndi.ldap.disabledURLSchemes; "
        "+ known-property sun.security.util.Debug"
    )


@pytest.mark.parametrize(
    ("aspect", "older_item"),
    [
        (ALGORITHMS, "TLS_RSA_*"),
        ("jdk.security.caDistrustPolicies", "ENTRUST_TLS"),
    ],
)
def test_what_the_update_disables_is_not_enabled_again(
    aspect: str, older_item: str, known_changes: tuple[KnownChange, ...]
) -> None:
    assert older_item in NEWER.aspects[aspect]
    older, newer = plant(OLDER, aspect, older_item), plant(NEWER, aspect, removes=older_item)
    delta = difference(older, newer, known_changes)
    assert [change.item for change in delta.weaknesses] == [older_item]


def test_a_scheme_that_the_update_removed_does_not_come(
    known_changes: tuple[KnownChange, ...],
) -> None:
    older = plant(OLDER, "signature-scheme", removes="rsa_pkcs1_sha1")
    newer = plant(NEWER, "signature-scheme", "rsa_pkcs1_sha1")
    delta = difference(older, newer, known_changes)
    assert [change.item for change in delta.surprises] == ["rsa_pkcs1_sha1"]

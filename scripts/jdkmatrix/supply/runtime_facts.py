# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a JDK say about itself and its TLS defaults when it is run? (`facts` of jtreg/tool)"""

from jdkmatrix.machine.json_models import Frozen

LISTS = frozenset(
    {
        "providers",
        "client_protocols",
        "server_protocols",
        "usable_protocols",
        "disabled_algorithms",
        "client_cipher_suites",
        "server_cipher_suites",
        "named_groups",
        "key_shares",
    }
)


class RuntimeFacts(Frozen):
    """What a JDK reported when it was run. Protocols and suites are those enabled by default.

    `usable_protocols` are those that a client may ask for; `disabled_algorithms` is the security
    property jdk.tls.disabledAlgorithms. `listed_modules` is what the image's own `release` file
    says is in it, from 9 on. These and `management` (com.sun.management) are None in what older
    kits stored.

    `named_groups` and `key_shares` are what its first ClientHello offers, in order. `shown_version`
    is what `java -version` prints, word for word.
    """

    version: str
    vendor: str
    vm: str
    vm_mode: str
    debug_level: str
    jfr: bool
    javac: bool
    providers: tuple[str, ...]
    client_protocols: tuple[str, ...]
    server_protocols: tuple[str, ...]
    client_cipher_suites: tuple[str, ...]
    server_cipher_suites: tuple[str, ...]
    named_groups: tuple[str, ...]
    key_shares: tuple[str, ...]
    management: bool | None = None
    usable_protocols: tuple[str, ...] | None = None
    disabled_algorithms: tuple[str, ...] | None = None
    listed_modules: tuple[str, ...] | None = None
    shown_version: str | None = None

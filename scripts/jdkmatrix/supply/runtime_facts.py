# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a JDK say about itself and its defaults? (`facts` and `defaults` of jtreg/tool)"""

from collections.abc import Iterable

from pydantic import Field

from jdkmatrix.machine.json_models import Frozen

# What the program prints in place of an aspect that it cannot determine.
_UNKNOWN = "unknown"


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


LISTS = frozenset(
    name for name, field in RuntimeFacts.model_fields.items() if "tuple" in str(field.annotation)
)


class Defaults(Frozen):
    """The defaults of one JDK.

    `aspects` has each aspect's items in its order (cipher suites, disabled algorithms, roots ...),
    each with its value or ''. Roots are given by SHA-256; a `root-store` is where they are if not
    in the JDK; the value of a provider is its module. A `known-property` is a name that occurs as a
    constant in classes; its value is the default that stands beside it, or '' if none does.
    `unknown` has the aspects that cannot be determined, and why.
    """

    version: str
    vendor: str
    aspects: dict[str, dict[str, str]]
    unknown: dict[str, str] = Field(default={})

    @classmethod
    def parse(cls, version: str, vendor: str, lines: Iterable[str]) -> "Defaults":
        """Parse the program's output: `aspect<TAB>item<TAB>value`; other lines are ignored."""
        aspects: dict[str, dict[str, str]] = {}
        for line in lines:
            aspect, _, rest = line.partition("\t")
            name, tab, text = rest.partition("\t")
            if tab:
                aspects.setdefault(aspect, {})[name] = text
        unknown = aspects.pop(_UNKNOWN, {})
        return cls(version=version, vendor=vendor, aspects=aspects, unknown=unknown)

    def without_machine(self) -> "Defaults":
        """The defaults without what is the machine's: roots that are not in the JDK."""
        if "root-store" not in self.aspects:
            return self
        aspects = {
            aspect: settings
            for aspect, settings in self.aspects.items()
            if aspect not in ("root", "root-store")
        }
        unknown = {**self.unknown, "root": "the JDK has none of its own"}
        return self.model_copy(update={"aspects": aspects, "unknown": unknown})

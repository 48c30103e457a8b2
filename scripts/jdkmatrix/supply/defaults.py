# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which defaults of a JDK may an update have changed? (`defaults` of jtreg/tool)"""

from collections.abc import Iterable

from pydantic import Field

from jdkmatrix.machine.json_models import Frozen

# What the program prints in place of an aspect that it cannot determine.
_UNKNOWN = "unknown"


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

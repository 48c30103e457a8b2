# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which defaults of a JDK may an update have changed? (jtreg/facts, Defaults)"""

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict

# What the program prints in place of an aspect that it cannot determine.
_UNKNOWN = "unknown"


class Defaults(BaseModel):
    """The defaults of one JDK.

    `aspects` has what is listed of each aspect, in its order: cipher suites, disabled algorithms,
    roots, and so on; with its value where it has one, else ''. Roots are by SHA-256. A
    `known-property` is a name that classes have as a constant: nobody tells its default.
    `unknown` are the aspects that cannot be told, and why.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str
    vendor: str
    aspects: dict[str, dict[str, str]]
    unknown: dict[str, str] = {}

    @classmethod
    def of(cls, version: str, vendor: str, lines: Iterable[str]) -> "Defaults":
        """Parse the program's output: `aspect<TAB>item<TAB>value`; other lines are ignored."""
        aspects: dict[str, dict[str, str]] = {}
        for line in lines:
            aspect, _, rest = line.partition("\t")
            item, tab, value = rest.partition("\t")
            if tab:
                aspects.setdefault(aspect, {})[item] = value
        unknown = aspects.pop(_UNKNOWN, {})
        return cls(version=version, vendor=vendor, aspects=aspects, unknown=unknown)

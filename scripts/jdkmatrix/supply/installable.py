# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is to be had, what was installed, and what is reported if no source could give it?"""

from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.config.jdks import AnySource, BuildEntry, ToolSources
from jdkmatrix.supply.cache.jdk_cache import InstallRecord
from jdkmatrix.texts import command_line


@dataclass(frozen=True)
class Installable:
    """An entry of `jdks.yaml`, or something else (then `entry` is None).

    Its home is the folder that has `marker`, such as `bin/java`.
    """

    id: str
    sources: tuple[AnySource, ...]
    marker: str
    entry: BuildEntry | None

    @classmethod
    def jdk(cls, entry: BuildEntry) -> "Installable":
        """A JDK from any of its sources."""
        return cls(entry.id, entry.sources, "bin/java", entry)

    @classmethod
    def jtreg(cls, tools: ToolSources) -> "Installable":
        """What runs the tests."""
        return cls("jtreg", (tools.jtreg,), "bin/jtreg", None)

    @classmethod
    def maven(cls, tools: ToolSources) -> "Installable":
        """What fetches the jars where the machine has no Maven."""
        return cls("maven", (tools.maven,), "bin/mvn", None)

    @classmethod
    def program(cls, tools: ToolSources, name: str) -> "Installable":
        """A program that tests use: a load driver, a proxy before a service, or a TLS peer."""
        program = tools.programs[name]
        return cls(name, (program,), program.path, None)

    @property
    def taken_by(self) -> str:
        """How to make `jdks.lock` accept what differs from it."""
        if self.entry is None:
            return f"remove {self.id} from jdks.lock"
        return command_line("scripts/matrix", "jdks", "lock", self.id)


@dataclass(frozen=True)
class CachedInstall:
    """A checked install in the cache."""

    folder: Path
    record: InstallRecord
    notices: tuple[str, ...] = ()

    @property
    def home(self) -> Path:
        """The folder that has the marker of the product: `bin/java`."""
        return self.folder / self.record.home


class InstallError(Exception):
    """No source could give it; `reasons` has one (source, reason) for each."""

    def __init__(self, reasons: tuple[tuple[str, str], ...]) -> None:
        super().__init__(reasons)
        self.reasons = reasons

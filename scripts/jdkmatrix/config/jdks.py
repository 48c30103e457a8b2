# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which builds are wanted, and where may each come from? The model of `jdks.yaml`."""

import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from jdkmatrix.config import version
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.config.yaml_model import StrictModel, load, wrong_at

_ID = re.compile(r"(?P<vendor>[a-z][a-z0-9_]*)-(?P<version>.+)")


class WheelSource(StrictModel):
    """A runtime inside a Python wheel: `package` at `version`, from the machine's package index."""

    source: Literal["wheel"]
    package: str
    version: str


class DebianSource(StrictModel):
    """Debian packages of one `suite` and its security pocket, unpacked without root.

    Without a `version` the newest that the suite has is taken. `libraries` are packages of the
    same suite that the JDK is linked against where the machine's own C library is older.
    """

    source: Literal["debian"]
    suite: str
    packages: tuple[str, ...] = Field(min_length=1)
    version: str | None = None
    libraries: tuple[str, ...] = ()


class LocalSource(StrictModel):
    """A JDK that lies unpacked at `path`; used where it is, never copied or changed."""

    source: Literal["local"]
    path: Path


AnySource = Annotated[WheelSource | DebianSource | LocalSource, Field(discriminator="source")]


class BuildEntry(StrictModel):
    """One wanted build.

    `id` is `vendor-version`. With a train in place of a version (`debian-17`) the entry moves:
    it means whatever its source has now, and the build's own id is known once it was fetched.
    """

    id: str
    sources: tuple[AnySource, ...] = Field(min_length=1)
    note: str | None = None

    @field_validator("id")
    @classmethod
    def _is_vendor_and_version(cls, text: str) -> str:
        match = _ID.fullmatch(text)
        if match is None:
            raise ValueError("no build id; accepted: vendor-version, as temurin-17.0.3+7")
        version.parse(match["version"])
        return text

    @property
    def vendor(self) -> str:
        """`temurin`, `debian` ..."""
        return self.id.partition("-")[0]

    @property
    def version(self) -> JdkVersion:
        """The version of the id; of a moving entry only its train counts."""
        return version.parse(self.id.partition("-")[2])

    @property
    def moves(self) -> bool:
        """Does the entry name a train only, so that its version changes with its source?"""
        return self.id.partition("-")[2].isdigit()


class Tools(StrictModel):
    """What the kit itself runs on: the tool JDK (17+, with javac), jtreg, and a Maven to fetch jars
    where the machine has none.
    """

    jdk: str
    jtreg: DebianSource
    maven: DebianSource


class JdksFile(StrictModel):
    """The whole of `jdks.yaml`."""

    schema_: Literal[1] = Field(alias="schema")
    tools: Tools
    default: tuple[str, ...]
    builds: tuple[BuildEntry, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _ids_are_unique_and_known(self) -> "JdksFile":
        ids: list[str] = []
        for n, entry in enumerate(self.builds):
            if entry.id in ids:
                raise wrong_at(("builds", n, "id"), f"duplicate id '{entry.id}'")
            ids.append(entry.id)
        known = f"accepted: {', '.join(ids)}"
        for n, name in enumerate(self.default):
            if name not in ids:
                raise wrong_at(("default", n), f"no build '{name}'; {known}")
        if self.tools.jdk not in ids:
            raise wrong_at(("tools", "jdk"), f"no build '{self.tools.jdk}'; {known}")
        return self

    def entry(self, entry_id: str) -> BuildEntry:
        """The entry of that id. Raises KeyError."""
        for entry in self.builds:
            if entry.id == entry_id:
                return entry
        raise KeyError(entry_id)


def load_jdks(path: Path) -> JdksFile:
    """Read and check `jdks.yaml`. Raises UsageError."""
    return load(path, JdksFile)

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which builds are wanted, and where may each come from? The model of `jdks.yaml`."""

import re
from pathlib import Path
from typing import Annotated, ClassVar, Literal, NamedTuple, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from jdkmatrix.config import version
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.config.yaml_model import StrictModel, check_unique, load, wrong_at
from jdkmatrix.errors import suggest

DEFAULT_ADOPTIUM_API = "https://api.adoptium.net/v3"

_ID = re.compile(r"(?P<vendor>[a-z][a-z0-9_]*)-(?P<version>.+?(-(?P<target>musl|aarch64))?)")
_MOVING = re.compile(r"\d+(-[a-z]+)?")
_SHA256 = r"^[0-9a-f]{64}$"
# Maven's own rules for ids (DefaultModelValidator), without the leading dots, dashes and ".." that
# would lead elsewhere in a repository. Its words for versions that move are refused, too.
_MAVEN_ID = r"^[A-Za-z0-9_]+([.-][A-Za-z0-9_-]*[A-Za-z0-9_])*$"
_MAVEN_VERSION = re.compile(r"[A-Za-z0-9_]+([.+-][A-Za-z0-9_]+)*")
# Debian Policy 5.6.1 and 5.6.12; a suite is also a folder's name.
_PACKAGE = r"^[a-z0-9][a-z0-9+.-]+$"
_PACKAGE_VERSION = r"^[0-9][A-Za-z0-9.+~:-]*$"
_SUITE = r"^[a-z][a-z0-9]*([.-][a-z0-9]+)*$"
_PROGRAM = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
_MOVING_MAVEN_VERSIONS = ("LATEST", "RELEASE")


def _is_one_release(text: str) -> str:
    moves = text in _MOVING_MAVEN_VERSIONS or text.endswith("-SNAPSHOT")
    if moves or not _MAVEN_VERSION.fullmatch(text):
        raise ValueError("accepted: one release's version, such as 10.15.2")
    return text


def _is_range(text: str) -> str:
    version.parse_range(text)
    return text


def _is_readable(address: str) -> str:
    try:
        _ = urlsplit(address).port
    except ValueError as error:
        raise ValueError(f"accepted: an address that can be read ({error})") from None
    return address


_Address = Annotated[str, Field(pattern=r"^https?://[^\s/]+/\S+$"), AfterValidator(_is_readable)]


def _place_in(archive: str) -> AfterValidator:
    """Refuses a path that leads out of the archive."""

    def check(path: str) -> str:
        parts = path.split("/")
        if parts[:1] == [""] or ".." in parts or not path.isprintable():
            raise ValueError(f"accepted: a folder inside {archive}")
        return path

    return AfterValidator(check)


Suite = Annotated[str, Field(pattern=_SUITE)]
Package = Annotated[str, Field(pattern=_PACKAGE)]


class WheelSource(StrictModel):
    """A runtime inside a Python wheel: `package` at `version`, from the machine's package index.

    `folder` is the runtime's in the wheel, by default the one that has `bin/java`. A package that
    declares no open-source licence is refused, unless what it declares is `licence_accepted`.
    """

    source: Literal["wheel"]
    package: str = Field(pattern=r"^[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?$")
    version: str = Field(pattern=r"^[\w.!+-]+$")
    folder: Annotated[str, _place_in("the wheel")] | None = None
    licence_accepted: str | None = None


class SecurityProperty(StrictModel):
    """A property of `java.security` as a release had it: its `value`, or null if it had none.

    `bug` is the id of the change that gave later releases another value, if it is public.
    """

    property: str = Field(pattern=r"^[\w.]+$")
    value: Annotated[str, Field(pattern=r"^[^\r\n\\]*$")] | None
    bug: str | None = Field(default=None, pattern=r"^JDK-\d{7}$")


class ComposedConfiguration(StrictModel):
    """The configuration of a JDK whose own package leaves it out.

    Its files are those of a later release of Debian's, the `package` of `suite`; `properties` are
    what the JDK's own release had otherwise.
    """

    suite: Suite
    package: Package
    properties: tuple[SecurityProperty, ...] = ()

    @property
    def summary(self) -> str:
        """One phrase for people: whose configuration it is, and what differs from that."""
        bugs = sorted({setting.bug for setting in self.properties if setting.bug})
        but = f", as before {', '.join(bugs)}" if bugs else ""
        return f"configuration composed from {self.package} of {self.suite}{but}"


Component = Literal["main", "contrib", "non-free", "non-free-firmware"]


class DebianSource(StrictModel):
    """Debian packages of one `suite` and its security pocket, unpacked without root.

    Without a `version` the newest in the suite is taken. `components` are the parts of the archive
    to look in. `libraries` are packages of the same suite to run with in place of the machine's own
    libraries, whose C library may be older. `configuration` completes a JDK that has none.
    """

    accepts_older: ClassVar[bool] = False
    source: Literal["debian"]
    suite: Suite
    components: tuple[Component, ...] = Field(default=("main",), min_length=1)
    packages: tuple[Package, ...] = Field(min_length=1)
    version: str | None = Field(default=None, pattern=_PACKAGE_VERSION)
    libraries: tuple[Package, ...] = ()
    configuration: ComposedConfiguration | None = None
    with_depends: ClassVar[bool] = False
    """Whether the packages come with those of the libraries that they depend on."""


class Libraries(StrictModel):
    """Debian packages of one `suite`: the C library that a JDK was built for, if the machine has
    another, or is for another processor.
    """

    suite: Suite
    packages: tuple[Package, ...] = Field(min_length=1)


class MavenSource(StrictModel):
    """A runtime inside an archive of a Maven repository, from the machine's own Maven settings.

    Refused unless both what its POM declares and the runtime's own licence text are open source, or
    what they are is `licence_accepted`. `folder` is the runtime's in the archive, by default the
    only one that has `bin/java`; nothing else of the archive is kept.
    """

    source: Literal["maven"]
    group: str = Field(pattern=_MAVEN_ID)
    artifact: str = Field(pattern=_MAVEN_ID)
    version: Annotated[str, AfterValidator(_is_one_release)]
    classifier: str | None = Field(default=None, pattern=_MAVEN_ID)
    type: Literal["zip", "tar.gz", "tgz", "jar"] = "jar"
    folder: Annotated[str, _place_in("the archive")] | None = None
    libraries: Libraries | None = None
    licence_accepted: str | None = None

    @property
    def name(self) -> str:
        """`group:artifact:type` or `group:artifact:type:classifier`."""
        return ":".join(filter(None, (self.group, self.artifact, self.type, self.classifier)))


class DebianToolSource(DebianSource):
    """The same for the tool JDK, which is not judged: older packages than the locked will do."""

    accepts_older = True


class AdoptiumSource(StrictModel):
    """A release from the Adoptium API, for this machine's platform.

    `release` is a release's name, or `latest-ga`, `latest-ea`, `previous-ga` of the entry's train;
    `range` means the newest GA within it. `vendor` is the API's word (`eclipse`, `microsoft`,
    `azul` ...); without it the entry's vendor decides. `signature` says what to do if an OpenPGP
    signature cannot be checked; a bad one always fails.
    """

    source: Literal["adoptium"]
    release: str | None = Field(default=None, pattern=r"^[A-Za-z0-9][\w.+-]*$")
    range: Annotated[str, AfterValidator(_is_range)] | None = None
    vendor: str | None = Field(default=None, pattern=r"^[a-z_]+$")
    image: Literal["jdk", "jre"] = "jdk"
    jvm: Literal["hotspot", "openj9", "dragonwell"] = "hotspot"
    signature: Literal["require", "warn", "off"] = "warn"

    @model_validator(mode="after")
    def _names_one_thing(self) -> Self:
        if (self.release is None) == (self.range is None):
            raise wrong_at(("source",), "accepted: either release or range")
        return self

    @property
    def moves(self) -> bool:
        """Whether it means another release as time goes by."""
        return self.release in MOVING_RELEASES or self.range is not None


MOVING_RELEASES = ("latest-ga", "latest-ea", "previous-ga")


class UrlSource(StrictModel):
    """An archive (tar.gz or zip) at `url`. Without a SHA-256, if none is published, that of the
    first download is locked.
    """

    source: Literal["url"]
    url: _Address
    sha256: str | None = Field(default=None, pattern=_SHA256)


class LocalSource(StrictModel):
    """An unpacked JDK at `path`; used in place, never copied or changed."""

    source: Literal["local"]
    path: Path


AnySource = Annotated[
    WheelSource | MavenSource | DebianSource | AdoptiumSource | UrlSource | LocalSource,
    Field(discriminator="source"),
]


class EntryId(NamedTuple):
    """An entry's id as the user wrote it, the only one that is read: that of a build is printed.

    `version` ends with the target, if there is one.
    """

    vendor: str
    version: str
    target: str

    @classmethod
    def read(cls, text: str) -> "EntryId | None":
        """The parts of an id; None if it is none, as that of a program."""
        match = _ID.fullmatch(text)
        return cls(match["vendor"], match["version"], match["target"] or "") if match else None


def _is_vendor_and_version(text: str) -> str:
    entry_id = EntryId.read(text)
    if entry_id is None:
        raise ValueError("not a build id; accepted: vendor-version, such as temurin-17.0.3+7")
    version.parse(entry_id.version)
    return text


class BuildEntry(StrictModel):
    """One wanted build.

    `id` is `vendor-version`, or `vendor-version-target` for a build for another C library or
    processor than the machine's (`temurin-17.0.11+9-musl`). With a train in place of a version
    (`debian-17`, `temurin-17-ea`) the entry moves: it means whatever its source has now, and the
    build's own id is known only once it is fetched.
    """

    id: Annotated[str, AfterValidator(_is_vendor_and_version)]
    sources: tuple[AnySource, ...] = Field(min_length=1)
    note: str | None = None

    @model_validator(mode="after")
    def _moves_if_a_source_does(self) -> Self:
        for n, source in enumerate(self.sources):
            if isinstance(source, AdoptiumSource) and source.moves and not self.moves:
                key = "release" if source.release else "range"
                remedy = f"accepted in '{self.id}': a release's name"
                raise wrong_at(
                    ("sources", n, key), f"'{source.release or source.range}' moves; {remedy}"
                )
        return self

    @property
    def vendor(self) -> str:
        """`temurin`, `debian` ..."""
        return self._parts.vendor

    @property
    def version(self) -> JdkVersion:
        """The version of the id; of a moving entry only its train counts."""
        return version.parse(self._parts.version)

    def configuration_of(self, source: str) -> ComposedConfiguration | None:
        """The configuration that a build from this kind of source is completed with, if any."""
        debian = (config for config in self.sources if isinstance(config, DebianSource))
        return next((c.configuration for c in debian if c.source == source), None)

    @property
    def target(self) -> str:
        """What it is built for, if that is not what most machines have: `musl` or `aarch64`."""
        return self._parts.target

    @property
    def moves(self) -> bool:
        """Whether the entry names only a train, so that its version changes with its source."""
        return _MOVING.fullmatch(self._parts.version) is not None

    @property
    def _parts(self) -> EntryId:
        entry_id = EntryId.read(self.id)
        assert entry_id
        return entry_id


class Program(DebianSource):
    """A program from Debian packages; `path` is its place in them. It comes with the libraries that
    they depend on; `libraries` are others.
    """

    with_depends: ClassVar[bool] = True

    path: Annotated[str, _place_in("the package")]


class ToolSources(StrictModel):
    """What the kit itself runs on: the tool JDK (17+, with javac), jtreg, and a Maven to fetch jars
    where the machine has none; `programs` by name.
    """

    jdk: str
    jtreg: DebianSource
    maven: DebianSource
    programs: dict[Annotated[str, Field(pattern=_PROGRAM)], Program] = Field(default_factory=dict)


class JdksFile(StrictModel):
    """The whole of `jdks.yaml`."""

    schema_: Literal[1] = Field(alias="schema")
    tools: ToolSources
    adoptium_api: _Address = DEFAULT_ADOPTIUM_API
    default: tuple[str, ...]
    builds: tuple[BuildEntry, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _ids_are_unique_and_known(self) -> "JdksFile":
        ids = [entry.id for entry in self.builds]
        check_unique((("builds", n), entry_id) for n, entry_id in enumerate(ids))
        for n, name in enumerate(self.default):
            if name not in ids:
                raise wrong_at(("default", n), f"no build '{name}'; {suggest(name, ids)}")
        if self.tools.jdk not in ids:
            hint = suggest(self.tools.jdk, ids)
            raise wrong_at(("tools", "jdk"), f"no build '{self.tools.jdk}'; {hint}")
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

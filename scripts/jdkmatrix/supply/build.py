# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does the supply deal in: files that a source offers and gives, and the builds made of them?

Each kind of source is a class in a file of its own; `sources/kinds.py` lists them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from jdkmatrix.config.version import JdkVersion
from jdkmatrix.errors import one_line
from jdkmatrix.machine.files import sha256_of
from jdkmatrix.vocabulary import Intent

_MOST_CHARACTERS = 500


@dataclass(frozen=True)
class Artifact:
    """One downloaded file: its package's name and version, its size and its SHA-256 in hex."""

    name: str
    version: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True)
class BuildFacts:
    """What a JDK says about itself when it is run.

    `version` is `java.runtime.version`, `vendor` is `java.vendor`, `java_home` is `java.home`
    relative to the JDK ("." from 9 on, "jre" on 8), `arch` is `os.arch`, `debug_level` is
    `jdk.debug` (8: from the VM's version): `release`, `fastdebug` or `slowdebug`. `vendor_signs`
    also say who made it: `java.vm.vendor`, IMPLEMENTOR of the release file, the folder's name.
    `c_library` is what that file says it was built for, `gnu` or `musl`; None in older images.
    `release_date` is `java.version.date`, `2026-10-20`; None on 8.
    """

    version: str
    vendor: str
    vm_name: str
    vm_version: str
    arch: str
    java_home: str
    has_jfr: bool
    has_javac: bool
    debug_level: str = "release"
    vendor_signs: str = ""
    c_library: str | None = None
    release_date: str | None = None


@dataclass(frozen=True)
class Overlay:
    """Classes laid over one build.

    `sha256` is the hash of what the user gave, `java_options` load the classes into a JVM, `note`
    says what they were made from. `option` makes the same one again: `--overlay-patch fix.diff`.
    `intent` and `bugs` are what the user means by it, as in its request.
    """

    name: str
    option: str
    sha256: str
    java_options: tuple[str, ...]
    note: str
    intent: Intent | None = None
    bugs: tuple[str, ...] = ()


class NamedBuild(NamedTuple):
    """A build as plans know it, perhaps not fetched yet: its id, to be printed, and its version."""

    id: str
    version: JdkVersion


def id_of(vendor: str, version: JdkVersion, target: str = "") -> str:
    """The id of a build: `temurin-17.0.9+9`, `temurin-17.0.11+9-musl`."""
    return "-".join(filter(None, (vendor, str(version), target)))


@dataclass(frozen=True)
class Build:
    """One JDK, ready to run at `home`.

    `id` is vendor-version, read from the JDK itself; `entry_id` is what `jdks.yaml` calls it
    (for `--jdk PATH`: the id again). `sha256` is the hash of the first artifact, the package that
    holds the VM; a local JDK has no artifact: there it is that of its configuration and libraries.
    `target` is that of its entry (`musl`), '' for most.
    `altered` says how a local JDK differs from the cached release that it says it is.
    `notices` says what a reader must know about how it was fetched.
    `configuration` says from what its configuration files were composed, if not its own.
    With an `overlay` it is another build, though it says the same about itself. `compile_options`
    are jtreg's options to compile a user's suite for it, if it has no javac.
    """

    id: str
    entry_id: str
    version: JdkVersion
    vendor: str
    train: int
    source: str
    sha256: str
    artifacts: tuple[Artifact, ...]
    home: Path
    facts: BuildFacts
    notices: tuple[str, ...] = ()
    overlay: Overlay | None = None
    altered: str | None = None
    configuration: str | None = None
    compile_options: tuple[str, ...] = ()
    target: str = ""

    @property
    def identity(self) -> NamedBuild:
        """The build as plans know it."""
        return NamedBuild(self.id, self.version)


@dataclass(frozen=True)
class Unavailable:
    """An entry that no source could give; `reasons` has a (source, reason) for each one tried."""

    entry_id: str
    reasons: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        reasons = "; ".join(f"{source}: {reason}" for source, reason in self.reasons)
        return f"{self.entry_id} unavailable: {reasons}"


class SourceError(Exception):
    """This source cannot give the build; the text is the reason, made one line, as parts of it may
    come from a server.
    """

    def __init__(self, text: str) -> None:
        super().__init__(one_line(text, _MOST_CHARACTERS))


def overlaid_id(build_id: str, name: str) -> str:
    """The id of a build with an overlay; no other build has it."""
    return f"{build_id}+overlay-{name}"


def expand_home(path: Path) -> Path:
    """The path with `~` expanded. Raises SourceError if there is no such user."""
    try:
        return path.expanduser()
    except RuntimeError:
        raise SourceError("no such folder") from None


@dataclass(frozen=True)
class Offer:
    """A file that a source would give now. Size and SHA-256 are None if not known until fetched.

    `scm_ref` is the commit it was built from, if the source knows; `is_mutable` means that other
    bytes may replace it under the same name (early access). Only the source uses the links.
    """

    name: str
    version: str
    size_bytes: int | None
    sha256: str | None
    link: str | None = None
    signature_link: str | None = None
    scm_ref: str | None = None
    is_mutable: bool = False


@dataclass(frozen=True)
class FetchedFile:
    """A file that a source gave, at `path`.

    `signed_by` is the fingerprint of the pinned OpenPGP key that signed it.
    """

    artifact: Artifact
    path: Path
    signed_by: str | None = None
    notices: tuple[str, ...] = ()

    @classmethod
    def of_offer(cls, offer: Offer, path: Path) -> "FetchedFile":
        """The file that was offered, with the SHA-256 of what came. Raises OSError."""
        size_bytes, sha256 = path.stat().st_size, sha256_of(path)
        return cls(Artifact(offer.name, offer.version, size_bytes, sha256), path)


ByteReport = Callable[[int], None]
"""Called with the total number of bytes received."""


class Source(Protocol):
    """One place that one build may come from. Methods raise SourceError."""

    kind: str
    """Its name in `jdks.yaml`, `jdks.lock` and reports."""

    goes_on: bool
    """Whether `fetch` resumes what an interrupted one left in its folder."""

    label: str
    """What its versions belong to, for a notice: "sid", or the name of a wheel."""

    def fits(self, artifacts: tuple[Artifact, ...]) -> bool:
        """Whether these can be what `jdks.yaml` asks of this source; False once it was edited."""

    def resolve(self, artifacts: tuple[Artifact, ...]) -> tuple[Offer, ...]:
        """The files it would give now, the one with the VM first; it may read an index.

        `artifacts` is what it gave before, or nothing.
        """

    def fetch(
        self, offers: tuple[Offer, ...], staging: Path, report_bytes: ByteReport
    ) -> tuple[FetchedFile, ...]:
        """Fetch these files to the folder `staging`; return them in the same order.

        The folder is empty, unless this source resumes what an interrupted fetch of the same files
        left.
        """

    def install(self, files: tuple[FetchedFile, ...], target: Path, final: Path) -> Path:
        """Unpack into `target / "root"`; `target` is empty and will be renamed to `final`.

        Returns the folder in it to search for what was wanted.
        """

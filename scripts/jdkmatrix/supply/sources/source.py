# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What must a source of JDKs offer?

Each kind of source is a class in a file of its own; `kinds.py` lists them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from jdkmatrix.errors import one_line
from jdkmatrix.machine.files import sha256_of
from jdkmatrix.supply.build import Artifact

_MOST_CHARACTERS = 500


class SourceError(Exception):
    """This source cannot give the build; the text is the reason, made one line, as parts of it may
    come from a server.
    """

    def __init__(self, text: str) -> None:
        super().__init__(one_line(text, _MOST_CHARACTERS))


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

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What did the user ask to lay over the builds, and does it exist?"""

import re
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.errors import UsageError, translate_os_errors
from jdkmatrix.machine.files import text_of
from jdkmatrix.overlay.class_files import find_classes
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.unpack.archive import unzip
from jdkmatrix.texts import command_line
from jdkmatrix.vocabulary import Intent

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._]+")


@dataclass(frozen=True)
class OverlayRequest:
    """Classes (`--overlay DIR|JAR`) or a diff (`--overlay-patch FILE`).

    `sources` is a folder of the user's with the JDK's sources, to which a diff is applied. `intent`
    is what the overlay shall make of every bug; without one, it shall fix `bugs`.
    """

    path: Path
    is_patch: bool
    sources: Path | None = None
    intent: Intent | None = None
    bugs: tuple[str, ...] = ()

    @classmethod
    def from_options(
        cls,
        classes: str | None,
        patch: str | None,
        sources: str | None = None,
        intent: Intent | None = None,
    ) -> "OverlayRequest | None":
        """What the options ask for, None without an overlay. Raises UsageError."""
        if classes and patch:
            raise UsageError("--overlay and --overlay-patch: accepted: one of them")
        if sources and not patch:
            raise UsageError(f"--sources {sources}: accepted: together with --overlay-patch FILE")
        path = classes or patch
        if not path:
            if intent:
                choices = "--overlay or --overlay-patch"
                raise UsageError(f"--expect {intent}: accepted: together with {choices}")
            return None
        if sources and not Path(sources).is_dir():
            raise UsageError(f"--sources {sources}: no such folder; accepted: a checkout of a JDK")
        tree = Path(sources) if sources else None
        request = cls(Path(path), patch is not None, tree, intent)
        request.files()
        return request

    @property
    def name(self) -> str:
        """The overlay's name in a build's id: `close-under-lock-8`."""
        return _NOT_IN_NAMES.sub("-", self.path.resolve().stem).strip("-")

    def __str__(self) -> str:
        return f"{self._flag} {self.path}"

    @property
    def option(self) -> str:
        """The option for the same overlay, in a shell in the root of the checkout."""
        words: list[str | Path] = [self._flag, _short(self.path)]
        words += ["--sources", _short(self.sources)] if self.sources else []
        words += ["--expect", self.intent] if self.intent else []
        return command_line(*words)

    @property
    def _flag(self) -> str:
        return "--overlay-patch" if self.is_patch else "--overlay"

    def text(self) -> str:
        """The text of the diff. Raises UsageError."""
        with translate_os_errors(UsageError, f"{self}: {self.path.name}: cannot be read"):
            return text_of(self.path, errors="replace")

    def files(self) -> tuple[Path, ...]:
        """The files given, sorted: the diff, the jar, or the classes. Raises UsageError."""
        if self.is_patch:
            if not self.path.is_file():
                raise UsageError(f"{self}: no such file; accepted: a unified diff")
            return (self.path,)
        if self.path.is_file():
            return (self.path,)
        if not self.path.is_dir():
            raise UsageError(f"{self}: no such folder or jar")
        paths = find_classes(self.path)
        if not paths:
            raise UsageError(f"{self}: no classes in it")
        return tuple(self.path / path for path in paths)

    def unpack(self, folder: Path) -> Path:
        """The folder of the classes; those of a jar are unpacked into `folder`."""
        if self.path.is_dir():
            return self.path
        try:
            unzip(self.path, folder)
        except SourceError as error:
            raise UsageError(f"{self}: {error}") from None
        if not find_classes(folder):
            raise UsageError(f"{self}: no classes in it")
        return folder


def _short(path: Path) -> Path:
    """The path as seen from the root of the checkout, if it is in there."""
    path, root = path.resolve(), Checkout.current().root
    return path.relative_to(root) if path.is_relative_to(root) else path

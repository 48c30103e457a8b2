# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What did the user ask to lay over the builds, and does it exist?"""

import re
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.errors import UsageError
from jdkmatrix.overlay.class_files import find_classes
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.sources.source import SourceError
from jdkmatrix.supply.unpack.unzip import unzip
from jdkmatrix.texts import command_line

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._]+")


@dataclass(frozen=True)
class OverlayRequest:
    """Classes (`--overlay DIR|JAR`) or a diff (`--overlay-patch FILE`)."""

    path: Path
    is_patch: bool

    @classmethod
    def from_options(cls, classes: str | None, patch: str | None) -> "OverlayRequest | None":
        """What the two options ask for, None without either. Raises UsageError."""
        if classes and patch:
            raise UsageError("--overlay and --overlay-patch: accepted: one of them")
        path = classes or patch
        if not path:
            return None
        request = cls(Path(path), is_patch=patch is not None)
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
        path, root = self.path.resolve(), Checkout.current().root
        short_path = path.relative_to(root) if path.is_relative_to(root) else path
        return command_line(self._flag, short_path)

    @property
    def _flag(self) -> str:
        return "--overlay-patch" if self.is_patch else "--overlay"

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

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which builds are there to choose from, and which of them does a user mean?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from jdkmatrix.config.jdks import BuildEntry, JdksFile, load_jdks
from jdkmatrix.errors import UsageError, suggest
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.build import NamedBuild
from jdkmatrix.supply.cache.jdks_lock import LockFile

_EMULATED = "aarch64"


@dataclass(frozen=True)
class Catalog:
    """The entries of `jdks.yaml`. `last_builds` has the build that each was when last fetched, so
    that `debian-8u504-ga` means `debian-8`; an entry's own id means that entry alone.
    """

    jdks: JdksFile
    last_builds: Mapping[str, NamedBuild]

    @classmethod
    def of_checkout(cls, checkout: Checkout) -> "Catalog":
        """The one of a checkout. Raises UsageError if its files are malformed or damaged."""
        return cls(load_jdks(checkout.jdks), LockFile(checkout.lock).last_builds())

    def last_build(self, entry: BuildEntry) -> NamedBuild:
        """The build that an entry was when last fetched; before that, by its own id."""
        return self.last_builds.get(entry.id) or NamedBuild(entry.id, entry.version)

    def knows_build(self, entry: BuildEntry) -> bool:
        """Whether an entry's version is known: of one that moves, once it was fetched."""
        return entry.id in self.last_builds or not entry.moves

    def list_named(self, text: str, entries: Sequence[BuildEntry]) -> list[BuildEntry]:
        """The entry with that id; without one, those that were that build when last fetched."""
        return [entry for entry in entries if entry.id == text] or [
            entry for entry in entries if self.last_build(entry).id == text
        ]

    def entry(self, text: str, option: str, alternative: str = "") -> BuildEntry:
        """The entry with that id, or that was that build when last fetched. Raises UsageError."""
        for entry in self.list_named(text, self.jdks.builds):
            return entry
        raise self._no_such_build(text, option, alternative)

    def select(self, patterns: Sequence[str], option: str = "--build") -> tuple[BuildEntry, ...]:
        """The entries that `option` means by id or glob; without patterns, the default selection.

        A glob means builds that run in an emulator, some twenty times as slow, only if it names the
        processor: `*aarch64*`. Raises UsageError for a pattern that matches none.
        """
        if not patterns:
            return tuple(map(self.jdks.entry, self.jdks.default))
        selected_ids: set[str] = set()
        for pattern in patterns:
            matches = self.list_named(pattern, self.jdks.builds) or [
                entry for entry in self.jdks.builds if self._is_meant(entry, pattern)
            ]
            if not matches:
                raise self._no_such_build(pattern, option)
            selected_ids.update(entry.id for entry in matches)
        return tuple(entry for entry in self.jdks.builds if entry.id in selected_ids)

    def _is_meant(self, entry: BuildEntry, glob: str) -> bool:
        if entry.target == _EMULATED and _EMULATED not in glob:
            return False
        return any(fnmatchcase(name, glob) for name in (entry.id, self.last_build(entry).id))

    def _no_such_build(self, text: str, option: str, alternative: str = "") -> UsageError:
        choices = suggest(text, (entry.id for entry in self.jdks.builds))
        return UsageError(f"{option} {text}: no such build; {choices}{alternative}")

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which id does each build have in a run, if several may claim to be the same release? Pure.

The id follows from the request alone, not from what came first or is in a shard, so that a run, its
resumption and all of its shards give a build the same id.
"""

from dataclasses import dataclass, replace
from itertools import takewhile

from jdkmatrix.config.jdks import BuildEntry
from jdkmatrix.supply.build import Build, Unavailable


@dataclass(frozen=True)
class RunIds:
    """What a request selects, all shards together: `jdks` are those of `--jdk`, in its order.

    A build keeps its `vendor-version` unless one before it may have the same: entries with a
    version come first, then moving ones, then the given JDKs.
    """

    entries: tuple[BuildEntry, ...]
    jdks: tuple[Build, ...]

    def identify(self, outcome: Build | Unavailable) -> Build | Unavailable:
        """An entry's build with its id: `temurin-17.0.9+9`, or `debian-17.0.21+9@debian-17`."""
        if isinstance(outcome, Unavailable):
            return outcome
        in_order = sorted(self.entries, key=lambda entry: entry.moves)
        earlier_entries = takewhile(lambda entry: entry.id != outcome.entry_id, in_order)
        if any(_may_be(entry, outcome) for entry in earlier_entries):
            return replace(outcome, id=f"{outcome.id}@{outcome.entry_id}")
        return outcome

    def local(self) -> list[Build]:
        """The given JDKs with their ids: `temurin-17.0.9+9@jdk`, for the second `...@jdk-2`.

        An altered copy never has the release's own id: `temurin-17.0.9+9@altered`.
        """
        return [self._local(n, build) for n, build in enumerate(self.jdks)]

    def _local(self, n: int, build: Build) -> Build:
        kind = "altered" if build.altered else "jdk"
        of_entry = any(_may_be(entry, build) for entry in self.entries)
        twice = any(build.id == earlier_build.id for earlier_build in self.jdks[:n])
        if build.altered or of_entry or twice:
            return replace(build, id=f"{build.id}@{kind}{f'-{n + 1}' if n else ''}")
        return build


def _may_be(entry: BuildEntry, build: Build) -> bool:
    """May the entry's build be of the same vendor, version and target? If it moves, of the same
    train.
    """
    same = entry.version.train == build.train if entry.moves else entry.version == build.version
    is_alike = entry.target == build.target
    return same and is_alike and entry.vendor == build.vendor

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The cache's JDKs may cut a recording down where the tool JDK cannot; nothing is fetched."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from jdkmatrix.bundle import proof as module
from jdkmatrix.bundle.proof import scrubbers
from jdkmatrix.config.jdks import BuildEntry
from jdkmatrix.config.version import parse
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.build import Build, BuildFacts, Unavailable

FACTS = BuildFacts("25.0.3+9", "v", "vm", "25", "amd64", ".", True, True)
CACHED = Build(
    *("debian-25.0.3+9", "debian-25", parse("25.0.3+9"), "debian", 25, "debian", "aa", ()),
    home=Path("/cache/debian-25"),
    facts=FACTS,
)


class Cache:
    """Stands in for the Supplier: it has debian-25 alone."""

    entry_ids: list[str]

    @classmethod
    def of_checkout(cls, _checkout: Checkout, *, offline: bool) -> "Cache":
        assert offline
        return cls()

    def supply(self, builds: Sequence[BuildEntry]) -> list[Build | Unavailable]:
        (entry,) = builds
        self.entry_ids.append(entry.id)
        return [CACHED if entry.id == CACHED.entry_id else Unavailable(entry.id, ())]


def test_the_tool_jdk_comes_first_then_those_of_the_cache(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Cache, "entry_ids", [], raising=False)
    monkeypatch.setattr(module, "Supplier", Cache)
    homes = scrubbers(Checkout(root), Path("/tool"))
    assert next(homes) == Path("/tool")
    assert Cache.entry_ids == []
    assert list(homes) == [CACHED.home]
    assert Cache.entry_ids
    assert not any(name.startswith(("debian-17", "temurin-11")) for name in Cache.entry_ids)

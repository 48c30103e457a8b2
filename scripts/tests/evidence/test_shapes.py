# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is the same read of a dump in whatever shape it comes, less what the shape lacks?"""

from collections.abc import Mapping
from typing import Any

import pytest

from jdkmatrix.evidence.digest import Digester, Recording, Unreadable
from tests.evidence.shapes import SHAPES
from tests.evidence.stuck_service import VERSION

pytestmark = pytest.mark.jdk
Read = Mapping[str, Recording | Unreadable]
LOCK = "lock"
MONITOR = "monitor"


@pytest.fixture(scope="module")
def read(digester: Digester, tmp_path_factory: pytest.TempPathFactory) -> Read:
    """What is read of each shape, by its name."""
    folder = tmp_path_factory.mktemp("shapes")
    files = {name: folder / str(number) for number, name in enumerate(SHAPES)}
    for name, file in files.items():
        file.write_bytes(SHAPES[name].content)
    entries = digester.digest([*files.values()]).recordings
    assert len(entries) == len(files)
    return dict(zip(files, entries, strict=True))


def facts(recording: Recording, lacks: frozenset[str]) -> dict[str, Any]:
    """What the two dumps say, less what is lacking."""
    assert recording.hang
    has_time = "time" not in lacks
    kinds = {LOCK if "locks" in lacks else "", MONITOR if "monitors" in lacks else ""}
    return {
        "version": None if "version" in lacks else recording.jvm.version,
        "threads": recording.threads,
        "dumps": recording.hang.dumps if has_time else None,
        "duration_ms": recording.duration_ms if has_time else None,
        "waits": {
            wait.frame: (
                wait.kind,
                wait.threads,
                wait.total_ms if has_time else None,
                None
                if "owners" in lacks
                else [(holder.thread, holder.waits_in) for holder in wait.holders],
            )
            for wait in recording.lock_waits
            if wait.kind not in kinds
        },
        "queues": {
            (queue.waits_in, queue.threads, None if "owners" in lacks else queue.owner)
            for queue in recording.hang.queues
            if queue.kind not in kinds
        },
    }


def test_the_base_shows_both_queues(read: Read) -> None:
    base = read["HotSpot's own"]
    assert isinstance(base, Recording)
    assert base.jvm.version == VERSION
    assert {wait.frame: wait.threads for wait in base.lock_waits} == {
        "sun.net.www.http.KeepAliveCache.put": 1,
        "sun.net.www.http.KeepAliveCache.get": 2,
        "shop.Till.pay": 2,
    }
    assert all(wait.holder and not wait.holder.inferred for wait in base.lock_waits)


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_says_the_same_as_hotspots_own(read: Read, name: str) -> None:
    entry, base, shape = read[name], read["HotSpot's own"], SHAPES[name]
    assert isinstance(entry, Recording), entry.error
    assert isinstance(base, Recording)
    assert facts(entry, shape.lacks) == facts(base, shape.lacks)


def test_the_owner_of_a_monitor_is_inferred_where_no_owner_is_named(read: Read) -> None:
    entry = read["WebLogic"]
    assert isinstance(entry, Recording)
    locks = [group.lock for group in entry.stacks if group.lock and group.lock.kind == MONITOR]
    owners = [lock.owner for lock in locks if lock.owner]
    assert len(locks) == len(owners) > 0
    assert {(owner.thread, owner.inferred) for owner in owners} == {("Keep-Alive-Timer", True)}


@pytest.mark.parametrize("name", SHAPES)
def test_what_was_normalised_is_told(read: Read, name: str) -> None:
    entry = read[name]
    assert isinstance(entry, Recording), entry.error
    assert set(entry.shapes) == set(SHAPES[name].names)

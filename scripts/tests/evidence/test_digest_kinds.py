# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which ways to wait count as blocked time? A thread each, on the oldest and newest JDKs too."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.evidence.digest import PINNED, Digester, Recording
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.supplier import Supplier
from tests.evidence.conftest import Programs

# JDK 8 has other locks inside; 21 and 25 have virtual threads, 25 with monitors of their own.
OTHERS = ("debian-8", "temurin-21.0.8+9", "temurin-25.0.2+10")
# A thread that waits until another one has initialized a class waits for an int[0].
CLASS_INITIALIZATION = "[I"
IDLE_WAYS = 25
BLOCKED_WAYS = 9
# What CleanerQueue.java holds the locks for.
CLEANER_HELD_MS = 300

Home = Callable[[str], Path]


@pytest.fixture(scope="session")
def home(jdks: JdksFile, root: Path, tool_jdk: Path) -> Home:
    """The home of a build of `jdks.yaml`, fetched if need be."""

    def fetch(entry_id: str) -> Path:
        entries = [entry for entry in jdks.builds if entry.id == entry_id]
        (got,) = Supplier(jdks, root / "jdks.lock", cache_root()).supply(entries)
        assert isinstance(got, Build)
        return got.home

    return fetch


def check(
    digester: Digester, programs: Programs, java_home: Path, folder: Path
) -> tuple[int, Recording]:
    """Checks all ways on one JDK; returns how many there were, and the recording."""
    file, lines = programs.run(java_home, folder, "KindsOfWait")
    ways = {int(line[1]): line for line in lines if line and line[0] in ("idle", "blocked")}
    (recording,) = digester.digest([file]).readable
    rows = [row for row in recording.blocked if row.lock_class != CLASS_INITIALIZATION]
    blocked = {thread for row in rows for thread in row.thread_ids}
    wrong = {
        " ".join(way): [row for row in rows if thread in row.thread_ids]
        for thread, way in ways.items()
        if (way[0] == "blocked") != (thread in blocked)
    }
    assert not wrong
    has_virtual_ones = any("virtual thread" in " ".join(way) for way in ways.values())
    assert recording.virtual_threads.used == has_virtual_ones
    return len(ways), recording


@pytest.mark.jdk
def test_only_waits_for_locks_are_blocked_time(
    digester: Digester, programs: Programs, tool_jdk: Path, tmp_path: Path
) -> None:
    assert check(digester, programs, tool_jdk, tmp_path)[0] == IDLE_WAYS + BLOCKED_WAYS


@pytest.mark.jdk
@pytest.mark.network
@pytest.mark.parametrize("build", OTHERS)
def test_on_other_trains(
    digester: Digester, programs: Programs, home: Home, tmp_path: Path, build: str
) -> None:
    virtual_threads = 0 if build == "debian-8" else 2
    ways, recording = check(digester, programs, home(build), tmp_path)
    assert ways == IDLE_WAYS + BLOCKED_WAYS + virtual_threads
    # JEP 491: since 24 a virtual thread gives its carrier up in a monitor, too.
    assert any(row.event == PINNED for row in recording.slow) == build.startswith("temurin-21")


@pytest.mark.jdk
@pytest.mark.network
def test_stock_settings_of_25_throttle_reads(
    digester: Digester, programs: Programs, home: Home, tmp_path: Path
) -> None:
    java_home = home("temurin-25.0.2+10")
    stock = replace(programs, settings=Path("default"))
    files = []
    for one, folder in ((stock, tmp_path / "stock"), (programs, tmp_path / "ours")):
        folder.mkdir()
        files.append(one.run(java_home, folder, "AcrossChunks")[0])
    read = digester.digest(files).readable
    assert [one.settings["jdk.SocketRead"].throttle for one in read] == ["100/s", "off"]


@pytest.mark.jdk
def test_the_lock_of_the_cleaners_queue_is_told_apart(
    digester: Digester, programs: Programs, tool_jdk: Path, tmp_path: Path
) -> None:
    opened = "--add-opens=java.base/sun.net.www.http=ALL-UNNAMED"
    file, _ = programs.run(tool_jdk, tmp_path, opened, "CleanerQueue")
    (recording,) = digester.digest([file]).readable
    rows = {row.lock_class: row for row in recording.blocked if row.kind == "cleaner-queue"}
    assert set(rows) == {
        "sun.net.www.http.KeepAliveStreamCleaner",
        "java.util.concurrent.locks.ReentrantLock$NonfairSync",
    }
    assert all(row.total_ms > CLEANER_HELD_MS / 2 for row in rows.values())
    holders = rows["sun.net.www.http.KeepAliveStreamCleaner"].holders
    holder = max(holders, key=lambda one: one.explained_ms)
    assert (holder.thread, holder.event, holder.inferred) == ("main", "jdk.ThreadSleep", False)
    assert holder.frame == "CleanerQueue.main"

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which ways to wait count as blocked time? A thread each, on the oldest and newest JDKs too."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.evidence.digest import PINNED, Digester, Recording
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.supplier import Supplier
from tests.evidence.conftest import Programs

# JDK 8 has other locks inside; 21 and 25 have virtual threads, 25 with monitors of their own.
BUILDS = ("debian-8", "temurin-21.0.8+9", "temurin-25.0.2+10")
STOCK = "stock"
# A thread that waits until another one has initialized a class waits for an int[0].
CLASS_INITIALIZATION = "[I"
IDLE_WAYS = 25
BLOCKED_WAYS = 9

Home = Callable[[str], Path]


@pytest.fixture(scope="session")
def home(jdks: JdksFile, root: Path, tool_jdk: Path) -> Home:
    """The home of a build of `jdks.yaml`, fetched if need be."""

    def fetch(entry_id: str) -> Path:
        build_entries = [build_entry for build_entry in jdks.builds if build_entry.id == entry_id]
        (build,) = Supplier(jdks, root / "jdks.lock", cache_root()).supply(build_entries)
        assert isinstance(build, Build)
        return build.home

    return fetch


@dataclass(frozen=True)
class ThreadWaits:
    """What the program said of each thread, and what was read of its recording."""

    lines: list[list[str]]
    recording: Recording


def check(waits: ThreadWaits) -> int:
    """Checks all ways on one JDK; returns how many there were."""
    ways = {int(line[1]): line for line in waits.lines if line and line[0] in ("idle", "blocked")}
    recording = waits.recording
    rows = [row for row in recording.lock_waits if row.lock_class != CLASS_INITIALIZATION]
    blocked_ids = {thread for row in rows for thread in row.thread_ids}
    wrong = {
        " ".join(way): [row for row in rows if thread in row.thread_ids]
        for thread, way in ways.items()
        if (way[0] == "blocked") != (thread in blocked_ids)
    }
    assert not wrong
    has_virtual_ones = any("virtual thread" in " ".join(way) for way in ways.values())
    assert recording.virtual_threads.used == has_virtual_ones
    return len(ways)


@pytest.mark.jdk
def test_only_waits_for_locks_are_blocked_time(
    digester: Digester, programs: Programs, tool_jdk: Path, tmp_path: Path
) -> None:
    file, lines = programs.run(tool_jdk, tmp_path, "KindsOfWait")
    (recording,) = digester.digest([file]).readable
    assert check(ThreadWaits(lines, recording)) == IDLE_WAYS + BLOCKED_WAYS


@pytest.fixture(scope="module")
def on_others(
    digester: Digester, programs: Programs, home: Home, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, ThreadWaits]:
    """The same on each other JDK, and any program under the stock settings of 25; read at once."""
    folder = tmp_path_factory.mktemp("others")
    stock = replace(programs, settings=Path("default"))
    runs = {}
    for name in (*BUILDS, STOCK):
        (folder / name).mkdir()
        if name == STOCK:
            runs[name] = stock.run(home(BUILDS[-1]), folder / name, "ManyPeers", "1")
        else:
            runs[name] = programs.run(home(name), folder / name, "KindsOfWait")
    read = {
        recording.file: recording
        for recording in digester.digest([file for file, _ in runs.values()]).readable
    }
    return {name: ThreadWaits(lines, read[str(file)]) for name, (file, lines) in runs.items()}


@pytest.mark.jdk
@pytest.mark.network
@pytest.mark.parametrize("build", BUILDS)
def test_on_other_trains(on_others: Mapping[str, ThreadWaits], build: str) -> None:
    virtual_threads = 0 if build == "debian-8" else 2
    assert check(on_others[build]) == IDLE_WAYS + BLOCKED_WAYS + virtual_threads
    # JEP 491: since 24 a virtual thread gives its carrier up in a monitor, too.
    is_pinned = any(wait.kind == PINNED for wait in on_others[build].recording.waits)
    assert is_pinned == build.startswith("temurin-21")


@pytest.mark.jdk
@pytest.mark.network
def test_stock_settings_of_25_throttle_reads(on_others: Mapping[str, ThreadWaits]) -> None:
    stock, kit = (on_others[name].recording for name in (STOCK, BUILDS[-1]))
    throttles = [recording.settings["jdk.SocketRead"].throttle for recording in (stock, kit)]
    assert throttles == ["100/s", "off"]

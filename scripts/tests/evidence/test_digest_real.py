# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does the digest tell the truth about recordings whose waits are known, and of bad files?"""

import json
import struct
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import pytest

from jdkmatrix.evidence.digest import Digest, Digester, Recording
from jdkmatrix.machine.java_program import JavaProgram, JavaTool
from tests.evidence.conftest import Programs, Record

pytestmark = pytest.mark.jdk

# The recorder has a clock of its own.
TOLERANCE = 0.005
# What each holder of KnownWaits.java sleeps once all threads wait.
HOLD_MS = 400
# What CleanerQueue.java holds the locks for.
CLEANER_HELD_MS = 300
# Of BlockedGroup.java, and of the schema.
MAX_LISTED_HOLDERS = 50
PEERS = 2 * MAX_LISTED_HOLDERS + 1
THREADS = (1, 8, 64)
OPENED = "--add-opens=java.base/sun.net.www.http=ALL-UNNAMED"  # for CleanerQueue.java
IN_TURN, OPEN, FOLDER = "in turn", "open", "a folder"


# Where the threads of each measurement wait.
FRAMES = {
    "enterMonitor": {"KnownWaits.enterMonitor"},
    "enterStatic": {"KnownWaits.enterStatic"},
    "enterLock": {"KnownWaits.enterLock"},
    "enterNested": {"KnownWaits.enterOuter", "KnownWaits.enterInner"},
}
LOCKS = {"KnownWaits.enterLock", "KnownWaits.enterInner"}


@dataclass(frozen=True)
class Read:
    """What one digest read, as its JVM takes longer than the most recordings."""

    digest: Digest
    files: Mapping[str, Path]

    def __getitem__(self, name: str) -> Recording:
        (recording,) = [r for r in self.digest.readable if r.file == str(self.files[name])]
        return recording

    def error(self, name: str) -> str:
        (file,) = [u for u in self.digest.unreadable if u.file == str(self.files[name])]
        return file.error


@pytest.fixture(scope="module")
def read(
    digester: Digester,
    programs: Programs,
    tool_jdk: Path,
    known_waits: Record,
    recording: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Read:
    """Recordings of known waits, and bad files and a folder before a good one."""
    folder = tmp_path_factory.mktemp("read")
    for name in (IN_TURN, OPEN):
        (folder / name).mkdir()
    in_turn = ("CleanerQueue", "Interrupted", f"ManyPeers,{PEERS}", "Bystanders")
    files = {
        IN_TURN: programs.run(tool_jdk, folder / IN_TURN, OPENED, "InTurn", *in_turn)[0],
        OPEN: programs.run(tool_jdk, folder / OPEN, "Bystanders", "open")[0],
    }
    for name, (spoil, _) in SPOILT.items():
        files[name] = folder / name
        files[name].write_bytes(spoil(recording.read_bytes()))
    files[FOLDER] = tmp_path_factory.mktemp("empty")
    for threads in THREADS:
        files[f"{threads} threads"], _ = known_waits(threads)
    return Read(digester.digest([*files.values()]), files)


@pytest.fixture
def in_turn(read: Read) -> Recording:
    return read[IN_TURN]


@pytest.fixture
def eight(read: Read) -> Recording:
    """What is read of `recording`."""
    return read["8 threads"]


@pytest.mark.parametrize("threads", THREADS)
def test_blocked_time_is_what_the_threads_measured(
    read: Read, known_waits: Record, threads: int
) -> None:
    _, bounds_ms = known_waits(threads)
    recording = read[f"{threads} threads"]
    assert set(bounds_ms) == set(FRAMES)
    for method, (least_ms, most_ms) in bounds_ms.items():
        groups = [g for g in recording.lock_waits if g.frame in FRAMES[method]]
        assert all((g.kind == "lock") == (g.frame in LOCKS) for g in groups)
        total_ms = sum(g.total_ms for g in groups)
        assert (1 - TOLERANCE) * least_ms <= total_ms <= (1 + TOLERANCE) * most_ms
        assert len({t for g in groups for t in g.thread_ids}) == threads
    assert max(recording.timeline.blocked_threads) >= threads
    assert len(recording.timeline.blocked_threads) == int(recording.duration_ms // 1000) + 1


def test_the_holder_is_found_and_inferred_only_for_the_lock(eight: Recording) -> None:
    for method in ("enterMonitor", "enterStatic", "enterLock"):
        group = next(g for g in eight.lock_waits if g.frame == f"KnownWaits.{method}")
        holder = group.holders[0]
        assert holder.thread == f"holder of {method}"
        assert holder.event == "jdk.ThreadSleep"
        assert "java.lang.Thread.sleep" in holder.path
        assert holder.inferred == (method == "enterLock")
        assert 0.99 * 8 * HOLD_MS <= holder.explained_ms <= group.total_ms


def test_the_holder_of_a_nested_lock_waits_for_the_inner_one(eight: Recording) -> None:
    outer = next(g for g in eight.lock_waits if g.frame == "KnownWaits.enterOuter")
    assert outer.holders[0].event == "jdk.ThreadPark"
    assert outer.holders[0].thread.startswith("waiter ")
    assert "KnownWaits.enterInner" in outer.holders[0].path
    assert not outer.holders[0].inferred
    inner = next(g for g in eight.lock_waits if g.frame == "KnownWaits.enterInner")
    assert inner.holders[0].thread == "holder of enterNested"
    assert inner.holders[0].event == "jdk.ThreadSleep"


@pytest.mark.parametrize("has_ended", [True, False], ids=["ended", "open"])
def test_whoever_waits_in_the_waiters_class_holds_nothing(read: Read, has_ended: bool) -> None:
    recording = read[IN_TURN if has_ended else OPEN]
    rows = [row for row in recording.lock_waits if row.frame.startswith("Bystanders.enter")]
    ended_rows = [row for row in rows if not row.is_open]
    open_rows = [row for row in rows if row.is_open and row.frame == "Bystanders.enterLock"]
    assert len(ended_rows) == (2 if has_ended else 1) and len(open_rows) == (0 if has_ended else 1)
    assert [row.holders for row in (*ended_rows, *open_rows) if row.holders] == []


def test_an_interrupted_waiter_does_not_hide_the_holder(in_turn: Recording) -> None:
    (row,) = [row for row in in_turn.lock_waits if row.frame == "HeldAsleep.enter"]
    (holder,) = row.holders
    assert (holder.thread, holder.event) == ("holder", "jdk.ThreadSleep")
    # On a busy machine one may be late to wait again, and so look as if it had the lock.
    assert 0.5 * row.total_ms < holder.explained_ms <= row.total_ms


def test_of_more_peers_than_are_listed_none_is_left_out(in_turn: Recording) -> None:
    (row,) = [row for row in in_turn.lock_waits if row.frame == "ManyPeers.enter"]
    peers = [holder.port for holder in row.holders]
    assert len(peers) == MAX_LISTED_HOLDERS and peers.count(None) == 1
    assert sum(holder.count for holder in row.holders) == PEERS
    explained_ms = sum(holder.explained_ms for holder in row.holders)
    assert 0.8 * row.total_ms < explained_ms <= row.total_ms


def test_the_lock_of_the_cleaners_queue_is_told_apart(in_turn: Recording) -> None:
    rows = {row.lock_class: row for row in in_turn.lock_waits if row.kind == "cleaner-queue"}
    assert set(rows) == {
        "sun.net.www.http.KeepAliveStreamCleaner",
        "java.util.concurrent.locks.ReentrantLock$NonfairSync",
    }
    assert all(row.total_ms > CLEANER_HELD_MS / 2 for row in rows.values())
    holders = rows["sun.net.www.http.KeepAliveStreamCleaner"].holders
    holder = max(holders, key=lambda candidate: candidate.explained_ms)
    assert (holder.thread, holder.event, holder.inferred) == ("main", "jdk.ThreadSleep", False)
    assert holder.frame == "CleanerQueue.main"


def test_settings_in_force_are_told(eight: Recording) -> None:
    assert eight.settings["jdk.JavaMonitorEnter"].threshold_ms == 1
    assert eight.settings["jdk.JavaMonitorWait"].threshold_ms == 20
    assert eight.settings["jdk.ThreadDump"].period
    assert not eight.settings["jdk.ExecutionSample"].enabled
    assert all(setting.enabled for name, setting in eight.settings.items() if "Sample" not in name)


def test_the_document_follows_its_schema(
    java_tool: JavaTool, root: Path, recording: Path, tmp_path: Path
) -> None:
    odd = tmp_path / 'no "such"\n\u00e9.jfr'
    document = json.loads(java_tool.run("digest", [str(recording), str(odd)], "digest", 60))
    schema = json.loads((root / "jtreg" / "tool" / "digest.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(document, schema)
    assert document["recordings"][1]["error"] == "does not exist"


def _halve(whole: bytes) -> bytes:
    return whole[: len(whole) // 2]


def _never_closed(whole: bytes) -> bytes:
    return whole[:8] + struct.pack(">q", 0) + whole[16:]


def _in_progress(whole: bytes) -> bytes:
    return whole[:64] + bytes([7]) + whole[65:] + b"not yet flushed"


def _of_jdk_7(whole: bytes) -> bytes:
    return whole[:4] + struct.pack(">HH", 0, 9) + whole[8:]


def _without_events(whole: bytes) -> bytes:
    return whole[:8] + struct.pack(">qqq", 68, 0, 0) + whole[32:68]


def _little_endian(whole: bytes) -> bytes:
    return whole[:8] + struct.pack("<q", 64) + whole[16:]


def _of_jdk_9(whole: bytes) -> bytes:
    return whole[:4] + struct.pack(">HH", 1, 0) + whole[8:]


def _garble(whole: bytes) -> bytes:
    return whole[:68] + bytes(255 - byte for byte in whole[68:])


SPOILT: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda whole: b"", "is empty"),
    "heap-dump": (
        lambda whole: b"JAVA PROFILE 1.0.2\0" * 9,
        "is a heap dump, no Flight Recorder file",
    ),
    "magic": (lambda whole: whole[3::-1] + whole[4:], "is no Flight Recorder file"),
    "little-endian": (_little_endian, "is truncated: chunk 1 has "),
    "no-events": (_without_events, "is damaged: chunk 1 describes no events"),
    "in-progress": (
        _in_progress,
        "is unfinished: chunk 1 was never closed; its JVM still writes it, or was",
    ),
    "header": (lambda whole: whole[:20], "is truncated in the header of chunk 1"),
    "cut": (_halve, "is truncated: chunk 1 has "),
    "unfinished": (_never_closed, "is unfinished: chunk 1 was never closed"),
    "jdk7": (_of_jdk_7, "has format 0.9; known: 2.x"),
    "jdk9": (_of_jdk_9, "has format 1.0; known: 2.x"),
    "tail": (lambda whole: whole + b"tail", "is damaged: no chunk begins at byte "),
    "garbled": (_garble, ""),
}


@pytest.mark.parametrize("name", SPOILT)
def test_a_bad_file_is_one_line_and_the_others_are_read(read: Read, name: str) -> None:
    assert len(read.digest.unreadable) == len(SPOILT) + 1
    assert read.error(name).startswith(SPOILT[name][1])
    assert "\n" not in read.error(name)
    assert read.error(FOLDER) == "is an empty folder"
    assert len(read.digest.readable) == len(read.files) - len(SPOILT) - 1


def test_java_options_of_the_user_do_not_reach_the_program(
    digester: Digester, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This one prints on standard output, where the document is."""
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Xlog:gc*")
    (unread,) = digester.digest([tmp_path / "none.jfr"]).unreadable
    assert unread.error == "does not exist"


def test_two_at_once_compile_into_one_cache(tool_jdk: Path, tmp_path: Path) -> None:
    sources, cache = tmp_path / "sources", tmp_path / "cache"
    sources.mkdir()
    (sources / "Small.java").write_text("class Small { }\n")
    program = JavaProgram("small", sources, tool_jdk, cache)
    with ThreadPoolExecutor(2) as pool:
        folders = list(pool.map(lambda _: program.compile(), range(2)))
    assert folders[0] == folders[1]
    assert [path.name for path in cache.iterdir()] == [folders[0].name]

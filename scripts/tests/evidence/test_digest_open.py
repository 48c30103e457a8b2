# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are waits told that dumps alone show: that never ended, or that lost their stack?"""

import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from jdkmatrix.evidence.digest import Digester, Recording, Unreadable, Wait
from tests.evidence.conftest import Programs

pytestmark = pytest.mark.jdk
THREADS = 32
STARVE_MS = 6000
# The settings take a thread dump every so often, and the last flush is up to a second old.
PERIOD_MS = 1000
FLUSH_MS = 1500
# Times in a document have three decimals.
ROUNDING_MS = 0.001
# How a program ends, or what its recording lacks.
EXITS, KILLED, ENDS, NO_DUMPS = "exits", "killed", "ends", "no dumps"
# Stock settings have it each 10 s: of all threads that ran since, though they starve by then.
CPU_LOAD = """<event name="jdk.ThreadCPULoad">
    <setting name="enabled">true</setting>
    <setting name="period">6 s</setting>
  </event>
"""


def check(recording: Recording, starved_ms: float) -> None:
    waits = {wait.frame: wait for wait in recording.lock_waits if wait.is_open}
    assert set(waits) == {"Starving.enterMonitor", "Starving$LockHolder.enterLock"}
    check_wait(waits["Starving.enterMonitor"], "monitor", starved_ms)
    check_wait(waits["Starving$LockHolder.enterLock"], "lock", starved_ms)
    starving = [wait for wait in recording.lock_waits if wait.frame.startswith("Starving")]
    assert all(wait.is_open for wait in starving)
    assert max(recording.timeline.blocked_threads) == 2 * THREADS
    assert recording.timeline.blocked_threads[-1] == 2 * THREADS


def check_wait(wait: Wait, kind: str, starved_ms: float) -> None:
    assert wait.kind == kind
    assert wait.count == wait.threads == len(wait.thread_ids) == THREADS
    assert wait.holder is not None
    assert wait.holder.thread == f"has the {kind}"
    assert "java.lang.Thread.sleep" in wait.holder.path
    assert wait.holder.inferred == (kind == "lock")
    least_ms = (starved_ms - PERIOD_MS - FLUSH_MS) * THREADS
    # The JVM goes on for a moment after it has measured; "at least" may not be more than that.
    most_ms = (starved_ms + FLUSH_MS) * THREADS
    assert least_ms <= wait.total_ms == wait.holder.explained_ms <= most_ms
    assert wait.total_ms / THREADS <= wait.max_ms + ROUNDING_MS


@dataclass(frozen=True)
class WaitingProgram:
    """How long the threads of a program waited, by itself, and what it left."""

    waited_ms: float
    file: Path


@pytest.fixture(scope="module")
def runs(
    programs: Programs, tool_jdk: Path, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, WaitingProgram]:
    """The programs, by how they end or what their recordings lack."""
    kits = programs.settings.read_text()
    dumps = '<event name="jdk.ThreadDump">\n    <setting name="enabled">'
    assert f"{dumps}true" in kits
    starving = ("Starving", str(THREADS), str(STARVE_MS))
    runs_by_name = {}
    for name, content, program in (
        (EXITS, kits.replace("</configuration>", f"{CPU_LOAD}</configuration>"), starving),
        (ENDS, kits, ("AcrossChunks",)),
        (NO_DUMPS, kits.replace(f"{dumps}true", f"{dumps}false"), ("AcrossChunks",)),
    ):
        folder = tmp_path_factory.mktemp("run")
        settings = folder / "own.jfc"
        settings.write_text(content)
        file, lines = replace(programs, settings=settings).run(tool_jdk, folder, *program)
        (waited_ms,) = [float(line[1]) for line in lines if line[:1] in (["starved"], ["waited"])]
        runs_by_name[name] = WaitingProgram(waited_ms, file)
    folder = tmp_path_factory.mktemp("killed")
    command = programs.command(tool_jdk, folder, "Starving", str(THREADS), "60000")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as jvm:
        assert jvm.stdout is not None
        while "starving" not in (line := jvm.stdout.readline()):
            assert line, "the program ended early"
        start_s = time.monotonic()
        time.sleep(STARVE_MS / 1000)
        jvm.kill()
        starved_ms = (time.monotonic() - start_s) * 1000
    (chunk,) = (folder / "repository").rglob("*.jfr")
    runs_by_name[KILLED] = WaitingProgram(starved_ms, chunk)
    return runs_by_name


Read = Mapping[str, Recording | Unreadable]


@pytest.fixture(scope="module")
def read(digester: Digester, runs: Mapping[str, WaitingProgram]) -> Read:
    """All read by one digest, whose JVM takes longer than these recordings."""
    digest = digester.digest([run.file for run in runs.values()])
    return {
        name: next(recording for recording in digest.recordings if recording.file == str(run.file))
        for name, run in runs.items()
    }


def read_whole(read: Read, name: str) -> Recording:
    recording = read[name]
    assert isinstance(recording, Recording)
    return recording


def test_a_jvm_that_exits_while_threads_starve(
    read: Read, runs: Mapping[str, WaitingProgram]
) -> None:
    recording = read_whole(read, EXITS)
    assert recording.finished
    check(recording, runs[EXITS].waited_ms)


def test_a_jvm_that_is_killed_while_threads_starve(
    digester: Digester, read: Read, runs: Mapping[str, WaitingProgram]
) -> None:
    unreadable = read[KILLED]
    assert isinstance(unreadable, Unreadable)
    assert "was never closed" in unreadable.error
    (recording,) = digester.digest([runs[KILLED].file], allow_unfinished=True).readable
    assert not recording.finished
    check(recording, runs[KILLED].waited_ms)


def test_a_wait_across_the_end_of_a_chunk_keeps_its_place(
    read: Read, runs: Mapping[str, WaitingProgram]
) -> None:
    recording = read_whole(read, ENDS)
    rows = {row.frame: row for row in recording.lock_waits if row.frame.startswith("AcrossChunks")}
    assert {frame: (row.lock_class, row.count) for frame, row in rows.items()} == {
        "AcrossChunks.enterAnother": ("java.lang.Object", 1),
        "AcrossChunks.enter": ("java.lang.Object", 1),
        "AcrossChunks.enterStatic": ("java.lang.Class", 1),
    }
    row = rows["AcrossChunks.enter"]
    assert row.total_ms == pytest.approx(runs[ENDS].waited_ms, abs=FLUSH_MS / 10)
    assert row.holders[0].thread == "holder"


def test_a_lost_place_is_not_guessed_of_an_object(
    read: Read,
) -> None:
    recording = read_whole(read, NO_DUMPS)
    rows = {row.frame: row for row in recording.lock_waits if row.lock_class == "java.lang.Object"}
    assert {frame: row.count for frame, row in rows.items()} == {
        "AcrossChunks.enterAnother": 1,
        "?": 1,
    }

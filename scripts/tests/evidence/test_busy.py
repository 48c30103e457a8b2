# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where was a thread busy, by samples and by thread dumps? And how long, against what it says."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from jdkmatrix.evidence.digest import BusyThread, Digester, Recording
from tests.evidence.conftest import Programs
from tests.evidence.test_digest_kinds import Home
from tests.evidence.test_digest_kinds import home as home

pytestmark = pytest.mark.jdk

CPU_MS = 900
DIGEST = "java.security.MessageDigest.digest"
# By dumps, what a thread used before the first and after the last is lost: little of so short a
# time only if they are more frequent than the kit has them.
DUMPS = '"jdk.ThreadDump">\n    <setting name="enabled">true</setting>\n    <setting name="period">'
KITS_PERIOD, PERIOD = "1 s<", "100 ms<"
BY_DUMPS = ("tool", "temurin-11.0.13+8", "temurin-25.0.2+10")
BY_SAMPLES, LATE = "samples", "late"


def busy_in_digest(thread: BusyThread) -> float:
    return sum(place.busy_ms for place in thread.places if DIGEST in place.path)


# By the name of a build, BY_SAMPLES, or the text of dumps.
Read = Mapping[str, Recording]


@pytest.fixture(scope="module")
def said_ms() -> dict[str, float]:
    """The CPU time of the busy thread, by itself."""
    return {}


@pytest.fixture(scope="module")
def read(
    digester: Digester,
    programs: Programs,
    tool_jdk: Path,
    home: Home,
    root: Path,
    tmp_path_factory: pytest.TempPathFactory,
    said_ms: dict[str, float],
) -> Read:
    """All that the tests want read, by one digest: its JVM is what takes long."""
    folder = tmp_path_factory.mktemp("busy")
    kits = programs.settings.read_text()
    assert f"{DUMPS}{KITS_PERIOD}" in kits
    settings_file = folder / "often.jfc"
    settings_file.write_text(kits.replace(f"{DUMPS}{KITS_PERIOD}", f"{DUMPS}{PERIOD}"))
    files = {}
    for name in (*BY_DUMPS, BY_SAMPLES):
        settings = root / "jtreg" / "jfr" / "execution.jfc" if name == BY_SAMPLES else settings_file
        java_home = home(name) if name in BY_DUMPS[1:] else tool_jdk
        (folder / name).mkdir()
        files[name], lines = replace(programs, settings=settings).run(
            java_home, folder / name, "KnownBusy", str(CPU_MS)
        )
        (said_ms[name],) = [float(line[1]) for line in lines if line[:1] == ["busy"]]
    files[LATE] = folder / "late.jfr"
    files[LATE].write_bytes(b"".join(reversed(chunks(files["tool"].read_bytes()))))
    for text in TEXTS:
        files[text] = folder / f"{len(files)}.txt"
        files[text].write_text(text)
    recordings = {
        recording.file: recording for recording in digester.digest([*files.values()]).readable
    }
    return {name: recordings[str(file)] for name, file in files.items()}


@pytest.mark.parametrize("build", BY_DUMPS)
def test_by_the_thread_dumps_of_a_recording(
    read: Read, said_ms: Mapping[str, float], build: str
) -> None:
    (thread,) = [busy_thread for busy_thread in read[build].busy if busy_thread.thread == "busy"]
    assert 500 <= thread.busy_ms <= said_ms[build]
    assert busy_in_digest(thread) > 0.5 * thread.busy_ms  # as a rule asks
    assert "idle" not in [busy_thread.thread for busy_thread in read[build].busy]


def test_dumps_that_come_late_count(read: Read) -> None:
    """A JVM writes one that fits into a thread's buffer later than a larger one of later on."""
    assert read[LATE].busy == read["tool"].busy


def chunks(recording: bytes) -> list[bytes]:
    """A chunk begins with its magic bytes and version, and then its size in bytes."""
    parts = []
    while recording:
        assert recording.startswith(b"FLR\0")
        size_bytes = int.from_bytes(recording[8:16], "big")
        parts.append(recording[:size_bytes])
        recording = recording[size_bytes:]
    assert len(parts) > 1
    return parts


def test_by_samples(read: Read) -> None:
    recording = read[BY_SAMPLES]
    assert recording.settings["jdk.ExecutionSample"].period == "10 ms"
    (thread,) = recording.busy
    assert thread.thread == "busy"
    assert busy_in_digest(thread) > 0.5 * thread.busy_ms
    assert thread.busy_ms <= recording.duration_ms


def make_stack(cpu: str, frame: str = "java.lang.A.a") -> tuple[str, str]:
    return f"cpu={cpu}ms elapsed=9.1s ", frame


OF_THREAD = {
    "shared": (
        [make_stack("10.00"), make_stack("810.00", "java.lang.B.b"), make_stack("1610.00")],
        [800.0, 800.0],
    ),
    "one-place": ([make_stack("10.00"), make_stack("1000.50")], [990.5]),
    # Too little, one look, a process that began anew, and what no JDK writes or 8 does not.
    "little": ([make_stack("10.00"), make_stack("509.00")], []),
    "one-look": ([make_stack("9000.00")], []),
    "less": ([make_stack("9000.00"), make_stack("10.00")], []),
    "odd": ([make_stack("9" * 400), make_stack("9" * 401)], []),
    "of-8": ([("", "java.lang.A.a"), ("", "java.lang.A.a")], []),
}


def dumps(*of_thread: tuple[str, str]) -> str:
    """Dumps a second apart, each with one thread: what its head says, and its frame."""
    return "".join(
        f"2026-11-26 01:00:{n:02}\nFull thread dump OpenJDK 64-Bit Server VM (11.0.7+10-LTS"
        f' mixed mode):\n\n"loop" #12 prio=5 os_prio=0 {head}tid=0x7 nid=0x7 runnable\n'
        f"   java.lang.Thread.State: RUNNABLE\n\tat {frame}(java.base@11/X.java:1)\n"
        "\tat app.Main.run(Main.java:1)\n\n"
        for n, (head, frame) in enumerate(of_thread)
    )


TEXTS = [dumps(*of_thread) for of_thread, _ in OF_THREAD.values()]


@pytest.mark.parametrize(("of_thread", "places"), OF_THREAD.values(), ids=OF_THREAD)
def test_by_dumps(read: Read, of_thread: list[tuple[str, str]], places: list[float]) -> None:
    busy = read[dumps(*of_thread)].busy
    assert [place.busy_ms for thread in busy for place in thread.places] == places
    assert sum(thread.busy_ms for thread in busy) == sum(places)

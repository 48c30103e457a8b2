# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where was a thread busy, by samples and by thread dumps? And how long, against what it says."""

from dataclasses import replace
from pathlib import Path

import pytest

from jdkmatrix.evidence.digest import BusyThread, Digester
from tests.evidence.conftest import Programs
from tests.evidence.test_digest_kinds import Home, home

__all__ = ["home"]
pytestmark = pytest.mark.jdk

CPU_MS = 1500
DIGEST = "java.security.MessageDigest.digest"


def busy_in_digest(thread: BusyThread) -> float:
    return sum(place.busy_ms for place in thread.places if DIGEST in place.path)


@pytest.mark.parametrize("build", ["tool", "temurin-11.0.13+8", "temurin-25.0.2+10"])
def test_by_the_thread_dumps_of_a_recording(
    digester: Digester, programs: Programs, tool_jdk: Path, home: Home, tmp_path: Path, build: str
) -> None:
    java_home = tool_jdk if build == "tool" else home(build)
    file, lines = programs.run(java_home, tmp_path, "KnownBusy", str(CPU_MS))
    (said_ms,) = [float(line[1]) for line in lines if line[:1] == ["busy"]]
    (recording,) = digester.digest([file]).readable
    (thread,) = [one for one in recording.busy if one.thread == "busy"]
    # Dumps are a second apart: what the thread used before the first and after the last is lost.
    assert 500 <= thread.busy_ms <= said_ms
    assert busy_in_digest(thread) > 0.5 * thread.busy_ms  # as a rule asks
    assert "idle" not in [one.thread for one in recording.busy]


def test_by_samples(
    digester: Digester, programs: Programs, tool_jdk: Path, root: Path, tmp_path: Path
) -> None:
    sampling = replace(programs, settings=root / "jtreg" / "jfr" / "execution.jfc")
    file, _ = sampling.run(tool_jdk, tmp_path, "KnownBusy", str(CPU_MS))
    (recording,) = digester.digest([file]).readable
    assert recording.settings["jdk.ExecutionSample"].period == "10 ms"
    (thread,) = recording.busy
    assert thread.thread == "busy"
    assert busy_in_digest(thread) > 0.5 * thread.busy_ms
    assert thread.busy_ms <= recording.duration_ms


def dumps(folder: Path, *of_thread: tuple[str, str]) -> Path:
    """A file of dumps a second apart, each with one thread: what its head says, and its frame."""
    file = folder / "dumps.txt"
    file.write_text(
        "".join(
            f"2026-11-26 01:00:{n:02}\nFull thread dump OpenJDK 64-Bit Server VM (11.0.7+10-LTS"
            f' mixed mode):\n\n"loop" #12 prio=5 os_prio=0 {head}tid=0x7 nid=0x7 runnable\n'
            f"   java.lang.Thread.State: RUNNABLE\n\tat {frame}(java.base@11/X.java:1)\n"
            "\tat app.Main.run(Main.java:1)\n\n"
            for n, (head, frame) in enumerate(of_thread)
        )
    )
    return file


def at(cpu: str, frame: str = "java.lang.A.a") -> tuple[str, str]:
    return f"cpu={cpu}ms elapsed=9.1s ", frame


@pytest.mark.parametrize(
    ("of_thread", "places"),
    [
        ([at("10.00"), at("810.00", "java.lang.B.b"), at("1610.00")], [800.0, 800.0]),
        ([at("10.00"), at("1000.50")], [990.5]),
        # Too little, one look, a process that began anew, and what no JDK writes or 8 does not.
        ([at("10.00"), at("509.00")], []),
        ([at("9000.00")], []),
        ([at("9000.00"), at("10.00")], []),
        ([at("9" * 400), at("9" * 401)], []),
        ([("", "java.lang.A.a"), ("", "java.lang.A.a")], []),
    ],
    ids=["shared", "one-place", "little", "one-look", "less", "odd", "of-8"],
)
def test_by_dumps(
    digester: Digester, tmp_path: Path, of_thread: list[tuple[str, str]], places: list[float]
) -> None:
    (read,) = digester.digest([dumps(tmp_path, *of_thread)]).readable
    found = [place.busy_ms for thread in read.busy for place in thread.places]
    assert found == places
    assert sum(thread.busy_ms for thread in read.busy) == sum(places)

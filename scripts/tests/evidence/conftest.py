# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Real recordings and their digests, for the tests of this stage."""

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.evidence.digest import Digester
from jdkmatrix.machine.java_program import JavaProgram, JavaTool
from jdkmatrix.paths import Checkout
from tests.conftest import FIXTURES

EVIDENCE = FIXTURES / "evidence"
# At a load of 20 a JVM starts in 20 s.
_PROGRAM_TIMEOUT_S = 240

# What a JVM needs that lives for seconds: half the CPU time.
SHORT_LIVED = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")

# Given a number of waiting threads: a recording, and the least and the most ms that they can have
# waited in each method.
Record = Callable[[int], tuple[Path, dict[str, tuple[float, float]]]]


@dataclass(frozen=True)
class Programs:
    """The programs beside the fixtures, compiled; run under our own recording settings."""

    classes: Path
    settings: Path

    def command(self, java_home: Path, recordings: Path, *program: str) -> list[str]:
        """The command line that records `program` into a file in `recordings`."""
        options = f"settings={self.settings},filename={recordings}/,dumponexit=true"
        return [
            str(java_home / "bin" / "java"),
            *SHORT_LIVED,
            f"-XX:StartFlightRecording={options}",
            f"-XX:FlightRecorderOptions=stackdepth=96,repository={recordings}/repository",
            "-cp",
            str(self.classes),
            *program,
        ]

    def run(self, java_home: Path, recordings: Path, *program: str) -> tuple[Path, list[list[str]]]:
        """The recording of one run, and the words of each line of its output."""
        command = self.command(java_home, recordings, *program)
        process = subprocess.run(
            command, check=True, timeout=_PROGRAM_TIMEOUT_S, capture_output=True, text=True
        )
        (recording,) = recordings.glob("*.jfr")
        return recording, [line.split() for line in process.stdout.splitlines()]


@pytest.fixture(scope="session")
def java_tool(tool_jdk: Path, root: Path) -> JavaTool:
    """The real one."""
    return JavaTool.of_checkout(Checkout(root), tool_jdk)


@pytest.fixture(scope="session")
def digester(java_tool: JavaTool) -> Digester:
    """The real digest."""
    return Digester(java_tool)


def compiled_programs(tool_jdk: Path) -> Path:
    """The classes of all Java programs beside the fixtures, for JDK 8 and later."""
    options = ("--release", "8", "-Xlint:-options")
    cache = cache_root() / "tests"
    return JavaProgram("programs", EVIDENCE, tool_jdk, cache, options=options).compile()


@pytest.fixture(scope="session")
def programs(tool_jdk: Path, root: Path) -> Programs:
    """All Java programs beside the fixtures."""
    return Programs(compiled_programs(tool_jdk), root / "jtreg" / "jfr" / "blocking.jfc")


@pytest.fixture(scope="session")
def known_waits(
    tool_jdk: Path, programs: Programs, tmp_path_factory: pytest.TempPathFactory
) -> Record:
    """Runs KnownWaits.java, whose waits are known."""

    @cache
    def record(threads: int) -> tuple[Path, dict[str, tuple[float, float]]]:
        folder = tmp_path_factory.mktemp(f"threads-{threads}-")
        recording, lines = programs.run(tool_jdk, folder, "KnownWaits", str(threads))
        return recording, {
            line[0]: (float(line[2]), float(line[3]))
            for line in lines
            if line and line[0].startswith("enter")
        }

    return record


@pytest.fixture(scope="session")
def recording(known_waits: Record) -> Path:
    """Any whole recording."""
    return known_waits(8)[0]

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Real recordings and their digests, for the tests of this stage."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from jdkmatrix.evidence.digest import Digester

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "evidence"
_PROGRAM_TIMEOUT_S = 60

# Given a number of waiting threads: a recording, and the ms that they waited in each method.
Record = Callable[[int], tuple[Path, dict[str, float]]]


@pytest.fixture(scope="session")
def digester(tool_jdk: Path, root: Path, tmp_path_factory: pytest.TempPathFactory) -> Digester:
    """The real digest, compiled for this test session."""
    return Digester(root / "jtreg" / "digest" / "src", tool_jdk, tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session")
def known_waits(tool_jdk: Path, root: Path, tmp_path_factory: pytest.TempPathFactory) -> Record:
    """Runs KnownWaits.java, whose waits are known, under our own recording settings."""
    classes = tmp_path_factory.mktemp("known")
    javac = [str(tool_jdk / "bin" / "javac"), "-d", str(classes), f"{FIXTURES}/KnownWaits.java"]
    subprocess.run(javac, check=True, timeout=_PROGRAM_TIMEOUT_S)
    settings = root / "jtreg" / "jfr" / "blocking.jfc"

    def record(threads: int) -> tuple[Path, dict[str, float]]:
        folder = tmp_path_factory.mktemp(f"threads-{threads}-")
        options = f"settings={settings},filename={folder}/,dumponexit=true"
        command = [
            str(tool_jdk / "bin" / "java"),
            f"-XX:StartFlightRecording={options}",
            "-XX:FlightRecorderOptions=stackdepth=96",
            "-cp",
            str(classes),
            "KnownWaits",
            str(threads),
        ]
        ended = subprocess.run(
            command, check=True, timeout=_PROGRAM_TIMEOUT_S, capture_output=True, text=True
        )
        lines = [line.split() for line in ended.stdout.splitlines() if line.startswith("enter")]
        (recording,) = folder.glob("*.jfr")
        return recording, {name: float(total_ms) for name, _, total_ms in lines}

    return record


@pytest.fixture(scope="session")
def recording(known_waits: Record) -> Path:
    """Any whole recording."""
    return known_waits(2)[0]

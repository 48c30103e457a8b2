# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a recording read, and read the same, whose waits do not fit into the heap all at once?"""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from jdkmatrix.evidence.digest import Digester, Recording, parse_digest
from tests.evidence.conftest import Programs

pytestmark = pytest.mark.jdk
RECORD_MS = 5000
# A wait and what it was for its thread take some 150 bytes: 200,000 of them fill the small heap.
LEAST_WAITS = 200_000
SMALL_HEAP = "-Xmx32m"
AMPLE_HEAP = "-Xmx1g"


def read(digester: Digester, tool_jdk: Path, heap: str, file: Path) -> Recording:
    java = [str(tool_jdk / "bin" / "java"), heap, "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"]
    main = ["-cp", str(digester.compiled()), "tls13kit.digest.Main", str(file)]
    ended = subprocess.run([*java, *main], check=True, timeout=60, capture_output=True)
    (recording,) = parse_digest(ended.stdout).readable
    return recording


def test_more_waits_than_fit_into_the_heap(
    digester: Digester, programs: Programs, tool_jdk: Path, tmp_path: Path
) -> None:
    settings = tmp_path / "all.jfc"
    kits = programs.settings.read_text()
    settings.write_text(kits.replace('"threshold">1 ms<', '"threshold">0 ms<'))
    every = replace(programs, settings=settings)
    file, _ = every.run(tool_jdk, tmp_path, "ManyWaits", str(RECORD_MS))
    small = read(digester, tool_jdk, SMALL_HEAP, file)
    ample = read(digester, tool_jdk, AMPLE_HEAP, file)
    # With a threshold of 0 the JVM's own monitor of a class being initialised shows there too.
    locks = [row for row in small.blocked if row.kind == "lock"]
    (row,) = [row for row in locks if row.frame == "ManyWaits.enterLock"]
    assert row.count >= LEAST_WAITS
    assert small.blocked == ample.blocked
    assert small.timeline == ample.timeline

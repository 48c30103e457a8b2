# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a recording read alike in any heap, though its waits do not all fit into it?"""

from dataclasses import replace
from pathlib import Path

import pytest

from jdkmatrix.evidence.digest import parse_digest
from jdkmatrix.machine.java_program import JavaTool
from tests.evidence.conftest import SHORT_LIVED, Programs

pytestmark = pytest.mark.jdk
# A portion is 150,000 (Batch.java), so that there are two at least.
LEAST_WAITS = 200_000
WAITS = 215_000
HEAPS = ("-Xmx32m", "-Xmx1g")
TOO_SMALL = "-Xmx12m"
READ_TIMEOUT_S = 300


def document(tool: JavaTool, heap: str, file: Path) -> str:
    options = (heap, *SHORT_LIVED)
    return tool.run("digest", [str(file)], "digest", READ_TIMEOUT_S, options=options)


def test_more_waits_than_fit_into_the_heap(
    java_tool: JavaTool, programs: Programs, tool_jdk: Path, tmp_path: Path
) -> None:
    settings = tmp_path / "all.jfc"
    kits = programs.settings.read_text()
    settings.write_text(kits.replace('"threshold">1 ms<', '"threshold">0 ms<'))
    all_waits = replace(programs, settings=settings)
    file, _ = all_waits.run(tool_jdk, tmp_path, "ManyWaits", str(WAITS))
    documents = [document(java_tool, heap, file) for heap in HEAPS]
    assert documents[1:] == documents[:-1]
    (recording,) = parse_digest(documents[0]).readable
    # With a threshold of 0 the JVM's own monitor of a class being initialised shows there too.
    locks = [row for row in recording.lock_waits if row.kind == "lock"]
    row = next(row for row in locks if row.frame == "HandedOn.enterLock")
    assert row.count >= LEAST_WAITS
    (holder,) = row.holders
    assert (holder.thread, holder.event) == ("keeper", "jdk.ThreadSleep")

    # A heap that is too small gives no other answer, but none.
    (unread,) = parse_digest(document(java_tool, TOO_SMALL, file)).unreadable
    assert "does not fit into the heap" in unread.error

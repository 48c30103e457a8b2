# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a run say before its first cell?"""

from collections.abc import Iterator
from pathlib import Path

from jdkmatrix.machine.withheld import deadline_text
from jdkmatrix.paths import shown_path
from jdkmatrix.plan.selection import Selection
from jdkmatrix.records.record import RunRecord
from jdkmatrix.run.cells import jtreg, othervm
from jdkmatrix.texts import command_line, count_of


def prologue(
    record: RunRecord, selection: Selection, jobs: int, folder: Path
) -> Iterator[tuple[str, object]]:
    """The names and values to print."""
    machine, kit, shard = record.machine, record.kit, record.shard
    yield "kit", f"{kit.version} {kit.commit or ''}".strip()
    yield "machine", f"{machine.os}, {count_of(machine.cores, 'core')}, {machine.memory_mib} MiB"
    yield "builds", len(selection.specs)
    if shard:
        yield "shard", f"{shard.index}/{shard.count}"
    request = record.request
    if request.cells:
        yield "tests", len(selection.tests)
        if request.java_options:
            yield "java options", command_line(*request.java_options)
        yield "jobs", jobs
        if request.program:
            yield "deadline", deadline_text(request.program.timeout_s)
        else:
            runner = jtreg if request.suite else othervm
            yield "deadline", runner.deadline_words(request.timeout_factor)
    yield "run", shown_path(folder)

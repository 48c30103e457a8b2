# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is one attempt at a cell, and how did it end, in jtreg's words, whoever ran it?"""

from dataclasses import dataclass

from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.machine.withheld import CpuShare
from jdkmatrix.records.record import BuildRecord, PlannedCell
from jdkmatrix.vocabulary import Status

_SKIPPED = "Passed. Skipped"


@dataclass(frozen=True)
class CellTask:
    """One attempt to be made at a cell. If it `is_recorded`, its subject leaves a recording where
    the build can. Tests that are expected to take less run first, so that each build soon has a
    row. With `rows`, only these are run; with `debugged_row`, only that, for its debug lines.
    """

    cell: PlannedCell
    build: BuildRecord
    is_recorded: bool = True
    attempt: int = 1
    expected_s: float = 0.0
    rows: tuple[str, ...] = ()
    debugged_row: str | None = None


@dataclass(frozen=True)
class Execution:
    """A test that was run: how its processes ended, its status, the seconds that it took itself.

    `resources` are what the machine gave to it and to all that it started.
    """

    end: ChildEnd
    status: Status
    status_text: str
    test_seconds: float | None
    resources: CpuShare | None = None

    @classmethod
    def without_process(cls, status: Status, text: str) -> "Execution":
        """A test for which nothing was started; the text says why."""
        return cls(ChildEnd.FINISHED, status, text, None)


def status_of(text: str) -> Status:
    """The status that a line such as `Failed. Execution failed` begins with."""
    if text.startswith(_SKIPPED):
        return Status.SKIPPED
    word = text.partition(".")[0].lower().replace(" ", "-")
    return Status(word) if word in set(Status) else Status.NOT_RUN

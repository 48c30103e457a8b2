# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How did one test end, in jtreg's words, whoever ran it?"""

from dataclasses import dataclass

from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.machine.withheld import CpuShare
from jdkmatrix.vocabulary import Status

_SKIPPED = "Passed. Skipped"


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


def status_of(text: str) -> Status:
    """The status that a line such as `Failed. Execution failed` begins with."""
    if text.startswith(_SKIPPED):
        return Status.SKIPPED
    word = text.partition(".")[0].lower().replace(" ", "-")
    return Status(word) if word in set(Status) else Status.NOT_RUN

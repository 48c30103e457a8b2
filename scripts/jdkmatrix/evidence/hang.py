# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Why did a test not end? What `jtreg/tool` read from its JVM's thread dumps.

Only what did not move from the first dump to the last counts. Pure.
"""

import re
from typing import Literal

from jdkmatrix.records.model import Record

_JDK_FRAMES = re.compile(r"(?:java|javax|jdk|sun|com\.sun)\.")


class StuckThread(Record):
    """A thread that waits `waits_in` for a lock of `lock_class`; `owner` has it, if known."""

    thread: str
    kind: Literal["monitor", "lock"]
    lock_class: str
    waits_in: str
    owner: str | None


class LockQueue(Record):
    """Threads that wait at one place for one lock, and what its owner does meanwhile."""

    kind: Literal["monitor", "lock"]
    lock_class: str
    waits_in: str
    threads: tuple[str, ...]
    owner: str | None
    owner_in: str | None


class Hang(Record):
    """A JVM that hung. `main_in`: the main thread's frames, as in `waits_in`, then its own."""

    pid: int | None
    dumps: int
    deadlocks: tuple[tuple[StuckThread, ...], ...]
    queues: tuple[LockQueue, ...]
    main_in: tuple[str, ...]

    @property
    def stands_still(self) -> bool:
        """Whether the JDK's locks did not move. A single dump shows that only of a deadlock."""
        is_queued = self.dumps > 1 and any(
            _JDK_FRAMES.match(queue.waits_in) for queue in self.queues
        )
        return bool(self.deadlocks) or is_queued

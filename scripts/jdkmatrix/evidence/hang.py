# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Why did a test not end? Sentences on what `jtreg/tool` read from its JVM's thread dumps.

Only what did not move from the first dump to the last counts. Pure.
"""

import re
from collections.abc import Sequence
from typing import Literal

from jdkmatrix.records.model import Record

# What the digest calls the lock of a thread that waits for a class.
_INITIALIZATION = "initialization of "
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

    @property
    def deadlock_sentences(self) -> tuple[str, ...]:
        """Who waits for whom in a cycle, one sentence a deadlock."""
        return tuple(_deadlock(cycle) for cycle in self.deadlocks)

    @property
    def queue_sentences(self) -> tuple[str, ...]:
        """Who waits for whom, one sentence a lock, the longest queue first."""
        return tuple(_queue(queue) for queue in self.queues)

    @property
    def sentence(self) -> str:
        """What is stuck, in one line."""
        parts = [*self.deadlock_sentences, *self.queue_sentences]
        if not parts:
            parts.append("No thread waits for a lock.")
        if self.main_in and not self.deadlocks:
            parts.append(f"The main thread is in {', called by '.join(self.main_in)}.")
        return " ".join(parts)


def lock_phrase(lock_class: str) -> tuple[str, str]:
    """The lock in a sentence, and what goes before the name of who has it."""
    if lock_class.startswith(_INITIALIZATION):
        return f"the {lock_class}", "by"
    return f"a {lock_class}", "held by"


def _deadlock(cycle: Sequence[StuckThread]) -> str:
    links = []
    for link in cycle:
        lock, relation = lock_phrase(link.lock_class)
        links.append(
            f"'{link.thread}' waits in {link.waits_in} for {lock} {relation} '{link.owner}'"
        )
    return f"Deadlock: {'; '.join(links)}."


def _queue(queue: LockQueue) -> str:
    count = len(queue.threads)
    subject = f"'{queue.threads[0]}' waits" if count == 1 else f"{count} threads wait"
    lock, relation = lock_phrase(queue.lock_class)
    text = f"{subject} in {queue.waits_in} for {lock}"
    if queue.owner is None:
        return f"{text} whose owner is unknown."
    return f"{text} {relation} '{queue.owner}', which is in {queue.owner_in}."

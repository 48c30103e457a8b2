# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Why did a test not end? The thread dumps of its JVM, in a few sentences.

What counts is what did not move from the first dump to the last.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from jdkmatrix.evidence.thread_dumps import DumpedThread, Lock, ThreadDump, parse_thread_dumps

# As run/hang_dumps.py names them; what a JVM printed after SIGQUIT is in its log, and was in
# jtreg's result file in older runs.
_DUMP_FILE = re.compile(r"hang-(?P<pid>\d+)-threads-\d+\.txt")
_LOGS = ("jvm-*.log", "*.jtr")
# The thread that runs main() in a jtreg test, in any other program.
_MAIN_THREADS = ("MainThread", "main")
_JDK_FRAMES = re.compile(r"(?:java|javax|jdk|sun|com\.sun)\.")


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class StuckThread(_Part):
    """A thread that waits `waits_in` for a lock of `lock_class`; `owner` has it, if known."""

    thread: str
    kind: Literal["monitor", "lock"]
    lock_class: str
    waits_in: str
    owner: str | None


class LockQueue(_Part):
    """Threads that wait at one place for one lock, and what its owner does meanwhile."""

    kind: Literal["monitor", "lock"]
    lock_class: str
    waits_in: str
    threads: tuple[str, ...]
    owner: str | None
    owner_in: str | None


class Hang(_Part):
    """A JVM that hung. `main_in` is where its main thread is: the innermost frame, and its own."""

    pid: int | None
    dumps: int
    deadlocks: tuple[tuple[StuckThread, ...], ...]
    queues: tuple[LockQueue, ...]
    main_in: tuple[str, ...]

    @property
    def stands_still(self) -> bool:
        """Is it the JDK's locks that did not move? One dump shows that of a deadlock only."""
        queued = self.dumps > 1 and any(_JDK_FRAMES.match(queue.waits_in) for queue in self.queues)
        return bool(self.deadlocks) or queued

    @property
    def sentence(self) -> str:
        """What is stuck, in one line."""
        parts = [_deadlock(cycle) for cycle in self.deadlocks]
        parts += [_queue(queue) for queue in self.queues]
        if not parts:
            parts.append("No thread waits for a lock.")
        if self.main_in and not self.deadlocks:
            parts.append(f"The main thread is in {', called by '.join(self.main_in)}.")
        return " ".join(parts)


def read_hangs(folder: Path, names: Iterable[str]) -> tuple[Hang, ...]:
    """The hangs in a cell's files, one a JVM; without any, an empty tuple.

    What is not there any more is no evidence: a stored run may have lost files.
    """
    dumps: defaultdict[int | None, list[ThreadDump]] = defaultdict(list)
    for name in sorted(names):
        match = _DUMP_FILE.fullmatch(Path(name).name)
        wanted = match or any(fnmatchcase(name, log) for log in _LOGS)
        if wanted and (folder / name).is_file():
            text = (folder / name).read_text(encoding="utf-8", errors="replace")
            dumps[int(match["pid"]) if match else None] += parse_thread_dumps(text)
    return tuple(hang_of(taken, pid) for pid, taken in dumps.items() if taken)


def hang_of(dumps: Sequence[ThreadDump], pid: int | None = None) -> Hang:
    """What stands still in `dumps`, at least one, of one JVM."""
    last = dumps[-1]
    still = Counter(map(_place, _waiting(last)))
    for dump in dumps[:-1]:
        still &= Counter(map(_place, _waiting(dump)))
    stuck = [thread for thread in _waiting(last) if still[_place(thread)]]
    cycles = tuple(cycle for cycle in last.deadlocks() if all(t in stuck for t in cycle))
    in_cycles = {id(thread) for cycle in cycles for thread in cycle}
    return Hang(
        pid=pid,
        dumps=len(dumps),
        deadlocks=tuple(tuple(_stuck(thread, last) for thread in cycle) for cycle in cycles),
        queues=_queues([t for t in stuck if id(t) not in in_cycles], last),
        main_in=_main_in(last),
    )


def _waiting(dump: ThreadDump) -> list[DumpedThread]:
    return [thread for thread in dump.threads if thread.wants]


def _place(thread: DumpedThread) -> tuple[str, str, str]:
    return thread.name, _wanted(thread).lock_class, thread.waits_in


def _wanted(thread: DumpedThread) -> Lock:
    if thread.wants is None:
        raise ValueError(f"{thread.name} waits for no lock")
    return thread.wants


def _stuck(thread: DumpedThread, dump: ThreadDump) -> StuckThread:
    lock = _wanted(thread)
    owner = dump.owner_of(lock)
    return StuckThread(
        thread=thread.name,
        kind=lock.kind.value,
        lock_class=lock.lock_class,
        waits_in=thread.waits_in,
        owner=owner.name if owner else None,
    )


def _queues(threads: Sequence[DumpedThread], dump: ThreadDump) -> tuple[LockQueue, ...]:
    by_lock: defaultdict[tuple[Lock, str], list[str]] = defaultdict(list)
    for thread in threads:
        by_lock[_wanted(thread), thread.waits_in].append(thread.name)
    queues = []
    for (lock, waits_in), names in sorted(by_lock.items(), key=lambda item: -len(item[1])):
        owner = dump.owner_of(lock)
        queues.append(
            LockQueue(
                kind=lock.kind.value,
                lock_class=lock.lock_class,
                waits_in=waits_in,
                threads=tuple(names),
                owner=owner.name if owner else None,
                owner_in=owner.waits_in if owner else None,
            )
        )
    return tuple(queues)


def _main_in(dump: ThreadDump) -> tuple[str, ...]:
    for name in _MAIN_THREADS:
        for thread in dump.threads:
            if thread.name == name and thread.frames:
                own = [f for f in thread.frames if not _JDK_FRAMES.match(f)]
                return tuple(dict.fromkeys([thread.waits_in, *own[:1]]))
    return ()


def _deadlock(cycle: Sequence[StuckThread]) -> str:
    links = [
        f"'{link.thread}' waits in {link.waits_in} for a {link.lock_class} that '{link.owner}' has"
        for link in cycle
    ]
    return f"Deadlock: {'; '.join(links)}."


def _queue(queue: LockQueue) -> str:
    count = len(queue.threads)
    who = f"'{queue.threads[0]}' waits" if count == 1 else f"{count} threads wait"
    what = f"{who} in {queue.waits_in} for a {queue.lock_class}"
    if queue.owner is None:
        return f"{what} whose owner is not told."
    return f"{what} that '{queue.owner}' has, which is in {queue.owner_in}."

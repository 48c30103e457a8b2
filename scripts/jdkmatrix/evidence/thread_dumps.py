# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Who waits for which lock, who owns it, in a HotSpot thread dump of 8 to 25? Pure.

Reads what `jcmd PID Thread.print -l` and SIGQUIT print, also amid other output. Owners of
java.util.concurrent locks are listed only with `-l`; without, those of a deadlock are still named.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

_DUMP = re.compile(r"^Full thread dump .*:$", re.MULTILINE)
_DEADLOCK = re.compile(r"^Found one Java-level deadlock:$", re.MULTILINE)
_THREAD = re.compile(r'^"(?P<name>.*)" (?:#(?P<id>\d+) )?(?=.*\b(?:tid|nid)=)')
_STATE = re.compile(r"^\s+java\.lang\.Thread\.State: (?P<state>\w+)")
_FRAME = re.compile(r"^\tat (?P<frame>[^(]+)\(")
_ON = re.compile(r"^\t- (?P<verb>[a-z][a-z() -]*?) +<(?P<lock>0x[0-9a-f]+)> \(a (?P<class>.+)\)$")
_OWNED = re.compile(r"^\t- <(?P<lock>0x[0-9a-f]+)> \(a (?P<class>.+)\)$")
_HELD_BY = re.compile(
    r"waiting for ownable synchronizer (?P<lock>0x[0-9a-f]+),.*\n"
    r"\s*which is held by \"(?P<name>.*)\""
)
# A park on another class is idleness: a condition, a queue, a latch.
_LOCKS = re.compile(
    r"java\.util\.concurrent\.locks\.(?:ReentrantLock|ReentrantReadWriteLock|StampedLock)(?:\$.*)?"
)
_LOCK_CODE = re.compile(r"java\.util\.concurrent\.locks\.|[\w.]+\.Unsafe\.park$")


class LockKind(StrEnum):
    """`monitor` is synchronized, `lock` is java.util.concurrent's."""

    MONITOR = "monitor"
    LOCK = "lock"


@dataclass(frozen=True)
class Lock:
    """A lock by its address, which holds within one dump only: a collection moves objects."""

    address: str
    lock_class: str
    kind: LockKind


@dataclass(frozen=True)
class DumpedThread:
    """A Java thread: its frames from the innermost, the lock it waits for, the locks it owns.

    `id` is Thread.getId(), 0 where the dump does not tell.
    """

    id: int
    name: str
    state: str
    frames: tuple[str, ...]
    wants: Lock | None
    owns: frozenset[str]

    @property
    def waits_in(self) -> str:
        """The first frame that is not the lock's own code, as `package.Class.method`."""
        return next((f for f in self.frames if not _LOCK_CODE.match(f)), "unknown")


@dataclass(frozen=True)
class ThreadDump:
    """One dump: every thread that has a Java state."""

    threads: tuple[DumpedThread, ...]

    def owner_of(self, lock: Lock) -> DumpedThread | None:
        """Who owns a lock, None if the dump does not tell (read locks, or no `-l`)."""
        return next((t for t in self.threads if lock.address in t.owns), None)

    def deadlocks(self) -> tuple[tuple[DumpedThread, ...], ...]:
        """Each cycle of threads, every one waiting for a lock that the next one owns."""
        found: dict[frozenset[int], tuple[DumpedThread, ...]] = {}
        for start in self.threads:
            chain: list[DumpedThread] = []
            thread: DumpedThread | None = start
            while thread and thread.wants and thread not in chain:
                chain.append(thread)
                thread = self.owner_of(thread.wants)
            if thread in chain:
                cycle = tuple(chain[chain.index(thread) :])
                found.setdefault(frozenset(map(id, cycle)), cycle)
        return tuple(found.values())


@dataclass
class _Draft:
    id: int
    name: str
    state: str | None = None
    frames: list[str] = field(default_factory=list)
    wants: Lock | None = None
    owns: set[str] = field(default_factory=set)
    waits_on: set[str] = field(default_factory=set)

    def line(self, line: str) -> None:
        if match := _STATE.match(line):
            self.state = match["state"]
        elif match := _FRAME.match(line):
            self.frames.append(match["frame"])
        elif match := _OWNED.match(line):
            self.owns.add(match["lock"])
        elif match := _ON.match(line):
            self._on(match["verb"], match["lock"], match["class"])

    def _on(self, verb: str, address: str, lock_class: str) -> None:
        if verb == "locked":
            self.owns.add(address)
        elif verb in ("waiting to lock", "waiting to re-lock in wait()"):
            self.wants = Lock(address, lock_class, LockKind.MONITOR)
        elif verb == "parking to wait for" and _LOCKS.fullmatch(lock_class):
            self.wants = Lock(address, lock_class, LockKind.LOCK)
        elif verb == "waiting on":
            self.waits_on.add(address)

    def thread(self, also_owns: set[str]) -> DumpedThread:
        # Object.wait lets go of its monitor, though the frame that took it still says "locked".
        let_go = self.waits_on | ({self.wants.address} if self.wants else set())
        wants = self.wants
        if wants and wants.kind is LockKind.MONITOR and self.state != "BLOCKED":
            wants = None  # 8 and 11 say "waiting to re-lock" of whoever is in Object.wait
        return DumpedThread(
            id=self.id,
            name=self.name,
            state=self.state or "",
            frames=tuple(self.frames),
            wants=wants,
            owns=frozenset((self.owns - let_go) | also_owns),
        )


def parse_thread_dumps(text: str) -> tuple[ThreadDump, ...]:
    """Every dump in a text, in order."""
    starts = [match.end() for match in _DUMP.finditer(text)]
    ends = [*(match.start() for match in _DUMP.finditer(text)), len(text)][1:]
    return tuple(_parse(text[start:end]) for start, end in zip(starts, ends, strict=True))


def _parse(text: str) -> ThreadDump:
    deadlocks = _DEADLOCK.search(text)
    stacks = text[: deadlocks.start()] if deadlocks else text
    told: dict[str, set[str]] = {}
    for match in _HELD_BY.finditer(text, len(stacks)):
        told.setdefault(match["name"], set()).add(match["lock"])
    drafts = tuple(_drafts(stacks))
    return ThreadDump(
        tuple(draft.thread(told.get(draft.name, set())) for draft in drafts if draft.state)
    )


def _drafts(text: str) -> Iterator[_Draft]:
    draft: _Draft | None = None
    for line in text.splitlines():
        if match := _THREAD.match(line):
            if draft:
                yield draft
            draft = _Draft(int(match["id"] or 0), match["name"])
        elif draft:
            draft.line(line)
    if draft:
        yield draft

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Two thread dumps of one stuck service, as each tool prints them.

They are of no real program: three threads wait for the cache of kept connections, whose owner
closes one of them; two wait for a ReentrantLock of the program's own.
"""

import json
from dataclasses import dataclass
from typing import Any

VERSION = "17.0.3+7"
CACHE = "sun.net.www.http.KeepAliveCache"
SYNC = "java.util.concurrent.locks.ReentrantLock$NonfairSync"
STAMPS = ("2026-11-20 10:00:00", "2026-11-20 10:00:10")
OWNER_ID, TILL_ID = 40, 41
_PUT = (f"{CACHE}.put", "sun.net.www.http.HttpClient.finished", "shop.Prices.fetch")
_GET = (f"{CACHE}.get", "sun.net.www.http.HttpClient.New", "shop.Prices.fetch")
_PARK = "jdk.internal.misc.Unsafe.park"
_LOCK = (
    _PARK,
    "java.util.concurrent.locks.LockSupport.park",
    "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire",
    "java.util.concurrent.locks.ReentrantLock.lock",
    "shop.Till.pay",
    "shop.Till.serve",
)
_CLOSE = (
    "sun.nio.ch.NioSocketImpl.implRead",
    "java.net.Socket$SocketInputStream.read",
    "sun.security.ssl.SSLSocketInputRecord.deplete",
    "sun.security.ssl.SSLSocketImpl.close",
    "sun.net.www.http.HttpClient.closeServer",
    f"{CACHE}.run",
    "java.lang.Thread.run",
)
_COUNT = ("java.lang.Thread.sleep", "shop.Till.count", "shop.Till.serve")


@dataclass(frozen=True)
class Stack:
    """A thread; `wants` and `has` are classes of locks, `has` at the frame of that index or -1."""

    name: str
    number: int
    state: str
    frames: tuple[str, ...]
    wants: str | None = None
    has: tuple[str, int] | None = None

    @property
    def is_parked(self) -> bool:
        """Whether what it wants is no monitor."""
        return self.wants == SYNC


THREADS = (
    Stack("worker one", 21, "BLOCKED (on object monitor)", _PUT, CACHE),
    Stack("worker-2", 22, "BLOCKED (on object monitor)", _GET, CACHE),
    Stack("worker-3", 23, "BLOCKED (on object monitor)", _GET, CACHE),
    Stack("Keep-Alive-Timer", OWNER_ID, "RUNNABLE", _CLOSE, has=(CACHE, 5)),
    Stack("till-1", 31, "WAITING (parking)", _LOCK, SYNC),
    Stack("till-2", 32, "WAITING (parking)", _LOCK, SYNC),
    Stack("till", TILL_ID, "TIMED_WAITING (sleeping)", _COUNT, has=(SYNC, -1)),
)
ADDRESSES = {CACHE: "e0001000", SYNC: "e0002000"}
OWNERS = {CACHE: THREADS[3], SYNC: THREADS[6]}
FIRST = f"Full thread dump OpenJDK 64-Bit Server VM ({VERSION} mixed mode, sharing):"


def hotspot_thread(thread: Stack, *, has_number: bool = True) -> str:
    number = f" #{thread.number}" if has_number else ""
    place = f"tid=0x{0x7F0000001000 * thread.number:016x} nid=0x{thread.number:x}"
    lines = [
        f'"{thread.name}"{number} prio=5 os_prio=0 {place} waiting on condition'
        f"  [0x00007f00000{thread.number:x}f000]",
        f"   java.lang.Thread.State: {thread.state}",
    ]
    for index, frame in enumerate(thread.frames):
        file = frame.split(".")[-2].split("$")[0]
        lines.append(f"\tat {frame}({file}.java:{80 + index})")
        if index == 0 and thread.wants:
            words = "parking to wait for " if thread.is_parked else "waiting to lock"
            lines.append(f"\t- {words} <0x{ADDRESSES[thread.wants]:>016}> (a {thread.wants})")
        if thread.has and thread.has[1] == index:
            lines.append(f"\t- locked <0x{ADDRESSES[thread.has[0]]:>016}> (a {thread.has[0]})")
    lines += ["", "   Locked ownable synchronizers:"]
    if thread.has and thread.has[1] < 0:
        lines.append(f"\t- <0x{ADDRESSES[thread.has[0]]:>016}> (a {thread.has[0]})")
    else:
        lines.append("\t- None")
    return "\n".join([*lines, "", ""])


def hotspot(*, has_number: bool = True, first: str = FIRST) -> str:
    """Both dumps as HotSpot prints them."""
    threads = "".join(hotspot_thread(thread, has_number=has_number) for thread in THREADS)
    # No VM thread, by which files of one process are read as one.
    collector = '"GC Thread#0" os_prio=0 tid=0x00007f0000000100 nid=0x2 runnable  \n'
    end = f"{collector}\nJNI global refs: 15, weak refs: 0\n\n"
    return "".join(f"{stamp}\n{first}\n\n{threads}{end}" for stamp in STAMPS)


def visualvm() -> str:
    def thread(stack: Stack) -> str:
        lines = [f'"{stack.name}" - Thread t@{stack.number}']
        lines.append(f"   java.lang.Thread.State: {stack.state.split()[0]}")
        for index, frame in enumerate(stack.frames):
            lines.append(f"\tat {frame}(Any.java:1)")
            if index == 0 and stack.wants:
                owner = OWNERS[stack.wants]
                words = "parking to wait for" if stack.is_parked else "waiting to lock"
                lines.append(
                    f"\t- {words} <{ADDRESSES[stack.wants]}> (a {stack.wants})"
                    f' owned by "{owner.name}" t@{owner.number}'
                )
            if stack.has and stack.has[1] == index:
                lines.append(f"\t- locked <{ADDRESSES[stack.has[0]]}> (a {stack.has[0]})")
        lines += ["", "   Locked ownable synchronizers:"]
        has = stack.has and stack.has[1] < 0 and stack.has[0]
        lines.append(f"\t- locked <{ADDRESSES[has]}> (a {has})" if has else "\t- None")
        return "\n".join([*lines, "", ""])

    threads = "".join(map(thread, THREADS))
    return "".join(f"{stamp}\n{FIRST}\n\n{threads}" for stamp in STAMPS)


def intellij() -> str:
    def thread(stack: Stack) -> str:
        lines = [f'"{stack.name}@{stack.number}" prio=5 tid=0x{stack.number:x} nid=NA waiting']
        lines.append(f"  java.lang.Thread.State: {stack.state.split()[0]}")
        if stack.wants and not stack.is_parked:
            owner = OWNERS[stack.wants]
            lines.append(
                f"\t waiting for {owner.name}@{owner.number} to release lock on"
                f" <0x{ADDRESSES[stack.wants]}> (a {stack.wants})"
            )
        for index, frame in enumerate(stack.frames):
            lines.append(f"\t  at {frame}(Any.java:1)")
            if stack.has and stack.has[1] == index:
                lines.append(f"\t  - locked <0x{ADDRESSES[stack.has[0]]}> (a {stack.has[0]})")
        return "\n".join([*lines, "", ""])

    return "# Full thread dump\n\n" + "".join(map(thread, THREADS))


def _waits(stack: Stack) -> str:
    if not stack.wants:
        return stack.state.split()[0]
    owner = OWNERS[stack.wants]
    lock = f"{stack.wants}@{ADDRESSES[stack.wants][1:]}"
    return f'{stack.state.split()[0]} on {lock} owned by "{owner.name}" Id={owner.number}'


def thread_info(head: str, indent: str = "\t", module: str = "") -> str:
    def thread(stack: Stack) -> str:
        begin = head.format(name=stack.name, id=stack.number)
        lines = [f"{begin} {_waits(stack)}"]
        for index, frame in enumerate(stack.frames):
            lines.append(f"{indent}at {module}{frame}(Any.java:1)")
            if index == 0 and stack.wants:
                words = "waiting" if stack.is_parked else "blocked"
                lines.append(f"{indent}-  {words} on {stack.wants}@{ADDRESSES[stack.wants][1:]}")
            if stack.has and stack.has[1] == index:
                lines.append(f"{indent}-  locked {stack.has[0]}@{ADDRESSES[stack.has[0]][1:]}")
        if stack.has and stack.has[1] < 0:
            lines += ["", f"{indent}Number of locked synchronizers = 1"]
            lines.append(f"{indent}- {stack.has[0]}@{ADDRESSES[stack.has[0]][1:]}")
        return "\n".join([*lines, "", ""])

    return "".join(map(thread, THREADS))


def actuator() -> str:
    def lock(name: str) -> dict[str, Any]:
        return {"className": name, "identityHashCode": int(ADDRESSES[name][1:], 16)}

    def frame(text: str) -> dict[str, Any]:
        type_name, method = text.rsplit(".", 1)
        module = {"moduleName": "java.base", "moduleVersion": VERSION}
        return {"className": type_name, "methodName": method, "lineNumber": -1} | (
            module if type_name.startswith("java.") else {}
        )

    def thread(stack: Stack) -> dict[str, Any]:
        own_lock = stack.has and lock(stack.has[0])
        return {
            "threadName": stack.name,
            "threadId": stack.number,
            "lockName": stack.wants and f"{stack.wants}@{ADDRESSES[stack.wants][1:]}",
            "lockOwnerId": OWNERS[stack.wants].number if stack.wants else -1,
            "threadState": stack.state.split()[0],
            "stackTrace": [frame(text) for text in stack.frames],
            "lockedMonitors": [{**own_lock, "lockedStackDepth": stack.has[1]}]
            if own_lock and stack.has and stack.has[1] >= 0
            else [],
            "lockedSynchronizers": [own_lock]
            if own_lock and stack.has and stack.has[1] < 0
            else [],
        }

    return json.dumps({"threads": [thread(stack) for stack in THREADS]})


def json_of_jdk(process: int, *, has_depth: bool = True, has_locks: bool = True) -> str:
    def lock(name: str) -> str:
        return f"{name}@{ADDRESSES[name][1:]}"

    def thread(stack: Stack) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "tid": str(stack.number),
            "name": stack.name,
            "stack": [f"java.base/{frame}(Any.java:1)" for frame in stack.frames],
        }
        if not has_locks:
            return entry
        entry["state"] = stack.state.split()[0]
        if stack.wants and stack.is_parked:
            owner = str(OWNERS[stack.wants].number)
            entry["parkBlocker"] = {"object": lock(stack.wants), "owner": owner}
        elif stack.wants:
            entry["blockedOn"] = lock(stack.wants)
        if stack.has and stack.has[1] >= 0:
            depth = {"depth": str(stack.has[1])} if has_depth else {}
            entry["monitorsOwned"] = [{**depth, "locks": [lock(stack.has[0])]}]
        return entry

    dump = {
        "processId": str(process),
        "time": "2026-11-20T10:00:00Z",
        "runtimeVersion": VERSION,
        "threadContainers": [{"container": "<root>", "threads": [*map(thread, THREADS)]}],
    }
    return json.dumps({"threadDump": dump}, indent=1)

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""One stuck service's two thread dumps in every shape that people have them in.

The dumps are of no real program: three threads wait for the cache of kept connections, whose owner
closes one of them; two wait for a ReentrantLock of the program's own.
"""

import gzip
import html
import io
import json
import re
import tarfile
import textwrap
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

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


def _hotspot_thread(thread: Stack, *, has_number: bool = True) -> str:
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
    threads = "".join(_hotspot_thread(thread, has_number=has_number) for thread in THREADS)
    # No VM thread, by which files of one process are read as one.
    collector = '"GC Thread#0" os_prio=0 tid=0x00007f0000000100 nid=0x2 runnable  \n'
    end = f"{collector}\nJNI global refs: 15, weak refs: 0\n\n"
    return "".join(f"{stamp}\n{first}\n\n{threads}{end}" for stamp in STAMPS)


def _visualvm() -> str:
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


def _intellij() -> str:
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


def _thread_info(head: str, indent: str = "\t", module: str = "") -> str:
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


def _actuator() -> str:
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


def _json(process: int, *, has_depth: bool = True, has_locks: bool = True) -> str:
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


BASE = hotspot()


def change_lines(change: Callable[[int, str], str], text: str = BASE) -> str:
    return "".join(f"{change(n, line)}\n" for n, line in enumerate(text.splitlines()))


def wrap(line: str) -> str:
    """As a mail wraps it."""
    return "\n".join(textwrap.wrap(line, 72, break_long_words=False, break_on_hyphens=False))


def split_line(line: str) -> str:
    """As a terminal of 80 columns cuts it, copied from its screen."""
    return "\n".join(line[index : index + 80] for index in range(0, max(1, len(line)), 80))


def _log_line(n: int) -> str:
    return f'2026-11-20 10:00:{n % 60:02},123 INFO  [http-{n % 7}] shop.Api - "GET /{n}" 200'


def _zip(**contents: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def _tar(mode: Literal["w", "w:gz"], **contents: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for name, content in contents.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def _gzip(content: bytes) -> bytes:
    return gzip.compress(content)


@dataclass(frozen=True)
class Shape:
    """A file in one shape: what is said of it, and what of the base it cannot have.

    `lacks` may name: time, version, locks (of java.util.concurrent), owners (of those), monitors.
    """

    content: bytes
    names: tuple[str, ...] = ()
    lacks: frozenset[str] = field(default_factory=frozenset)


def make_shape(content: str | bytes, *names: str, lacks: str = "") -> Shape:
    raw = content if isinstance(content, bytes) else content.encode()
    return Shape(raw, names, frozenset(lacks.split()))


INDENTED = "frames that are indented otherwise"
_WRAPPER = "INFO   | jvm 1    | 2026/11/20 10:00:{:02} | {}"
_DOCKER = '{{"log":{},"stream":"stdout","time":"2026-11-20T10:00:{:02}.5Z"}}'
_VISUALVM = ("threads as VisualVM or Spring prints them", "locks as VisualVM or Spring prints them")
_THREAD_INFO = "threads as ThreadInfo.toString prints them"
_LOGGER = "a logger's columns"

SHAPES: dict[str, Shape] = {
    "HotSpot's own": make_shape(BASE),
    "CRLF": make_shape(BASE.replace("\n", "\r\n")),
    "BOM": make_shape(b"\xef\xbb\xbf" + BASE.encode(), "a byte order mark"),
    "UTF-16 little": make_shape(b"\xff\xfe" + BASE.encode("utf-16-le"), "UTF-16"),
    "UTF-16 big": make_shape(b"\xfe\xff" + BASE.encode("utf-16-be"), "UTF-16"),
    "UTF-16 little, no BOM": make_shape(BASE.encode("utf-16-le"), "UTF-16"),
    "UTF-16 big, no BOM": make_shape(BASE.encode("utf-16-be"), "UTF-16"),
    "kubectl": make_shape(
        change_lines(lambda n, line: f"2026-11-20T10:00:{n % 60:02}.{n:09}Z {line}"),
        "kubectl's or Docker's time stamps",
    ),
    "CRI": make_shape(
        change_lines(lambda n, line: f"2026-11-20T10:00:{n % 60:02}.{n}+01:00 stdout F {line}"),
        "a container's log (CRI)",
    ),
    "Compose": make_shape(
        change_lines(lambda _, line: f"shop-api-1  | {line}".rstrip()),
        "names of Docker Compose's services",
    ),
    "Compose, with another service": make_shape(
        change_lines(
            lambda n, line: f"shop-api-1  | {line}\ndb-1        | checkpoint {n} at 10:00"
        ),
        "names of Docker Compose's services",
    ),
    "journald": make_shape(
        change_lines(lambda n, line: f"Nov 20 10:00:{n % 60:02} shop-1 java[4711]: {line}"),
        "journald's or syslog's columns",
    ),
    "syslog, as of rsyslog": make_shape(
        change_lines(
            lambda n, line: f"2026-11-20T10:00:{n % 60:02}.5+01:00 shop java[4711]: {line}"
        ),
        "journald's or syslog's columns",
    ),
    "Docker's JSON": make_shape(
        change_lines(lambda n, line: _DOCKER.format(json.dumps(line + "\n"), n % 60)),
        "lines of a log in JSON",
    ),
    "JSON of a logger, a dump a line": make_shape(
        "".join(
            json.dumps({"@timestamp": "2026-11-20T10:00:00Z", "level": "INFO", "message": part})
            + "\n"
            for part in re.split(r"(?m)^(?=2026)", BASE)[1:]
        ),
        "lines of a log in JSON",
    ),
    "logger": make_shape(
        change_lines(
            lambda n, line: f"2026-11-20 10:00:{n % 60:02},123 WARN  [main] shop.Dumps - {line}"
        ),
        _LOGGER,
    ),
    "service wrapper": make_shape(
        change_lines(lambda n, line: _WRAPPER.format(n % 60, line)), "a service wrapper's columns"
    ),
    "Commons Daemon": make_shape(
        change_lines(lambda n, line: f"[2026-11-20 10:00:{n % 60:02}] [info] [ {n + 100}] {line}"),
        _LOGGER,
    ),
    "quoted": make_shape(change_lines(lambda _, line: f"> {line}".rstrip()), "quote marks"),
    "quoted twice": make_shape(change_lines(lambda _, line: f">> {line}"), "quote marks"),
    "quoted from a log": make_shape(
        change_lines(lambda n, line: f"> 2026-11-20 10:00:{n % 60:02} INFO - {line}"), _LOGGER
    ),
    "line numbers": make_shape(change_lines(lambda n, line: f"{n:5}: {line}"), "line numbers"),
    "Markdown": make_shape(f"See below.\n\n```text\n{BASE}```\nThanks!\n"),
    "Markdown, indented": make_shape(change_lines(lambda _, line: f"    {line}"), INDENTED),
    "HTML": make_shape(f"<html><pre>\n{html.escape(BASE)}</pre></html>", "HTML"),
    "HTML, a line a paragraph": make_shape(
        "<div>"
        + change_lines(
            lambda _, line: (
                html.escape(line).replace("\t", "&nbsp; &nbsp; ").replace("\n", "") + "<br/>"
            )
        )
        + "</div>",
        "HTML",
        INDENTED,
    ),
    "HTML, in one line": make_shape(
        html.escape(BASE).replace("\t", "    ").replace("\n", "<br>"), "HTML", INDENTED
    ),
    "colours": make_shape(
        change_lines(lambda _, line: f"\x1b[36mapi\x1b[0m | {line}"),
        "a terminal's colours",
        "names of Docker Compose's services",
    ),
    "blanks for tabs": make_shape(BASE.replace("\t", "        "), INDENTED),
    "hard blanks": make_shape(BASE.replace("\t", "\u00a0\u00a0"), INDENTED),
    "no indentation": make_shape(re.sub(r"(?m)^[ \t]+", "", BASE), INDENTED),
    "no blank lines": make_shape(re.sub(r"\n\n+", "\n", BASE)),
    "wrapped by a mail": make_shape(
        change_lines(lambda _, line: wrap(line.replace("\t", "  "))), "wrapped lines", INDENTED
    ),
    "cut by a terminal": make_shape(
        change_lines(lambda _, line: split_line(line.expandtabs())), "wrapped lines", INDENTED
    ),
    "amid a log": make_shape(
        "".join(f"{_log_line(n)}\n" for n in range(99))
        + BASE
        + "".join(f"{_log_line(n)}\n" for n in range(99))
    ),
    "jtr": make_shape(
        "#Test Results (version 2)\n#-----testdescription-----\n$root=/test\n\n"
        "----------System.out:(99/9999)----------\n"
        f"Timeout refired 480 times\n{BASE}"
        "----------System.err:(1/2)----------\nexit code: 134\n\nresult: Error. timeout\n"
    ),
    "jcmd": make_shape("".join(f"4711:\n{part}" for part in re.split(r"(?m)^(?=2026)", BASE)[1:])),
    "no first line": make_shape(
        _hotspot_thread(THREADS[0]) + "".join(map(_hotspot_thread, THREADS[1:])),
        lacks="time version",
    ),
    "no first line, two dumps": make_shape(
        re.sub(r"(?m)^(?:2026.*|Full .*|.GC Thread.*|JNI.*)\n", "", BASE), lacks="time version"
    ),
    "7": make_shape(
        hotspot(has_number=False, first=FIRST.replace(VERSION, "24.80-b11")),
        "threads without numbers, as up to JDK 7",
        lacks="version",
    ),
    "VisualVM": make_shape(_visualvm(), *_VISUALVM),
    "IntelliJ": make_shape(
        _intellij(),
        "threads as IntelliJ prints them",
        "locks as IntelliJ prints them",
        INDENTED,
        lacks="time version locks",
    ),
    "ThreadInfo of 8": make_shape(
        _thread_info('"{name}" Id={id}'), _THREAD_INFO, lacks="time version"
    ),
    "ThreadInfo of 17": make_shape(
        _thread_info('"{name}" daemon prio=5 Id={id}', module=f"java.base@{VERSION}/"),
        _THREAD_INFO,
        lacks="time",
    ),
    "arthas": make_shape(
        _thread_info('"{name}" Id={id} cpuUsage=0.1% deltaTime=0ms time=10ms', indent="    "),
        _THREAD_INFO,
        INDENTED,
        lacks="time version",
    ),
    "actuator": make_shape(_actuator(), "JSON of ThreadInfo, as Spring's", lacks="time"),
    "actuator's list": make_shape(
        json.dumps(json.loads(_actuator())["threads"]),
        "JSON of ThreadInfo, as Spring's",
        lacks="time",
    ),
    "JSON of 26": make_shape(_json(1), lacks="time"),
    "JSON without depth": make_shape(_json(2, has_depth=False), lacks="time"),
    "JSON of 21": make_shape(_json(3, has_locks=False), lacks="time monitors owners"),
    "gzip": make_shape(_gzip(BASE.encode())),
    "zip": make_shape(_zip(**{"logs/app.log": BASE.encode(), "readme": b"hello"})),
    "tar": make_shape(_tar("w", **{"logs/app.log": BASE.encode(), "readme": b"hello"})),
    "tar.gz": make_shape(_tar("w:gz", **{"app.log": BASE.encode()})),
    "gzip in zip": make_shape(_zip(**{"app.log.gz": _gzip(BASE.encode())})),
}

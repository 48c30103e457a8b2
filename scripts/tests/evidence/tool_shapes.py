# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The stuck service as programs print its threads that have them from ThreadMXBean."""

import json
from collections.abc import Callable
from typing import Any

from tests.evidence.stuck_service import ADDRESSES, OWNERS, THREADS, Stack


def place(frame: str) -> str:
    return f"{frame}(Any.java:1)"


def lock_of(name: str) -> str:
    """As Object.toString has it."""
    return f"{name}@{ADDRESSES[name][1:]}"


def in_state(stack: Stack) -> str:
    return stack.state.split()[0]


def join(thread: Callable[[Stack], list[str]]) -> str:
    return "".join("\n".join([*thread(stack), "", ""]) for stack in THREADS)


def frame_lines(stack: Stack, prefix: str = "\tat ", monitor: str = "\t- locked ") -> list[str]:
    """The frames; below that of a held monitor, the monitor."""
    lines = []
    for index, frame in enumerate(stack.frames):
        lines.append(f"{prefix}{place(frame)}")
        if monitor and stack.has and stack.has[1] == index:
            lines.append(f"{monitor}{lock_of(stack.has[0])}")
    return lines


def dropwizard(head: str = '"{name}" id={id} state={state}') -> str:
    def thread(stack: Stack) -> list[str]:
        lines = [head.format(name=stack.name, id=stack.number, state=in_state(stack))]
        if stack.wants:
            words = "waiting on" if stack.is_parked else "waiting to lock"
            address = f"0x{int(ADDRESSES[stack.wants][1:], 16):08x}"
            lines.append(f"    - {words} <{address}> (a {stack.wants})")
            lines.append(
                f"     owned by {OWNERS[stack.wants].name} id={OWNERS[stack.wants].number}"
            )
        return lines + frame_lines(stack, "    at ", "      - locked ")

    return join(thread)


def hadoop() -> str:
    def thread(stack: Stack) -> list[str]:
        lines = [f"Thread {stack.number} ({stack.name}):", f"  State: {in_state(stack)}"]
        lines += ["  Blocked count: 7", "  Waited count: 3"]
        if stack.wants and stack.is_parked:
            lines.append(f"  Waiting on {lock_of(stack.wants)}")
        elif stack.wants:
            owner = OWNERS[stack.wants]
            lines.append(f"  Blocked on {lock_of(stack.wants)}")
            lines.append(f"  Blocked by {owner.number} ({owner.name})")
        return [*lines, "  Stack:", *frame_lines(stack, "    ", "")]

    return f"Process Thread Dump: jsp requested\n{len(THREADS)} active threads\n{join(thread)}"


def jconsole() -> str:
    def thread(stack: Stack) -> list[str]:
        owner = (
            f" on {lock_of(stack.wants)} owned by: {OWNERS[stack.wants].name}"
            if stack.wants
            else ""
        )
        lines = [f"Name: {stack.name}", f"State: {in_state(stack)}{owner}"]
        lines += ["Total blocked: 1,207  Total waited: 3", "", "Stack trace: "]
        return lines + frame_lines(stack, "", "   - locked ")

    return join(thread)


def equinox() -> str:
    def thread(stack: Stack) -> list[str]:
        lines = [
            f"ThreadId: {stack.number} ThreadName: {stack.name} ThreadState: {in_state(stack)}"
        ]
        if stack.wants:
            owner = OWNERS[stack.wants]
            text = f"{lock_of(stack.wants)} LockOwnerId: {owner.number} LockOwnerName: {owner.name}"
            lines.append(f"  Blocked On: {text}")
        lines += ["  Synchronizers Locked: none", "  Monitors Locked:"]
        if stack.has and stack.has[1] >= 0:
            lines.append(f"    {lock_of(stack.has[0])} at {place(stack.frames[stack.has[1]])}")
        return [*lines, "  Stack Trace: ", *frame_lines(stack, "    ", "")]

    return join(thread)


def ignite() -> str:
    def thread(stack: Stack) -> list[str]:
        lines = [
            f'Thread [name="{stack.name}", id={stack.number}, state={in_state(stack)}, blockCnt=7]'
        ]
        if stack.wants:
            owner = OWNERS[stack.wants]
            text = f"{lock_of(stack.wants)}, ownerName={owner.name}, ownerId={owner.number}"
            lines.append(f"    Lock [object={text}]")
        return lines + frame_lines(stack, "        at ", "")

    return join(thread)


def ide() -> str:
    def thread(stack: Stack) -> list[str]:
        lines = [f'"{stack.name}" prio=0 tid=0x0 nid=0x0 waiting on condition']
        lines.append(f"     java.lang.Thread.State: {in_state(stack)}")
        if stack.wants:
            owner = OWNERS[stack.wants]
            lines.append(f' on {lock_of(stack.wants)} owned by "{owner.name}" Id={owner.number}')
        return lines + frame_lines(stack, monitor="")

    return join(thread)


def suite_output() -> str:
    """A name alone, then the state with the lock."""

    def thread(stack: Stack) -> list[str]:
        owner = OWNERS[stack.wants].name if stack.wants else ""
        text = f" on lock={lock_of(stack.wants)} owned by {owner}" if stack.wants else ""
        lines = [f'"{stack.name}" ', f"\tjava.lang.Thread.State: {in_state(stack)}{text}"]
        return lines + frame_lines(stack, "\t\tat ", "\t\t- locked ")

    return join(thread)


def watchdog() -> str:
    def thread(stack: Stack) -> list[str]:
        lines = ["-" * 30, f"Current Thread: {stack.name}"]
        state = f"Suspended: false | Native: false | State: {in_state(stack)}"
        lines.append(f"\tPID: {stack.number} | {state}")
        return [*lines, "\tStack:", *frame_lines(stack, "\t\t", "")]

    return "".join(f"[10:00:00] [Watchdog/ERROR]: {line}\n" for line in join(thread).splitlines())


def _json_thread(stack: Stack) -> dict[str, Any]:
    """With the fields of one monitoring page."""

    def lock(name: str) -> dict[str, Any]:
        return {"Class": name, "IdentityHashCode": int(ADDRESSES[name][1:], 16)}

    own_lock = lock(stack.has[0]) if stack.has else {}
    depth = stack.has[1] if stack.has else 0
    monitor = {**own_lock, "LockedStackDepth": depth}
    return {
        "Id": stack.number,
        "Name": stack.name,
        "State": in_state(stack),
        "Lock Monitor Info": {
            "Locked Monitors": [monitor] if stack.has and depth >= 0 else [],
            "Locked Synchronizers": [own_lock] if depth < 0 else [],
        },
        "Lock Info": {
            "Locked On": lock(stack.wants) if stack.wants else {},
            "Lock Owner Thread Id": OWNERS[stack.wants].number if stack.wants else None,
        },
        "Stack Trace": [place(frame) for frame in stack.frames],
    }


def page_in_json() -> str:
    threads = {str(stack.number): _json_thread(stack) for stack in THREADS}
    return json.dumps({"Timestamp": "x", "Thread Information": {"Stack Trace": threads}}, indent=1)


def search_server_in_json() -> str:
    def thread(stack: Stack) -> dict[str, Any]:
        owner = (
            {"name": OWNERS[stack.wants].name, "id": OWNERS[stack.wants].number}
            if stack.wants
            else {}
        )
        wants = {"lock": lock_of(stack.wants), "owner": owner} if stack.wants else {}
        frames = [place(frame) for frame in stack.frames]
        state = {"id": stack.number, "name": stack.name, "state": in_state(stack)}
        return {**state, **wants, "cpuTime": "1.0ms", "stackTrace": frames}

    rows = [part for stack in THREADS for part in ("thread", thread(stack))]
    return json.dumps({"system": {"threadCount": {"current": 7}, "threadDump": rows}})

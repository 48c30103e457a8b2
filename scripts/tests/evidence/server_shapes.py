# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The stuck service as servers show their threads: on a page, in a console, in a report."""

import html
import json
from typing import Any

from tests.evidence.stuck_service import ADDRESSES, OWNERS, THREADS, VERSION, Stack, actuator
from tests.evidence.tool_shapes import frame_lines, in_state, join, lock_of, place


def _spark_locks(stack: Stack, *, is_page: bool) -> str:
    if not stack.wants:
        return f"Monitor({lock_of(stack.has[0])})" if stack.has and stack.has[1] >= 0 else ""
    owner = OWNERS[stack.wants].number
    if not is_page:
        return f"Blocked by Thread {owner} Lock({lock_of(stack.wants)}}})"
    link = f'<a href="#{owner}_td_id">\n  Thread {owner} {lock_of(stack.wants)}</a>'
    return f"<div>\n  Blocked by {link}\n</div>"


def _spark_frames(stack: Stack, module: str = "") -> list[str]:
    frames = [f"{module}{place(frame)}" for frame in stack.frames]
    if stack.has and stack.has[1] >= 0:
        frames[stack.has[1]] += f" => holding Monitor({lock_of(stack.has[0])}}})"
    return frames


def spark_copy(separator: str = "\t") -> str:
    """Of version 2, copied from the page; `separator` stands between cells."""

    def thread(stack: Stack) -> list[str]:
        cells = [str(stack.number), stack.name, in_state(stack)]
        row = separator.join([*cells, _spark_locks(stack, is_page=False)]).rstrip()
        return [row, *_spark_frames(stack)]

    title = "Thread ID\tThread Name\tThread State\tThread Locks"
    rows = "".join(f"{line}\n" for stack in THREADS for line in thread(stack))
    return f"Thread dump for executor 3\nUpdated at 2026/11/20 10:00:00\n\n{title}\n{rows}"


def spark_page() -> str:
    """Of version 3.5, saved; the stack of one thread is open."""

    def thread(stack: Stack) -> str:
        first, *callers = (html.escape(place(frame)) for frame in stack.frames)
        waits = f"\t-  waiting on {lock_of(stack.wants)}\n" if stack.wants else ""
        module = f"java.base@{VERSION}/"
        frames = "<br/>".join([f"{module}{first}\n{waits}", *(f"{frame}\n" for frame in callers)])
        number = stack.number
        cells = {
            "id": str(number),
            "name": stack.name,
            "state": in_state(stack),
            "locking": _spark_locks(stack, is_page=True),
            "stacktrace": frames,
        }
        row = "\n".join(f'<td id="{number}_td_{id_}">{cells[id_]}</td>' for id_ in cells)
        is_open = f'<tr id="{number}_stacktrace"><td colspan="4"><pre>{frames}</pre></td></tr>'
        return f'<tr id="thread_{number}_tr">{row}</tr>' + (is_open if number == 21 else "")

    rows = "".join(map(thread, THREADS))
    title = "<title>shop - Thread dump for executor 3</title>"
    return f"<html><head>{title}</head><body><table>{rows}</table></body></html>"


def spark_in_json(*, has_elements: bool = False) -> str:
    """As its REST interface has it: the stack as a text, or as a list within an object."""

    def thread(stack: Stack) -> dict[str, Any]:
        frames = _spark_frames(stack, f"java.base@{VERSION}/")
        waits = (
            {
                "blockedByThreadId": OWNERS[stack.wants].number,
                "blockedByLock": f"Lock({lock_of(stack.wants)}}})",
            }
            if stack.wants
            else {"blockedByLock": ""}
        )
        return {
            "threadId": stack.number,
            "threadName": stack.name,
            "threadState": in_state(stack),
            "stackTrace": {"elems": [f"{frame}\n\t-  locked any.Lock@1\n" for frame in frames]}
            if has_elements
            else "\n".join(frames),
            **waits,
        }

    return json.dumps([*map(thread, THREADS)], indent=2)


def tomcat() -> str:
    """Of the manager, as text."""

    def thread(stack: Stack) -> list[str]:
        lines = [f'"{stack.name}" Id={stack.number} cpu=7 ns usr=6 ns blocked 3 for -1 ms']
        lines.append(f"   java.lang.Thread.State: {in_state(stack)}")
        for index, frame in enumerate(stack.frames):
            lines.append(f"\tat {place(frame)}")
            if index == 0 and stack.wants:
                owner = OWNERS[stack.wants]
                lock = f"(a {lock_of(stack.wants)})"
                lines.append(f"\t- waiting on {lock} owned by {owner.name} Id={owner.number}")
            if stack.has and stack.has[1] == index:
                lock = f"(a {lock_of(stack.has[0])})"
                lines.append(f"\t- locked {lock} index {index} frame {place(frame)}")
        return lines

    first = (
        f"2026-11-20 10:00:00.5\nFull thread dump OpenJDK 64-Bit Server VM ({VERSION} mixed mode):"
    )
    return f"OK - JVM thread dump\n{first}\n\n{join(thread)}"


def glassfish() -> str:
    def thread(stack: Stack) -> list[str]:
        state = f"thread-id: {stack.number} thread-state: {in_state(stack)}"
        if stack.wants:
            owner = OWNERS[stack.wants]
            state += f" Waiting on lock: {lock_of(stack.wants)}"
            state += f" Owned by: {owner.name} Id: {owner.number}"
        return [f'Thread "{stack.name}" {state}', *frame_lines(stack, "\tat: ", "")]

    first = f"Full Java Thread Dump OpenJDK 64-Bit Server VM {VERSION} Any Vendor"
    return f"{first}\nNumber of threads: 7\n\n{join(thread)}"


def weblogic() -> str:
    def thread(stack: Stack) -> list[str]:
        waits = f"waiting for lock {lock_of(stack.wants)} " if stack.wants else ""
        return [f'"{stack.name}" {waits}{in_state(stack)}', *frame_lines(stack, "\t", "")]

    return join(thread)


def fastthread() -> str:
    def thread(stack: Stack) -> list[str]:
        ids = f"threadId:0x{stack.number:016x} - nativeId:0x1"
        lines = [
            f"{stack.name} - priority:5 - {ids} - nativeId (decimal):1 - state:{in_state(stack)}"
        ]
        lines += ["stackTrace:", f"java.lang.Thread.State: {stack.state}"]
        for index, frame in enumerate(stack.frames):
            lines.append(f"at {place(frame)}")
            if index == 0 and stack.wants:
                words = "parking to wait for" if stack.is_parked else "waiting to lock"
                lines.append(f"- {words} <0x{ADDRESSES[stack.wants]}> (a {stack.wants})")
            if stack.has and stack.has[1] == index:
                lines.append(f"- locked <0x{ADDRESSES[stack.has[0]]}> (a {stack.has[0]})")
        own_lock = stack.has[0] if stack.has and stack.has[1] < 0 else None
        lines.append("Locked ownable synchronizers:")
        lines.append(f"- <0x{ADDRESSES[own_lock]}> (a {own_lock})" if own_lock else "- None")
        return lines

    return join(thread)


def _dmr(node: Any) -> str:
    """As the CLI of WildFly prints it."""
    if isinstance(node, dict):
        pairs = (f'"{name}" => {_dmr(part)}' for name, part in node.items())
        return "{\n" + ",\n".join(pairs) + "\n}"
    if isinstance(node, list):
        return "[" + ",".join(map(_dmr, node)) + "]"
    if node is None:
        return "undefined"
    return f"{node}L" if isinstance(node, int) else json.dumps(node)


def wildfly_cli() -> str:
    threads = json.loads(actuator())["threads"]
    prompt = "[standalone@localhost:9990 /] /core-service=platform-mbean/type=threading:dump-all"
    return f"{prompt}\n{_dmr({'outcome': 'success', 'result': threads})}\n"

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does everything that a command started end with the command or the kit, even by `kill -9`?

A program of its own that needs only the standard library: `run` with FD and COMMAND.
FD is a socket whose other end the kit has. Two processes watch: the outer one, and its child, the
inner one, whose child is the command. Each is a sub-reaper (prctl(2)): a descendant that loses its
parent becomes its child, whatever session it moved to. When the socket closes (the kit asked, or
is gone), when the command ends, or when one of the two is killed, the other kills all below it.

It writes `started PID` to the socket, then `failed ERRNO` or `ended CODE` (of a signal, minus its
number).
"""

import _signal as signal  # without the enums of `signal`, which take a fifth of the start
import ctypes
import os
import select
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress

_NO_COMMAND = 127
_KILLED = -signal.SIGKILL
# prctl(2), linux/prctl.h.
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
# The longest wait for what cannot be killed: its disk does not answer, or it is another user's.
KILL_S = 10.0
_BETWEEN_KILLS_S = 0.01
# Python ignores the first two, a shell's background job the last; a command would inherit that.
_PERHAPS_IGNORED = (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT)


def children_by_parent() -> dict[int, list[int]]:
    """All running processes of the machine, by their parents; empty without /proc."""
    children: dict[int, list[int]] = {}
    with suppress(OSError):
        for name in os.listdir("/proc"):  # noqa: PTH208 (pathlib would cost more than all else)
            if name.isdigit() and (parent := _parent(name)) is not None:
                children.setdefault(parent, []).append(int(name))
    return children


def descendants(pid: int, children: dict[int, list[int]]) -> Iterator[int]:
    """The children of a process, theirs, and so on."""
    pids = list(children.get(pid, ()))
    for child in pids:
        pids += children.get(child, ())
    yield from pids


def main(control: int, command: Sequence[str]) -> int:
    """Run `command`; return its exit code, or 128 plus the number of a signal."""
    os.set_inheritable(control, False)
    outer_lives, of_outer = os.pipe()
    wake = _watch()
    inner = os.fork()
    if inner:
        os.close(outer_lives)
        code = _supervise(inner, wake, [control])
        return code if code >= 0 else 128 - code
    os.close(of_outer)
    wake = _watch()  # it needs its own pipe, and fork(2) does not pass on the sub-reaper
    pid = os.fork()
    if not pid:
        _become(control, command)
    _say(control, f"started {pid}")
    code = _supervise(pid, wake, [control, outer_lives])
    _say(control, f"ended {code}")
    return code if code >= 0 else 128 - code


def _watch() -> int:
    """Become a sub-reaper; return a descriptor that is readable once a child has ended."""
    wake, alarm = os.pipe()
    for end in (wake, alarm):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(alarm, warn_on_full_buffer=False)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    return wake


def _become(control: int, command: Sequence[str]) -> None:
    os.setsid()
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    for number in _PERHAPS_IGNORED:
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(command[0], list(command))
    except OSError as error:
        _say(control, f"failed {error.errno}")
        os.write(sys.stderr.fileno(), f"{command[0]} cannot be run: {error.strerror}\n".encode())
    os._exit(_NO_COMMAND)


def _supervise(child: int, wake: int, lives: Sequence[int]) -> int:
    """Wait until `child` has ended or one of `lives` is closed, then kill all below this process.

    Returns the exit code of the child, or minus the number of a signal.
    """
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):  # whoever reads the command's output waits until they close
        os.dup2(null, stream)
    poll = select.poll()
    for end in (wake, *lives):
        poll.register(end, select.POLLIN)
    while (code := _reap(child)) is None:
        ready = [end for end, _ in poll.poll()]
        if wake in ready:
            with suppress(BlockingIOError):
                os.read(wake, 4096)
        if any(end in ready for end in lives):
            break
    killed_code = _kill_below(child)
    return next(status for status in (code, killed_code, _KILLED) if status is not None)


def _kill_below(child: int) -> int | None:
    """Kill all processes below this one; return the exit code of `child` if it is among them."""
    code = None
    deadline_s = time.monotonic() + KILL_S
    with suppress(ChildProcessError):  # none is left
        while time.monotonic() < deadline_s:
            while (child_status := os.waitpid(-1, os.WNOHANG))[0]:
                if child_status[0] == child:
                    code = os.waitstatus_to_exitcode(child_status[1])
            for pid in descendants(os.getpid(), children_by_parent()):
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(_BETWEEN_KILLS_S)
    return code


def _reap(child: int) -> int | None:
    """The exit code of the child, None while it runs; orphans that have ended are reaped too."""
    while True:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == child:
            return os.waitstatus_to_exitcode(status)
        if not pid:
            return None


def _parent(pid: str) -> int | None:
    """The parent; None for a zombie. Both follow the name, which may hold blanks (proc(5))."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:  # noqa: PTH123
            state, parent = stat.read().rpartition(b")")[2].split()[:2]
        return None if state == b"Z" else int(parent)
    except (OSError, ValueError):
        return None


def _prctl(option: int, argument: int) -> None:
    """Call prctl(2). Where it does not exist, only the tree as it is at the end is killed."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(option, argument, 0, 0, 0)


def _say(control: int, text: str) -> None:
    with suppress(OSError):  # nobody listens any more
        os.write(control, f"{text}\n".encode())


def run(control: str, *command: str) -> None:
    """Run `command`, and end this process with its exit code."""
    os._exit(main(int(control), command))

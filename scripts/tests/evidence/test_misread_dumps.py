# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is no thread dump, or is read only in part, is said in one line; odd ones are read."""

import json
import re
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from jdkmatrix.evidence.digest import Digester, Recording, Unreadable
from tests.evidence.dump_texts import EXITING, MANY, loading

pytestmark = pytest.mark.jdk
# What is no dump, and what is said of it.
NO_DUMPS = {
    "empty": (b"", "is empty"),
    "prose": (b"what somebody wrote about a thread dump\n", "has no thread dump of HotSpot"),
    "OpenJ9": (
        b"0SECTION TITLE subcomponent dump routine\nNULL\n1TISIGINFO",
        "is a javacore of OpenJ9; accepted: ",
    ),
    "a list of pods": (
        b"Name: shop-1\nState: Waiting\nName: shop-2\nState: RUNNING\n\tat a.B.c(B.java:1)\n",
        "has no thread dump of HotSpot",
    ),
    "quoted words": (b'"hello"\n\tat a.B.c(B.java:1)\n', "has no thread dump of HotSpot"),
    "json": (b'{"threads": []}', "is no Flight Recorder file"),
    "fields": (
        b'{"threadDump": {"processId": "7"}}',
        "is no thread dump in JSON as a JDK writes it",
    ),
    "deep": (b'{"threadDump": [' + b"[" * 100_000, "is damaged JSON, at character 80"),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is a picture; accepted: the text that it"),
    "escape": (b'{"threadDump": {"time": "\\q"}}', "is damaged JSON, at character 28"),
    "more": (b'{"threadDump": {}} 7', "is damaged JSON, at character 20"),
    "two": (b'{"threadDump": {}} {}', "is no thread dump in JSON as a JDK writes it"),
    "types": (
        b'{"threadDump": {"threadContainers": [{"threads": [7]}]}}',
        "is no thread dump in JSON",
    ),
    "gzip": (b"\x1f\x8bnot gzip after all", "is a damaged gzip file: "),
}


Recordings = Mapping[str, Recording | Unreadable]


def without_stack(dump: str, *names: int) -> str:
    """A dump whose threads of these names have lost all lines of their stacks."""
    for name in names:
        dump = re.sub(rf'(?m)^("{name}" .*\n.*\n)(?:\t.*\n)+', r"\1", dump)
    return dump


def in_json(*stacks: list[str]) -> str:
    """A dump of 25 whose threads wait, or run if they are the last."""
    states = ["WAITING"] * len(stacks[1:]) + ["RUNNABLE"] * len(stacks[:1])
    threads = [
        {"tid": str(n), "name": f"t{n}", "state": state, "stack": stack}
        for n, (state, stack) in enumerate(zip(states, stacks, strict=True))
    ]
    dump = {
        "processId": "7",
        "time": "2026-11-24T02:00:00Z",
        "runtimeVersion": "25.0.2+10",
        "threadContainers": [{"threads": threads}] if stacks else [],
    }
    return json.dumps({"threadDump": dump})


NO_STACK = re.sub(r"(?m)^\t.*\n", "", EXITING)
NO_STATE = re.sub(r"(?m)^   java.lang.Thread.State.*\n", "", NO_STACK)
HEAD_ALONE = "Full thread dump OpenJDK 64-Bit Server VM (17.0.3+7 mixed mode):\n"
ONE_OF_ONE = "in thread dump 1 of 1, "
# What is a dump in a shape that is not read, or only in part; and what is said of it.
MISREAD = {
    "no stack": (
        NO_STACK,
        f"{ONE_OF_ONE}2 threads and 0 frames were read; missing: the frames of 2 threads",
    ),
    "heads alone": (
        NO_STATE,
        f"{ONE_OF_ONE}2 threads and 0 frames were read; missing: every stack",
    ),
    "heads that say where the stack is": (
        re.sub(r'(?m)^("main" .*)', r"\1 [0x00007f0000001000]", NO_STATE),
        f"{ONE_OF_ONE}2 threads and 0 frames were read; missing: the frames of 1 thread",
    ),
    "no thread": (
        HEAD_ALONE,
        f"{ONE_OF_ONE}0 threads and 0 frames were read; missing: every stack",
    ),
    "most stacks lost": (
        without_stack(loading(0, *MANY), 1, 2, 3, 4),
        f"{ONE_OF_ONE}6 threads and 2 frames were read; missing: the frames of 4 threads",
    ),
    "most heads lost": (
        re.sub(r'(?m)^"[1-4]" #', "#", loading(0, 5, *MANY)),
        f"{ONE_OF_ONE}3 threads and 3 frames were read; missing: 4 lines like a frame",
    ),
    "one of three": (
        loading(0, *MANY) + loading(10, *MANY).replace("\tat ", "\t|at ") + loading(20, *MANY),
        "in thread dump 2 of 3, 6 threads and 0 frames were read;"
        " missing: the frames of 5 threads, 6 lines like a frame",
    ),
    "JSON without threads": (
        in_json(),
        f"{ONE_OF_ONE}0 threads and 0 frames were read; missing: every stack",
    ),
    "JSON without stacks": (
        in_json([], [], []),
        f"{ONE_OF_ONE}3 threads and 0 frames were read; missing: the frames of 2 threads",
    ),
    "JSON with one stack": (
        in_json([], [], ["Service.serve(Service.java:2)"]),
        f"{ONE_OF_ONE}3 threads and 1 frame were read; missing: the frames of 2 threads",
    ),
}
# HotSpot's own threads have no stack. As in an idle 17.0.9 with -XX:CICompilerCount=40.
COMPILERS = "".join(
    f'"C2 CompilerThread{n}" #{n} daemon prio=9 os_prio=0 tid=0x{n} nid=0x{n}'
    " waiting on condition  [0x0000000000000000]\n   java.lang.Thread.State: RUNNABLE\n\n"
    for n in range(20, 60)
)
TRACE = "java.io.IOException: reset\n" + "\tat a.B.c(B.java:1)\n" * 40
# What has few stacks, loses few, or has frames beside the dump; and how many threads are read.
READ_ALL_THE_SAME = {
    "idle": (loading(0) + COMPILERS, 41),
    "some stacks lost": (without_stack(loading(0, *MANY), 1, 2, 3), 6),
    "amid a log": (TRACE + loading(0, 1) + "JNI global refs: 15, weak refs: 0\n\n" + TRACE, 2),
    "amid a log, cut": (loading(0, 1) + "10:00 INFO on\n" + TRACE, 2),
    "below what somebody wrote": ("Full thread dump of the shop:\n\n" + loading(0, 1), 2),
    "JSON of an idle JVM": (in_json(["a.B.c(B.java:1)"], []), 2),
    "a JMX console of 6": (
        '"w-1" id=31 in WAITING\n    - waiting on <0x1> (a b)\n    at a.B.c(B.java:1)\n\n'
        '"w-2" id=32 in RUNNABLE (running in native)\n    at a.B.d(B.java:2)\n',
        2,
    ),
    "below a watchdog's reports": (
        "WARN Thread Thread[loop-3,5,main] has been blocked for 3479 ms, limit 2000 ms: a.B\n"
        + TRACE
        + loading(0, 1),
        2,
    ),
    "no date": (loading(0, 1).replace("11-24 02", "02-30 25"), 2),
}


@pytest.fixture(scope="module")
def recordings(digester: Digester, tmp_path_factory: pytest.TempPathFactory) -> Recordings:
    """What is read of each text by itself, by its name."""
    folder = tmp_path_factory.mktemp("misread")
    contents = {name: text.encode() for name, (text, _) in (MISREAD | READ_ALL_THE_SAME).items()}
    contents |= {name: content for name, (content, _) in NO_DUMPS.items()}
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    outcomes = digester.digest([folder / name for name in contents]).recordings
    return {Path(recording.file).name: recording for recording in outcomes}


@pytest.mark.parametrize("name", MISREAD)
def test_a_dump_that_is_not_read_right_is_one_line(recordings: Recordings, name: str) -> None:
    recording = recordings[name]
    assert isinstance(recording, Unreadable)
    expected = (
        f"{MISREAD[name][1]}; accepted: the output of jcmd PID Thread.print -l, attached as it is"
    )
    assert recording.error == expected


# One thread, as what watches it reports it in a log; and which of the thread's words is its name.
REPORTS = {
    "loop-3": "WARN Thread Thread[loop-3,5,main] has been blocked for 3479 ms, limit 2000 ms: a.B",
    "exec-5": "WARNING Thread [exec-5] (id=[48]) has been active for [64,123] milliseconds",
    "[STUCK] ExecuteThread: '1'": "<Error> <[STUCK] ExecuteThread: '1' has been busy for \"611\""
    ' seconds on "POST /\n", which is more than "600" seconds. Stack trace:',
    "worker-1": "Thread Name <worker-1> state <BLOCKED>\nWaiting on <a.B@1f>",
    "main": "Thread[#1,main,5,main]",
    "w-2": '"w-2" ... java.lang.Thread.State: BLOCKED (on object monitor)',
}


def test_a_report_of_one_thread_is_a_dump(digester: Digester, tmp_path: Path) -> None:
    frames = "\tat shop.Till.pay(Till.java:2)\n\tat java.lang.Thread.run(Thread.java:1)\n"
    for number, report in enumerate(REPORTS.values()):
        (tmp_path / str(number)).write_text(f"10:00 INFO on\n{report}\n{frames}10:01 INFO on\n")
    read = digester.digest(sorted(tmp_path.iterdir())).readable
    assert [entry.stacks[0].names for entry in read] == [(name,) for name in REPORTS]
    assert {entry.stacks[0].frames[0] for entry in read} == {"shop.Till.pay"}
    states = [entry.stacks[0].state for entry in read]
    assert [state for state in states if state.startswith("BLOCKED")] == ["BLOCKED", "BLOCKED"]


def test_frames_that_are_lost_between_others_are_told(digester: Digester, tmp_path: Path) -> None:
    """Lines of a log between them are none, but make those below them doubtful."""
    frame = "\tat java.lang.ClassLoader.loadClass(java.base@17/ClassLoader.java:1)\n"
    text = loading(0, 1).replace(frame, frame + "|at a.B.d(B.java:2)\n" * 3 + frame)
    (tmp_path / "dump").write_text(text)
    (entry,) = digester.digest([tmp_path / "dump"]).readable
    assert entry.unread == ("Not read: 3 lines like a frame.",)


def test_reports_beside_dumps_are_no_dumps(recordings: Recordings) -> None:
    """Else a thread in all dumps is not in all of them."""
    entry = recordings["below a watchdog's reports"]
    assert isinstance(entry, Recording)
    assert "Left out: 1 report of threads by a tool, beside the dumps." in entry.unread


@pytest.mark.parametrize("name", READ_ALL_THE_SAME)
def test_a_dump_is_read_whatever_a_jvm_or_a_log_may_have(recordings: Recordings, name: str) -> None:
    recording = recordings[name]
    assert isinstance(recording, Recording), recording.error
    assert recording.threads == READ_ALL_THE_SAME[name][1]
    assert recording.hang and recording.hang.dumps == 1


LONG = 300_000
# Patterns that try a part of a line from each of its places took minutes.
LONG_LINES = {
    "blanks": f"\t- {' ' * LONG}x<0x1> (a b)",
    "locks": f"\t- {'<0x1> (a ' * (LONG // 9)}",
    "synchronizers": "ownable synchronizer 0x1," * (LONG // 25),
    "tools": f"Thread Thread[{'Name: ' * (LONG // 6)}",
    "frames": f"\t{'a.' * (LONG // 2)}(",
    "versions": f"Full thread dump {'(1' * (LONG // 2)}",
}


def test_a_line_may_have_any_length(digester: Digester, tmp_path: Path) -> None:
    for name, line in LONG_LINES.items():
        (tmp_path / name).write_text(f"{loading(0, 1)}{line}\n\n{loading(10, 1)}")
    began_s = time.monotonic()
    read = digester.digest([*tmp_path.iterdir()])
    assert time.monotonic() - began_s < 120
    assert [recording.threads for recording in read.readable] == [2] * len(LONG_LINES)


@pytest.mark.parametrize("name", NO_DUMPS)
def test_what_is_no_dump_is_one_line(recordings: Recordings, name: str) -> None:
    entry = recordings[name]
    assert isinstance(entry, Unreadable)
    assert NO_DUMPS[name][1] in entry.error and "\n" not in entry.error

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do thread dumps say by themselves, as users post them? See fixtures/dumps/README.md."""

import gzip
import json
import re
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.evidence.diagnosis import Diagnosis, diagnose
from jdkmatrix.evidence.digest import Digester, Recording, Unreadable
from tests.conftest import FIXTURES

pytestmark = pytest.mark.jdk
DUMPS = FIXTURES / "dumps"
DEADLOCKS = FIXTURES / "hangs" / "dumps"
HEALTHY = sorted(DUMPS.glob("healthy-*"))
OWNABLE = re.compile(r"\n   Locked ownable synchronizers:\n(?:\t- .*\n)+")

BUGS = [
    ("8293562-17.0.3", "JDK-8293562", "17.0.3+7"),
    ("8276660-17.0.3", "JDK-8276660", "17.0.3+7"),
    ("8276660-8u504", "JDK-8276660", "8u504"),
    ("8263743-11.0.13", "JDK-8263743", "11.0.13+8"),
    ("8214418-11.0.7", "JDK-8214418", "11.0.7+10-LTS"),
]
IN_DEADLOCK = sorted(DEADLOCKS.glob("*.txt"))
WITH_LOCKS = ("25.0.2", "26.0.2.1", "27.0.1.0.3", "28-ea")
WITHOUT_LOCKS = "21.0.8"
CUT = "27.0.1.0.3"
CUT_SHARES = (0.1, 0.5, 0.99)
# What is no dump, and what is said of it.
NO_DUMPS = {
    "empty": (b"", "is empty"),
    "prose": (b"what somebody wrote about a thread dump\n", "has no thread dump of HotSpot"),
    "OpenJ9": (
        b"0SECTION TITLE subcomponent dump routine\nNULL\n1TISIGINFO",
        "is a javacore of OpenJ9; accepted: ",
    ),
    "json": (b'{"threads": []}', "is no Flight Recorder file"),
    "fields": (
        b'{"threadDump": {"processId": "7"}}',
        "is no thread dump in JSON as a JDK writes it",
    ),
    "deep": (b'{"threadDump": [' + b"[" * 100_000, "is damaged JSON, at character 80"),
    "escape": (b'{"threadDump": {"time": "\\q"}}', "is damaged JSON, at character 28"),
    "more": (b'{"threadDump": {}} {}', "is damaged JSON, at character 20"),
    "types": (
        b'{"threadDump": {"threadContainers": [{"threads": [7]}]}}',
        "is no thread dump in JSON",
    ),
    "gzip": (b"\x1f\x8bnot gzip after all", "is a damaged gzip file: "),
}

Read = Mapping[str, Diagnosis | Unreadable]
Recordings = Mapping[str, Recording | Unreadable]


@pytest.fixture(scope="module")
def recordings(digester: Digester, tmp_path_factory: pytest.TempPathFactory) -> Recordings:
    """What is read of each file by itself, by its name. All are read by two JVMs of the digest.

    Files of one process are read as one; there are two at most, and they are neighbours.
    """
    folder = tmp_path_factory.mktemp("alone")
    files = [*(DUMPS / f"{name}.txt.gz" for name, *_ in BUGS), *IN_DEADLOCK, *HEALTHY]
    files += [locks(build) for build in (WITHOUT_LOCKS, *WITH_LOCKS)]
    text = gzip.decompress(locks(CUT).read_bytes())
    contents = {f"{share}.json": text[: int(len(text) * share)] for share in CUT_SHARES}
    contents |= {name: content for name, (content, _) in NO_DUMPS.items()}
    contents |= {name: text.encode() for name, (text, _) in (MISREAD | READ_ALL_THE_SAME).items()}
    for name, content in (
        contents | {name: text.encode() for name, text in texts().items()}
    ).items():
        (folder / name).write_bytes(content)
        files.append(folder / name)
    outcomes = [*digester.digest(files[::2]).recordings, *digester.digest(files[1::2]).recordings]
    return {Path(recording.file).name: recording for recording in outcomes}


def diagnosis(recording: Recording | Unreadable, ledger: Ledger) -> Diagnosis | Unreadable:
    return diagnose(recording, ledger, ()) if isinstance(recording, Recording) else recording


@pytest.fixture(scope="module")
def alone(recordings: Recordings, ledger: Ledger) -> Read:
    """What is said of each file by itself, by its name."""
    return {name: diagnosis(recording, ledger) for name, recording in recordings.items()}


def list_bugs(answer: Diagnosis | Unreadable) -> list[str]:
    assert isinstance(answer, Diagnosis)
    return [bug.bug for bug in answer.bugs if bug.finding]


@pytest.mark.parametrize(("name", "bug", "version"), BUGS)
def test_a_bug_is_named(alone: Read, name: str, bug: str, version: str) -> None:
    answer = alone[f"{name}.txt.gz"]
    assert list_bugs(answer) == [bug]
    assert isinstance(answer, Diagnosis)
    assert answer.java_version == version
    assert answer.dumps > 1 and answer.shows


# main() has called System.exit() in the waiter's class, and waits there for another lock.
EXITING = """\
Full thread dump OpenJDK 64-Bit Server VM (17.0.21+3-LTS mixed mode, sharing):

"main" #1 prio=5 os_prio=0 cpu=99.09ms elapsed=3.09s tid=0x01 nid=0x1 waiting for monitor entry
   java.lang.Thread.State: BLOCKED (on object monitor)
\tat java.lang.ThreadGroup.add(java.base@17/ThreadGroup.java:1)
\t- waiting to lock <0x00000000000000a1> (a java.lang.ThreadGroup)
\tat java.lang.Thread.start(java.base@17/Thread.java:1)
\tat java.lang.Runtime.exit(java.base@17/Runtime.java:1)
\tat java.lang.System.exit(java.base@17/System.java:1)
\tat Service.main(Service.java:1)

"waiter" #12 prio=5 os_prio=0 cpu=0.09ms elapsed=3.00s tid=0x02 nid=0x2 waiting on condition
   java.lang.Thread.State: WAITING (parking)
\tat jdk.internal.misc.Unsafe.park(java.base@17/Native Method)
\t- parking to wait for  <0x00000000000000b2> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
\tat java.util.concurrent.locks.LockSupport.park(java.base@17/LockSupport.java:1)
\tat java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire(java.base@17/AbstractQueuedSynchronizer.java:1)
\tat java.util.concurrent.locks.ReentrantLock.lock(java.base@17/ReentrantLock.java:1)
\tat Service.serve(Service.java:2)
"""  # noqa: E501 - a dump's own lines


def test_whoever_ends_the_jvm_holds_nothing_wherever_it_waits(
    recordings: Recordings,
) -> None:
    recording = recordings["exiting"]
    assert isinstance(recording, Recording)
    assert {row.frame: row.holders for row in recording.lock_waits}["Service.serve"] == ()


def loading(second: int, *waiters: int) -> str:
    """A dump in which threads wait for a class loader."""
    threads = "".join(
        f'"{n}" #{n} prio=5 os_prio=0 tid=0x0{n} nid=0x{n} waiting for monitor entry\n'
        "   java.lang.Thread.State: BLOCKED (on object monitor)\n"
        "\tat java.lang.ClassLoader.loadClass(java.base@17/ClassLoader.java:1)\n"
        "\t- waiting to lock <0x00000000000000a1> (a java.lang.Object)\n\n"
        for n in waiters
    )
    owner = (
        '"owner" #9 prio=5 os_prio=0 tid=0x09 nid=0x9 runnable\n'
        "   java.lang.Thread.State: RUNNABLE\n"
        "\tat java.lang.ClassLoader.loadClass(java.base@17/ClassLoader.java:2)\n"
        "\t- locked <0x00000000000000a1> (a java.lang.Object)\n\n"
    )
    begin = "Full thread dump OpenJDK 64-Bit Server VM (17.0.3+7 mixed mode):\n\n"
    return f"2026-11-24 02:00:{second:02}\n{begin}{owner}{threads}"


MANY = (1, 2, 3, 4, 5)
# By the file of the dumps; and how many threads waited, how long, and how long for the owner.
LOADING = {
    "first-only": ((loading(0, *MANY), loading(30)), (5, 0, 0)),
    "last-only": ((loading(0), loading(30, *MANY)), (5, 0, 0)),
    "one-in-all": ((loading(0, *MANY), loading(20, 1), loading(30, 1)), (5, 30_000, 30_000)),
}


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
    "no date": (loading(0, 1).replace("11-24 02", "02-30 25"), 2),
}


@pytest.mark.parametrize("name", MISREAD)
def test_a_dump_that_is_not_read_right_is_one_line(recordings: Recordings, name: str) -> None:
    recording = recordings[name]
    assert isinstance(recording, Unreadable)
    expected = (
        f"{MISREAD[name][1]}; accepted: the output of jcmd PID Thread.print -l, attached as it is"
    )
    assert recording.error == expected


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
    "versions": f"Full thread dump {'(1' * (LONG // 2)}",
}


def test_a_line_may_have_any_length(digester: Digester, tmp_path: Path) -> None:
    for name, line in LONG_LINES.items():
        (tmp_path / name).write_text(f"{loading(0, 1)}{line}\n\n{loading(10, 1)}")
    began_s = time.monotonic()
    read = digester.digest([*tmp_path.iterdir()])
    assert time.monotonic() - began_s < 120
    assert [recording.threads for recording in read.readable] == [2] * len(LONG_LINES)


@pytest.mark.parametrize("name", LOADING)
def test_a_wait_lasts_from_the_first_dump_that_shows_it_to_the_last(
    recordings: Recordings, name: str
) -> None:
    """Five threads wait for a class loader in one of the dumps, one of them in more."""
    recording = recordings[name]
    assert isinstance(recording, Recording)
    (row,) = recording.lock_waits
    assert (row.threads, row.total_ms, row.holders[0].explained_ms) == LOADING[name][1]


@pytest.mark.parametrize("file", IN_DEADLOCK, ids=lambda file: file.stem)
def test_a_deadlock_is_named(alone: Read, file: Path) -> None:
    answer = alone[file.name]
    assert isinstance(answer, Diagnosis)
    assert list_bugs(answer) == [] and answer.shows
    assert len(answer.deadlocks) == 2
    assert all(sentence.startswith("Deadlock: ") for sentence in answer.deadlocks)


@pytest.mark.parametrize("file", HEALTHY, ids=lambda file: file.name)
def test_of_a_healthy_program_nothing_is_named(alone: Read, file: Path) -> None:
    answer = alone[file.name]
    assert isinstance(answer, Diagnosis)
    assert not answer.shows and answer.threads > 5


def parts(name: str) -> list[str]:
    """Each dump of a stored file."""
    text = gzip.decompress((DUMPS / f"{name}.txt.gz").read_bytes()).decode()
    return re.split(r"(?m)^(?=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$)", text)[1:]


def split(name: str, folder: Path) -> list[Path]:
    """A file for each dump of a stored one."""
    files = {folder / f"{name}-{n}.txt": part for n, part in enumerate(parts(name))}
    for file, part in files.items():
        file.write_text(part)
    return [*files]


def texts() -> dict[str, str]:
    """Files of the tests by name, each of another process."""
    monitors, locks = parts("8276660-17.0.3"), parts("8263743-11.0.13")
    stamps = ("2026-11-24 02:00:00", "2026-11-24 02:00:02")
    texts_by_name = {
        "one": locks[0],
        "one-and-a-head": f"{locks[0]}\n2026-12-31 00:00:00\nFull thread dump of HotSpot:\n",
        "one-without-owner": OWNABLE.sub("\n", locks[0]),
        "one-of-another-bug": monitors[0],
        "cut": monitors[0][: len(monitors[0]) // 2],
    }
    texts_by_name = {
        # What tells a process from another.
        name: re.sub(r'(?m)^("VM Thread" .*\btid=)\w+', rf"\g<1>0x{n + 1:x}", text)
        for n, (name, text) in enumerate(texts_by_name.items())
    }
    texts_by_name |= {name: "".join(dumps) for name, (dumps, _) in LOADING.items()}
    texts_by_name["exiting"] = "\n".join(f"{stamp}\n{EXITING}" for stamp in stamps)
    texts_by_name["two"] = "".join(monitors + locks)
    return texts_by_name


def test_files_of_one_process_are_read_as_one_and_others_apart(
    digester: Digester, ledger: Ledger, tmp_path: Path
) -> None:
    first = split("8276660-17.0.3", tmp_path)
    second = split("8263743-11.0.13", tmp_path)
    digest = digester.digest([first[2], second[0], first[0], first[1], second[2]])
    first_answer, second_answer = (diagnosis(read, ledger) for read in digest.recordings)
    assert [list_bugs(first_answer), list_bugs(second_answer)] == [["JDK-8276660"], ["JDK-8263743"]]
    assert isinstance(first_answer, Diagnosis)
    assert isinstance(second_answer, Diagnosis)
    assert (first_answer.dumps, second_answer.dumps) == (3, 2)
    assert first_answer.duration_ms >= 3000


def test_dumps_of_two_processes_in_one_file_are_refused(alone: Read) -> None:
    answer = alone["two"]
    assert isinstance(answer, Unreadable)
    assert answer.error == "has thread dumps of 2 JVMs; accepted: a file for each"


def list_probable(answer: Diagnosis | Unreadable) -> list[str]:
    assert isinstance(answer, Diagnosis)
    return [bug.bug for bug in answer.bugs if bug.suspicion]


def test_one_dump_makes_a_bug_probable(alone: Read) -> None:
    answer = alone["one"]
    assert list_bugs(answer) == []
    assert list_probable(answer) == ["JDK-8263743"]
    assert isinstance(answer, Diagnosis)
    assert answer.shows
    assert any("that takes two dumps" in sentence for sentence in answer.hidden)
    assert list_probable(alone["one-and-a-head"]) == ["JDK-8263743"]
    assert list_probable(alone["one-without-owner"]) == ["JDK-8263743"]
    # Its rule has no frame of an owner: how long is all that tells, and three threads are few.
    assert list_probable(alone["one-of-another-bug"]) == []


@pytest.mark.parametrize("name", NO_DUMPS)
def test_what_is_no_dump_is_one_line(alone: Read, name: str) -> None:
    answer = alone[name]
    assert isinstance(answer, Unreadable)
    assert NO_DUMPS[name][1] in answer.error and "\n" not in answer.error


def test_a_cut_dump_says_what_it_has(alone: Read) -> None:
    answer = alone["cut"]
    assert isinstance(answer, Diagnosis)
    assert 0 < answer.threads < 17


def locks(build: str) -> Path:
    return DUMPS / f"locks-{build}.json.gz"


@pytest.mark.parametrize("build", WITH_LOCKS)
def test_a_json_dump_says_who_waits_for_whom(recordings: Recordings, build: str) -> None:
    recording = recordings[locks(build).name]
    assert isinstance(recording, Recording)
    rows = {row.frame: row for row in recording.lock_waits}
    assert {frame: row.threads for frame, row in rows.items()} == {
        "Locks.wantM": 3,
        "Locks.wantL": 3,
    }  # a virtual thread is among each
    (monitors,) = rows["Locks.wantM"].holders
    assert (monitors.thread, monitors.frame, monitors.inferred) == (
        "holder-M",
        "Locks.holdM",
        False,
    )
    (holder,) = rows["Locks.wantL"].holders
    assert holder.inferred is (build == "25.0.2")
    assert holder.inferred or holder.thread == "holder-L"


def test_a_json_dump_without_locks_has_those_that_the_frames_show(recordings: Recordings) -> None:
    recording = recordings[locks(WITHOUT_LOCKS).name]
    assert isinstance(recording, Recording)
    (row,) = recording.lock_waits
    assert (row.frame, row.threads) == ("Locks.wantL", 3)
    (sentence,) = recording.unread
    assert sentence.startswith("This JSON names no locks and no states, as it does since 25: ")


@pytest.mark.parametrize("share", CUT_SHARES)
def test_a_cut_json_dump_is_one_line(alone: Read, share: float) -> None:
    answer = alone[f"{share}.json"]
    assert isinstance(answer, Unreadable)
    assert answer.error == "is JSON that is cut short"

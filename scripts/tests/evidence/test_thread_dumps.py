# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are waiters, owners and deadlocks read right from dumps of real JVMs, 8 to 25?

`fixtures/hangs/dumps` are dumps of HangsInDeadlock.java, named for the build; `.sigquit` was
printed by the JVM itself after SIGQUIT.
"""

from pathlib import Path

import pytest

from jdkmatrix.evidence.hang import hang_of, read_hangs
from jdkmatrix.evidence.thread_dumps import ThreadDump, parse_thread_dumps

DUMPS = Path(__file__).resolve().parents[1] / "fixtures" / "hangs" / "dumps"
FILES = sorted(DUMPS.glob("*.txt"))
SYNC = "java.util.concurrent.locks.ReentrantLock$NonfairSync"


def dump(file: Path) -> ThreadDump:
    (one,) = parse_thread_dumps(file.read_text())
    return one


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_both_deadlocks_and_the_queue(file: Path) -> None:
    hang = hang_of([dump(file)] * 3)
    cycles = {frozenset((t.thread, t.lock_class, t.owner) for t in c) for c in hang.deadlocks}
    left, right = "takes left, then right", "takes right, then left"
    first, second = "takes first, then second", "takes second, then first"
    assert cycles == {
        frozenset({(left, "HangsInDeadlock$Right", right), (right, "HangsInDeadlock$Left", left)}),
        frozenset({(first, SYNC, second), (second, SYNC, first)}),
    }
    (queue,) = hang.queues
    assert sorted(queue.threads) == [f"queues for it {n}" for n in (1, 2, 3)]
    assert (queue.owner, queue.lock_class) == ("sleeps with it", "HangsInDeadlock$Slept")
    assert queue.waits_in == "HangsInDeadlock.enter"
    assert queue.owner_in is not None
    assert queue.owner_in.startswith("java.lang.Thread.sleep")


def test_six_builds_were_recorded() -> None:
    assert len(FILES) == 6


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_a_thread_in_object_wait_neither_owns_nor_wants_its_monitor(file: Path) -> None:
    main = next(t for t in dump(file).threads if t.name == "main")
    assert main.state == "WAITING"
    assert main.wants is None
    assert not main.owns


def test_idle_parks_are_no_waits_for_a_lock() -> None:
    text = """Full thread dump OpenJDK 64-Bit Server VM (17.0.3+7 mixed mode):

"pool-1-thread-1" #9 prio=5 os_prio=0 tid=0x1 nid=0x2 waiting on condition  [0x3]
   java.lang.Thread.State: WAITING (parking)
\tat jdk.internal.misc.Unsafe.park(java.base@17.0.3/Native Method)
\t- parking to wait for  <0x10> (a java.util.concurrent.locks.AbstractQueuedSynchronizer$\
ConditionObject)
\tat java.util.concurrent.LinkedBlockingQueue.take(java.base@17.0.3/Unknown Source)
"""
    (only,) = parse_thread_dumps(text)
    assert [thread.wants for thread in only.threads] == [None]


def test_only_what_stands_still_counts() -> None:
    before = dump(DUMPS / "temurin-17.0.3+7.txt")
    moved = ThreadDump(tuple(t for t in before.threads if t.name != "queues for it 2"))
    still = hang_of([moved, before]).queues[0].threads
    assert sorted(still) == ["queues for it 1", "queues for it 3"]


def test_the_sentence_names_threads_locks_and_owners() -> None:
    sentence = hang_of([dump(DUMPS / "debian-8u504-ga.txt")]).sentence
    assert (
        "'takes right, then left' waits in HangsInDeadlock.enter for a HangsInDeadlock$Left"
        " that 'takes left, then right' has" in sentence
    )
    assert (
        "3 threads wait in HangsInDeadlock.enter for a HangsInDeadlock$Slept that"
        " 'sleeps with it' has, which is in java.lang.Thread.sleep." in sentence
    )
    assert "\n" not in sentence


def test_a_hang_without_a_lock_says_where_main_is() -> None:
    whole = dump(DUMPS / "temurin-17.0.3+7.txt")
    alone = ThreadDump(tuple(t for t in whole.threads if t.wants is None))
    assert hang_of([alone]).sentence == (
        "No thread waits for a lock. The main thread is in java.lang.Object.wait,"
        " called by HangsInDeadlock.main."
    )


def test_files_are_told_apart_by_process(tmp_path: Path) -> None:
    text = (DUMPS / "temurin-17.0.3+7.txt").read_text()
    for name in ("hang-7-threads-1.txt", "hang-7-threads-2.txt", "hang-8-threads-1.txt"):
        (tmp_path / name).write_text(text)
    (tmp_path / "hang-7-recording.txt").write_text(text)
    (tmp_path / "A.jtr").write_text("#Test Results\nno dump in here\n")
    hangs = read_hangs(tmp_path, [path.name for path in tmp_path.iterdir()])
    assert [(hang.pid, hang.dumps) for hang in hangs] == [(7, 2), (8, 1)]


def test_garbage_has_no_dump() -> None:
    assert parse_thread_dumps("\x00\xff" * 50 + '"x" #1\n\tat a.b(c)\n') == ()
    assert parse_thread_dumps("Full thread dump X:\n\ngarbage") == (ThreadDump(()),)

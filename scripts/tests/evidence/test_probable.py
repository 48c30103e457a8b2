# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which bugs are probable by dumps that prove nothing, and on which builds that is never said."""

from collections.abc import Mapping
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.evidence.digest import Digester, Recording
from jdkmatrix.grading.diagnosis import BugDiagnosis, diagnose
from jdkmatrix.report.console.diagnosed import print_diagnosis
from tests.conftest import FIXTURES
from tests.evidence.dump_texts import READ, READ_8, Thread, dump, dumps, monitor_waiter, parking

pytestmark = pytest.mark.jdk

CACHE = "sun.net.www.http.KeepAliveCache"
CLOSING = (*READ_8[:3], "sun.security.ssl.SSLSocketImpl$AppInputStream.deplete", *READ_8[3:])
CLOSER = Thread("Keep-Alive-Timer", (*CLOSING, f"{CACHE}.run"), cpu="")
WAITERS = [monitor_waiter(f"w{n}", "c1", CACHE, f"{CACHE}.get", "shop.A.b") for n in range(3)]
OWNER = Thread("owner", CLOSER.frames, owns=f"locked <0xc1> (a {CACHE})", cpu="")
SLEEPER = Thread("owner", ("java.lang.Thread.sleep", f"{CACHE}.run"), owns=OWNER.owns)
LOCKED_OUT = "sun.security.ssl.SSLSocketImpl.getSSLParameters"
GET_SERVICE = "java.security.Provider.getService"
FINALIZER = Thread("Finalizer", (*CLOSING, "sun.security.ssl.BaseSSLSocketImpl.finalize"))
SPINNER = ("sun.security.ssl.SSLEngineImpl.wrap", "javax.net.ssl.SSLEngine.wrap", "shop.Wire.flush")
OCSP = (*READ, "sun.security.provider.certpath.OCSP.getOCSPBytes", "shop.Certs.check")
CARRIER = ("jdk.internal.vm.Continuation.run", "java.lang.VirtualThread.runContinuation")
DEPLETE = (
    "java.net.Socket$SocketInputStream.read",
    "sun.security.ssl.SSLSocketInputRecord.deplete",
    "sun.security.ssl.SSLSocketImpl$AppInputStream.deplete",
    "sun.security.ssl.SSLSocketImpl.bruteForceCloseInput",
    "sun.security.ssl.SSLSocketImpl.close",
)
CLOSE = (*READ[:2], *DEPLETE)
TIMED_CLOSE = (READ[0], "sun.nio.ch.NioSocketImpl.timedRead", READ[1], *DEPLETE)
DRAIN = (*READ, *DEPLETE[:2], "sun.security.ssl.SSLSocketImpl.closeSocket", "shop.A.b")
CLOSING_8 = (*READ_8, "shop.A.b")
FINALIZE = "sun.security.ssl.BaseSSLSocketImpl.finalize"
SKIP = "sun.security.ssl.SSLSocketImpl$AppInputStream.skip"
TLS_READER = Thread(
    "reader",
    (*READ, "sun.security.ssl.SSLSocketImpl$AppInputStream.read", "shop.A.b"),
    owns="locked <0x9> (a shop.A)\n\n   Locked ownable synchronizers:\n"
    "\t- <0xb1> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)",
)
EXPECT = (*READ, "sun.net.www.protocol.http.HttpURLConnection.expect100Continue", "shop.A.b")
SECOND_READER = ("sun.nio.ch.NioSocketImpl.implRead", "shop.A.b")


def spinning(cpu: str) -> Thread:
    return Thread("nio-1", SPINNER, cpu=cpu)


def carriers(count: int, cpu: str = "cpu=5.00ms elapsed=60.00s ") -> list[Thread]:
    return [Thread(f"ForkJoinPool-1-worker-{n}", CARRIER, cpu=cpu) for n in range(count)]


def virtual_threads(count: int) -> list[Thread]:
    """As in JSON, which has virtual threads, and no CPU times."""
    frames = ("java.lang.VirtualThread.parkOnCarrierThread", "sun.nio.ch.NioSocketImpl.park")
    threads = [parking(f"v{n}", *frames, "shop.A.b") for n in range(count)]
    return [replace(thread, cpu="") for thread in threads]


def look_ups(count: int) -> list[Thread]:
    lock_class = "sun.security.provider.Sun"
    return [monitor_waiter(f"w{n}", "d1", lock_class, GET_SERVICE, "a.B.c") for n in range(count)]


def thread_info(state: str, name: str, *frames: str, rest: str = "") -> str:
    """A thread as ThreadInfo.toString prints it, `rest` in place of its deepest frames."""
    lines = [f"\tat java.base@17.0.3/{frame}(Source.java:7)" for frame in frames]
    return "\n".join([f'"{name}" prio=5 Id={len(name)} {state}', *lines, rest, "", ""])


_ENTER = f'BLOCKED on {CACHE}@a1 owned by "Keep-Alive-Timer" Id=16'
CUT_OWNER = thread_info("RUNNABLE", "Keep-Alive-Timer", *READ[:3], rest="\t...")
WHOLE_OWNER = thread_info("RUNNABLE", "Keep-Alive-Timer", *READ[:3])
THREAD_INFO_WAITER = thread_info(_ENTER, "w-1", f"{CACHE}.get", "shop.A.b")

# By name: the dumps, and the bugs that they make probable.
CASES: dict[str, tuple[str, list[str]]] = {
    "waiters and owner": (dump("25.392-b08", *WAITERS, OWNER), ["JDK-8293562"]),
    "waiters and a closer": (dump("25.392-b08", *WAITERS, CLOSER), ["JDK-8293562"]),
    "an owner that does not close": (dump("25.392-b08", *WAITERS, SLEEPER, CLOSER), []),
    "an owner whose stack is cut": (THREAD_INFO_WAITER + CUT_OWNER, ["JDK-8293562"]),
    "an owner whose stack is whole": (THREAD_INFO_WAITER + WHOLE_OWNER, []),
    "waiters alone": (dump("25.392-b08", *WAITERS), []),
    "fixed": (dump("25.422-b05", *WAITERS, OWNER), []),
    "TLS 1.3 asked for": (dump("25.332-b09", *WAITERS, OWNER), ["JDK-8293562"]),
    "before TLS 1.3": (dump("25.71-b15", *WAITERS, OWNER), []),
    "unknown version": (dump("?", *WAITERS, OWNER), ["JDK-8293562"]),
    "waited in the last dump alone": (
        dump("25.392-b08", CLOSER) + dump("25.392-b08", CLOSER, *WAITERS, second=30),
        ["JDK-8209333"],
    ),
    "no lock named": (
        dump(
            "11.0.13+8",
            *(parking(f"w{n}", LOCKED_OUT, "a.B.c", lock="e1") for n in range(2)),
            Thread("reader", READ),
        ),
        ["JDK-8263743"],
    ),
    "five look-ups": (dump("17.0.3+7", *look_ups(5)), ["JDK-8276660"]),
    "four look-ups": (dump("17.0.3+7", *look_ups(4)), []),
    "finalizer": (dump("11.0.13+8", FINALIZER), ["JDK-8212136"]),
    "finalizer without what it takes": (dump("11.0.2+9", FINALIZER), []),
    "finalizer that computes": (dump("11.0.13+8", Thread("F", FINALIZER.frames[4:])), []),
    "in two dumps of 8": (dumps("25.272-b10", spinning("")), ["JDK-8214418"]),
    "in one dump of 8": (dump("25.272-b10", spinning("")), []),
    "part of its life": (
        dump("11.0.7+10", spinning("cpu=900.00ms elapsed=9.00s ")),
        ["JDK-8214418"],
    ),
    "less of its life": (dump("11.0.7+10", spinning("cpu=890.00ms elapsed=9.00s ")), []),
    "without CPU time": (dumps("11.0.7+10", spinning("cpu=10.00ms elapsed=9.00s ")), []),
    "OCSP, 30 s": (dumps("17.0.4+8", Thread("main", OCSP)), ["JDK-8179502"]),
    "OCSP, 10 s": (dumps("17.0.4+8", Thread("main", OCSP), seconds=(0, 10)), []),
    "OCSP, one dump": (dump("17.0.4+8", Thread("main", OCSP)), []),
    "OCSP, fixed": (dumps("17.0.15+6", Thread("main", OCSP)), []),
    "OCSP, 21": (dumps("21.0.4+7", Thread("main", OCSP)), ["JDK-8347506"]),
    "carriers": (dump("21.0.4+7", *carriers(2)), ["JDK-8338383"]),
    "carriers at work": (dump("21.0.4+7", *carriers(2, "cpu=9000.00ms elapsed=60.00s ")), []),
    "parked on carriers": (dump("21.0.4+7", *virtual_threads(2)), ["JDK-8338383"]),
    "parked on one carrier": (dump("21.0.4+7", *virtual_threads(1)), []),
    "one carrier": (dump("21.0.4+7", *carriers(1)), []),
    "carriers of 25": (dump("25+36", *carriers(2)), []),
    "silent close": (dumps("17.0.9+9", Thread("closer", TIMED_CLOSE)), ["JDK-8209333"]),
    "silent close, 8": (dumps("25.392-b08", Thread("closer", CLOSING_8)), ["JDK-8209333"]),
    "silent close, brief": (
        dumps("17.0.9+9", Thread("closer", TIMED_CLOSE), seconds=(0, 4)),
        [],
    ),
    "close in a handshake": (dumps("25.0.2+10", Thread("closer", CLOSE)), ["JDK-8290005"]),
    "two of them in one dump": (
        dump("25.0.2+10", *(Thread(f"c{n}", CLOSE) for n in range(2))),
        ["JDK-8290005"],
    ),
    "one of them in one dump": (dump("25.0.2+10", Thread("c", CLOSE)), []),
    "three silent closes in one dump": (
        dump("17.0.9+9", *(Thread(f"c{n}", TIMED_CLOSE) for n in range(3))),
        ["JDK-8209333"],
    ),
    "two silent closes in one dump": (
        dump("17.0.9+9", *(Thread(f"c{n}", TIMED_CLOSE) for n in range(2))),
        [],
    ),
    "a drain in one dump": (dump("17.0.2+8", Thread("c", DRAIN)), ["JDK-8274524"]),
    "a drain, fixed": (dump("17.0.3+7", Thread("c", DRAIN)), []),
    "close in a handshake, 21": (dumps("21.0.8+9", Thread("closer", CLOSE)), []),
    "close with a time-out, 25": (dumps("25.0.2+10", Thread("c", TIMED_CLOSE)), ["JDK-8209333"]),
    "skip": (dumps("17.0.9+9", parking("w", SKIP, "shop.A.b", lock="b1")), ["JDK-8315422"]),
    "skip, fixed": (dumps("17.0.13+11", parking("w", SKIP, "shop.A.b", lock="b1")), []),
    "skip while another reads": (
        dumps("17.0.9+9", parking("w", SKIP, "shop.A.b", lock="b1"), TLS_READER),
        [],
    ),
    "100 Continue": (dumps("17.0.9+9", Thread("poster", EXPECT)), ["JDK-8054022"]),
    "100 Continue, 5 s": (dumps("17.0.9+9", Thread("p", EXPECT), seconds=(0, 5)), []),
    "100 Continue, fixed": (dumps("21.0.8+9", Thread("poster", EXPECT)), []),
    "a second reader": (
        dumps("17.0.9+9", parking("w", *SECOND_READER, lock="a1"), seconds=(0, 10)),
        ["JDK-8358496"],
    ),
}


EXPLAINED = "a close that a rule explains"
OF_A_CLOSE = dumps("17.0.9+9", Thread("Finalizer", (*TIMED_CLOSE, FINALIZE)))


@pytest.fixture(scope="module")
def recordings(
    digester: Digester, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, Recording]:
    """What is read of each file."""
    folder = tmp_path_factory.mktemp("probable")
    files = []
    texts = {name: text for name, (text, _) in CASES.items()} | {EXPLAINED: OF_A_CLOSE}
    for number, (name, text) in enumerate(texts.items()):
        files.append(folder / name)
        files[-1].write_text(text.replace("tid=0x00007f0000000100", f"tid=0xf{number + 1:x}"))
    return {Path(recording.file).name: recording for recording in digester.digest(files).readable}


def answers_on(recording: Recording, ledger: Ledger) -> list[BugDiagnosis]:
    """The bugs that are probable."""
    diagnosis = diagnose(recording, ledger, ())
    assert [bug.bug for bug in diagnosis.bugs if bug.finding] == []
    answers = [bug for bug in diagnosis.bugs if bug.suspicion]
    assert diagnosis.shows is bool(answers)
    return answers


@pytest.mark.parametrize("name", CASES)
def test_a_bug_is_probable_on_a_build_that_may_have_it(
    recordings: Mapping[str, Recording], ledger: Ledger, name: str
) -> None:
    answers = answers_on(recordings[name], ledger)
    assert [answer.bug for answer in answers] == CASES[name][1]


def test_it_says_what_is_lacking(recordings: Mapping[str, Recording], ledger: Ledger) -> None:
    sentences = {}
    for name in ("waiters and owner", "waiters and a closer", "finalizer", "OCSP, 30 s"):
        (answer,) = answers_on(recordings[name], ledger)
        assert answer.suspicion
        sentences[name] = answer.suspicion.proof
    twice = "jcmd PID Thread.print -l, twice, 10 s apart, tells for how long"
    assert sentences["waiters and owner"] == f"{twice} they wait."
    assert sentences["waiters and a closer"] == f"{twice} they wait, and who has the lock."
    assert sentences["finalizer"].startswith(f"{twice}: 1.0 s or more")
    assert "scripts/matrix has 8179502 --jdk PATH" in sentences["OCSP, 30 s"]


def test_a_stack_that_a_rule_explains_is_no_hint_at_another_bug(
    recordings: Mapping[str, Recording], ledger: Ledger
) -> None:
    """The close of a socket that nobody closed waits as any close does."""
    bugs = diagnose(recordings[EXPLAINED], ledger, ()).bugs
    answers = {bug.bug for bug in bugs if bug.finding or bug.suspicion}
    assert answers == {"JDK-8212136"}


def test_it_says_that_stacks_are_cut(recordings: Mapping[str, Recording]) -> None:
    unread = {
        name: recordings[f"an owner whose stack is {name}"].unread for name in ("cut", "whole")
    }
    assert unread == {
        "cut": (
            "What is below the eighth frame of 1 stack, as ThreadInfo.toString leaves that out:"
            " jcmd PID Thread.print -l has all.",
        ),
        "whole": (),
    }


def test_an_answer_says_what_to_do_and_what_proves_it(
    recordings: Mapping[str, Recording], ledger: Ledger
) -> None:
    console = Console(file=StringIO(), width=500)
    print_diagnosis(console, [diagnose(recordings["100 Continue"], ledger, ())])
    assert isinstance(console.file, StringIO)
    answer = console.file.getvalue()
    assert "fixed in 17.0.11+1. Update; until then: do not set the request field Expect." in answer
    assert (
        "What proves it: no dump does; scripts/matrix has 8054022 --jdk PATH tells whether the"
        " build has it."
    ) in answer
    assert "What else looks so: a server that does send 100 Continue, but late." in answer


TRAPPED = sorted((FIXTURES / "dumps").glob("trapped-*"))


def test_one_plain_dump_of_a_real_service_names_the_bug_it_is_stuck_in(
    digester: Digester, ledger: Ledger
) -> None:
    """Two calls of the digest, as files of one process are read as one: two are of one build."""
    answers = {}
    half = len(TRAPPED) // 2 + 1
    for files in (TRAPPED[:half], TRAPPED[half:]):
        for recording in digester.digest(files).readable:
            name = Path(recording.file).name
            answers[name] = [answer.bug for answer in answers_on(recording, ledger)]
    assert answers == {file.name: [f"JDK-{file.name.split('-')[1]}"] for file in TRAPPED}
    bugs_with_rule = {bug.id for bug in ledger.bugs if bug.evidence}
    assert {bug for bugs in answers.values() for bug in bugs} == bugs_with_rule

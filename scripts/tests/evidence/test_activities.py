# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is said of what threads do: by the frames of dumps, and by the waits of a recording."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from jdkmatrix.config.recording_rules import ActivityRule, load_activities
from jdkmatrix.errors import UsageError
from jdkmatrix.evidence.activities import activities, rule_of
from jdkmatrix.evidence.digest import Digester, Recording
from jdkmatrix.words.threads import activity_sentences, deadlock_sentences
from tests.evidence.dump_texts import PARKED, READ, Thread, dump, dumps, monitor_waiter, parking

pytestmark = pytest.mark.jdk

HANDSHAKE = (*READ, "sun.security.ssl.SSLSocketImpl.startHandshake", "shop.Prices.fetch")
POOL = ("org.apache.http.pool.AbstractConnPool.getPoolEntryBlocking", "shop.Prices.fetch")
LOOKUP = (
    "java.net.Inet6AddressImpl.lookupAllHostAddr",
    "java.net.InetAddress$NameServiceAddresses.get",
    "shop.Prices.fetch",
)
IDLE = ("java.util.concurrent.ThreadPoolExecutor.getTask", "java.lang.Thread.run")
LDAP = "com.sun.jndi.ldap.pool.Connections.removePooledConnection"
SEND = ("jdk.internal.net.http.HttpClientImpl.send", "shop.Prices.fetch")
SELECTOR = Thread(
    "HttpClient-1-SelectorManager",
    ("sun.nio.ch.EPoll.wait", "jdk.internal.net.http.HttpClientImpl$SelectorManager.run"),
)


def initializing_before_17(class_name: str) -> Thread:
    """A thread in the initializer of a class that waits for another one; no line says which."""
    return Thread(class_name, (f"shop.{class_name}.<clinit>",), head="in Object.wait() ")


def initializing(name: str, class_name: str, needed_class: str) -> Thread:
    """A thread that initializes a class, and waits for another."""
    waits = f"waiting on the Class initialization monitor for shop.{needed_class}"
    return Thread(name, (f"shop.{class_name}.<clinit>", "shop.Main.run"), waits=waits)


# By name: the dumps, and parts of the sentences on them, in order.
DUMPS = {
    "idle": (
        dumps(
            "25.0.2+10",
            parking("delays", "java.util.concurrent.DelayScheduler.loop"),
            Thread("udp", ("sun.nio.ch.DatagramChannelImpl.receive", "shop.Wire.run")),
            Thread("reaper", ("java.lang.UNIXProcess.waitForProcessExit", "java.lang.Thread.run")),
            parking("scheduler", "org.quartz.core.QuartzSchedulerThread.run"),
        ),
        ["4 threads idle."],
    ),
    "a lock without a name": (
        dumps(
            "17.0.9+9",
            Thread("w", ("sun.x.Cache.get", "sun.x.Cache.open", "a.B.c"), state="BLOCKED"),
        ),
        ["'w' sat 30 s in Cache.get, waiting for a lock."],
    ),
    "handshake": (
        dumps("17.0.9+9", *(Thread(f"http-{n}", HANDSHAKE) for n in range(20))),
        ["20 threads sat 30 s in SSLSocketImpl.startHandshake, waiting for the peer. The read"],
    ),
    "pool": (
        dumps(
            "17.0.9+9",
            *(parking(f"http-{n}", *POOL) for n in range(20)),
            *(parking(f"pool-{n}", *IDLE) for n in range(3)),
            Thread(
                "http-r", (*READ, "sun.security.ssl.SSLSocketImpl$AppInputStream.read", "a.B.c")
            ),
        ),
        [
            "20 threads sat 30 s in org.apache.http.pool.AbstractConnPool.getPoolEntryBlocking, "
            "waiting for a connection of the pool.",
            "'http-r' sat 30 s in SSLSocketImpl$AppInputStream.read, waiting for the peer.",
            "3 threads idle.",
        ],
    ),
    "inferred owner": (
        dumps(
            "17.0.9+9",
            Thread("http-0", LOOKUP),
            *(parking(f"http-{n}", LOOKUP[1], "a.B.c", lock="e5") for n in (1, 2)),
        ),
        [
            "2 threads sat 30 s in InetAddress$NameServiceAddresses.get, waiting for a "
            "ReentrantLock$NonfairSync held by 'http-0' (inferred), which is in "
            "Inet6AddressImpl.lookupAllHostAddr, looking up a name.",
            "'http-0' sat 30 s in Inet6AddressImpl.lookupAllHostAddr, looking up a name.",
        ],
    ),
    "unnamed owner": (
        dumps(
            "21.0.8+9", parking("Thread-0", LDAP, lock="e3"), parking("Thread-1", LDAP, lock="e3")
        ),
        [
            "2 threads sat 30 s in Connections.removePooledConnection, waiting for a "
            "ReentrantLock$NonfairSync, whose owner is not named: jcmd PID Thread.print -l names"
            " it. The lock of the LDAP pool may be held while a connection is made and bound"
        ],
    ),
    "named owner, one dump": (
        dump(
            "17.0.9+9",
            monitor_waiter("buyer", "b1", "java.lang.Object", "shop.Till.pay"),
            Thread(
                "owner",
                ("java.lang.Thread.sleep", "shop.Till.count"),
                "TIMED_WAITING (sleeping)",
                owns="locked <0xb1> (a java.lang.Object)",
            ),
        ),
        [
            "'buyer' is in shop.Till.pay, waiting for a java.lang.Object held by 'owner', which is "
            "in Thread.sleep.",
            "1 thread idle.",
        ],
    ),
    "class initialization": (
        dump(
            "17.0.9+9", initializing("one", "Rates", "Taxes"), initializing("two", "Taxes", "Rates")
        ),
        [
            "'one' is in shop.Rates.<clinit>, waiting for the initialization of shop.Taxes by"
            " 'two', which is in shop.Taxes.<clinit>."
        ],
    ),
    "class initialization before 17": (
        dump("11.0.9+9", Thread("one", ("shop.Rates.<clinit>",), head="in Object.wait() ")),
        ["'one' is in shop.Rates.<clinit>, waiting for a class that another thread initializes."],
    ),
    "two class initializations before 17": (
        dump("11.0.9+9", *(initializing_before_17(name) for name in ("Rates", "Taxes"))),
        [
            "'Rates' is in shop.Rates.<clinit>, waiting for the initialization of shop.Taxes by"
            " 'Taxes', which is in shop.Taxes.<clinit>."
        ],
    ),
    "three class initializations before 17": (
        dump("11.0.9+9", *(initializing_before_17(name) for name in ("Rates", "Taxes", "Fees"))),
        ["'Rates' is in shop.Rates.<clinit>, waiting for a class that another thread initializes."],
    ),
    "selector lives": (
        dump("17.0.9+9", parking("client", *SEND), SELECTOR),
        [
            "'client' is in HttpClientImpl.send, waiting for a reply. HttpRequest.Builder",
            "1 thread i",
        ],
    ),
    "selector gone": (
        dump("17.0.9+9", parking("client", *SEND)),
        ["'client' is in HttpClientImpl.send, waiting for a reply; no selector of java.net.http"],
    ),
    "many": (
        dump("17.0.9+9", *(Thread(f"t{n}", (f"shop.Till.pay{n}",)) for n in range(8))),
        [*(f"'t{n}' is in shop.Till.pay{n}, running." for n in range(5)), "3 threads elsewhere."],
    ),
}


@pytest.fixture(scope="module")
def rules(root: Path) -> tuple[ActivityRule, ...]:
    return load_activities(root / "jtreg" / "rules" / "threads")


@pytest.fixture(scope="module")
def recordings(
    digester: Digester, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, Recording]:
    """What is read of each file, by two JVMs of the digest: files of one process are one."""
    folder = tmp_path_factory.mktemp("doing")
    files = []
    for number, (name, (text, _)) in enumerate(DUMPS.items()):
        files.append(folder / name)
        files[-1].write_text(text.replace("tid=0x00007f0000000100", f"tid=0x{number + 1:x}"))
    return {Path(recording.file).name: recording for recording in digester.digest(files).readable}


@pytest.mark.parametrize("name", DUMPS)
def test_threads_are_told_by_what_they_wait_for(
    recordings: Mapping[str, Recording], rules: tuple[ActivityRule, ...], name: str
) -> None:
    sentences = activity_sentences(*activities(recordings[name], rules))
    starts = DUMPS[name][1]
    assert len(sentences) >= len(starts), sentences
    for sentence, start in zip(sentences, starts, strict=False):
        assert sentence.startswith(start), sentences


def test_two_classes_that_wait_for_one_another_are_a_deadlock(
    recordings: Mapping[str, Recording],
) -> None:
    hang = recordings["class initialization"].hang
    assert hang
    assert deadlock_sentences(hang) == (
        "Deadlock: 'one' waits in shop.Rates.<clinit> for the initialization of shop.Taxes by"
        " 'two'; 'two' waits in shop.Taxes.<clinit> for the initialization of shop.Rates by 'one'.",
    )


def test_up_to_16_a_class_is_that_of_the_only_other_thread_that_initializes_any(
    recordings: Mapping[str, Recording],
) -> None:
    counts = {}
    for number in ("two", "three"):
        hang = recordings[f"{number} class initializations before 17"].hang
        assert hang
        counts[number] = len(hang.deadlocks)
    assert counts == {"two": 1, "three": 0}


def test_a_rule_for_locks_is_for_the_frame_that_wants_one_alone(
    rules: tuple[ActivityRule, ...],
) -> None:
    assert (
        rule_of(("java.lang.Object.hashCode", "sun.security.util.MemoryCache.get"), rules) is None
    )


def test_a_thread_that_moved_has_stood_for_no_time(digester: Digester, tmp_path: Path) -> None:
    inner = ("java.util.ArrayList.add", "shop.Till.count", "shop.Main.run")
    texts = [
        dump("17.0.9+9", Thread("a", inner[n:]), Thread("b", inner), second=10 * n) for n in (0, 1)
    ]
    (tmp_path / "dumps").write_text("".join(texts))
    (recording,) = digester.digest([tmp_path / "dumps"]).readable
    rows = {group.names[0]: group for group in recording.stacks}
    assert (rows["a"].stood_ms, rows["a"].dumps, rows["a"].lasting) == (0, 2, inner[1:])
    assert (rows["b"].stood_ms, rows["b"].dumps, rows["b"].lasting) == (10_000, 2, inner)


def test_the_peer_of_a_recording_is_named(rules: tuple[ActivityRule, ...]) -> None:
    recording = Recording.model_validate(RECORDING)
    handshake, busy, lock = activity_sentences(*activities(recording, rules))
    assert handshake == (
        "3 threads waited up to 4.0 s, 9.0 s in all, in SSLSocketImpl.startHandshake, waiting for"
        " the peer (longest for shop.example:443). The read time-out of the socket, which is none"
        " by default, bounds a handshake."
    )
    assert lock == (
        "2 threads waited up to 2.0 s, 3.0 s in all, in Provider.getService, waiting for a"
        " java.security.Provider held by 'nio-1', which was in Provider.parse."
    )
    assert (
        busy
        == "'nio-1' was busy for 6.0 s in SSLEngineImpl.wrap, called by shop.Wire.flush, mostly."
    )


RECORDING = {
    "file": "app.jfr",
    "pid": 7,
    "jvm": {"version": "17.0.9+9", "name": None, "args": None},
    "start_epoch_ms": 0,
    "duration_ms": 10_000,
    "finished": True,
    "threads": 4,
    "settings": {},
    "timeline": {"bin_ms": 1000, "blocked_threads": []},
    "error": None,
    "waits": [
        {
            "kind": "monitor",
            "lock_class": "java.security.Provider",
            "frame": "java.security.Provider.getService",
            "count": 4,
            "total_ms": 3000,
            "max_ms": 2000,
            "threads": 2,
            "holders": [
                {
                    "thread": "nio-1",
                    "threads": 1,
                    "frame": "java.security.Provider.getService",
                    "waits_in": "java.security.Provider.parse",
                    "path": ["java.security.Provider.parse"],
                    "explained_ms": 3000,
                    "inferred": False,
                }
            ],
        },
        {
            "kind": "jdk.SocketRead",
            "lock_class": None,
            "frame": "sun.security.ssl.SSLSocketImpl.startHandshake",
            "path": HANDSHAKE[:-1],
            "count": 5,
            "total_ms": 9000,
            "max_ms": 4000,
            "threads": 3,
            "longest": {
                "thread": "http-1",
                "host": "shop.example",
                "port": 443,
                "bytes": 5,
                "timeout_ms": 0,
            },
        },
    ],
    "busy": [
        {
            "thread": "nio-1",
            "busy_ms": 6000,
            "places": [
                {
                    "path": ["sun.security.ssl.SSLEngineImpl.wrap", "shop.Wire.flush"],
                    "busy_ms": 6000,
                }
            ],
        }
    ],
}


def test_a_state_and_a_peer_are_needed_where_a_rule_says_so(
    rules: tuple[ActivityRule, ...],
) -> None:
    computing = ("java.math.BigInteger.multiply", *HANDSHAKE[4:])
    assert rule_of(HANDSHAKE, rules) is not None
    assert rule_of(computing, rules) is None
    assert rule_of((PARKED, *POOL), rules, "RUNNABLE") is None
    pool = rule_of((PARKED, *POOL), rules, "WAITING (parking)")
    assert pool and pool.id == "connection-pool"


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        (
            "for-peer: true",
            "for-peer: yess",
            "activities[0].for-peer: input should be a valid bool",
        ),
        ("says: waiting for an OCSP responder", "says: waiting.", "accepted: text without a full"),
        ("id: crl", "id: ocsp", "duplicate id 'ocsp'"),
        ("helper-gone:", "helper-gon:", "unknown key 'helper-gon'; accepted: id, frames"),
        ("    helper: ", "    #", "accepted: helper and helper-gone together"),
    ],
)
def test_a_mistake_in_a_rule_is_one_line(
    root: Path, tmp_path: Path, right: str, wrong: str, says: str
) -> None:
    text = (root / "jtreg" / "rules" / "threads" / "activities.yaml").read_text()
    assert right in text
    (tmp_path / "a.yaml").write_text(text.replace(right, wrong, 1))
    with pytest.raises(UsageError) as error:
        load_activities(tmp_path)
    assert says in str(error.value) and "\n" not in str(error.value)


def test_a_folder_without_rules_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no rules; accepted: a folder with"):
        load_activities(tmp_path)

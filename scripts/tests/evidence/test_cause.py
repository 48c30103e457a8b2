# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is the sentence of cause right, and silent where the recording does not show the bug?"""

from collections.abc import Callable
from typing import Any

import pytest

from jdkmatrix.config.ledger import EvidenceRule, Ledger
from jdkmatrix.evidence import cause
from jdkmatrix.evidence.cause import Symptom, rule_ms
from jdkmatrix.evidence.digest import (
    PINNED,
    BusyPlace,
    BusyThread,
    Holder,
    Jvm,
    LongestCall,
    Recording,
    Timeline,
    Wait,
    parse_digest,
)
from jdkmatrix.evidence.places import longest_wait
from jdkmatrix.words.waiting import longest_waiting, symptom_sentence
from tests.conftest import FIXTURES

EVIDENCE = FIXTURES / "evidence"
CACHE = "sun.net.www.http.KeepAliveCache"
CLOSE = "sun.security.ssl.SSLSocketImpl.close"


def in_words(
    show: Callable[[Recording, EvidenceRule], Symptom | None],
) -> Callable[[Recording, EvidenceRule], str | None]:
    """What a recording shows, as a sentence."""

    def words_of(recording: Recording, rule: EvidenceRule) -> str | None:
        symptom = show(recording, rule)
        return symptom_sentence(symptom) if symptom else None

    return words_of


cause_of = in_words(cause.cause_of)
slow_cause_of = in_words(cause.slow_cause_of)
busy_cause_of = in_words(cause.busy_cause_of)


def rule(**options: Any) -> EvidenceRule:
    keys = {key.replace("_", "-"): setting for key, setting in options.items()}
    return EvidenceRule.model_validate({"bound-source": "a test", **keys})


CLOSED_UNDER_LOCK = rule(
    blocked_in=(f"{CACHE}.get", f"{CACHE}.put"), held_in=(CLOSE,), min_blocked_ms=100
)


@pytest.mark.parametrize(
    ("fixture", "expected"),
    [
        (
            "temurin-11.0.13+8.blocked.json",
            "12 threads waited 48 s to enter KeepAliveCache.get and put while one thread"
            " (Keep-Alive-Timer) sat in SSLSocketImpl.close",
        ),
        (
            "temurin-11.0.13+8.queue.json",
            "10 threads waited 20 s to enter KeepAliveCache.put while one thread at a time sat in"
            " SSLSocketImpl.close",
        ),
        (
            "temurin-17.0.3+7.blocked.json",
            "12 threads waited 48 s to enter KeepAliveCache.get and put while one thread"
            " (Keep-Alive-Timer) sat in SSLSocketImpl.close (holder inferred)",
        ),
        (
            "temurin-17.0.3+7.pause.json",
            "4 threads waited 12 s to enter KeepAliveCache.get and put while one thread"
            " (first-request) sat in SSLSocketImpl.close (holder inferred)",
        ),
        (
            "temurin-17.0.3+7.queue.json",
            "10 threads waited 19 s to enter KeepAliveCache.put while one thread at a time sat in"
            " SSLSocketImpl.close (holder inferred)",
        ),
        (
            "temurin-11.0.13+8.pause.json",
            "4 threads waited 12 s to enter KeepAliveCache.get while one thread (first-request)"
            " sat in SSLSocketImpl.close",
        ),
        ("temurin-11.0.13+8.disconnect.json", None),
        ("temurin-17.0.9+9.blocked.json", None),
        ("temurin-17.0.9+9.queue.json", None),
        ("debian-11.0.24+8.blocked.json", None),
        ("debian-8u504-ga.queue.json", None),
        ("debian-8u504-ga.load.json", None),
    ],
)
def test_real_recordings(fixture: str, expected: str | None, ledger: Ledger) -> None:
    (recording,) = parse_digest((EVIDENCE / fixture).read_bytes()).readable
    rule = ledger.bug("JDK-8293562").evidence
    assert rule is not None
    assert cause_of(recording, rule) == expected


@pytest.mark.parametrize(
    ("fixture", "least_ms", "most_ms"),
    [
        ("temurin-17.0.3+7.blocked.json", 40_000, 50_000),
        ("temurin-11.0.13+8.queue.json", 15_000, 25_000),
        ("temurin-11.0.13+8.disconnect.json", 1_000, 60_000),  # for the peer, with no lock
        ("temurin-17.0.9+9.blocked.json", 0, 0),
        ("debian-8u504-ga.load.json", 0, 20),  # its threads wait in the lock, for class loading
    ],
)
def test_the_time_by_a_rule_tells_affected_builds_from_fixed_ones(
    fixture: str, least_ms: float, most_ms: float, ledger: Ledger
) -> None:
    (recording,) = parse_digest((EVIDENCE / fixture).read_bytes()).readable
    rule = ledger.bug("JDK-8293562").evidence
    assert rule is not None
    assert least_ms <= rule_ms(recording, rule) <= most_ms


def test_a_fixed_build_may_wait_long_for_class_loading_in_the_lock() -> None:
    """Guards the fixture above: it is silent though its threads waited for over 100 ms."""
    text = (EVIDENCE / "debian-8u504-ga.load.json").read_bytes()
    (recording,) = parse_digest(text).readable
    waited_ms = sum(g.total_ms for g in recording.lock_waits if g.frame.startswith(CACHE))
    assert waited_ms > CLOSED_UNDER_LOCK.min_blocked_ms


def holder(explained_ms: float, **changes: Any) -> Holder:
    fields: dict[str, Any] = {
        "thread": "worker",
        "threads": 1,
        "frame": f"{CACHE}.put",
        "waits_in": CLOSE,
        "path": ("java.net.SocketInputStream.read", CLOSE, f"{CACHE}.put"),
        "event": "jdk.SocketRead",
        "host": "127.0.0.1",
        "port": 443,
        "bytes": 0,
        "timeout_ms": 3000,
        "count": 1,
        "explained_ms": explained_ms,
        "inferred": False,
    }
    return Holder(**(fields | changes))


def make_blocked(total_ms: float, *holders: Holder, **changes: Any) -> Wait:
    fields: dict[str, Any] = {
        "kind": "monitor",
        "lock_class": CACHE,
        "frame": f"{CACHE}.put",
        "count": 2,
        "total_ms": total_ms,
        "max_ms": 1.0,
        "threads": 2,
        "thread_ids": (7, 8),
        "holders": holders,
    }
    return Wait(**(fields | changes))


def make_recording(**changes: Any) -> Recording:
    fields: dict[str, Any] = {
        "file": "x.jfr",
        "pid": 1,
        "jvm": Jvm(version="11.0.13+8", name=None, args=None),
        "start_epoch_ms": 0,
        "duration_ms": 1000,
        "finished": True,
        "threads": 9,
        "settings": {},
        "waits": (),
        "timeline": Timeline(bin_ms=1000, blocked_threads=(0,)),
        "error": None,
    }
    return Recording(**(fields | changes))


def sentence(*waits: Wait) -> str | None:
    return cause_of(make_recording(waits=waits), CLOSED_UNDER_LOCK)


def test_get_and_put_monitor_and_lock_are_joined_and_threads_counted_once() -> None:
    text = sentence(
        make_blocked(3000, holder(3000)),
        make_blocked(5000, holder(5000), frame=f"{CACHE}.get", kind="lock", thread_ids=(8, 9)),
    )
    assert text == (
        "3 threads waited 8.0 s to enter KeepAliveCache.get and put while one thread (worker)"
        " sat in SSLSocketImpl.close"
    )


@pytest.mark.parametrize(
    "group",
    [
        pytest.param(make_blocked(99, holder(99)), id="below the bound"),
        pytest.param(make_blocked(0.4), id="nothing"),
        pytest.param(make_blocked(900), id="no holder"),
        pytest.param(make_blocked(900, holder(99)), id="explained part below the bound"),
        pytest.param(make_blocked(900, holder(440)), id="explains less than half"),
        pytest.param(make_blocked(900, holder(900, path=(f"{CACHE}.put",))), id="another holder"),
        pytest.param(make_blocked(900, holder(900), frame="a.B.c"), id="another frame"),
    ],
)
def test_no_sentence(group: Wait) -> None:
    assert sentence(group) is None


@pytest.mark.parametrize(
    ("group", "end"),
    [
        (make_blocked(900, holder(900, threads=3)), "put while one thread at a time sat in"),
        (make_blocked(1000, holder(600)), "put, 600 ms of it while one thread (worker) sat in"),
    ],
)
def test_wording(group: Wait, end: str) -> None:
    assert end in str(sentence(group))


@pytest.mark.parametrize(
    ("named_ms", "inferred_ms", "mark"),
    [(0, 900, "(holder inferred)"), (800, 100, "(holder partly inferred)"), (900, 0, "close")],
)
def test_what_is_inferred_is_marked(named_ms: float, inferred_ms: float, mark: str) -> None:
    holders = [holder(named_ms)] if named_ms else []
    holders += [holder(inferred_ms, inferred=True)] if inferred_ms else []
    assert str(sentence(make_blocked(900, *holders))).endswith(mark)


def test_more_threads_than_are_listed() -> None:
    text = sentence(make_blocked(900, holder(900), threads=5000))
    assert str(text).startswith("5000 threads waited 900 ms")


def test_a_rule_without_a_holder_needs_none() -> None:
    any_holder = CLOSED_UNDER_LOCK.model_copy(update={"held_in": ()})
    text = cause_of(make_recording(waits=(make_blocked(12_000),)), any_holder)
    assert text == "2 threads waited 12 s to enter KeepAliveCache.put"
    text = cause_of(make_recording(waits=(still_waiting(500, threads=1),)), any_holder)
    assert text == (
        "1 thread was still waiting to enter KeepAliveCache.get when the recording ended, at least"
        " 500 ms in all"
    )


def still_waiting(ms: float, threads: int = 5, **changes: Any) -> Wait:
    holder_fields = {
        "thread": "closer",
        "event": None,
        "inferred": True,
        **changes.pop("holder", {}),
    }
    fields: dict[str, Any] = {
        "kind": "lock",
        "lock_class": "java.util.concurrent.locks.ReentrantLock$NonfairSync",
        "frame": f"{CACHE}.get",
        "is_open": True,
        "count": threads,
        "total_ms": ms,
        "max_ms": ms / threads,
        "threads": threads,
        "thread_ids": tuple(range(threads)),
        "holders": (holder(ms, **holder_fields),),
    }
    return Wait(**(fields | changes))


def test_waits_that_ended_and_waits_still_open_are_both_told() -> None:
    text = sentence(make_blocked(900, holder(900)), still_waiting(64_000, threads=64))
    assert text == (
        "2 threads waited 900 ms to enter KeepAliveCache.put while one thread (worker) sat in"
        " SSLSocketImpl.close, and 64 threads were still waiting when the recording ended, at least"
        " 64 s in all"
    )


def test_where_only_an_open_wait_shows_its_holder_that_is_the_cause() -> None:
    text = sentence(make_blocked(900), still_waiting(64_000, holder={"inferred": False}))
    assert text == (
        "2 threads waited 900 ms to enter KeepAliveCache.put, while one thread (closer) sat in"
        " SSLSocketImpl.close, and 5 threads were still waiting when the recording ended, at least"
        " 64 s in all"
    )


def test_of_open_waits_too_it_is_told_that_only_a_part_of_the_holders_is_inferred() -> None:
    by_name = still_waiting(9_000, holder={"inferred": False})
    text = str(sentence(by_name, still_waiting(1_000, frame=f"{CACHE}.put")))
    assert text.endswith("sat in SSLSocketImpl.close (holder partly inferred)")


def test_a_wait_for_a_peer_where_others_wait_for_the_lock_is_no_wait_for_it() -> None:
    any_holder = CLOSED_UNDER_LOCK.model_copy(update={"held_in": ()})
    waits = (slow(2500, frame=f"{CACHE}.put"),)
    assert cause_of(make_recording(waits=waits), any_holder) is None


def test_where_no_wait_ended_the_open_ones_are_the_cause() -> None:
    text = sentence(still_waiting(64_000, threads=64))
    assert text == (
        "64 threads were still waiting to enter KeepAliveCache.get when the recording ended, at"
        " least 64 s in all, while one thread (closer) sat in SSLSocketImpl.close (holder inferred)"
    )


@pytest.mark.parametrize(
    "wait",
    [
        pytest.param(still_waiting(99), id="below the bound"),
        pytest.param(still_waiting(900, frame="a.B.c"), id="another frame"),
        pytest.param(still_waiting(900, holder={"path": ("a.B.c",)}), id="another holder"),
        pytest.param(still_waiting(900, holders=()), id="holder unknown"),
    ],
)
def test_open_waits_of_something_else(wait: Wait) -> None:
    assert sentence(wait) is None


CLOSE_SERVER = rule(slow_in=("sun.net.www.http.HttpClient.closeServer",), min_slow_ms=1000)


def slow(max_ms: float, **changes: Any) -> Wait:
    fields: dict[str, Any] = {
        "kind": "jdk.SocketRead",
        "lock_class": None,
        "frame": CLOSE,
        "path": (
            "java.net.SocketInputStream.read",
            CLOSE,
            "sun.net.www.http.HttpClient.closeServer",
            "java.net.HttpURLConnection.disconnect",
        ),
        "count": 1,
        "total_ms": max_ms,
        "max_ms": max_ms,
        "threads": 1,
        "longest": LongestCall(thread="main", host="127.0.0.1", port=443, bytes=0, timeout_ms=2500),
    }
    return Wait(**(fields | changes))


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (
            slow(2500),
            "1 thread sat 2.5 s in HttpClient.closeServer"
            " (SSLSocketImpl.close, waiting for the peer)",
        ),
        (
            slow(2500, count=3, threads=2),
            "2 threads sat up to 2.5 s in HttpClient.closeServer"
            " (SSLSocketImpl.close, waiting for the peer)",
        ),
        (slow(999), None),
        (slow(2500, path=(CLOSE,)), None),
    ],
)
def test_a_wait_that_delays_nobody_else(row: Wait, text: str | None) -> None:
    assert slow_cause_of(make_recording(waits=(row,)), CLOSE_SERVER) == text


WRAP = "sun.security.ssl.SSLEngineImpl.wrap"
ENCODE = "sun.security.ssl.SSLEngineOutputRecord.encode"
SPINNING = rule(busy_in=(WRAP,), busy_outside=(ENCODE,), min_busy_ms=1000)


def busy(busy_ms: float, *places: tuple[float, tuple[str, ...]]) -> BusyThread:
    return BusyThread(
        thread="event-loop",
        busy_ms=busy_ms,
        places=tuple(BusyPlace(path=path, busy_ms=ms) for ms, path in places),
    )


SPINS = busy(
    2000,
    (900, ("sun.security.ssl.TransportContext.getHandshakeStatus", WRAP)),
    (700, (WRAP,)),
    (400, ("javax.net.ssl.SSLEngineResult.bytesProduced",)),
)
WORKS = busy(2000, (999, (WRAP,)), (900, ("a.Cipher.doFinal", ENCODE, WRAP)))


@pytest.mark.parametrize(
    ("threads", "text"),
    [
        ((SPINS,), "1 thread was busy for 1.6 s in SSLEngineImpl.wrap"),
        ((SPINS, WORKS, SPINS), "2 threads were busy for up to 1.6 s in SSLEngineImpl.wrap"),
        ((WORKS,), None),
        ((busy(999, (999, (WRAP,))),), None),
        ((busy(9000, (4500, (WRAP,))),), None),
        ((), None),
    ],
    ids=["spins", "several", "works", "short", "rarely", "nobody"],
)
def test_a_thread_that_is_busy_and_gets_nothing_done(
    threads: tuple[BusyThread, ...], text: str | None
) -> None:
    expected = text and f"{text}, outside SSLEngineOutputRecord.encode"
    assert busy_cause_of(make_recording(busy=threads), SPINNING) == expected


def test_only_as_the_event_that_the_rule_names() -> None:
    pinned_rule = CLOSE_SERVER.model_copy(update={"slow_over": (PINNED,)})
    recording = make_recording(waits=(slow(2500), slow(2400, kind=PINNED, longest=None)))
    assert slow_cause_of(recording, pinned_rule) == (
        "1 thread sat 2.4 s in HttpClient.closeServer (SSLSocketImpl.close, keeping its carrier)"
    )
    assert slow_cause_of(make_recording(waits=(slow(2500),)), pinned_rule) is None


@pytest.mark.parametrize(
    ("fixture", "text"),
    [
        (
            "temurin-11.0.13+8.disconnect.json",
            "1 thread sat 2.5 s in HttpClient.closeServer"
            " (SSLSocketImpl.close, waiting for the peer)",
        ),
        ("temurin-17.0.9+9.disconnect.json", None),
        ("temurin-17.0.9+9.queue.json", None),
    ],
)
def test_real_recordings_of_a_wait_that_delays_nobody_else(fixture: str, text: str | None) -> None:
    (recording,) = parse_digest((EVIDENCE / fixture).read_bytes()).readable
    assert slow_cause_of(recording, CLOSE_SERVER) == text


def test_without_a_rule_the_longest_waiting_for_a_lock_is_told() -> None:
    short, long = make_blocked(99), make_blocked(2_500, holder(2_000))
    assert longest_wait(make_recording()) is None
    assert longest_wait(make_recording(waits=(short,))) is None
    assert longest_wait(make_recording(waits=(short, long))) == long
    start = f"{long.threads} threads waited 2.5 s to enter {long.frame} while '"
    assert longest_waiting(long).startswith(start)
    open_wait = still_waiting(3_000, threads=1)
    assert longest_wait(make_recording(waits=(long, open_wait))) == open_wait
    start = f"1 thread is still waiting after 3.0 s to enter {open_wait.frame}"
    assert longest_waiting(open_wait).startswith(start)

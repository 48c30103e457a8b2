# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are two sets of recordings compared by what they say, and not by how long they are?"""

from typing import Any

import pytest

from jdkmatrix.evidence.digest import PINNED, Jvm, Recording, Timeline, Wait, parse_digest
from jdkmatrix.evidence.recording_difference import WaitChange, WaitDifference, WaitKind, difference
from jdkmatrix.words.waiting import wait_change
from tests.conftest import FIXTURES

EVIDENCE = FIXTURES / "evidence"
PUT = "sun.net.www.http.KeepAliveCache.put"
GET = "sun.net.www.http.KeepAliveCache.get"


def read(name: str) -> Recording:
    (recording,) = parse_digest((EVIDENCE / name).read_bytes()).readable
    return recording


def rows(old: Recording, new: Recording) -> dict[str, WaitDifference]:
    return {row.frame: row for row in difference([old], [new]) if row.subject is WaitKind.BLOCKED}


def test_what_the_fix_took_away_went() -> None:
    by_frame = rows(read("temurin-11.0.13+8.queue.json"), read("temurin-17.0.9+9.queue.json"))
    assert by_frame[PUT].change is WaitChange.WENT
    assert by_frame[PUT].old.threads >= 10


def test_a_monitor_and_a_lock_in_the_same_frame_are_one_row() -> None:
    by_frame = rows(read("temurin-11.0.13+8.queue.json"), read("temurin-17.0.3+7.queue.json"))
    assert by_frame[PUT].change is WaitChange.SAME
    assert (by_frame[PUT].old.kinds, by_frame[PUT].new.kinds) == (("monitor",), ("lock",))


def test_a_recording_against_itself_has_no_change() -> None:
    recording = read("temurin-17.0.3+7.pause.json")
    assert {row.change for row in difference([recording], [recording])} == {WaitChange.SAME}
    assert {row.change for row in difference([recording, recording], [recording])} == {
        WaitChange.SAME
    }


def make_recording(ms: float, *, duration_ms: float = 1000, open_ms: float = 0) -> Recording:
    shape: dict[str, Any] = {"kind": "lock", "lock_class": "L"}
    ended_wait = Wait(frame=PUT, count=4, total_ms=ms, max_ms=7, threads=3, **shape)
    open_shape = {**shape, "is_open": True, "count": 5, "threads": 5}
    open_wait = Wait(frame=GET, total_ms=open_ms, max_ms=open_ms / 5, **open_shape)
    return Recording(
        file="x.jfr",
        pid=1,
        jvm=Jvm(version=None, name=None, args=None),
        start_epoch_ms=0,
        duration_ms=duration_ms,
        finished=True,
        threads=9,
        settings={},
        waits=(*([ended_wait] if ms else []), *([open_wait] if open_ms else [])),
        timeline=Timeline(bin_ms=1000, blocked_threads=(0,)),
        error=None,
    )


@pytest.mark.parametrize(
    ("before_ms", "after_ms", "change"),
    [
        (0, 500, "appeared"),
        (5, 500, "appeared"),
        (100, 500, "grew"),
        (500, 100, "shrank"),
        (500, 5, "went"),
        (500, 0, "went"),
        (300, 500, "same"),
        (9, 12, "same"),
    ],
)
def test_changes(before_ms: float, after_ms: float, change: str) -> None:
    (row,) = difference([make_recording(before_ms)], [make_recording(after_ms)])
    assert row.change == change


def test_less_than_a_hundredth_of_a_thread_is_nothing() -> None:
    assert difference([make_recording(9)], [make_recording(0)]) == ()
    assert difference([], []) == ()


def test_rates_do_not_depend_on_the_duration() -> None:
    short, long = make_recording(100), make_recording(1000, duration_ms=10_000)
    (row,) = difference([short], [long])
    assert row.change is WaitChange.SAME
    assert row.old.ms_per_s == pytest.approx(row.new.ms_per_s) == 100
    (row,) = difference([short], [make_recording(1000, duration_ms=1000)])
    assert row.change is WaitChange.GREW


def test_waits_still_open_count_and_the_row_says_so() -> None:
    (row,) = difference([make_recording(0)], [make_recording(0, open_ms=5000)])
    assert row.new.still_waiting == 5
    assert wait_change(row) == (
        "appeared: waiting to enter KeepAliveCache.get, none before,"
        " 5000 ms a second by 5 threads (5 still waiting) after"
    )


def test_a_virtual_thread_that_keeps_its_carrier_is_no_row() -> None:
    """What it waits for in a socket has an event of its own, and would count twice."""
    recording = make_recording(0)
    call = {"lock_class": None, "frame": PUT, "count": 1, "threads": 1}
    waits = [
        Wait.model_validate({"kind": kind, "total_ms": 500, "max_ms": 500, **call})
        for kind in (PINNED, "jdk.SocketRead")
    ]
    pinned_recording, read_recording = (
        recording.model_copy(update={"waits": tuple(part)}) for part in (waits[:1], waits)
    )
    assert difference([recording], [pinned_recording]) == ()
    (row,) = difference([recording], [read_recording])
    assert (row.subject, row.change, row.new.ms_per_s) == (WaitKind.SLOW, WaitChange.APPEARED, 500)

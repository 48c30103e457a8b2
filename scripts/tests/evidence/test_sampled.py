# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are sampled thread dumps read into the same words as a recording?"""

from pathlib import Path
from typing import Any

import pytest

from jdkmatrix.config.rules import load_rules
from jdkmatrix.evidence.digest import Recording
from jdkmatrix.evidence.rules import findings
from jdkmatrix.evidence.sampled import parse_samples, recording_of

DUMPS = Path(__file__).resolve().parents[1] / "fixtures" / "hangs" / "dumps"
EVERY_MS = 500
HEADER = "Full thread dump OpenJDK 64-Bit Server VM (17.0.3+7 mixed mode):\n\n"
STATE = "   java.lang.Thread.State: "


def waiter(n: int, wants: bool) -> str:
    head = f'"w{n}" #{n} prio=5 os_prio=0 tid=0x{n} nid=0x{n} x\n'
    if not wants:
        return f"{head}{STATE}RUNNABLE\n\tat app.Main.run(Main.java:1)\n\n"
    return (
        f"{head}{STATE}BLOCKED (on object monitor)\n"
        "\tat sun.net.www.http.KeepAliveCache.get(java.base@17/Unknown Source)\n"
        "\t- waiting to lock <0x10> (a sun.net.www.http.KeepAliveCache)\n"
        "\tat java.net.HttpURLConnection.getInputStream(java.base@17/Unknown Source)\n"
        "\tat app.Main.run(Main.java:1)\n\n"
    )


HOLDER = (
    f'"timer" #9 daemon prio=5 os_prio=0 tid=0x9 nid=0x9 x\n{STATE}RUNNABLE\n'
    "\tat java.net.SocketInputStream.socketRead0(java.base@17/Native Method)\n"
    "\tat sun.security.ssl.SSLSocketImpl.close(java.base@17/Unknown Source)\n"
    "\tat sun.net.www.http.KeepAliveCache.closeAll(java.base@17/Unknown Source)\n"
    "\tat sun.net.www.http.KeepAliveCache.run(java.base@17/Unknown Source)\n"
    "\t- locked <0x10> (a sun.net.www.http.KeepAliveCache)\n"
    "\tat java.lang.Thread.run(java.base@17/Unknown Source)\n\n"
)


def digest(*dumps: str) -> dict[str, Any]:
    text = "".join(
        f"# sampled at {1_000_000 + n * EVERY_MS}\n{HEADER}{dump}" for n, dump in enumerate(dumps)
    )
    return recording_of(parse_samples(text), "samples-7.txt", 7).model_dump(mode="json")


def test_samples_in_a_row_are_one_wait_and_a_gap_makes_two() -> None:
    waits = waiter(1, True) + HOLDER
    read = digest(waits, waits, waiter(1, False) + HOLDER, waits)
    (row,) = read["blocked"]
    assert (row["count"], row["total_ms"], row["max_ms"], row["threads"]) == (2, 1500, 1000, 1)
    assert row["frame"] == "sun.net.www.http.KeepAliveCache.get"
    assert row["entry_frame"] == "java.net.HttpURLConnection.getInputStream"
    assert (row["kind"], row["lock_class"]) == ("monitor", "sun.net.www.http.KeepAliveCache")
    assert read["duration_ms"] == 2000
    assert read["source"] == "sampled"


def test_the_owner_is_named_with_what_it_sits_in() -> None:
    read = digest(*[waiter(1, True) + waiter(2, True) + HOLDER] * 4)
    (row,) = read["blocked"]
    (holder,) = row["holders"]
    assert (holder["thread"], holder["inferred"]) == ("timer", False)
    assert holder["waits_in"] == "sun.security.ssl.SSLSocketImpl.close"
    assert holder["path"][0] == "java.net.SocketInputStream.socketRead0"
    assert holder["frame"] == holder["path"][-1] == "sun.net.www.http.KeepAliveCache.run"
    assert holder["explained_ms"] == row["total_ms"] == 2 * 4 * EVERY_MS
    assert read["timeline"]["blocked_threads"] == [2, 2]


READ_8 = (
    "java.net.SocketInputStream.socketRead0",
    "java.net.SocketInputStream.read",
    "sun.security.ssl.SSLSocketInputRecord.deplete",
    "sun.security.ssl.SSLSocketImpl.close",
)
READ_17 = (
    "sun.nio.ch.Net.poll",
    "sun.nio.ch.NioSocketImpl.park",
    "sun.nio.ch.NioSocketImpl.timedRead",
    "sun.nio.ch.NioSocketImpl.implRead",
    "java.net.Socket$SocketInputStream.read",
    *READ_8[2:],
)
WRITE_17 = (
    "sun.nio.ch.SocketDispatcher.write0",
    "sun.nio.ch.NioSocketImpl.implWrite",
    "java.net.Socket$SocketOutputStream.write",
    "sun.security.ssl.SSLSocketOutputRecord.flush",
)
SLEEP = ("java.lang.Thread.sleep",)


def holder(*frames: str) -> str:
    lines = "".join(f"\tat {frame}(java.base@17/Unknown Source)\n" for frame in frames)
    head, below = HOLDER.index("\tat "), HOLDER.index("\tat sun.net.www")
    return HOLDER[:head] + lines + HOLDER[below:]


@pytest.mark.parametrize(
    ("frames", "event", "waits_in"),
    [
        (READ_8, "jdk.SocketRead", "sun.security.ssl.SSLSocketImpl.close"),
        (READ_17, "jdk.SocketRead", "sun.security.ssl.SSLSocketImpl.close"),
        (WRITE_17, "jdk.SocketWrite", "sun.security.ssl.SSLSocketOutputRecord.flush"),
        (SLEEP, "jdk.ThreadDump", "sun.net.www.http.KeepAliveCache.closeAll"),
    ],
    ids=["read on 8", "read on 17", "write", "sleep"],
)
def test_a_lock_held_over_the_network_is_found_in_samples(
    root: Path, frames: tuple[str, ...], event: str, waits_in: str
) -> None:
    dumps = [waiter(1, True) + waiter(2, True) + holder(*frames)] * 4
    read = digest(*dumps)
    held = read["blocked"][0]["holders"][0]
    assert (held["event"], held["waits_in"]) == (event, waits_in)
    found = findings(Recording.model_validate(read), (), load_rules(root / "jtreg" / "rules"))
    over = [one.sentence for one in found if one.rule == "lock-held-over-network"]
    assert len(over) == (event != "jdk.ThreadDump")


@pytest.mark.parametrize("file", sorted(DUMPS.glob("*.txt")), ids=lambda file: file.stem)
def test_real_dumps_become_a_recording(file: Path) -> None:
    text = file.read_text()
    samples = parse_samples("".join(f"# sampled at {at}\n{text}\n" for at in (0, 500, 1000)))
    read = recording_of(samples, "samples-7.txt", 7)
    by_frame = {(row.frame, row.lock_class): row for row in read.blocked}
    queue = by_frame["HangsInDeadlock.enter", "HangsInDeadlock$Slept"]
    assert (queue.threads, queue.total_ms, queue.count) == (3, 4500, 3)
    assert queue.holders[0].thread == "sleeps with it"
    assert all(row.threads for row in read.blocked)


def test_a_sample_cut_short_is_left_out() -> None:
    assert parse_samples("# sampled at 5\nFull thre") == ()
    with pytest.raises(ValueError, match="no samples"):
        recording_of((), "x", 1)

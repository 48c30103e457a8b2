# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are sampled thread dumps read into the same words as a recording?

`fixtures/hangs/samples` are the threads that matter of real JVMs: of zulu-11.0.7+10, which has no
Flight Recorder, in SocketLockedWhileRecordIsAwaited, and of temurin-17.0.3+7 in
RequestsQueueWhenCacheIsFull.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.recording_rules import load_rules
from jdkmatrix.evidence.cause import slow_cause_of
from jdkmatrix.evidence.digest import Digester, Recording
from jdkmatrix.evidence.findings import findings
from tests.conftest import FIXTURES

pytestmark = pytest.mark.jdk
DUMPS = FIXTURES / "hangs" / "dumps"
SAMPLES = FIXTURES / "hangs" / "samples"
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


# Dumps of one JVM, and what is read of them.
ReadDumps = Callable[..., dict[str, Any]]


@pytest.fixture
def digest(digester: Digester, root: Path, tmp_path: Path) -> ReadDumps:
    def read(*dumps: str, every_ms: int = EVERY_MS) -> dict[str, Any]:
        """Threads, or whole dumps."""
        whole = [dump if "Full thread dump" in dump else HEADER + dump for dump in dumps]
        file = tmp_path / "samples-7.txt"
        file.write_text(
            "".join(
                f"# sampled at {1_000_000 + n * every_ms}\n{dump}" for n, dump in enumerate(whole)
            )
        )
        document = json.loads(digester.digest([file]).model_dump_json(by_alias=True))
        schema = json.loads((root / "jtreg" / "digest" / "digest.schema.json").read_text())
        jsonschema.validate(document, schema)
        (one,) = document["recordings"]
        assert one["pid"] == 7
        return dict(one)

    return read


def test_samples_in_a_row_are_one_wait_and_a_gap_makes_two(digest: ReadDumps) -> None:
    waits = waiter(1, True) + HOLDER
    read = digest(waits, waits, waiter(1, False) + HOLDER, waits)
    (row,) = read["blocked"]
    assert (row["count"], row["total_ms"], row["max_ms"], row["threads"]) == (2, 1500, 1000, 1)
    assert row["frame"] == "sun.net.www.http.KeepAliveCache.get"
    assert row["entry_frame"] == "java.net.HttpURLConnection.getInputStream"
    assert (row["kind"], row["lock_class"]) == ("monitor", "sun.net.www.http.KeepAliveCache")
    assert read["duration_ms"] == 2000
    assert read["source"] == "sampled"


def test_a_sample_stands_for_a_second_at_most(digest: ReadDumps) -> None:
    """So long after the sampler may have been kept waiting, or a JVM have stood still."""
    waits = waiter(1, True) + HOLDER
    read = digest(waits, HOLDER, waits, waits, every_ms=20 * EVERY_MS)
    (row,) = read["blocked"]
    assert (row["count"], row["total_ms"], row["max_ms"]) == (2, 12_000, 11_000)
    assert row["holders"][0]["explained_ms"] == row["total_ms"]


def test_the_owner_is_named_with_what_it_sits_in(digest: ReadDumps) -> None:
    read = digest(*[waiter(1, True) + waiter(2, True) + HOLDER] * 4)
    (row,) = read["blocked"]
    (holder,) = row["holders"]
    assert (holder["thread"], holder["inferred"]) == ("timer", False)
    assert holder["waits_in"] == "sun.security.ssl.SSLSocketImpl.close"
    assert holder["path"][0] == "java.net.SocketInputStream.socketRead0"
    assert holder["frame"] == holder["path"][-1] == "sun.net.www.http.KeepAliveCache.run"
    assert holder["explained_ms"] == row["total_ms"] == 2 * 4 * EVERY_MS
    assert read["timeline"]["blocked_threads"] == [2, 2]


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
    holder = HOLDER[:head] + lines + HOLDER[below:]
    return holder.replace("RUNNABLE", "TIMED_WAITING (sleeping)") if frames == SLEEP else holder


@pytest.mark.parametrize(
    ("frames", "event", "waits_in"),
    [
        (WRITE_17, "jdk.SocketWrite", "sun.security.ssl.SSLSocketOutputRecord.flush"),
        (SLEEP, "jdk.ThreadSleep", "sun.net.www.http.KeepAliveCache.closeAll"),
    ],
    ids=["write", "sleep"],
)
def test_a_lock_held_over_the_network_is_found_in_samples(
    digest: ReadDumps, root: Path, frames: tuple[str, ...], event: str, waits_in: str
) -> None:
    read = digest(*[waiter(1, True) + waiter(2, True) + holder(*frames)] * 4)
    held = read["blocked"][0]["holders"][0]
    assert (held["event"], held["waits_in"]) == (event, waits_in)
    found = findings(Recording.model_validate(read), (), load_rules(root / "jtreg" / "rules"))
    over = [one.sentence for one in found if one.rule == "lock-held-over-network"]
    assert len(over) == (event != "jdk.ThreadSleep")


def read_real(digester: Digester, build: str) -> Recording:
    (read,) = digester.digest([SAMPLES / f"{build}.txt"]).readable
    assert read.source == "sampled"
    return read


def test_a_wait_for_a_peer_lasts_from_the_first_sample_to_the_last(digest: ReadDumps) -> None:
    read = digest(*[HOLDER] * 4, waiter(1, False))
    (slow,) = read["slow"]
    assert (slow["count"], slow["total_ms"], slow["threads"]) == (1, 3 * EVERY_MS, 1)
    assert slow["frame"] == "sun.security.ssl.SSLSocketImpl.close"
    assert digest(HOLDER, waiter(1, False), HOLDER)["slow"] == []


def test_rules_of_bugs_fire_without_a_recorder(digester: Digester, ledger: Ledger) -> None:
    (found,) = findings(read_real(digester, "zulu-11.0.7+10"), ledger.bugs, ())
    assert (found.rule, found.sentence) == (
        "JDK-8263743",
        "1 thread waited 1.0 s to enter SSLSocketImpl.getSSLParameters while one thread (reader)"
        " sat in SSLSocketInputRecord.decode.",
    )


def test_all_rules_fire_on_real_samples(digester: Digester, ledger: Ledger, root: Path) -> None:
    read = read_real(digester, "temurin-17.0.3+7")
    rules = load_rules(root / "jtreg" / "rules")
    assert [found.rule for found in findings(read, ledger.bugs, rules)] == ["JDK-8293562"]
    assert [found.rule for found in findings(read, (), rules)] == ["lock-held-over-network"]
    rule = next(bug.evidence for bug in ledger.bugs if bug.id == "JDK-8293562")
    assert rule
    assert slow_cause_of(read, rule) == (
        "1 thread sat 1.5 s in HttpClient.closeServer (SSLSocketImpl.close, waiting for the peer)"
    )


@pytest.mark.parametrize("file", sorted(DUMPS.glob("*.txt")), ids=lambda file: file.stem)
def test_real_dumps_become_a_recording(digest: ReadDumps, file: Path) -> None:
    read = digest(*[file.read_text()] * 3)
    by_frame = {(row["frame"], row["lock_class"]): row for row in read["blocked"]}
    queue = by_frame["HangsInDeadlock.enter", "HangsInDeadlock$Slept"]
    assert (queue["threads"], queue["total_ms"], queue["count"]) == (3, 4500, 3)
    assert queue["holders"][0]["thread"] == "sleeps with it"
    assert all(row["threads"] for row in read["blocked"])


def test_a_sample_cut_short_is_left_out(digester: Digester, tmp_path: Path) -> None:
    file = tmp_path / "samples-7.txt"
    file.write_text("# sampled at 5\nFull thre")
    (unread,) = digester.digest([file]).unreadable
    assert unread.error == "has no thread dump"

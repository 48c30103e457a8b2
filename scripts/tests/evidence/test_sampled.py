# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are sampled thread dumps read into the same words as a recording?

`fixtures/hangs/samples` are the threads that matter of real JVMs: of zulu-11.0.7+10, which has no
Flight Recorder, in SocketLockedWhileRecordIsAwaited, and of temurin-17.0.3+7 in
RequestsQueueWhenCacheIsFull.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.recording_rules import load_rules
from jdkmatrix.evidence.cause import slow_cause_of
from jdkmatrix.evidence.digest import Digester, Recording, Unreadable
from jdkmatrix.evidence.findings import findings
from jdkmatrix.words.waiting import finding_of, symptom_sentence
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


# The files of samples of all tests, by their text. One digest reads them, as its JVM takes long.
CUT_SHORT = "cut/samples-7.txt"
FILES = {"# sampled at 5\nFull thre": CUT_SHORT}


def make_samples(*dumps: str, every_ms: int = EVERY_MS) -> str:
    """The text of a file of dumps of one JVM, which are threads or whole dumps; it will be read."""
    whole = [dump if "Full thread dump" in dump else HEADER + dump for dump in dumps]
    text = "".join(
        f"# sampled at {1_000_000 + n * every_ms}\n{dump}" for n, dump in enumerate(whole)
    )
    FILES.setdefault(text, f"{len(FILES)}/samples-7.txt")
    return text


Read = Mapping[str, Recording | Unreadable]


@pytest.fixture(scope="module")
def readable(digester: Digester, root: Path, tmp_path_factory: pytest.TempPathFactory) -> Read:
    """What is read of each file, by its path in a folder of ours, or by its name."""
    folder = tmp_path_factory.mktemp("samples")
    for text, name in FILES.items():
        (folder / name).parent.mkdir()
        (folder / name).write_text(text)
    files = [*(folder / name for name in FILES.values()), *sorted(SAMPLES.glob("*.txt"))]
    digest = digester.digest(files)
    schema = json.loads((root / "jtreg" / "tool" / "digest.schema.json").read_text())
    jsonschema.validate(json.loads(digest.model_dump_json(by_alias=True)), schema)
    assert len(digest.recordings) == len(files)
    return {
        str(path.relative_to(folder)) if path.is_relative_to(folder) else path.name: recording
        for path, recording in ((Path(r.file), r) for r in digest.recordings)
    }


# What is read of such a text.
ReadDumps = Callable[[str], dict[str, Any]]


@pytest.fixture
def digest(readable: Read) -> ReadDumps:
    def read(text: str) -> dict[str, Any]:
        document = dict(json.loads(readable[FILES[text]].model_dump_json(by_alias=True)))
        assert document["pid"] == 7
        return document

    return read


def lock_waits(recording: dict[str, Any]) -> list[dict[str, Any]]:
    return [wait for wait in recording["waits"] if wait["lock_class"] is not None]


WAITS = waiter(1, True) + HOLDER
WITH_A_GAP = make_samples(WAITS, WAITS, waiter(1, False) + HOLDER, WAITS)


def test_samples_in_a_row_are_one_wait_and_a_gap_makes_two(digest: ReadDumps) -> None:
    read = digest(WITH_A_GAP)
    (row,) = lock_waits(read)
    assert (row["count"], row["total_ms"], row["max_ms"], row["threads"]) == (2, 1500, 1000, 1)
    assert row["frame"] == "sun.net.www.http.KeepAliveCache.get"
    assert (row["kind"], row["lock_class"]) == ("monitor", "sun.net.www.http.KeepAliveCache")
    assert read["duration_ms"] == 2000
    assert read["source"] == "sampled"


FAR_APART = make_samples(WAITS, HOLDER, WAITS, WAITS, every_ms=20 * EVERY_MS)


def test_a_sample_stands_for_a_second_at_most(digest: ReadDumps) -> None:
    """So long after the sampler may have been kept waiting, or a JVM have stood still."""
    (row,) = lock_waits(digest(FAR_APART))
    assert (row["count"], row["total_ms"], row["max_ms"]) == (2, 12_000, 11_000)
    assert row["holders"][0]["explained_ms"] == row["total_ms"]


TWO_WAIT = make_samples(*[waiter(1, True) + waiter(2, True) + HOLDER] * 4)


def test_the_owner_is_named_with_what_it_sits_in(digest: ReadDumps) -> None:
    read = digest(TWO_WAIT)
    (row,) = lock_waits(read)
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
    head, tail = HOLDER.index("\tat "), HOLDER.index("\tat sun.net.www")
    holder = HOLDER[:head] + lines + HOLDER[tail:]
    return holder.replace("RUNNABLE", "TIMED_WAITING (sleeping)") if frames == SLEEP else holder


def held_in(*frames: str) -> str:
    return make_samples(*[waiter(1, True) + waiter(2, True) + holder(*frames)] * 4)


@pytest.mark.parametrize(
    ("samples", "event", "waits_in"),
    [
        (held_in(*WRITE_17), "jdk.SocketWrite", "sun.security.ssl.SSLSocketOutputRecord.flush"),
        (held_in(*SLEEP), "jdk.ThreadSleep", "sun.net.www.http.KeepAliveCache.closeAll"),
    ],
    ids=["write", "sleep"],
)
def test_a_lock_held_over_the_network_is_found_in_samples(
    digest: ReadDumps, root: Path, samples: str, event: str, waits_in: str
) -> None:
    read = digest(samples)
    lock_holder = lock_waits(read)[0]["holders"][0]
    assert (lock_holder["event"], lock_holder["waits_in"]) == (event, waits_in)
    matches = findings(Recording.model_validate(read), (), load_rules(root / "jtreg" / "rules"))
    sentences = [
        finding_of(finding).sentence
        for finding in matches
        if finding.rule == "lock-held-over-network"
    ]
    assert len(sentences) == (event != "jdk.ThreadSleep")


def read_real(readable: Read, build: str) -> Recording:
    read = readable[f"{build}.txt"]
    assert isinstance(read, Recording)
    assert read.source == "sampled"
    return read


SITS_IN_A_ROW = make_samples(*[HOLDER] * 4, waiter(1, False))
SITS_NOW_AND_THEN = make_samples(HOLDER, waiter(1, False), HOLDER)


def test_a_wait_for_a_peer_lasts_from_the_first_sample_to_the_last(digest: ReadDumps) -> None:
    (slow,) = digest(SITS_IN_A_ROW)["waits"]
    assert (slow["kind"], slow["lock_class"]) == ("jdk.SocketRead", None)
    assert slow["path"][-1] == "sun.net.www.http.KeepAliveCache.run"
    assert (slow["count"], slow["total_ms"], slow["threads"]) == (1, 3 * EVERY_MS, 1)
    assert slow["frame"] == "sun.security.ssl.SSLSocketImpl.close"
    assert digest(SITS_NOW_AND_THEN)["waits"] == []


def test_rules_of_bugs_fire_without_a_recorder(readable: Read, ledger: Ledger) -> None:
    (finding,) = findings(read_real(readable, "zulu-11.0.7+10"), ledger.bugs, ())
    assert (finding.rule, finding_of(finding).sentence) == (
        "JDK-8263743",
        "1 thread waited 1.0 s to enter SSLSocketImpl.getSSLParameters while one thread (reader)"
        " sat in SSLSocketInputRecord.decode.",
    )


def test_all_rules_fire_on_real_samples(readable: Read, ledger: Ledger, root: Path) -> None:
    read = read_real(readable, "temurin-17.0.3+7")
    rules = load_rules(root / "jtreg" / "rules")
    assert [finding.rule for finding in findings(read, ledger.bugs, rules)] == ["JDK-8293562"]
    assert [finding.rule for finding in findings(read, (), rules)] == ["lock-held-over-network"]
    rule = next(bug.evidence for bug in ledger.bugs if bug.id == "JDK-8293562")
    assert rule
    symptom = slow_cause_of(read, rule)
    assert symptom and symptom_sentence(symptom) == (
        "1 thread sat 1.5 s in HttpClient.closeServer (SSLSocketImpl.close, waiting for the peer)"
    )


REAL = {file.stem: make_samples(*[file.read_text()] * 3) for file in sorted(DUMPS.glob("*.txt"))}


@pytest.mark.parametrize("build", REAL)
def test_real_dumps_become_a_recording(digest: ReadDumps, build: str) -> None:
    read = digest(REAL[build])
    by_frame = {(row["frame"], row["lock_class"]): row for row in lock_waits(read)}
    queue = by_frame["HangsInDeadlock.enter", "HangsInDeadlock$Slept"]
    assert (queue["threads"], queue["total_ms"], queue["count"]) == (3, 4500, 3)
    assert queue["holders"][0]["thread"] == "sleeps with it"
    assert all(row["threads"] for row in lock_waits(read))


def test_a_sample_cut_short_is_left_out(readable: Read) -> None:
    unread = readable[CUT_SHORT]
    assert isinstance(unread, Unreadable)
    assert unread.error == "has no thread dump"

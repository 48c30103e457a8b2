# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Do rules fire on real recordings of affected builds, and stay silent on all others?"""

from pathlib import Path
from typing import Any

import pytest

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.recording_rules import GenericRule, load_rules
from jdkmatrix.evidence.against import RecordingBaseline
from jdkmatrix.evidence.digest import Holder, Recording, Setting, VirtualThreads, Wait, parse_digest
from jdkmatrix.evidence.findings import findings
from jdkmatrix.evidence.unseen import unseen_by_settings
from jdkmatrix.grading.diagnosis import diagnose
from jdkmatrix.vocabulary import Expectation
from jdkmatrix.words.unseen import unseen_sentence
from jdkmatrix.words.waiting import finding_of
from tests.conftest import FIXTURES

EVIDENCE = FIXTURES / "evidence"
AFFECTED = ("temurin-11.0.13+8", "temurin-17.0.3+7")
OF_PROGRAM = {
    "finalizer": ["JDK-8212136"],
    "record": ["JDK-8263743"],
    "lookup": ["JDK-8276660"],
    # A load of the client shows two bugs; its timer waits where no bug's rule looks.
    "sample": ["JDK-8293562", "JDK-8276660", "generic"],
}
FIXED = ("temurin-21.0.8+9",)
CACHE = "sun.security.util.MemoryCache.get"


def read(name: str) -> Recording:
    (recording,) = parse_digest((EVIDENCE / f"{name}.json").read_text()).readable
    return recording


def all_names() -> list[str]:
    return sorted(path.stem for path in EVIDENCE.glob("*.*.json"))


@pytest.fixture(scope="module")
def rules(root: Path) -> tuple[GenericRule, ...]:
    return load_rules(root / "jtreg" / "rules")


@pytest.mark.parametrize("name", all_names())
def test_the_ledgers_bug_shows_on_affected_builds_alone(
    name: str, ledger: Ledger, rules: tuple[GenericRule, ...]
) -> None:
    matches = findings(read(name), ledger.bugs, rules)
    bugs = [finding.bug for finding in matches]
    program = name.rpartition(".")[2]
    if program in OF_PROGRAM:
        assert bugs == ([] if name.startswith(FIXED) else OF_PROGRAM[program])
        return
    # Who disconnects waits for its peer, on no lock: that is for the test itself to tell.
    shows = name.startswith(AFFECTED) and program != "disconnect"
    assert bugs == (["JDK-8293562"] if shows else [])


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (
            "temurin-11.0.13+8.finalizer",
            "1 thread sat 5.0 s in BaseSSLSocketImpl.finalize (waiting for the peer).",
        ),
        (
            "debian-8u504-ga.record",
            "1 thread waited 3.0 s to enter SSLSocketImpl.getSSLParameters while one thread"
            " (reader) sat in SSLSocketInputRecord.decode (holder inferred).",
        ),
        ("temurin-17.0.3+7.lookup", "1 thread waited 3.0 s to enter Provider.getService."),
    ],
)
def test_what_the_sentence_says(
    name: str, says: str, ledger: Ledger, rules: tuple[GenericRule, ...]
) -> None:
    finding = findings(read(name), ledger.bugs, rules)[0]
    assert finding_of(finding).sentence == says
    assert finding.blocked_ms >= finding.bound_ms


def test_a_wait_for_a_peer_that_is_short_of_the_bound_is_none(ledger: Ledger) -> None:
    read_from = read("temurin-11.0.13+8.finalizer")
    short = tuple(wait.model_copy(update={"max_ms": 999.0}) for wait in read_from.waits)
    assert not findings(read_from.model_copy(update={"waits": short}), ledger.bugs, [])


def test_a_network_wait_under_a_lock_is_found_without_the_ledger(
    rules: tuple[GenericRule, ...],
) -> None:
    (finding,) = findings(read("temurin-17.0.3+7.queue"), [], rules)
    assert (finding.rule, finding.bug) == ("lock-held-over-network", "generic")
    assert finding.threads == 10
    assert 19_000 < finding.blocked_ms < 20_000
    assert "sat in sun.security.ssl.SSLSocketImpl.close (jdk.SocketRead, inferred)." in (
        finding_of(finding).sentence
    )


def place(
    frame: str, total_ms: float, *, threads: int = 8, kind: str = "monitor", count: int = 100
) -> Any:
    row = read("debian-8u504-ga.load").waits[0]
    changes = {
        "frame": frame,
        "total_ms": total_ms,
        "threads": threads,
        "thread_ids": tuple(range(threads)),
        "kind": kind,
        "count": count,
        "lock_class": "sun.security.util.MemoryCache",
    }
    return row.model_copy(update=changes)


def recording(*places: Any, seconds: float = 10) -> Recording:
    changes = {"waits": places, "duration_ms": seconds * 1000}
    return read("debian-8u504-ga.load").model_copy(update=changes)


@pytest.mark.parametrize(
    ("candidate", "baseline", "fires"),
    [
        (recording(place(CACHE, 20_000)), recording(), True),
        (recording(place(CACHE, 20_000)), recording(place(CACHE, 1_999)), True),
        (recording(place(CACHE, 20_000)), recording(place(CACHE, 2_001)), False),
        (recording(place(CACHE, 2_499)), recording(), False),
        (recording(place(CACHE, 20_000, threads=1)), recording(), False),
        (recording(place("app.Main.run", 20_000)), recording(), False),
        # The same waiting a second, recorded ten times as long, is nothing new.
        (recording(place(CACHE, 20_000), seconds=100), recording(place(CACHE, 2_000)), False),
        (recording(place(CACHE, 20_000)), recording(place("java.util.Vector.add", 20_000)), True),
        # Threads that begin together queue once.
        (recording(place(CACHE, 7_999, count=8)), recording(), False),
        (recording(place(CACHE, 8_000, count=8)), recording(), True),
        (recording(place(CACHE, 7_999, count=16)), recording(), True),
        # Ten times as much, of nothing: in an hour a hundredth of a thread's time is 36 s.
        (
            recording(place(CACHE, 2_600), seconds=3600),
            recording(place(CACHE, 250), seconds=3600),
            False,
        ),
        (recording(place(CACHE, 36_000), seconds=3600), recording(seconds=3600), True),
    ],
    ids=[
        "new",
        "grew",
        "as-before",
        "little",
        "one-thread",
        "own-code",
        "longer",
        "elsewhere",
        "a-start",
        "long-single-waits",
        "came-back",
        "an-hour",
        "much-in-an-hour",
    ],
)
def test_new_contention(
    candidate: Recording, baseline: Recording, fires: bool, rules: tuple[GenericRule, ...]
) -> None:
    matches = findings(candidate, [], rules, RecordingBaseline.baseline(baseline))
    assert [finding.rule for finding in matches] == (["new-contention"] if fires else [])


def test_other_builds_count_by_class_and_the_most_of_them(
    rules: tuple[GenericRule, ...],
) -> None:
    candidate = recording(place(CACHE, 20_000))
    quiet = recording(place("sun.security.util.Elsewhere.get", 20_000))
    other_method = recording(place("sun.security.util.MemoryCache.lookUp", 2_001))
    (finding,) = findings(candidate, [], rules, RecordingBaseline.other_builds((quiet, quiet)))
    assert "2 other fixed builds have at most 0 ms there" in finding_of(finding).sentence
    assert (
        findings(candidate, [], rules, RecordingBaseline.other_builds((quiet, other_method))) == ()
    )
    assert RecordingBaseline.other_builds(()) is None


def test_new_contention_needs_a_baseline(rules: tuple[GenericRule, ...]) -> None:
    assert findings(recording(place(CACHE, 90_000)), [], rules) == ()


def test_a_place_that_a_bug_explains_is_not_told_twice(
    ledger: Ledger, rules: tuple[GenericRule, ...]
) -> None:
    matches = findings(
        read("temurin-11.0.13+8.blocked"),
        ledger.bugs,
        rules,
        RecordingBaseline.baseline(read("debian-11.0.24+8.blocked")),
    )
    assert [finding.rule for finding in matches] == ["JDK-8293562"]


def test_waits_that_never_ended_count(ledger: Ledger, rules: tuple[GenericRule, ...]) -> None:
    wait = Wait(
        kind="monitor",
        lock_class="sun.security.util.MemoryCache",
        frame=CACHE,
        is_open=True,
        count=128,
        total_ms=90_000,
        max_ms=90_000 / 128,
        threads=128,
        holders=(
            Holder(
                thread="keeper",
                threads=1,
                frame=CACHE,
                waits_in=CACHE,
                path=(CACHE,),
                explained_ms=90_000,
                inferred=False,
            ),
        ),
    )
    baseline = recording()
    candidate = baseline.model_copy(update={"waits": (wait,)})
    (finding,) = findings(candidate, [], rules, RecordingBaseline.baseline(baseline))
    assert (finding.rule, finding.threads) == ("new-contention", 128)
    assert (finding.blocked_ms, finding.open_ms) == (0, 90_000)
    # A dump names no event of the holder, so the sentence leaves it out.
    assert "128 threads waited 90.0 s in" in finding_of(finding).sentence
    assert "sat in" not in finding_of(finding).sentence
    (open_wait,) = diagnose(candidate, ledger, rules).still_waiting
    assert (open_wait.frame, open_wait.threads, open_wait.waited_ms_at_least) == (
        CACHE,
        128,
        90_000,
    )
    assert open_wait.holder is not None and open_wait.holder.thread == "keeper"


def test_a_diagnosis_knows_whether_the_build_has_the_bug(
    ledger: Ledger, rules: tuple[GenericRule, ...]
) -> None:
    affected_diagnosis = diagnose(read("temurin-11.0.13+8.queue"), ledger, rules)
    fixed_diagnosis = diagnose(read("debian-8u504-ga.load"), ledger, rules)
    assert affected_diagnosis.shows
    assert not fixed_diagnosis.shows
    bug = next(bug for bug in affected_diagnosis.bugs if bug.bug == "JDK-8293562")
    assert (bug.expectation, bug.first_fix) == (Expectation.AFFECTED, "11.0.21+1")
    bug = next(bug for bug in fixed_diagnosis.bugs if bug.bug == "JDK-8293562")
    assert (bug.expectation, bug.finding) == (Expectation.FIXED, None)
    assert affected_diagnosis.longest[0].frame == "sun.net.www.http.KeepAliveCache.put"


def setting(
    threshold_ms: float | None,
    *,
    is_enabled: bool = True,
    stack_trace: bool = True,
    throttle: str | None = None,
) -> Setting:
    return Setting(
        enabled=is_enabled, threshold_ms=threshold_ms, stack_trace=stack_trace, throttle=throttle
    )


KIT_SETTINGS = {
    "jdk.JavaMonitorEnter": setting(1),
    "jdk.ThreadPark": setting(1),
    "jdk.SocketRead": setting(1),
    "jdk.ThreadDump": setting(None),
}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({}, []),
        (
            {"jdk.ThreadPark": setting(20)},
            ["jdk.ThreadPark was recorded from 20 ms on: shorter waits for java.util.concurrent"],
        ),
        (
            {"jdk.JavaMonitorEnter": setting(10, is_enabled=False)},
            ["jdk.JavaMonitorEnter was off: no waits for monitors"],
        ),
        (
            {"jdk.SocketRead": setting(0, stack_trace=False)},
            ["jdk.SocketRead was recorded without stack traces: its waits cannot be attributed"],
        ),
        (
            {"jdk.SocketRead": setting(1, throttle="100/s")},
            [
                "jdk.SocketRead was throttled to 100/s: beyond that, reads from the network that a"
                " lock's holder sits in are not in it."
            ],
        ),
        ({"jdk.SocketRead": setting(1, throttle="off")}, []),
        (
            {"jdk.ThreadDump": setting(None, is_enabled=False)},
            [
                "jdk.ThreadDump was off: waits still open at the end are not in it.",
                "jdk.ExecutionSample was off, too: what kept threads busy is not in it.",
            ],
        ),
        (
            {
                "jdk.ThreadDump": setting(None, is_enabled=False),
                "jdk.ExecutionSample": setting(None),
            },
            ["jdk.ThreadDump was off: waits still open at the end are not in it."],
        ),
    ],
)
def test_what_settings_hide(changes: dict[str, Setting], says: list[str]) -> None:
    sentences = [*map(unseen_sentence, unseen_by_settings({**KIT_SETTINGS, **changes}))]
    assert len(sentences) == len(says)
    assert all(sentence.startswith(start) for sentence, start in zip(sentences, says, strict=True))


@pytest.mark.parametrize(
    ("version", "threads", "says"),
    [
        ("21.0.8+9-LTS", None, None),
        ("17.0.9+9", None, None),
        ("21.0.8+9-LTS", 1, "(1 show): their waits for java.util.concurrent locks are in no event"),
        ("25.0.2+10-LTS", 0, "(0 show): their waits for locks of any kind are in no event, and"),
        (
            None,
            9,
            "(9 show): their waits for locks of any kind are in no event, and in no dump but",
        ),
    ],
)
def test_what_virtual_threads_hide(
    version: str | None,
    threads: int | None,
    says: str | None,
    ledger: Ledger,
    rules: tuple[GenericRule, ...],
) -> None:
    any_one = read("temurin-17.0.9+9.queue")
    jvm = any_one.jvm.model_copy(update={"version": version})
    virtual = VirtualThreads(used=threads is not None, shown=threads or 0)
    changes = {"jvm": jvm, "virtual_threads": virtual, "settings": KIT_SETTINGS}
    sentences = diagnose(any_one.model_copy(update=changes), ledger, rules).hidden
    assert len(sentences) == (says is not None)
    assert says is None or sentences[0].startswith(f"The program uses virtual threads {says}")


def test_settings_not_told_are_not_guessed() -> None:
    assert [*map(unseen_sentence, unseen_by_settings({}))] == [
        "The recording does not include its settings: what they hid is unknown."
    ]
    assert len(list(unseen_by_settings({"jdk.SocketRead": KIT_SETTINGS["jdk.SocketRead"]}))) == 4


STOCK = {**KIT_SETTINGS, "jdk.JavaMonitorEnter": setting(20), "jdk.SocketRead": setting(20)}
NOT_MONITORS = {**KIT_SETTINGS, "jdk.JavaMonitorEnter": setting(20, is_enabled=False)}


@pytest.mark.parametrize(
    ("settings", "count", "kind", "new", "says"),
    [
        (KIT_SETTINGS, 1000, "monitor", True, None),
        (STOCK, 1000, "monitor", False, "jdk.JavaMonitorEnter below 20 ms, jdk.SocketRead below"),
        (NOT_MONITORS, 1000, "monitor", False, "jdk.JavaMonitorEnter: such waits in this"),
        # Its waits for other locks, and those of a second each, it would have shown.
        (STOCK, 1000, "lock", True, "jdk.JavaMonitorEnter below 20 ms, jdk.SocketRead below"),
        (STOCK, 5, "monitor", True, "jdk.JavaMonitorEnter below 20 ms, jdk.SocketRead below"),
        (NOT_MONITORS, 5, "monitor", False, "jdk.JavaMonitorEnter: such waits in this"),
    ],
)
def test_what_the_baseline_s_settings_hid_is_not_new(
    settings: dict[str, Setting],
    count: int,
    kind: str,
    new: bool,
    says: str | None,
    ledger: Ledger,
    rules: tuple[GenericRule, ...],
) -> None:
    candidate = recording(place(CACHE, 5_000, threads=2, count=count, kind=kind))
    candidate = candidate.model_copy(update={"settings": KIT_SETTINGS})
    baseline = recording().model_copy(update={"settings": settings})
    diagnosis = diagnose(candidate, ledger, rules, baseline)
    assert diagnosis.shows == new
    assert bool(diagnosis.changes) == new
    assert len(diagnosis.hidden) == (says is not None)
    assert says is None or diagnosis.hidden[0].startswith(
        f"The baseline was recorded without {says}"
    )
    # What seems to have gone may be hidden too: then the recording's own settings are told.
    reverse = diagnose(baseline, ledger, rules, candidate)
    assert (bool(reverse.changes), reverse.shows) == (new, False)


def test_settings_that_a_baseline_does_not_tell_are_not_guessed(
    ledger: Ledger, rules: tuple[GenericRule, ...]
) -> None:
    candidate = recording(place(CACHE, 20_000)).model_copy(update={"settings": KIT_SETTINGS})
    diagnosis = diagnose(candidate, ledger, rules, recording().model_copy(update={"settings": {}}))
    assert diagnosis.shows
    assert diagnosis.hidden == (
        "The baseline does not include its settings: what looks new may have been hidden there.",
    )


def test_a_baseline_tells_what_appeared_and_went(
    ledger: Ledger, rules: tuple[GenericRule, ...]
) -> None:
    affected_recording, fixed_recording = (
        read("temurin-17.0.3+7.blocked"),
        read("temurin-17.0.9+9.blocked"),
    )
    worse = diagnose(affected_recording, ledger, rules, fixed_recording).changes
    assert any(line.startswith("appeared: waiting to enter KeepAliveCache.get") for line in worse)
    better = diagnose(fixed_recording, ledger, rules, affected_recording).changes
    assert any(line.startswith("went: waiting to enter KeepAliveCache.get") for line in better)
    assert diagnose(fixed_recording, ledger, rules, fixed_recording).changes == ()
    assert diagnose(fixed_recording, ledger, rules).changes == ()


@pytest.mark.parametrize(
    ("version", "train"),
    [("7u80", "7"), ("1.7.0_80-b15", "7"), ("1.8.0_372-b07", None), ("17.0.3+7", None)],
)
def test_a_release_from_before_the_ledger_gets_no_bug(
    version: str, train: str | None, ledger: Ledger, rules: tuple[GenericRule, ...]
) -> None:
    affected_recording = read("temurin-17.0.3+7.blocked")
    jvm = affected_recording.jvm.model_copy(update={"version": version})
    diagnosis = diagnose(affected_recording.model_copy(update={"jvm": jvm}), ledger, rules)
    shown_bugs = [bug.bug for bug in diagnosis.bugs if bug.finding]
    assert shown_bugs == ([] if train else ["JDK-8293562"])
    line = f"Which bugs this build has: JDK {train} is not in the ledger."
    assert (line in diagnosis.hidden) == bool(train)
    assert train or not any("not in the ledger" in line for line in diagnosis.hidden)

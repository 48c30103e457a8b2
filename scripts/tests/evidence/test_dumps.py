# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do thread dumps say by themselves, as users post them? See fixtures/dumps/README.md."""

import gzip
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.evidence.digest import Digester, Recording, Unreadable
from jdkmatrix.grading.diagnosis import Diagnosis, diagnose
from tests.conftest import FIXTURES
from tests.evidence.dump_texts import EXITING, MANY, loading

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
Read = Mapping[str, Diagnosis | Unreadable]
Recordings = Mapping[str, Recording | Unreadable]


@pytest.fixture(scope="module")
def recordings(digester: Digester, tmp_path_factory: pytest.TempPathFactory) -> Recordings:
    """What is read of each file by itself, by its name. All are read by two JVMs of the digest.

    Files of one process are read as one; there are two at most, and they are neighbours.
    """
    folder = tmp_path_factory.mktemp("alone")
    files = [*(DUMPS / f"{name}.txt.gz" for name, *_ in BUGS), *IN_DEADLOCK, *HEALTHY]
    for name, text in texts().items():
        (folder / name).write_text(text)
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
    assert answer.version == version
    assert answer.dumps > 1 and answer.shows


def test_whoever_ends_the_jvm_holds_nothing_wherever_it_waits(
    recordings: Recordings,
) -> None:
    recording = recordings["exiting"]
    assert isinstance(recording, Recording)
    assert {row.frame: row.holders for row in recording.lock_waits}["Service.serve"] == ()


# By the file of the dumps; and how many threads waited, how long, and how long for the owner.
LOADING = {
    "first-only": ((loading(0, *MANY), loading(30)), (5, 0, 0)),
    "last-only": ((loading(0), loading(30, *MANY)), (5, 0, 0)),
    "one-in-all": ((loading(0, *MANY), loading(20, 1), loading(30, 1)), (5, 30_000, 30_000)),
}


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


def test_a_cut_dump_says_what_it_has(alone: Read) -> None:
    answer = alone["cut"]
    assert isinstance(answer, Diagnosis)
    assert 0 < answer.threads < 17

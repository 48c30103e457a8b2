# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are waiters, owners and deadlocks read right from dumps of real JVMs, 8 to 25?

`fixtures/hangs/dumps` are dumps of HangsInDeadlock.java, named for the build; `.sigquit` was
printed by the JVM itself after SIGQUIT.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path

import jsonschema
import pytest

from jdkmatrix.evidence.digest import Digest, Digester
from jdkmatrix.evidence.hang import Hang
from jdkmatrix.words.threads import hang_sentence
from tests.conftest import FIXTURES

pytestmark = pytest.mark.jdk
DUMPS = FIXTURES / "hangs" / "dumps"
FILES = sorted(DUMPS.glob("*.txt"))
SYNC = "java.util.concurrent.locks.ReentrantLock$NonfairSync"
MAIN = "The main thread is in java.lang.Thread.join, called by HangsInDeadlock.main."
NAMES = ("hang-7-threads-1.txt", "hang-7-threads-2.txt", "hang-8-threads-1.txt", "jvm-1-a.log")
# What is read of the dumps of one JVM, by the name of a case.
Hangs = Mapping[str, Hang]


def dump(build: str) -> str:
    return (DUMPS / f"{build}.txt").read_text()


def strip_threads(text: str, threads: str) -> str:
    """The dump without some threads, told by a pattern of their lines."""
    parts = re.split(r'^(?=")', text, flags=re.MULTILINE)
    return "".join(part for part in parts if not re.search(threads, part))


STOOD_STILL_IN_PART, OF_8, NO_LOCK, CUT_SHORT = "in part", "of 8", "no lock", "cut short"
TOLD_APART = "told apart"
# Each case is a folder of its own, as a cell is.
CASES = {
    **{file.stem: [file.read_text()] * 3 for file in FILES},
    STOOD_STILL_IN_PART: [
        strip_threads(dump("temurin-17.0.3+7"), "^.queues for it 2"),
        dump("temurin-17.0.3+7"),
    ],
    OF_8: [dump("debian-8u504-ga")],
    NO_LOCK: [
        strip_threads(
            dump("temurin-17.0.3+7").partition("Found one")[0], "HangsInDeadlock.enter|lockB"
        )
    ],
    CUT_SHORT: ["Full thread dump X:\n\ngarbage"],
}


@pytest.fixture(scope="module")
def digest(digester: Digester, tmp_path_factory: pytest.TempPathFactory) -> Digest:
    """What one JVM reads of all cases: it takes longer to start than to read them."""
    home = tmp_path_factory.mktemp("hangs")
    files = []
    for name, texts in CASES.items():
        (home / name).mkdir()
        for number, text in enumerate(texts):
            files.append(home / name / f"hang-7-threads-{number}.txt")
            files[-1].write_text(text)
    shared_folder = home / TOLD_APART
    shared_folder.mkdir()
    for name in NAMES:
        text = f"before\n{dump('temurin-17.0.3+7.sigquit')}\tat after.it(A)\n"
        (shared_folder / name).write_text(text)
    (shared_folder / "jvm-2-b.log").write_text('no dump\n"x" #1\n\tat a.b(c)\n')
    return digester.digest(
        (), [*files, *sorted(shared_folder.iterdir()), shared_folder / "gone.txt"]
    )


@pytest.fixture(scope="module")
def hangs(digest: Digest) -> Hangs:
    by_case = {Path(jvm.folder).name: jvm.hang for jvm in digest.hangs}
    assert set(by_case) == {*CASES, TOLD_APART}
    return by_case


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_both_deadlocks_and_the_queue(hangs: Hangs, file: Path) -> None:
    hang = hangs[file.stem]
    assert (hang.pid, hang.dumps, hang.stands_still) == (7, 3, True)
    cycles = {frozenset((t.thread, t.lock_class, t.owner) for t in c) for c in hang.deadlocks}
    left_first, right_first = "takes left, then right", "takes right, then left"
    first, second = "takes first, then second", "takes second, then first"
    assert cycles == {
        frozenset(
            {
                (left_first, "HangsInDeadlock$Right", right_first),
                (right_first, "HangsInDeadlock$Left", left_first),
            }
        ),
        frozenset({(first, SYNC, second), (second, SYNC, first)}),
    }
    # Who is in Object.wait or in an idle park is in no queue.
    (queue,) = hang.queues
    assert sorted(queue.threads) == [f"queues for it {n}" for n in (1, 2, 3)]
    assert (queue.owner, queue.lock_class) == ("sleeps with it", "HangsInDeadlock$Slept")
    assert (queue.waits_in, queue.owner_in) == ("HangsInDeadlock.enter", "java.lang.Thread.sleep")


def test_six_builds_were_recorded() -> None:
    assert len(FILES) == 6


def test_only_what_stands_still_counts(hangs: Hangs) -> None:
    threads = hangs[STOOD_STILL_IN_PART].queues[0].threads
    assert sorted(threads) == ["queues for it 1", "queues for it 3"]


def test_the_sentence_names_threads_locks_and_owners(hangs: Hangs) -> None:
    sentence = hang_sentence(hangs[OF_8])
    assert (
        "'takes right, then left' waits in HangsInDeadlock.enter for a HangsInDeadlock$Left"
        " held by 'takes left, then right'" in sentence
    )
    assert (
        "3 threads wait in HangsInDeadlock.enter for a HangsInDeadlock$Slept held by"
        " 'sleeps with it', which is in java.lang.Thread.sleep." in sentence
    )
    assert "\n" not in sentence


def test_a_hang_without_a_lock_says_where_main_is(hangs: Hangs) -> None:
    assert hang_sentence(hangs[NO_LOCK]) == f"No thread waits for a lock. {MAIN}"


def test_dumps_are_told_apart_by_process(digest: Digest, root: Path) -> None:
    hangs = [jvm.hang for jvm in digest.hangs if Path(jvm.folder).name == TOLD_APART]
    assert [(hang.pid, hang.dumps) for hang in hangs] == [(7, 2), (8, 1), (None, 1)]
    schema = json.loads((root / "jtreg" / "tool" / "digest.schema.json").read_text())
    jsonschema.validate(json.loads(digest.model_dump_json(by_alias=True)), schema)


def test_a_dump_cut_short_has_no_waits(hangs: Hangs) -> None:
    assert hang_sentence(hangs[CUT_SHORT]) == "No thread waits for a lock."

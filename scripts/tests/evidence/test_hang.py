# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are waiters, owners and deadlocks read right from dumps of real JVMs, 8 to 25?

`fixtures/hangs/dumps` are dumps of HangsInDeadlock.java, named for the build; `.sigquit` was
printed by the JVM itself after SIGQUIT.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from jdkmatrix.evidence.digest import Digester
from jdkmatrix.evidence.hang import Hang
from jdkmatrix.words.threads import hang_sentence
from tests.conftest import FIXTURES

pytestmark = pytest.mark.jdk
DUMPS = FIXTURES / "hangs" / "dumps"
FILES = sorted(DUMPS.glob("*.txt"))
SYNC = "java.util.concurrent.locks.ReentrantLock$NonfairSync"
MAIN = "The main thread is in java.lang.Thread.join, called by HangsInDeadlock.main."
# The dumps of one JVM.
HangOf = Callable[..., Hang]


def dump(build: str) -> str:
    return (DUMPS / f"{build}.txt").read_text()


def strip_threads(text: str, threads: str) -> str:
    """The dump without some threads, told by a pattern of their lines."""
    parts = re.split(r'^(?=")', text, flags=re.MULTILINE)
    return "".join(part for part in parts if not re.search(threads, part))


@pytest.fixture
def hang_of(digester: Digester, tmp_path: Path) -> HangOf:
    def read(*texts: str) -> Hang:
        files = [tmp_path / f"hang-7-threads-{n}.txt" for n in range(len(texts))]
        for file, text in zip(files, texts, strict=True):
            file.write_text(text)
        (jvm,) = digester.digest((), files).hangs
        assert jvm.folder == str(tmp_path)
        return jvm.hang

    return read


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_both_deadlocks_and_the_queue(hang_of: HangOf, file: Path) -> None:
    hang = hang_of(*[file.read_text()] * 3)
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


def test_only_what_stands_still_counts(hang_of: HangOf) -> None:
    full_dump = dump("temurin-17.0.3+7")
    threads = hang_of(strip_threads(full_dump, "^.queues for it 2"), full_dump).queues[0].threads
    assert sorted(threads) == ["queues for it 1", "queues for it 3"]


def test_the_sentence_names_threads_locks_and_owners(hang_of: HangOf) -> None:
    sentence = hang_sentence(hang_of(dump("debian-8u504-ga")))
    assert (
        "'takes right, then left' waits in HangsInDeadlock.enter for a HangsInDeadlock$Left"
        " held by 'takes left, then right'" in sentence
    )
    assert (
        "3 threads wait in HangsInDeadlock.enter for a HangsInDeadlock$Slept held by"
        " 'sleeps with it', which is in java.lang.Thread.sleep." in sentence
    )
    assert "\n" not in sentence


def test_a_hang_without_a_lock_says_where_main_is(hang_of: HangOf) -> None:
    text = strip_threads(
        dump("temurin-17.0.3+7").partition("Found one")[0], "HangsInDeadlock.enter|lockB"
    )
    assert hang_sentence(hang_of(text)) == f"No thread waits for a lock. {MAIN}"


def test_dumps_are_told_apart_by_process(digester: Digester, root: Path, tmp_path: Path) -> None:
    names = ("hang-7-threads-1.txt", "hang-7-threads-2.txt", "hang-8-threads-1.txt", "jvm-1-a.log")
    for name in (*names, "jvm-2-b.log"):
        (tmp_path / name).write_text(
            f"before\n{dump('temurin-17.0.3+7.sigquit')}\tat after.it(A)\n"
        )
    (tmp_path / "jvm-2-b.log").write_text('no dump\n"x" #1\n\tat a.b(c)\n')
    digest = digester.digest((), [*sorted(tmp_path.iterdir()), tmp_path / "gone.txt"])
    assert [(jvm.hang.pid, jvm.hang.dumps) for jvm in digest.hangs] == [(7, 2), (8, 1), (None, 1)]
    schema = json.loads((root / "jtreg" / "tool" / "digest.schema.json").read_text())
    jsonschema.validate(json.loads(digest.model_dump_json(by_alias=True)), schema)


def test_a_dump_cut_short_has_no_waits(hang_of: HangOf) -> None:
    assert hang_sentence(hang_of("Full thread dump X:\n\ngarbage")) == "No thread waits for a lock."

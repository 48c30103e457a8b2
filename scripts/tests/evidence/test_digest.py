# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is the digest's document read whole, and a failure of its program told in one line?"""

import json
from pathlib import Path

import jsonschema
import pytest

from jdkmatrix.config import version
from jdkmatrix.errors import MachineError
from jdkmatrix.evidence.digest import Digester, parse_digest
from jdkmatrix.machine.java_program import JavaTool
from tests.conftest import FIXTURES

DIGESTS = sorted((FIXTURES / "evidence").glob("*.*.json"))
OF_ALL_KINDS = "debian-8u372-ga.sample.json"
CLOSE = "sun.security.ssl.SSLSocketImpl.close"


@pytest.mark.parametrize("fixture", DIGESTS, ids=lambda path: path.stem)
def test_real_documents_follow_schema_and_model(fixture: Path, root: Path) -> None:
    schema = json.loads((root / "jtreg" / "tool" / "digest.schema.json").read_text())
    digest = parse_digest(fixture.read_text())
    jsonschema.validate(json.loads(digest.model_dump_json(by_alias=True)), schema)
    assert not digest.unreadable
    (recording,) = digest.readable
    assert recording.pid is not None
    for wait in recording.lock_waits:
        explained_ms = sum(holder.explained_ms for holder in wait.holders)
        assert explained_ms <= wait.total_ms + 0.001 * (len(wait.holders) + 1)
    build = fixture.name.split("-", 1)[1].rsplit(".", 2)[0]
    assert version.parse(str(recording.jvm.version)).train == version.parse(build).train


@pytest.mark.parametrize("fixture", DIGESTS, ids=lambda path: path.stem)
def test_the_three_lists_of_version_1_are_one_list_of_waits(fixture: Path) -> None:
    (rows,) = json.loads(fixture.read_text())["recordings"]
    (recording,) = parse_digest(fixture.read_text()).readable
    ended_rows, open_rows, slow_rows = rows["blocked"], rows["open_waits"], rows["slow"]
    assert [(w.kind, w.is_open, w.frame, w.threads) for w in recording.waits] == [
        *((row["kind"], False, row["frame"], row["threads"]) for row in ended_rows),
        *((row["kind"], True, row["frame"], row["threads"]) for row in open_rows),
        *((row["event"], False, row["frame"], row["threads"]) for row in slow_rows),
    ]
    assert [(w.lock_class, w.thread_ids) for w in recording.lock_waits] == [
        (row["lock_class"], tuple(row["thread_ids"])) for row in (*ended_rows, *open_rows)
    ]
    sums_ms = [
        row.get("total_ms", row.get("waited_ms_at_least")) for row in (*ended_rows, *open_rows)
    ]
    assert [w.total_ms for w in recording.lock_waits] == sums_ms
    for wait, row in zip(recording.waits, ended_rows, strict=False):
        assert (wait.count, wait.max_ms) == (row["count"], row["max_ms"])
        assert [holder.model_dump(mode="json") for holder in wait.holders] == row["holders"]
    for wait, row in zip(recording.waits[len(ended_rows) :], open_rows, strict=False):
        assert (wait.count, wait.max_ms) == (wait.threads, wait.total_ms / wait.threads)
        assert wait.holder is not None and wait.holder.explained_ms == wait.total_ms
        assert row["holder"].items() <= wait.holder.model_dump(mode="json").items()
    for wait, row in zip(recording.waits[len(sums_ms) :], slow_rows, strict=True):
        assert (wait.total_ms, wait.max_ms) == (row["total_ms"], row["max_ms"])
        assert wait.count == row["count"]
        assert wait.path == tuple(row["path"]) and wait.lock_class is None
        assert wait.longest is not None
        assert wait.longest.model_dump().items() <= row.items()


def test_a_fixture_has_waits_of_each_kind() -> None:
    """Guards the test above, which would say nothing of a list that is empty everywhere."""
    (recording,) = parse_digest((FIXTURES / "evidence" / OF_ALL_KINDS).read_text()).readable
    assert {(w.lock_class is not None, w.is_open) for w in recording.waits} == {
        *((True, False), (True, True), (False, False)),
    }


def test_an_unreadable_file_is_kept_apart() -> None:
    digest = parse_digest('{"schema":1,"recordings":[{"file":"a.jfr","error":"is empty"}]}')
    assert digest.readable == ()
    assert digest.unreadable[0].error == "is empty"


def test_a_holder_of_the_first_documents_has_no_path() -> None:
    document = json.loads((FIXTURES / "evidence" / OF_ALL_KINDS).read_text())
    for row in document["recordings"][0]["open_waits"]:
        del row["holder"]["path"], row["holder"]["inferred"]
    (recording,) = parse_digest(json.dumps(document)).readable
    holder = next(wait.holder for wait in recording.lock_waits if wait.is_open)
    assert holder is not None and not holder.inferred
    assert holder.path == (CLOSE, "sun.net.www.http.KeepAliveCache.put")


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "{",
            "[]",
            '{"schema":3,"recordings":[]}',
            '{"schema":2,"recordings":[{"file":"a"}]}',
        ),
        *(
            '{"schema":1}',
            '{"schema":1,"recordings":[{"file":"a"}]}',
            '{"schema":1,"recordings":1}',
        ),
        '{"schema":1,"recordings":[{"error":null,"blocked":[],"open_waits":[{}],"slow":[]}]}',
        '{"schema":1,"recordings":[{"error":null,"blocked":[7],"open_waits":[],"slow":[]}]}',
    ],
)
def test_no_document(text: str) -> None:
    with pytest.raises(MachineError, match=r"^digest of recordings: [^\n]*$"):
        parse_digest(text)


def fake_jdk(folder: Path, java: str, javac: str = 'mkdir -p "$5"') -> Path:
    """A tool JDK whose programs are shell scripts; javac's fifth argument is its output folder."""
    (folder / "bin").mkdir(parents=True)
    for name, script in (("java", java), ("javac", javac)):
        program = folder / "bin" / name
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
    return folder


def digester(tmp_path: Path, jdk: Path) -> Digester:
    for level in ("java8", "java17"):
        (tmp_path / level).mkdir(exist_ok=True)
        (tmp_path / level / "Main.java").write_text("class Main { }")
    return Digester(JavaTool(tmp_path, jdk, tmp_path / "cache"))


def test_nothing_to_read_starts_nothing(tmp_path: Path) -> None:
    assert digester(tmp_path, tmp_path / "no-jdk").digest([]).recordings == ()


@pytest.mark.parametrize(
    ("java", "javac", "message"),
    [
        ("echo 'out of memory' >&2; exit 3", 'mkdir -p "$5"', "exit code 3: out of memory"),
        ("exit 1", 'mkdir -p "$5"', "exit code 1: no message"),
        ("echo no document", 'mkdir -p "$5"', "digest of recordings: "),
        ("", "echo 'Main.java:1: error' >&2; exit 1", "compiling the facts: exit code 1: Main"),
    ],
)
def test_a_failing_program(tmp_path: Path, java: str, javac: str, message: str) -> None:
    jdk = fake_jdk(tmp_path / "jdk", java, javac)
    with pytest.raises(MachineError) as error:
        digester(tmp_path, jdk).digest([tmp_path / "a.jfr"])
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_jdk_without_javac_is_named(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match=r"the tool JDK has no .*/bin/javac"):
        digester(tmp_path, tmp_path / "runtime").digest([tmp_path / "a.jfr"])

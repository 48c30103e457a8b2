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
from jdkmatrix.machine.java_tool import JavaTool
from tests.conftest import FIXTURES

DIGESTS = sorted((FIXTURES / "evidence").glob("*.*.json"))


@pytest.mark.parametrize("fixture", DIGESTS, ids=lambda path: path.stem)
def test_real_documents_follow_schema_and_model(fixture: Path, root: Path) -> None:
    schema = json.loads((root / "jtreg" / "tool" / "digest.schema.json").read_text())
    text = fixture.read_text()
    jsonschema.validate(json.loads(text), schema)
    digest = parse_digest(text)
    assert not digest.unreadable
    (recording,) = digest.readable
    assert recording.pid is not None
    for group in recording.blocked:
        explained_ms = sum(holder.explained_ms for holder in group.holders)
        assert explained_ms <= group.total_ms + 0.001 * (len(group.holders) + 1)
    build = fixture.name.split("-", 1)[1].rsplit(".", 2)[0]
    assert version.parse(str(recording.jvm.version)).train == version.parse(build).train


def test_an_unreadable_file_is_kept_apart() -> None:
    digest = parse_digest('{"schema":1,"recordings":[{"file":"a.jfr","error":"is empty"}]}')
    assert digest.readable == ()
    assert digest.unreadable[0].error == "is empty"


@pytest.mark.parametrize(
    "text",
    ["", "{", '{"schema":2,"recordings":[]}', '{"schema":1,"recordings":[{"file":"a"}]}'],
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

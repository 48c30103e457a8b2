# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix diagnose` on recordings of real programs: what it says, its exit codes, bad files."""

import gzip
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.cli.app import main
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.paths import Checkout
from jdkmatrix.report import diagnosis_document
from jdkmatrix.report.diagnosis_document import DiagnosisDocument
from jdkmatrix.run.cells.compiled_tests import othervm_of
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.supplier import Supplier
from tests.conftest import FIXTURES
from tests.evidence.conftest import SHORT_LIVED, compiled_programs
from tests.evidence.shapes import BASE

pytestmark = pytest.mark.jdk

OPENS = "--add-opens=java.base/sun.security.ssl=ALL-UNNAMED"
SCHEMA = Path(diagnosis_document.__file__).with_name("diagnosis.schema.json")
TIMEOUT_S = 60
Record = Callable[[str], Path]


@pytest.fixture(scope="module")
def record(tool_jdk: Path, root: Path, tmp_path_factory: pytest.TempPathFactory) -> Record:
    """Runs SessionCacheHeld.java, "planted" or "plain", and gives its recording."""
    folder = tmp_path_factory.mktemp("held")
    classes = compiled_programs(tool_jdk)
    settings = root / "jtreg" / "jfr" / "blocking.jfc"

    def run(mode: str) -> Path:
        file = folder / f"{mode}.jfr"
        if not file.exists():
            java = [str(tool_jdk / "bin" / "java"), *SHORT_LIVED, OPENS, "-cp", str(classes)]
            options = f"settings={settings},filename={file},dumponexit=true"
            command = [*java, f"-XX:StartFlightRecording={options}", "SessionCacheHeld", mode]
            subprocess.run(command, check=True, timeout=TIMEOUT_S, capture_output=True)
        return file

    return run


def diagnose(
    capsys: pytest.CaptureFixture[str], *arguments: str | Path
) -> tuple[int, dict[str, Any]]:
    """Exit code and document, which is checked against the published schema."""
    code = main(["diagnose", "--json", *map(str, arguments)])
    document = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text())).validate(document)
    return code, document


def test_the_published_schema_is_the_models() -> None:
    remedy = "write DiagnosisDocument.schema_text() to it"
    assert SCHEMA.read_text() == DiagnosisDocument.schema_text(), remedy


def test_the_schema_refuses_what_is_no_diagnosis(capsys: pytest.CaptureFixture[str]) -> None:
    _, document = diagnose(capsys, "nix.jfr")
    document["recordings"][0]["error"] = None
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(json.loads(DiagnosisDocument.schema_text())).validate(
            document
        )


def test_a_lock_planted_in_the_session_cache_is_new_contention(
    record: Record, capsys: pytest.CaptureFixture[str]
) -> None:
    code, document = diagnose(capsys, record("planted"), "--baseline", record("plain"))
    assert code == 1
    assert document["baseline"] == str(record("plain"))
    (diagnosis,) = document["recordings"]
    assert {bug["finding"] for bug in diagnosis["bugs"]} == {None}
    assert diagnosis["bugs_of_ledger"] > len(diagnosis["bugs"])
    (contention,) = diagnosis["others"]
    assert (contention["rule"], contention["bug"]) == ("new-contention", "generic")
    assert contention["frames"] == ["sun.security.util.MemoryCache.get"]
    assert contention["lock_classes"] == ["sun.security.util.MemoryCache"]
    assert contention["threads"] == 8
    assert contention["blocked_ms"] > contention["bound_ms"] > contention["baseline_ms"]


def test_the_same_program_without_it_shows_nothing(
    record: Record, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diagnose", str(record("plain")), "--baseline", str(record("planted"))]) == 0
    out, err = capsys.readouterr()
    ledger = load_ledger(root / "test" / "bugs.yaml")
    assert out.splitlines()[1].startswith("  No known bug shows.")
    assert f"Most of the {len(ledger.bugs)} known bugs, which leave no trace here" in out
    assert not [bug.id for bug in ledger.bugs if bug.id in out]
    assert "new-contention" not in out
    assert err == ""


def test_a_bad_file_is_one_line_and_the_others_are_read(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty.jfr").touch()
    (tmp_path / "heap.jfr").write_bytes(b"JAVA PROFILE 1.0.2\0" * 9)
    files = [tmp_path / "empty.jfr", record("plain"), tmp_path, tmp_path / "heap.jfr"]
    assert main(["diagnose", *map(str, files)]) == 4
    out, err = capsys.readouterr()
    assert f"{record('plain')}\n" in out
    lines = err.splitlines()
    assert lines[:2] == [
        f"matrix: {tmp_path}/empty.jfr: is empty",
        f"matrix: {tmp_path}: has no recording and no thread dump of HotSpot in its 2 files",
    ]
    (heap,) = lines[2:]
    assert heap.startswith(f"matrix: {tmp_path}/heap.jfr: is ")
    assert heap.endswith("no Flight Recorder file")


def test_a_log_with_exceptions_alone_leads_to_its_own_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "app.log"
    log.write_text("10:00 WARN x\njava.io.IOException: reset\n\tat a.B.c(B.java:1)\n")
    assert main(["diagnose", str(log)]) == 4
    assert capsys.readouterr().err == (
        f"matrix: {log}: is no Flight Recorder file, and has no thread dump of HotSpot; of its"
        f" exceptions: scripts/matrix diagnose --exception {log}\n"
    )


def test_a_dump_that_is_misread_is_never_clean_though_another_shows_a_deadlock(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = FIXTURES / "hangs" / "dumps" / "temurin-17.0.3+7.txt"
    copy = tmp_path / "copied.txt"
    copy.write_text(good.read_text().replace("\tat ", "\t|at "))
    assert main(["diagnose", str(copy), str(good)]) == 4
    out, err = capsys.readouterr()
    assert "Deadlock: " in out and str(copy) not in out
    (line,) = err.splitlines()
    assert line.startswith(f"matrix: {copy}: in thread dump 1 of 1, 22 threads and 0 frames were")
    assert line.endswith("; accepted: the output of jcmd PID Thread.print -l, attached as it is")


@contextmanager
def standard_input(content: bytes) -> Iterator[None]:
    """A pipe with that in it."""
    reader, writer = os.pipe()
    os.write(writer, content)
    os.close(writer)
    original = os.dup(0)
    os.dup2(reader, 0)
    os.close(reader)
    try:
        yield
    finally:
        os.dup2(original, 0)
        os.close(original)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_standard_input_is_read(
    capsys: pytest.CaptureFixture[str], pack: Callable[[bytes], bytes]
) -> None:
    with standard_input(pack(BASE.encode())):
        code, document = diagnose(capsys, "-")
    (entry,) = document["recordings"]
    assert (code, entry["file"], entry["dumps"]) == (1, "-", 2)
    assert [bug["bug"] for bug in entry["bugs"] if bug["finding"]] == ["JDK-8293562"]


def test_standard_input_without_a_dump_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with standard_input(b"INFO all is well\n"):
        assert main(["diagnose", "-"]) == 4
    error = capsys.readouterr().err
    assert error == "matrix: -: has no recording and no thread dump of HotSpot\n"


def test_json_has_bad_files_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, document = diagnose(capsys, tmp_path / "nix.jfr")
    assert code == 4
    bad = {"file": str(tmp_path / "nix.jfr"), "error": "does not exist"}
    assert document == {"schema": 2, "baseline": None, "recordings": [bad]}


def test_an_unfinished_recording_is_read_if_asked_for(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a JVM that was killed leaves it in its repository: byte 64 says that it is written."""
    whole = record("plain").read_bytes()
    open_file = tmp_path / "left.jfr"
    open_file.write_bytes(whole[:64] + bytes([7]) + whole[65:] + b"not yet flushed")
    code, document = diagnose(capsys, open_file)
    assert code == 4
    (diagnosis,) = document["recordings"]
    assert diagnosis["error"].endswith("; --unfinished reads it up to its last flush")
    code, document = diagnose(capsys, open_file, "--unfinished")
    assert code == 0
    (partial,) = document["recordings"]
    assert partial["hidden"][-1].startswith("The recording was never closed: ")


def test_a_bad_baseline_is_a_mistake(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "nix.jfr"
    assert main(["diagnose", str(record("plain")), "--baseline", str(bad)]) == 4
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"matrix: --baseline {bad}: does not exist\n"


def test_offline_without_a_tool_jdk_is_one_line(
    record: Record,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = record("plain")
    monkeypatch.setenv("JDKMATRIX_CACHE", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr("jdkmatrix.supply.tool_jdk.discover_jdks", lambda *_: ())
    assert main(["diagnose", str(file), "--offline"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("matrix: no tool JDK: ")
    assert "offline" in err
    assert err.count("\n") == 1


@pytest.mark.network
def test_the_ledgers_bug_shows_with_stock_settings(
    root: Path,
    jdks: JdksFile,
    tool_jdk: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    entry = jdks.entry("temurin-17.0.3+7")
    (build,) = Supplier(jdks, root / "jdks.lock", cache_root()).supply([entry])
    assert isinstance(build, Build)
    test = "keepalive/RequestsQueueWhenCacheIsFull.java"
    classes = (
        othervm_of(Checkout(root), [test], tool_jdk, 1, lambda _: (), Path).tests[test].classes
    )
    files = [tmp_path / "default.jfr", tmp_path / "profile.jfr"]
    for file in files:
        options = f"settings={file.stem},filename={file},dumponexit=true"
        recording_option = f"-XX:StartFlightRecording={options}"
        java = [str(build.home / "bin" / "java"), *SHORT_LIVED, recording_option]
        program = ["-cp", str(classes), "RequestsQueueWhenCacheIsFull", "subject"]
        subprocess.run(
            [*java, *program], check=False, timeout=TIMEOUT_S, capture_output=True, cwd=tmp_path
        )
    code, document = diagnose(capsys, *files)
    assert code == 1
    assert [diagnosis["file"] for diagnosis in document["recordings"]] == list(map(str, files))
    for diagnosis in document["recordings"]:
        (bug,) = [bug for bug in diagnosis["bugs"] if bug["finding"]]
        assert (bug["bug"], bug["expectation"]) == ("JDK-8293562", "affected")
        assert "KeepAliveCache.put" in bug["finding"]["sentence"]
        assert "SSLSocketImpl.close" in bug["finding"]["sentence"]
        assert diagnosis["hidden"]

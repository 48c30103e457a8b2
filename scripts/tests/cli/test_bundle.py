# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`bundle`: a user's mistake is one line, and nothing is written or overwritten."""

import json
from pathlib import Path

import pytest

from jdkmatrix.cli.app import main
from tests.bundle.run_kit import make_run

MISTAKES = [
    ("bundle", "bundle: accepted: a bug of the ledger, or --file FILE.java"),
    ("bundle 8293562 --file {tmp}/A.java", "--file {tmp}/A.java: accepted: without a bug"),
    ("bundle --file {tmp}/nix.java", "--file {tmp}/nix.java: no such file; accepted: a Java file"),
    ("bundle --file {tmp}/file", "--file {tmp}/file: no such file; accepted: a Java file"),
    ("bundle --file {tmp}/A.java --run {tmp}/run", "{tmp}/run: no finished cell of {tmp}/A.java"),
    ("bundle --file {tmp}/A.java --fails-with (", "--fails-with (: not a regular expression"),
    ("bundle 8293562 --fails-with x", "bundle: --fails-with and --passes-with: accepted: with"),
    ("bundle 123", "bundle 123: not in the ledger; accepted: JDK-8293562"),
    ("bundle {left_out}", "bundle {left_out}: has no reproducer: "),
    (
        "bundle 8293562 --run {tmp}/nix",
        "{tmp}/nix: not a run; accepted: a folder that holds run.json",
    ),
    ("bundle 8293562 --run {tmp}", "{tmp}: not a run; accepted: a folder that holds run.json"),
    ("bundle 8293562 --run {tmp}/half", "{tmp}/half/run.json: not a record of this kit"),
    ("bundle 8293562 --run {tmp}/old", "{tmp}/old/run.json: not a record of this kit: schema_"),
    ("bundle 8293562 --run {tmp}/run", "{tmp}/run: no finished cell of JDK-8293562; accepted: a"),
    ("bundle 8335135 --run {tmp}/torn", "{tmp}/torn: no finished cell of JDK-8335135; accepted"),
    ("bundle 8335135 --run {tmp}/run --out {tmp}/file", "--out {tmp}/file: not a folder; accepted"),
    ("bundle 8335135 --run {tmp}/run --out {tmp}/full", "JDK-8335135-run.zip: already exists"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_run(tmp_path / "run", {"temurin-21.0.8+9": "reproduced"})
    record = (tmp_path / "run" / "run.json").read_text()
    for name in ("half", "old", "full"):
        (tmp_path / name).mkdir()
    (tmp_path / "half" / "run.json").write_text(record[:200])
    older = json.dumps(json.loads(record) | {"schema_": 0})
    (tmp_path / "old" / "run.json").write_text(older)
    make_run(tmp_path / "torn", {"temurin-21.0.8+9": "reproduced"})
    next((tmp_path / "torn").rglob("cell.json")).write_text("{")
    (tmp_path / "full" / "JDK-8335135-run.zip").write_text("mine")
    (tmp_path / "file").touch()
    (tmp_path / "A.java").touch()
    return tmp_path


def left_out(root: Path) -> str:
    text = (root / "test" / "bugs.yaml").read_text()
    return text[text.index("left-out:") :].partition("id: ")[2].partition("\n")[0].strip()


@pytest.mark.parametrize(("arguments", "line"), MISTAKES, ids=[m[0] for m in MISTAKES])
def test_one_line_and_exit_code_4(
    arguments: str, line: str, folder: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {"tmp": str(folder), "left_out": left_out(root)}
    paths = sorted(path for path in folder.rglob("*"))
    assert main(arguments.format(**texts).split()) == 4
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert line.format(**texts) in err
    assert sorted(path for path in folder.rglob("*")) == paths
    assert (folder / "full" / "JDK-8335135-run.zip").read_text() == "mine"


@pytest.mark.jdk
def test_missing_evidence_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = folder / "run"
    assert main(["bundle", "8335135", "--run", str(run)]) == 0
    assert "\n  recording: none: the cell has no recording" in capsys.readouterr().out

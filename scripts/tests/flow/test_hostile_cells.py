# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""One bad cell costs one cell: whatever a test throws, names, writes or leaves."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jdkmatrix.records.record import BuildRecord, PlannedCell
from jdkmatrix.records.request import Request
from jdkmatrix.records.store import RunFolder
from jdkmatrix.results.document import CellResult
from jdkmatrix.run.cells.execution import Execution
from jdkmatrix.vocabulary import Status
from tests.flow.run_kit import PASSED, PLAIN, TESTS, Stage, passes, resume, run, store
from tests.machine.test_trees import deep

BAD, GOOD = TESTS
Damage = Callable[[Path], object]
MEGABYTES = 50


def throws(error: BaseException) -> Damage:
    def throw(_: Path) -> None:
        raise error

    return throw


def outcome(text: str) -> Damage:
    return lambda folder: (folder / "outcome.json").write_text(text)


def change_outcome(**changes: object) -> Damage:
    def change(folder: Path) -> None:
        file = folder / "outcome.json"
        file.write_text(json.dumps(json.loads(file.read_text()) | changes))

    return change


def change_figure(**changes: float) -> Damage:
    def change(folder: Path) -> None:
        (figure, *_) = json.loads((folder / "outcome.json").read_text())["figures"]
        change_outcome(figures=[figure | changes])(folder)

    return change


def with_bad_cell(
    tmp_path: Path, damage: Damage, execution: Execution = PASSED
) -> dict[str, CellResult]:
    """The two cells of a run, by their tests: BAD leaves that, GOOD passes."""

    def play(build: BuildRecord, test: str, folder: Path, **options: Any) -> Execution:
        passes(build, test, folder, **options)
        if test == GOOD:
            return PASSED
        damage(folder)
        return execution

    request = Request(builds=(PLAIN.id,), tests=TESTS, confirm=False)
    results = run(tmp_path / "run", request, stage=Stage(run=play))
    cells = {cell.test: cell for cell in results.cells}
    assert (results.complete, len(cells)) == (True, 2)
    assert cells[GOOD].grade == "as-expected"
    return cells


@pytest.mark.parametrize(
    "damage",
    [
        throws(ValueError("a defect")),
        throws(UnicodeEncodeError("utf-8", "\udcff", 0, 1, "surrogates")),
        throws(RecursionError("too deep")),
        throws(IsADirectoryError(21, "Is a directory")),
        outcome(""),
        outcome("[" * 100_000),
        outcome('{"schema": ' + "9" * 5_000 + "}"),
        outcome('{"schema": NaN}'),
        change_outcome(figures=[]),
        change_figure(value=10**4_000),
        change_figure(bound=-(10**400)),
        change_figure(value=1e300),
        change_outcome(java={"pid": -1}),
    ],
)
def test_it_is_an_error_of_that_cell(tmp_path: Path, damage: Damage) -> None:
    assert with_bad_cell(tmp_path, damage)[BAD].outcome == "error"


def test_an_outcome_that_is_a_pipe_is_taken_away(tmp_path: Path) -> None:
    def pipe(folder: Path) -> None:
        (folder / "outcome.json").unlink()
        os.mkfifo(folder / "outcome.json")

    assert with_bad_cell(tmp_path, pipe)[BAD].outcome == "error"


@pytest.mark.parametrize(
    "name",
    [
        b"\377\376.txt",
        b"a\nb",
        b"a b,c'\"d",
        "\U0001f600.txt".encode(),
        b"a\x1b[2J",
        b"-rf",
        b"a" * 250,
    ],
)
def test_any_name_of_a_file(tmp_path: Path, name: bytes) -> None:
    def leave(folder: Path) -> None:
        (folder / os.fsdecode(name)).write_text("x")

    assert with_bad_cell(tmp_path, leave)[BAD].grade == "as-expected"


def test_what_a_test_leaves_is_no_record_of_the_kits(tmp_path: Path) -> None:
    def plant(folder: Path) -> None:
        (folder / "cell.json").write_text('{"build": "other"}')
        (folder / "digest.json").write_text('{"schema": 1, "recordings": []}')
        (folder / "attempt-2").mkdir()
        (folder / "attempt-2" / "cell.json").write_text("{}")
        (folder / "attempt-3").symlink_to("/")
        (folder / "stolen.txt").symlink_to("/etc/passwd")

    cell = with_bad_cell(tmp_path, plant)[BAD]
    assert (cell.grade, cell.attempts) == ("as-expected", ())
    home = tmp_path / "run" / "cells" / PLAIN.id / BAD.removesuffix(".java")
    assert {path.name for path in home.iterdir()} == {
        "cell.json",
        "control-tls12.json",
        "outcome.json",
    }


def test_a_folder_in_the_place_of_a_record(tmp_path: Path) -> None:
    assert with_bad_cell(tmp_path, lambda folder: (folder / "cell.json").mkdir())


@pytest.mark.parametrize("field", ["status", "reason"])
def test_a_message_of_megabytes_is_cut_where_it_enters(tmp_path: Path, field: str) -> None:
    text = "\x1b[31m<b>x</b>" * (MEGABYTES << 20 >> 4)
    if field == "status":
        failure = replace(PASSED, status=Status.FAILED, status_text=f"Failed. {text}")
        cells = with_bad_cell(tmp_path, lambda folder: None, failure)
    else:  # an outcome file has a bound of its own
        cells = with_bad_cell(tmp_path, change_outcome(reason=text[: 1 << 19]))
    assert len(cells[BAD].reason) < 5_000
    for name in ("index.html", "junit.xml", "report.md", "results.json", "results.tap"):
        file = tmp_path / "run" / name
        if file.exists():
            assert file.stat().st_size < 400_000, name


@pytest.mark.slow
def test_a_tree_of_any_depth_and_any_number_of_files(tmp_path: Path) -> None:
    def leave(folder: Path) -> None:
        deep(folder)
        for n in range(1_200):
            (folder / f"status-{n}.txt").touch()

    cell = with_bad_cell(tmp_path, leave)[BAD]
    assert cell.grade == "as-expected"
    assert len(cell.artifacts) == 1_000
    home = tmp_path / "run" / "cells" / PLAIN.id / BAD.removesuffix(".java")
    record = json.loads((home / "cell.json").read_text())
    assert "it left more than is kept (1,000 files" in record["status_text"]


def test_what_an_interrupted_run_left_without_rights_is_made_anew(tmp_path: Path) -> None:
    """As root it is the depth alone that counts; `machine/test_trees.py` has the rights."""
    out = tmp_path / "run"
    home = RunFolder(out).cell_folder(PlannedCell(build=PLAIN.id, test=BAD))
    home.mkdir(parents=True)
    deep(home)
    home.chmod(0o444)
    store(out, request=Request(builds=(PLAIN.id,), tests=TESTS, confirm=False))
    results = resume(out)
    assert [cell.grade for cell in results.cells] == ["as-expected"] * 2

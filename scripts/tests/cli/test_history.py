# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix history` as it is typed: table, JSON, page, complaints, and how soon it answers."""

import json
import sqlite3
import time
from pathlib import Path

import jsonschema
import pytest

from jdkmatrix.cli.app import main
from jdkmatrix.history import answer as answer_module
from jdkmatrix.history.answer import HistoryAnswer
from jdkmatrix.history.database import reading
from jdkmatrix.history.reader import HistoryQuery, answer
from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.records.record import CellRecord, PlannedCell, RunRecord
from jdkmatrix.records.request import Request
from jdkmatrix.records.store import RunFolder
from jdkmatrix.vocabulary import Status
from tests.history.kit import BUILD, made_run, made_speed, other_kit, store_runs
from tests.report.conftest import TEST


@pytest.fixture
def file(tmp_path: Path) -> Path:
    nights = [made_speed(night, 1.0 if night < 9 else 0.4) for night in range(1, 14)]
    nights += [made_run(14), made_run(15, "reproduced", kit=other_kit("def"))]
    return store_runs(tmp_path / "history.sqlite", *nights)


def test_the_table_ends_with_what_changed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history", "--file", str(file)]) == 0
    output = capsys.readouterr().out
    assert f"{BUILD}, RequestsBlockedWhileConnectionCloses: as-expected in run-14, now" in output
    assert "also different: kit 0.1.0 abc to 0.1.0 def" in output
    assert "requests/s ratio 1.00 until run-8, 0.40 since run-9 (8 runs before, 5 since)" in output
    assert "10 of 15 runs are shown" in output
    assert output.rstrip().endswith("1 grade changed in run-15; 1 figure stepped lately.")


def test_json_is_the_answer(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history", "--file", str(file), "--bug", "8293562", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(json.loads(HistoryAnswer.schema_text())).validate(document)
    assert document["schema"] == 2
    assert document["changes"][0]["after"] == "regression"
    assert [len(track["grades"]) for track in document["tracks"]] == [15, 15]


def test_the_published_schema_is_that_of_the_answer() -> None:
    schema = Path(answer_module.__file__).with_name("history.schema.json")
    assert schema.read_text() == HistoryAnswer.schema_text(), (
        "write HistoryAnswer.schema_text() to it"
    )


def test_a_page_of_a_choice(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = file.with_name("speed.html")
    options = ["--file", str(file), "--scenario", "neighbour"]
    assert main(["history", *options, "--html", str(page)]) == 0
    assert "<svg" in page.read_text()
    assert main(["history", *options, "--html", str(page / "x")]) == 4
    assert capsys.readouterr().err.endswith("x: cannot be written: Not a directory\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--file", "none.sqlite"], "none.sqlite: no history yet"),
        (["--build", "debian-*"], "--build debian-*: in no run; accepted: --build temurin-17.0.7+"),
    ],
)
def test_complaints_are_one_line(
    arguments: list[str], message: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = file.read_bytes()
    assert main(["history", "--file", str(file), *arguments]) == 4
    complaint = capsys.readouterr().err
    assert message in complaint
    assert complaint.count("\n") == 1
    assert file.read_bytes() == content


def test_a_broken_history_changes_neither_exit_code_nor_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = made_run(1)
    folder = RunFolder.create(tmp_path, tmp_path / "run")
    folder.write_run(
        RunRecord(
            run="run",
            started=run.started_at,
            finished=run.finished_at,
            request=Request(),
            machine=run.machine,
            kit=run.kit,
            builds=run.builds,
            cells=(PlannedCell(build=BUILD, test=TEST),),
        )
    )
    folder.cell_folder(PlannedCell(build=BUILD, test=TEST)).mkdir(parents=True)
    folder.write_cell(
        CellRecord(
            build=BUILD,
            test=TEST,
            ended=ChildEnd.FINISHED,
            status=Status.PASSED,
            status_text="Passed. Execution successful",
            seconds=20,
            test_seconds=19,
            artifacts=(),
        )
    )
    whole, damaged_file = tmp_path / "whole.sqlite", tmp_path / "broken.sqlite"
    damaged_file.write_bytes(b"not a database " * 300)
    answers = []
    for file in (whole, damaged_file):
        monkeypatch.setenv("JDKMATRIX_HISTORY", str(file))
        code = main(["report", str(folder.path)])
        streams = capsys.readouterr()
        answers.append((code, streams.out))
        assert streams.err.count("\n") == (file is damaged_file)
    assert answers[0] == answers[1]
    assert [run["run"] for run in runs_of(whole)] == ["run"]


def runs_of(file: Path) -> list[sqlite3.Row]:
    with reading(file) as connection:
        connection.row_factory = sqlite3.Row
        return connection.execute("SELECT * FROM runs").fetchall()


def test_a_hundred_thousand_cells_are_answered_at_once(tmp_path: Path) -> None:
    path = store_runs(tmp_path / "history.sqlite", made_run(0))
    with sqlite3.connect(path) as connection:  # 500 nights of 10 tests on 20 builds
        connection.executescript(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
            INSERT INTO runs (run, started, finished, kit_version, os, kernel, architecture, cores,
                              memory_mib)
            SELECT 'more-' || i, date('2026-01-01', i || ' days') || 'T02:00:00Z', '', '0.1.0',
                   'Debian', '6', 'x86_64', 2, 8000 FROM n;
            WITH RECURSIVE b(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM b WHERE i < 20)
            INSERT INTO builds SELECT r.id, 'b' || i, 'b' || i, '', '17', 17, 'wheel', '00'
            FROM runs r, b WHERE run != 'run-0';
            WITH RECURSIVE t(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t WHERE i < 10)
            INSERT INTO cells
            SELECT b.run_id, b.build, b.build, '', 't' || t.i || '.java', 'JDK-' || t.i, 'fixed',
                   'not-reproduced', CASE WHEN (b.run_id + t.i) % 97 THEN 'as-expected' ELSE 'error'
                   END, 20, 0, NULL, NULL, NULL, NULL
            FROM builds b, t WHERE b.build LIKE 'b%';
            INSERT INTO change_points
            SELECT c.entry, '', c.test, '', 'seconds', c.run_id, c.run_id - 1, 1, 2, 9, 9
            FROM cells c WHERE c.run_id % 50 = 0;
            """
        )
    for query in (HistoryQuery(), HistoryQuery(bug="JDK-7"), HistoryQuery(build="b1*")):
        spent_s = []
        for _ in range(3):  # CPU time too is longer on a machine that others use
            begin = time.process_time()
            reply = answer(path, query)
            spent_s.append(time.process_time() - begin)
        assert len(reply.runs) == 30
        print(f"{query}: {min(spent_s):.3f} s of CPU time")
        assert min(spent_s) < 0.5

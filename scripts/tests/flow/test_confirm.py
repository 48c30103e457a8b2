# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A surprise is run again before it is reported; what was stored is never run twice."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from jdkmatrix.cli.run import exit_code
from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.grading.whole_run import assemble
from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.paths import Checkout
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.records.request import Request
from jdkmatrix.records.store import RunFolder
from jdkmatrix.report.written_reports import render
from jdkmatrix.results.document import Results
from jdkmatrix.run.cells.execution import Execution
from jdkmatrix.vocabulary import Status
from tests.flow.run_kit import PASSED, PLAIN, TESTS, Stage, played_outcome, read_stored, resume, run
from tests.grading.row_kit import TEST as ROWS
from tests.grading.row_kit import write_rows

TEST = "keepalive/DisconnectWaitsForSilentPeer.java"
REQUEST = Request(builds=(PLAIN.id,), tests=(TEST,))
QUIET = "tls13/CipherSuiteLookupCopiesTable.java"


class Script:
    """A runner whose attempts at a test come out as it says, one letter each; records each call.

    W is a control that shows the symptom, where the subject does not.
    """

    def __init__(self, outcomes: Mapping[str, str]) -> None:
        self.letters = {test: iter(letters) for test, letters in outcomes.items()}
        self.calls: list[tuple[str, str, bool]] = []

    def __call__(
        self, _: object, test: str, folder: Path, *, is_recorded: bool, **__: Any
    ) -> Execution:
        self.calls.append((Path(test).stem, folder.name, is_recorded))
        letter = next(self.letters[test], None)
        if letter is None or letter == "C":
            raise KeyboardInterrupt
        if letter == "D":
            raise OSError(28, "No space left on device")
        outcome = {"R": "reproduced", "?": "inconclusive"}.get(letter, "not-reproduced")
        played_outcome(folder, "subject", outcome)
        played_outcome(folder, "tls12", "reproduced" if letter == "W" else "not-reproduced")
        status = Status.PASSED if letter == "N" else Status.FAILED
        return Execution(ChildEnd.FINISHED, status, f"{status}.", 1.0)


def make_script(**outcomes: str) -> tuple[Script, Stage]:
    script = Script({test: outcomes.get(Path(test).stem, "N") for test in TESTS})
    return script, Stage(run=script)


def attempts_of(script: Script) -> list[str]:
    return [folder for _, folder, _ in script.calls]


@pytest.mark.parametrize(
    ("outcomes", "grade", "attempts", "code"),
    [
        ("N", "as-expected", 0, 0),
        ("RRR", "regression", 3, 1),
        ("RN", "flaky", 2, 1),
        ("RRN", "flaky", 3, 1),
        ("?N", "as-expected", 2, 0),
        ("???", "inconclusive", 3, 2),
    ],
)
def test_a_surprise_is_confirmed(
    tmp_path: Path,
    outcomes: str,
    grade: str,
    attempts: int,
    code: int,
) -> None:
    script, stage = make_script(DisconnectWaitsForSilentPeer=outcomes)
    results = run(tmp_path, REQUEST, stage=stage)
    (cell,) = results.cells
    assert (cell.grade, len(cell.attempts)) == (grade, attempts)
    assert results.complete
    assert exit_code(results, strict=False) == code
    folders = [TEST[10:-5], "attempt-2", "attempt-3"]
    assert attempts_of(script) == folders[: max(1, attempts)]
    for attempt in cell.attempts:
        assert (tmp_path / attempt.folder / "cell.json").is_file()
    # read again, by who comes later: the same
    folder = RunFolder.open(tmp_path)
    second = assemble(folder.read_run(), folder, Rulebook.load(Checkout.current()))
    assert second.cells == results.cells


def test_a_fault_wider_than_the_bug_is_a_regression_that_names_the_control(tmp_path: Path) -> None:
    _, stage = make_script(DisconnectWaitsForSilentPeer="WWW")
    results = run(tmp_path, REQUEST, stage=stage)
    (cell,) = results.cells
    assert (cell.outcome, cell.grade, cell.wider) == ("reproduced", "regression", ("tls12",))
    assert cell.confirmation == "Reproduced in 3 of 3 attempts."
    assert exit_code(results, strict=False) == 1
    sentence = "The control tls12 shows the symptom: a fault wider than JDK-8293562."
    for name in ("report.md", "index.html", "junit.xml", "results.tap"):
        assert sentence in (tmp_path / name).read_text(), name


def test_the_reports_say_how_often_it_showed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, stage = make_script(DisconnectWaitsForSilentPeer="RN")
    run(tmp_path, REQUEST, stage=stage)
    sentence = "Reproduced in 1 of 2 attempts, not-reproduced in 1: flaky."
    for name in ("results.json", "report.md", "index.html", "junit.xml", "results.tap"):
        assert sentence in (tmp_path / name).read_text(), name
    page = (tmp_path / "index.html").read_text()
    assert 'DisconnectWaitsForSilentPeer/attempt-2/">files</a>' in page


def test_expected_cells_run_once_and_all_others_first(tmp_path: Path) -> None:
    script, stage = make_script(DisconnectWaitsForSilentPeer="RRR")
    run(tmp_path, REQUEST.model_copy(update={"tests": (TEST, QUIET)}), jobs=2, stage=stage)
    assert sorted(name for name, _, _ in script.calls[:2]) == sorted(
        ["CipherSuiteLookupCopiesTable", "DisconnectWaitsForSilentPeer"]
    )
    assert attempts_of(script)[2:] == ["attempt-2", "attempt-3"]


@pytest.mark.parametrize(
    ("change", "tests", "recordings"),
    [
        ({}, (TEST,), [True, True, True]),  # its bug has a rule
        ({}, (QUIET,), [False, True, True]),
        ({"record": True}, (QUIET,), [True, True, True]),
    ],
)
def test_recorded_is_what_a_rule_reads_and_what_confirms(
    tmp_path: Path,
    change: dict[str, bool],
    tests: tuple[str, ...],
    recordings: list[bool],
) -> None:
    script, stage = make_script(
        DisconnectWaitsForSilentPeer="RRR", CipherSuiteLookupCopiesTable="RRR"
    )
    run(tmp_path, REQUEST.model_copy(update={"tests": tests, **change}), stage=stage)
    assert [is_recorded for _, _, is_recorded in script.calls] == recordings


@pytest.mark.parametrize("outcomes", ["R", "?"])
def test_no_confirm(tmp_path: Path, outcomes: str) -> None:
    script, stage = make_script(DisconnectWaitsForSilentPeer=outcomes)
    results = run(tmp_path, REQUEST.model_copy(update={"confirm": False}), stage=stage)
    (cell,) = results.cells
    assert cell.grade == ("regression" if outcomes == "R" else "inconclusive")
    assert (cell.attempts, cell.confirmation) == ((), "One attempt, not confirmed.")
    assert len(script.calls) == 1
    assert exit_code(results, strict=False) == (1 if outcomes == "R" else 2)


@pytest.mark.parametrize("end", ["C", "D"], ids=["Ctrl-C", "disk full"])
def test_what_ended_between_two_attempts_is_gone_on_with(tmp_path: Path, end: str) -> None:
    script, stage = make_script(DisconnectWaitsForSilentPeer=f"RR{end}R")
    half = run(tmp_path, REQUEST, stage=stage)
    assert not half.complete
    assert read_stored(tmp_path).finished is None
    assert half.cells[0].confirmation == "Reproduced in 2 of 2 attempts."
    whole = resume(tmp_path, stage)
    assert whole.complete
    assert whole.cells[0].confirmation == "Reproduced in 3 of 3 attempts."
    assert attempts_of(script) == [TEST[10:-5], "attempt-2", "attempt-3", "attempt-3"]


def test_what_a_run_of_an_older_kit_stored_is_read(tmp_path: Path) -> None:
    _, stage = make_script(DisconnectWaitsForSilentPeer="R")
    results = run(tmp_path, REQUEST.model_copy(update={"confirm": False}), stage=stage)
    (record,) = tmp_path.rglob("cell.json")
    forget(record, "attempt")
    forget(tmp_path / "run.json", "record", "confirm", parent="request")
    folder = RunFolder.open(tmp_path)
    second = assemble(folder.read_run(), folder, Rulebook.load(Checkout.current()))
    assert second.cells == results.cells
    document = json.loads((tmp_path / "results.json").read_text())
    for name in ("attempt", "attempts", "confirmation", "wider"):
        del document["cells"][0][name]
    (cell,) = Results.model_validate(document).cells
    assert cell.grade == "regression"
    assert "regression" in render(second)["report.md"]


def test_rows_of_an_earlier_build_that_come_late_are_compared_with(tmp_path: Path) -> None:
    new_home = "/changed"

    def play(build: BuildRecord, _: str, folder: Path, **__: Any) -> Execution:
        if build.home != new_home and folder.name != "attempt-2":
            return Execution(ChildEnd.TIMEOUT, Status.ERROR, "Error. It timed out", 1.0)
        write_rows(folder, build.id, {"row": "u" if build.home == new_home else "p"})
        return PASSED

    request = Request(builds=(PLAIN.id,), jdks=(new_home,), tests=(ROWS,))
    plain, local = run(tmp_path, request, stage=Stage(run=play)).cells
    assert (plain.grade, local.grade) == ("as-expected", "regression")
    assert (len(plain.attempts), len(local.attempts)) == (2, 3)


def forget(file: Path, *names: str, parent: str | None = None) -> None:
    document = json.loads(file.read_text())
    for name in names:
        del (document[parent] if parent else document)[name]
    file.write_text(json.dumps(document))

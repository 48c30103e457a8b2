# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Whose recordings are there when a run has ended?"""

from pathlib import Path
from typing import Any

import pytest

from jdkmatrix.errors import MachineError
from jdkmatrix.evidence.digest import Timeline
from jdkmatrix.evidence.outcomes import Figure
from jdkmatrix.grading.kept_recordings import without_read_recordings
from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.records.record import CellRecord, PlannedCell
from jdkmatrix.records.store import RunFolder
from jdkmatrix.results.document import AttemptResult, CellResult, Results
from jdkmatrix.vocabulary import Grade, Outcome, Status
from tests.report.conftest import make_cell, make_results

RECORDING = "jfr/hotspot-pid-7-id-1.jfr"
SMALL = ("outcome.json", "digest.json", "jvm-7-subject.log")


def store_cell(
    folder: RunFolder,
    build: str,
    outcome: str,
    expectation: str,
    bulky: str = RECORDING,
    was_read: bool = True,
    times_bound: float = 0.0,
    **changes: Any,
) -> CellResult:
    """A cell with its record and files."""
    cell = make_cell(build, outcome, expectation)
    record = CellRecord(
        build=build,
        test=cell.test,
        ended=ChildEnd.FINISHED,
        status=Status.PASSED,
        status_text="Passed.",
        seconds=1.0,
        test_seconds=1.0,
        artifacts=(*SMALL, bulky),
    )
    home = folder.cell_folder(PlannedCell(build=build, test=cell.test))
    for name in record.artifacts:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("bytes")
    folder.write_cell(record)
    figure = Figure(name="worst_request_ms", value=times_bound * 100, unit="ms", bound=100)
    subject = cell.evidence.cases[0].model_copy(update={"figures": (figure,)})
    timeline = Timeline(bin_ms=100, blocked_threads=(1,)) if was_read else None
    evidence = cell.evidence.model_copy(update={"cases": (subject,), "timeline": timeline})
    place = home.relative_to(folder.path).as_posix()
    artifacts = tuple(f"{place}/{name}" for name in record.artifacts)
    return cell.model_copy(update={"evidence": evidence, "artifacts": artifacts, **changes})


def builds_left(folder: RunFolder, cells: list[CellResult]) -> tuple[list[str], Results]:
    """The builds whose recordings are there afterwards; files, records and results agree."""
    results = without_read_recordings(make_results(*cells), folder)
    builds = []
    for old_cell, cell in zip(cells, results.cells, strict=True):
        home = folder.cell_folder(PlannedCell(build=cell.build, test=cell.test))
        record = folder.read_cell(PlannedCell(build=cell.build, test=cell.test))
        assert record
        assert all((home / name).is_file() for name in record.artifacts)
        place = home.relative_to(folder.path).as_posix()
        assert cell.artifacts == tuple(f"{place}/{name}" for name in record.artifacts)
        assert set(SMALL) <= set(record.artifacts)
        lost_files = set(old_cell.artifacts) - set(cell.artifacts)
        assert not any((folder.path / name).exists() for name in lost_files)
        if not lost_files:
            builds.append(cell.build)
    return builds, results


def test_of_a_reproducer_the_affected_and_the_fixed_build_that_show_best_stay(
    tmp_path: Path,
) -> None:
    folder = RunFolder(tmp_path)
    cells = [
        store_cell(folder, "temurin-11.0.13+8", "reproduced", "affected", times_bound=2),
        store_cell(folder, "temurin-17.0.3+7", "reproduced", "affected", times_bound=3),
        store_cell(folder, "temurin-17.0.9+9", "not-reproduced", "fixed"),
        store_cell(folder, "temurin-21.0.8+9", "not-reproduced", "fixed"),
        store_cell(folder, "zulu-11.0.2+7", "reproduced", "affected", "samples-7.txt"),
    ]
    builds, results = builds_left(folder, cells)
    assert builds == ["temurin-17.0.3+7", "temurin-17.0.9+9"]
    repeat = without_read_recordings(results, folder)
    assert repeat == results


@pytest.mark.parametrize(
    "odd",
    [
        {"grade": Grade.REGRESSION},
        {"grade": Grade.RECORDED},
        {"flags": ("Its recording shows JDK-8293562, which this build must not have.",)},
        {
            "attempts": (
                AttemptResult(
                    outcome=Outcome.NOT_REPRODUCED,
                    grade=Grade.AS_EXPECTED,
                    reason="",
                    seconds=1.0,
                    flags=(),
                    folder="cells/x",
                ),
            )
        },
        {"was_read": False},
    ],
)
def test_what_is_not_as_expected_or_could_not_be_read_stays(
    tmp_path: Path, odd: dict[str, Any]
) -> None:
    folder = RunFolder(tmp_path)
    cells = [
        store_cell(folder, "temurin-17.0.9+9", "not-reproduced", "fixed"),
        store_cell(folder, "temurin-21.0.8+9", "not-reproduced", "fixed"),
        store_cell(folder, "temurin-25.0.2+10", "not-reproduced", "fixed", **odd),
    ]
    assert builds_left(folder, cells)[0] == ["temurin-17.0.9+9", "temurin-25.0.2+10"]


def test_a_recording_that_cannot_be_removed_is_one_line(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    cells = [
        store_cell(folder, "temurin-17.0.9+9", "not-reproduced", "fixed"),
        store_cell(folder, "temurin-21.0.8+9", "not-reproduced", "fixed"),
    ]
    recording = folder.path / cells[1].artifacts[-1]
    recording.unlink()
    recording.mkdir()
    with pytest.raises(MachineError, match="Is a directory"):
        without_read_recordings(make_results(*cells), folder)

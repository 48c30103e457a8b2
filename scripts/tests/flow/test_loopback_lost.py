# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A loopback interface that goes down makes every test fail: nothing of that is graded."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from jdkmatrix.cli.run import exit_code
from jdkmatrix.cli.runs import runs
from jdkmatrix.errors import ExitCode, UnfinishedError
from jdkmatrix.machine import loopback
from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.machine.loopback import LoopbackError
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.records.request import Request
from jdkmatrix.report.console.display import Display
from jdkmatrix.run.cells.execution import Execution
from jdkmatrix.vocabulary import Status
from tests.flow.run_kit import (
    PLAIN,
    TESTS,
    PlayedTools,
    Stage,
    passes,
    played_outcome,
    resume,
    run,
)

REQUEST = Request(builds=(PLAIN.id,), tests=TESTS)
GONE = "no connection over 127.0.0.1: timed out"


class Interface:
    """A loopback interface that a test takes down; `cells` are those that were run."""

    def __init__(self) -> None:
        self.is_up = True
        self.cells: list[str] = []

    def fault(self) -> str | None:
        return None if self.is_up else GONE

    def down_in(self, *names: str) -> Callable[..., Execution]:
        """Cells that show the bug in the folders of these names, where the interface goes down."""

        def play(build: BuildRecord, test: str, folder: Path, **options: Any) -> Execution:
            self.cells.append(folder.name)
            if folder.name not in names:
                return passes(build, test, folder, **options)
            self.is_up = False
            return shows(build, test, folder)

        return play


def shows(_: BuildRecord, __: str, folder: Path, **___: Any) -> Execution:
    """A reproducer that shows a bug which its build must not have."""
    played_outcome(folder, "subject", "reproduced")
    played_outcome(folder, "tls12", "not-reproduced")
    return Execution(ChildEnd.FINISHED, Status.FAILED, "Failed.", 1.0)


@pytest.fixture
def interface(monkeypatch: pytest.MonkeyPatch) -> Interface:
    stand_in = Interface()
    monkeypatch.setattr(loopback, "loopback_fault", stand_in.fault)
    return stand_in


FIRST, SECOND = (Path(test).stem for test in TESTS)


@pytest.mark.parametrize("goes_in", [FIRST, SECOND])
def test_neither_its_cell_nor_a_later_one_is_graded_until_it_is_back(
    goes_in: str, interface: Interface, tmp_path: Path
) -> None:
    results = run(tmp_path, REQUEST, stage=Stage(run=interface.down_in(goes_in)))
    assert {Path(cell.test).stem for cell in results.cells} == {*interface.cells} - {goes_in}
    assert results.surprises == ()
    assert not results.complete
    assert exit_code(results, strict=False) == ExitCode.MACHINE
    assert interface.cells[-1] == goes_in  # what was left has not begun
    with pytest.raises(LoopbackError):
        resume(tmp_path)
    interface.is_up = True
    second = resume(tmp_path)
    assert (len(second.cells), second.surprises, second.complete) == (2, (), True)
    assert exit_code(second, strict=False) == ExitCode.OK


def test_an_attempt_without_it_confirms_nothing(interface: Interface, tmp_path: Path) -> None:
    """The first attempt may have lost it for a while."""
    down = interface.down_in("attempt-2")

    def play(build: BuildRecord, test: str, folder: Path, **options: Any) -> Execution:
        return (down if folder.name == "attempt-2" else shows)(build, test, folder, **options)

    request = REQUEST.model_copy(update={"tests": TESTS[:1]})
    results = run(tmp_path, request, stage=Stage(run=play))
    (cell,) = results.cells
    assert (len(cell.attempts), cell.confirmation) == (0, "One attempt, not confirmed.")
    assert exit_code(results, strict=False) == ExitCode.MACHINE


def test_the_next_of_several_runs_does_not_begin(interface: Interface, tmp_path: Path) -> None:
    """As MachineError it would be a fault that `planted` has not found."""
    tools = PlayedTools(Stage())
    run_one = runs(tools, Display(Console(quiet=True)), jobs=1, offline=True)
    assert run_one(REQUEST, tmp_path / "first").complete
    interface.is_up = False
    with pytest.raises(UnfinishedError):
        run_one(REQUEST, tmp_path / "second")
    assert not (tmp_path / "second").exists()


def test_the_fault_and_its_remedy_are_one_line(interface: Interface, tmp_path: Path) -> None:
    interface.is_up = False
    with pytest.raises(LoopbackError) as error:
        run(tmp_path / "run", REQUEST)
    assert str(error.value) == f"{GONE}; to fix it: bring the loopback interface up"
    assert error.value.exit_code is ExitCode.MACHINE
    assert not (tmp_path / "run").exists()

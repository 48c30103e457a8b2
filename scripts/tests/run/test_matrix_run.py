# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is kept of a run that is ended, or broken, in the middle? Without Java."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any, NoReturn

import pytest

from jdkmatrix import __version__, matrix_run
from jdkmatrix.errors import MachineError
from jdkmatrix.paths import Checkout
from jdkmatrix.run.execution import Execution
from jdkmatrix.run.machine import kit_commit
from jdkmatrix.run.othervm import OtherVm
from jdkmatrix.run.process import Children
from jdkmatrix.run.record import CellRecord, KitRecord, MergedShard, Request, RunRecord
from jdkmatrix.run.store import RunFolder
from jdkmatrix.supply.build import Build
from tests.report.conftest import make_results
from tests.run.run_kit import PASSED, TESTS, StandInSupplier, play, resume, run, stored
from tests.run.test_resume import PLAIN, store

STARTED = "2026-11-21T08:00:00Z"
OTHER = "temurin-17.0.3+7"
REQUEST = Request(builds=(PLAIN.id,), tests=TESTS)


def test_ctrl_c_while_recordings_are_read_leaves_them_to_a_resumed_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def interrupt(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    play(monkeypatch)
    monkeypatch.setattr(matrix_run, "digest_recordings", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, REQUEST)
    assert stored(tmp_path).finished is None
    read: list[Any] = []
    monkeypatch.setattr(matrix_run, "digest_recordings", lambda homes, _: read.extend(homes))
    monkeypatch.setattr(OtherVm, "run", interrupt)  # no cell is run again
    assert resume(tmp_path).complete
    assert [f"{home.parent.name}/{home.name}.java" for home in read] == [*TESTS]
    assert stored(tmp_path).finished


def test_once_the_run_cannot_be_stored_no_further_cell_is_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first_cell_runs = Event()

    def supply(
        _: object, entries: object, on_ready: Callable[[Build], None] = lambda _: None
    ) -> list[Build]:
        on_ready(PLAIN)
        assert first_cell_runs.wait(10)
        on_ready(replace(PLAIN, id=OTHER, entry_id=OTHER))
        return []

    def run_test(*_: Any, children: Children, **__: Any) -> Execution:
        first_cell_runs.set()
        ended = children.run(["sleep", "5"], tmp_path / "log", {}, 10)[0]
        return replace(PASSED, ended=ended)

    def write_run(folder: RunFolder, record: RunRecord) -> None:
        if len(record.builds) == 2:
            raise MachineError(f"{folder.path}: full")

    play(monkeypatch)
    monkeypatch.setattr(StandInSupplier, "supply", supply)
    monkeypatch.setattr(RunFolder, "write_run", write_run)
    monkeypatch.setattr(OtherVm, "run", run_test)
    with pytest.raises(MachineError, match="full"):
        run(tmp_path / "run", REQUEST.model_copy(update={"builds": (PLAIN.id, OTHER)}))
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("cell")]


def test_a_cell_whose_record_cannot_be_written_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def write_cell(folder: RunFolder, record: CellRecord) -> NoReturn:
        raise MachineError("cell.json: cannot be written: No space left on device")

    play(monkeypatch)
    monkeypatch.setattr(RunFolder, "write_cell", write_cell)
    results = run(tmp_path, REQUEST)
    assert (results.complete, results.cells) == (False, ())


def test_a_merged_run_that_is_gone_on_with_stays_what_it_was(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    play(monkeypatch)
    machine = make_results().machine
    part = MergedShard(
        shard="1/2", run="shard-1", started=STARTED, finished=STARTED, machine=machine
    )
    commit = kit_commit(Checkout.here().root)
    kit = KitRecord(version=__version__, commit=commit and f"{commit.removesuffix('-dirty')}-dirty")
    store(tmp_path, request=REQUEST, machine=machine, merged=(part,), kit=kit)
    results = resume(tmp_path)
    assert results.complete
    assert results.merged
    now = stored(tmp_path)
    assert (now.merged, now.machine, now.started) == ((part,), machine, STARTED)
    assert now.kit.commit == kit.commit

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is kept of a run that is ended, or broken, in the middle? Without Java."""

import shutil
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from threading import Event
from typing import Any, NoReturn

import pytest
from rich.console import Console

from jdkmatrix import __version__
from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.flow import flow
from jdkmatrix.machine.children import ChildEnd, Children
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.seconds import expected_seconds
from jdkmatrix.records.provenance import kit_commit
from jdkmatrix.records.record import BuildRecord, KitRecord, MergedShard
from jdkmatrix.records.request import Request
from jdkmatrix.report.console.display import Display
from jdkmatrix.run.cells.execution import Execution
from jdkmatrix.supply.build import Build
from jdkmatrix.vocabulary import MACHINE_LACKS, Status
from jdkmatrix.words.runs import changes
from tests.flow.run_kit import (
    PASSED,
    PLAIN,
    TESTS,
    PlayedTools,
    Stage,
    StandInSupplier,
    passes,
    read_stored,
    resume,
    run,
    store,
)
from tests.report.conftest import make_results

STARTED = "2026-11-21T08:00:00Z"
SECOND_ID = "temurin-17.0.3+7"
REQUEST = Request(builds=(PLAIN.id,), tests=TESTS)


def interrupt(*_: object, **__: object) -> NoReturn:
    raise KeyboardInterrupt


def leave_recording(build: BuildRecord, test: str, folder: Path, **options: Any) -> Execution:
    """A cell that passes, and leaves a recording of its subject."""
    (folder / "jfr").mkdir()
    (folder / "jfr" / "hotspot-pid-1-id-1.jfr").touch()
    return passes(build, test, folder, **options)


def test_ctrl_c_while_recordings_are_read_leaves_them_to_a_resumed_run(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, REQUEST, stage=Stage(run=leave_recording, read=interrupt))
    assert read_stored(tmp_path).finished is None
    read: list[Path] = []
    stage = Stage(run=interrupt, read=read.extend)  # no cell is run again
    assert resume(tmp_path, stage).complete
    assert [path.parents[1].name for path in read] == [Path(test).stem for test in TESTS]
    assert read_stored(tmp_path).finished


def test_once_the_run_cannot_be_stored_no_further_cell_is_run(tmp_path: Path) -> None:
    first_cell_runs = Event()
    place = tmp_path / "run"

    class Supplier(StandInSupplier):
        def stream_outcomes(self, build_entries: Iterable[object]) -> Iterator[Build]:
            yield PLAIN
            assert first_cell_runs.wait(10)
            (place / "run.json").unlink()
            (place / "run.json").mkdir()  # now it can't be written
            yield replace(PLAIN, id=SECOND_ID, entry_id=SECOND_ID)

    def run_test(*_: Any, children: Children, **__: Any) -> Execution:
        first_cell_runs.set()
        end = children.run(["sleep", "5"], tmp_path / "log", {}, 10)[0]
        return replace(PASSED, end=end)

    with pytest.raises(MachineError, match="cannot be written"):
        request = REQUEST.model_copy(update={"builds": (PLAIN.id, SECOND_ID)})
        run(place, request, stage=Stage(supplier=Supplier(), run=run_test))
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("cell")]


def test_the_shortest_test_of_the_first_build_is_run_first(tmp_path: Path) -> None:
    tests: list[str] = []

    def passes_in_order(build: BuildRecord, test: str, folder: Path, **options: Any) -> Execution:
        tests.append(test)
        return passes(build, test, folder, **options)

    request = REQUEST.model_copy(update={"tests": ("keepalive",)})
    run(tmp_path, request, stage=Stage(run=passes_in_order))
    seconds = expected_seconds(tests)
    assert seconds[tests[0]] == min(seconds.values())


def test_a_cell_whose_record_cannot_be_written_is_told(tmp_path: Path) -> None:
    def passes_on_a_bad_disk(_: object, __: str, folder: Path, **___: Any) -> Execution:
        shutil.rmtree(folder)
        folder.touch()
        return PASSED

    results = run(tmp_path, REQUEST, stage=Stage(run=passes_on_a_bad_disk))
    assert (results.complete, results.cells) == (False, ())


def test_options_of_java_are_those_of_each_build_and_of_its_own_series(tmp_path: Path) -> None:
    options = ("-Xint", "-Dtext=a b")
    options_of_cells: list[tuple[str, ...]] = []

    def note_options(build: BuildRecord, *rest: Any, **options: Any) -> Execution:
        options_of_cells.append(build.test_options)
        return passes(build, *rest, **options)

    request = REQUEST.model_copy(update={"java_options": options})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PlayedTools, "check_options", lambda *_: None)
        results = run(tmp_path, request, stage=Stage(run=note_options))
    assert options_of_cells == [options] * len(TESTS)
    assert read_stored(tmp_path).request.java_options == options
    (build,) = results.builds
    assert build.java_options == options
    assert build.variant == "-Xint -Dtext=a b"
    assert build.options.endswith(" --java-option=-Xint --java-option='-Dtext=a b'")
    assert list(changes(results)) == [
        f"{build.id}: each of its JVMs had -Xint '-Dtext=a b'.",
    ]
    assert "-Xint -Dtext=a b" in (tmp_path / "report.md").read_text()
    assert "-Xint -Dtext=a b" in (tmp_path / "index.html").read_text()


def test_a_merged_run_that_is_gone_on_with_stays_what_it_was(tmp_path: Path) -> None:
    machine = make_results().machine
    part = MergedShard(
        shard="1/2", run="shard-1", started=STARTED, finished=STARTED, machine=machine
    )
    commit = kit_commit(Checkout.current().root)
    kit = KitRecord(version=__version__, commit=commit and f"{commit.removesuffix('-dirty')}-dirty")
    store(tmp_path, request=REQUEST, machine=machine, merged=(part,), kit=kit)
    results = resume(tmp_path)
    assert results.complete
    assert results.shards
    record = read_stored(tmp_path)
    assert (record.merged, record.machine, record.started) == ((part,), machine, STARTED)
    assert record.kit.commit == kit.commit


def test_a_run_that_ends_before_its_reports_are_written_is_resumed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    in_the_way = out / "index.html"

    def passes_in_a_folder(*arguments: Any, **options: Any) -> Execution:
        in_the_way.mkdir(exist_ok=True)
        return passes(*arguments, **options)

    with pytest.raises(MachineError):
        run(out, REQUEST, stage=Stage(run=passes_in_a_folder))
    assert read_stored(out).finished is None
    in_the_way.rmdir()
    assert resume(out).complete
    assert in_the_way.is_file()
    assert read_stored(out).finished


def test_what_the_machine_lacks_is_said_once(tmp_path: Path) -> None:
    lack = f"{MACHINE_LACKS} jars: no mvn"
    execution = Execution(ChildEnd.FINISHED, Status.SKIPPED, lack, None)

    class Supplier(StandInSupplier):
        def stream_outcomes(self, build_entries: Iterable[object]) -> Iterator[Build]:
            yield PLAIN
            yield replace(PLAIN, id=SECOND_ID, entry_id=SECOND_ID)

    output = StringIO()
    tools = PlayedTools(Stage(supplier=Supplier(), run=lambda *_, **__: execution))
    request = REQUEST.model_copy(update={"builds": (PLAIN.id, SECOND_ID)})
    display = Display(Console(file=output, width=200))
    results = flow.run(tools, request, flow.RunOptions(jobs=1, out=tmp_path), display).results
    assert {cell.grade.value for cell in results.cells} == {"skipped"}
    assert len(results.cells) == 2 * len(TESTS)
    assert output.getvalue().count(f"{TESTS[0]}: {lack}") == 1
    assert output.getvalue().count(lack) == 1
    # And which JDK compiled, read and played peers.
    assert f"tool JDK: {PLAIN.id} ({PLAIN.source}: " in output.getvalue()
    kit = read_stored(tmp_path).kit
    assert (kit.tool_jdk, kit.tool_jdk_source) == (PLAIN.id, PLAIN.source)


@dataclass(frozen=True)
class CheckoutBeside(Checkout):
    """The checkout, with its reports elsewhere."""

    reports_folder: Path = Path()

    @property
    def reports(self) -> Path:
        return self.reports_folder


def test_a_run_that_ran_nothing_is_not_the_latest_and_can_be_resumed(tmp_path: Path) -> None:
    display, options = Display(Console(quiet=True)), flow.RunOptions(jobs=1)
    tools = PlayedTools(Stage())
    tools.checkout = CheckoutBeside(tools.checkout.root, tmp_path)
    first = flow.run(tools, REQUEST, options, display)
    tools.stage = Stage(run=interrupt)
    second = flow.run(tools, REQUEST, options, display)
    assert (first.results.complete, second.results.cells) == (True, ())
    assert (tmp_path / "latest").resolve() == first.folder.resolve()
    tools.stage = Stage()
    assert flow.resume(tools, "run", options, display).folder == second.folder
    assert (tmp_path / "latest").resolve() == second.folder.resolve()
    with pytest.raises(UsageError, match="no `validate` of this checkout is left to resume"):
        flow.resume(tools, "validate", options, display)

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A real test that hangs, on five trains: what is left of it?

What hangs does nothing, so three at once wait for their deadlines; the cases that have a deadline
of their own, which no busy machine moves, run one after the other. One JVM reads it all.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.config.run_lines import Header, RunLine, read_header
from jdkmatrix.evidence.digest import digester_of
from jdkmatrix.evidence.hang import Hang
from jdkmatrix.evidence.outcomes import read_outcomes
from jdkmatrix.grading.cell_outcome import has_broken
from jdkmatrix.grading.cell_recordings import digest_recordings, read_digest, read_hangs
from jdkmatrix.machine.children import ChildEnd, Children
from jdkmatrix.machine.java_program import JavaProgram
from jdkmatrix.paths import Checkout
from jdkmatrix.records.builds import build_record
from jdkmatrix.records.record import BuildRecord, CellRecord, OverlayRecord
from jdkmatrix.run.cells.execution import Execution
from jdkmatrix.run.cells.hang_dumps import is_jvm
from jdkmatrix.run.cells.othervm import CompiledTest, OtherVm
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.supplier import Supplier
from jdkmatrix.vocabulary import Status
from tests.conftest import FIXTURES
from tests.run.cells.test_runner import task_of

pytestmark = [pytest.mark.jdk, pytest.mark.network]

SUITE = FIXTURES / "hangs"
TEST = "HangsInDeadlock.java"
OWN_DEADLINE = "EndsAtItsDeadline.java"
BUILDS = [
    "debian-8",
    "temurin-11.0.9.1+1",  # a runtime image without jcmd
    "temurin-17.0.3+7",
    "temurin-21.0.8+9",
    "temurin-25.0.2+10",
]
OWN_DEADLINES = [*((entry_id, "deadlock") for entry_id in BUILDS), ("debian-17", "asleep")]
AT_ONCE = 3
DEAF = OverlayRecord(
    name="deaf",
    option="--overlay x",
    sha256="",
    java_options=("-XX:+DisableAttachMechanism",),
    note="its JVMs cannot be attached to",
)
BuildOf = Callable[[str], BuildRecord]


@pytest.fixture(scope="module")
def build_of(root: Path, jdks: JdksFile) -> BuildOf:
    supplier = Supplier(jdks, root / "jdks.lock", cache_root())

    def get(entry_id: str) -> BuildRecord:
        (build,) = supplier.supply([jdks.entry(entry_id)])
        assert isinstance(build, Build), build
        return build_record(build)

    return get


@pytest.fixture(scope="module")
def runner(root: Path, tool_jdk: Path) -> OtherVm:
    checkout = Checkout(root)
    classes = JavaProgram(
        "hangs",
        SUITE,
        tool_jdk,
        cache_root() / "tests",
        options=("--release", "8", "-Xlint:-options"),
        main_files=(SUITE / TEST, SUITE / OWN_DEADLINE, checkout.othervm_main),
        libraries=(checkout.othervm_sources, checkout.suite / "lib"),
    ).compile()
    tests = {TEST: CompiledTest(read_header(SUITE / TEST), classes)}
    for state in ("deadlock", "asleep"):
        line = RunLine(Path(OWN_DEADLINE).stem, (state,))
        tests[state] = CompiledTest(Header((line,), ()), classes)
    return OtherVm(SUITE, tests, tool_jdk, checkout.recording_settings)


@dataclass(frozen=True)
class Cell:
    """A build that runs a test, and how it ended; what it leaves lies in `folder`."""

    build: BuildRecord
    execution: Execution
    folder: Path
    names: list[str]


@dataclass(frozen=True)
class Cells:
    """Those that hung, by name, and those with a deadline of their own, by entry and how."""

    hung: dict[str, Cell]
    own_deadlines: dict[tuple[str, str], Cell]


@pytest.fixture(scope="module")
def cells(
    runner: OtherVm,
    build_of: BuildOf,
    root: Path,
    tool_jdk: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Cells:
    home = tmp_path_factory.mktemp("cells")

    def run(build: BuildRecord, test: str, folder: Path, *, is_recorded: bool) -> Cell:
        task = task_of(build, test, is_recorded=is_recorded)
        execution = runner.run(task, folder, Children())
        names = sorted(path.name for path in folder.iterdir() if path.is_file())
        return Cell(build, execution, folder, names)

    builds = {entry_id: build_of(entry_id) for entry_id in BUILDS}
    builds["without"] = build_of("debian-17").model_copy(update={"facts": {"has_jfr": False}})
    builds["deaf"] = build_of("temurin-11.0.13+8").model_copy(update={"overlay": DEAF})
    builds["no JVM"] = build_of("debian-17").model_copy(update={"home": str(no_jdk(home))})
    with ThreadPoolExecutor(AT_ONCE) as pool:
        hanging = {
            name: pool.submit(run, build, TEST, home / name.replace(" ", "-"), is_recorded=True)
            for name, build in builds.items()
        }
        hung = {name: future.result() for name, future in hanging.items()}
    own_deadlines = {
        (entry_id, state): run(
            build_of(entry_id), state, home / f"{entry_id}-{state}", is_recorded=False
        )
        for entry_id, state in OWN_DEADLINES
    }
    folders = [cell.folder for cell in (*hung.values(), *own_deadlines.values())]
    digest_recordings(folders, digester_of(Checkout(root), tool_jdk))
    return Cells(hung, own_deadlines)


def no_jdk(folder: Path) -> Path:
    """A home whose `java` says on SIGQUIT that it was asked."""
    java = folder / "jdk" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text("#!/bin/sh\ntrap 'echo asked' QUIT; sleep 60; exit 3\n")
    java.chmod(0o755)
    return folder / "jdk"


def hung(cells: Cells, name: str) -> Cell:
    cell = cells.hung[name]
    assert cell.execution.end is ChildEnd.TIMEOUT
    assert cell.execution.status is Status.ERROR
    assert "HangsInDeadlock subject timed out after 4 s" in cell.execution.status_text
    return cell


def says_what_was_planted(hang: Hang) -> None:
    in_deadlock = {thread.thread for cycle in hang.deadlocks for thread in cycle}
    assert in_deadlock == {
        "takes left, then right",
        "takes right, then left",
        "takes first, then second",
        "takes second, then first",
    }
    (queue,) = hang.queues
    assert (len(queue.threads), queue.owner) == (3, "sleeps with it")


@pytest.mark.parametrize("entry_id", BUILDS)
def test_a_deadlock_leaves_recording_and_dumps(cells: Cells, entry_id: str) -> None:
    cell = hung(cells, entry_id)
    (hang,) = read_hangs(cell.folder)
    dump_names = [name for name in cell.names if name.startswith("hang-")]
    assert [name.replace(str(hang.pid), "PID") for name in dump_names] == [
        "hang-PID-threads-1.txt",
        "hang-PID-threads-2.txt",
        "hang-PID-threads-3.txt",
        "hang-PID.jfr",
    ]
    assert hang.dumps == 3
    says_what_was_planted(hang)
    recording = cell.folder / f"hang-{hang.pid}.jfr"
    first_dump = cell.folder / f"hang-{hang.pid}-threads-1.txt"
    assert recording.stat().st_mtime_ns <= first_dump.stat().st_mtime_ns
    read, error = read_digest(cell.folder)
    assert read is not None, error
    assert read.pid == hang.pid


def test_without_a_recording_there_are_still_dumps(cells: Cells) -> None:
    cell = hung(cells, "without")
    assert not [name for name in cell.names if name.endswith(".jfr")]
    (hang,) = read_hangs(cell.folder)
    says_what_was_planted(hang)


def test_a_jvm_that_does_not_answer_prints_its_own_dumps(cells: Cells) -> None:
    (hang,) = read_hangs(hung(cells, "deaf").folder)
    assert hang.pid is None
    assert hang.dumps == 3
    says_what_was_planted(hang)


@pytest.mark.parametrize(("entry_id", "state"), OWN_DEADLINES)
def test_a_case_that_ends_at_its_own_deadline_says_whether_the_jdk_stood_still(
    cells: Cells, entry_id: str, state: str
) -> None:
    cell = cells.own_deadlines[entry_id, state]
    execution = cell.execution
    assert (execution.end, execution.status) == (ChildEnd.FINISHED, Status.FAILED)
    verdict = read_outcomes(cell.folder).verdict
    assert verdict and verdict.reason.startswith("The case was not over after ")
    record = CellRecord(
        build=cell.build.id,
        test=state,
        ended=execution.end,
        status=execution.status,
        status_text=execution.status_text,
        seconds=2,
        test_seconds=2,
        artifacts=(),
    )
    (hang,) = read_hangs(cell.folder)
    assert has_broken(record, (hang,)) is (state != "asleep")
    if state == "deadlock":
        says_what_was_planted(hang)


def test_who_is_asked_is_a_jvm() -> None:
    assert not is_jvm(os.getpid())


def test_a_process_that_is_no_jvm_is_left_alone(cells: Cells) -> None:
    cell = hung(cells, "no JVM")
    assert not [name for name in cell.names if name.startswith("hang-")]
    assert (cell.folder / "jvm-1-subject.log").read_text() == ""

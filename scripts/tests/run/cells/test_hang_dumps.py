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
from jdkmatrix.evidence.cell_outcome import was_starved
from jdkmatrix.evidence.digest import digester_of
from jdkmatrix.evidence.hang import Hang
from jdkmatrix.evidence.outcomes import read_outcomes
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
OWN_DEADLINES = [*((entry, "deadlock") for entry in BUILDS), ("debian-17", "asleep")]
AT_ONCE = 3
DEAF = OverlayRecord(
    name="deaf",
    option="",
    sha256="",
    java_options=("-XX:+DisableAttachMechanism",),
    note="its JVMs cannot be attached to",
)
BuildOf = Callable[[str], BuildRecord]


@pytest.fixture(scope="module")
def build_of(root: Path, jdks: JdksFile) -> BuildOf:
    supplier = Supplier(jdks, root / "jdks.lock", cache_root())

    def get(entry: str) -> BuildRecord:
        (build,) = supplier.supply([jdks.entry(entry)])
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
    ).compiled()
    tests = {TEST: CompiledTest(read_header(SUITE / TEST), classes)}
    for how in ("deadlock", "asleep"):
        line = RunLine(Path(OWN_DEADLINE).stem, (how,))
        tests[how] = CompiledTest(Header((line,), ()), classes)
    return OtherVm(SUITE, tests, tool_jdk, checkout.recording_settings)


@dataclass(frozen=True)
class Cell:
    """A build that runs a test, and how it ended; what it leaves lies in `folder`."""

    build: BuildRecord
    ran: Execution
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

    def run(build: BuildRecord, test: str, folder: Path, *, recorded: bool) -> Cell:
        ran = runner.run(build, test, folder, recorded=recorded, children=Children())
        names = sorted(path.name for path in folder.iterdir() if path.is_file())
        return Cell(build, ran, folder, names)

    builds = {entry: build_of(entry) for entry in BUILDS}
    builds["without"] = build_of("debian-17").model_copy(update={"facts": {"has_jfr": False}})
    builds["deaf"] = build_of("temurin-11.0.13+8").model_copy(update={"overlay": DEAF})
    builds["no JVM"] = build_of("debian-17").model_copy(update={"home": str(no_jdk(home))})
    with ThreadPoolExecutor(AT_ONCE) as pool:
        hanging = {
            name: pool.submit(run, build, TEST, home / name.replace(" ", "-"), recorded=True)
            for name, build in builds.items()
        }
        hung = {name: one.result() for name, one in hanging.items()}
    own_deadlines = {
        (entry, how): run(build_of(entry), how, home / f"{entry}-{how}", recorded=False)
        for entry, how in OWN_DEADLINES
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
    assert cell.ran.ended is ChildEnd.TIMEOUT
    assert cell.ran.status is Status.ERROR
    assert "HangsInDeadlock subject timed out after 4 s" in cell.ran.status_text
    return cell


def says_what_was_planted(found: Hang) -> None:
    in_deadlock = {thread.thread for cycle in found.deadlocks for thread in cycle}
    assert in_deadlock == {
        "takes left, then right",
        "takes right, then left",
        "takes first, then second",
        "takes second, then first",
    }
    (queue,) = found.queues
    assert (len(queue.threads), queue.owner) == (3, "sleeps with it")


@pytest.mark.parametrize("entry", BUILDS)
def test_a_deadlock_leaves_recording_and_dumps(cells: Cells, entry: str) -> None:
    cell = hung(cells, entry)
    (found,) = read_hangs(cell.folder)
    dumped = [name for name in cell.names if name.startswith("hang-")]
    assert [name.replace(str(found.pid), "PID") for name in dumped] == [
        "hang-PID-threads-1.txt",
        "hang-PID-threads-2.txt",
        "hang-PID-threads-3.txt",
        "hang-PID.jfr",
    ]
    assert found.dumps == 3
    says_what_was_planted(found)
    recording = cell.folder / f"hang-{found.pid}.jfr"
    first_dump = cell.folder / f"hang-{found.pid}-threads-1.txt"
    assert recording.stat().st_mtime_ns <= first_dump.stat().st_mtime_ns
    read, error = read_digest(cell.folder)
    assert read is not None, error
    assert read.pid == found.pid


def test_without_a_recording_there_are_still_dumps(cells: Cells) -> None:
    cell = hung(cells, "without")
    assert not [name for name in cell.names if name.endswith(".jfr")]
    (found,) = read_hangs(cell.folder)
    says_what_was_planted(found)


def test_a_jvm_that_does_not_answer_prints_its_own_dumps(cells: Cells) -> None:
    (found,) = read_hangs(hung(cells, "deaf").folder)
    assert found.pid is None
    assert found.dumps == 3
    says_what_was_planted(found)


@pytest.mark.parametrize(("entry", "how"), OWN_DEADLINES)
def test_a_case_that_ends_at_its_own_deadline_says_whether_the_jdk_stood_still(
    cells: Cells, entry: str, how: str
) -> None:
    cell = cells.own_deadlines[entry, how]
    ran = cell.ran
    assert (ran.ended, ran.status) == (ChildEnd.FINISHED, Status.FAILED)
    verdict = read_outcomes(cell.folder).verdict
    assert verdict and verdict.reason.startswith("The case was not over after ")
    left = CellRecord(
        build=cell.build.id,
        test=how,
        ended=ran.ended,
        status=ran.status,
        status_text=ran.status_text,
        seconds=2,
        test_seconds=2,
        artifacts=(),
    )
    (found,) = read_hangs(cell.folder)
    assert was_starved(left, (found,)) is (how == "asleep")
    if how == "deadlock":
        says_what_was_planted(found)


def test_who_is_asked_is_a_jvm() -> None:
    assert not is_jvm(os.getpid())


def test_a_process_that_is_no_jvm_is_left_alone(cells: Cells) -> None:
    cell = hung(cells, "no JVM")
    assert not [name for name in cell.names if name.startswith("hang-")]
    assert (cell.folder / "jvm-1-subject.log").read_text() == ""

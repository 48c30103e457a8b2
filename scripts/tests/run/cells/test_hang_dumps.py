# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A real test that hangs, on five trains: what is left of it?"""

from collections.abc import Callable
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.config.run_lines import Header, RunLine, read_header
from jdkmatrix.evidence.cell_outcome import was_starved
from jdkmatrix.evidence.digest import Digester, digester_of
from jdkmatrix.evidence.hang import Hang
from jdkmatrix.evidence.outcomes import read_outcomes
from jdkmatrix.grading.cell_recordings import digest_recordings, read_hangs
from jdkmatrix.machine.children import Children, Ended
from jdkmatrix.machine.java_program import JavaProgram
from jdkmatrix.paths import Checkout
from jdkmatrix.records.builds import build_record
from jdkmatrix.records.record import BuildRecord, CellRecord, OverlayRecord
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


@pytest.fixture(scope="module")
def digester(root: Path, tool_jdk: Path) -> Digester:
    return digester_of(Checkout(root), tool_jdk)


def hangs(digester: Digester, folder: Path, names: list[str]) -> list[Hang]:
    dumps = [folder / name for name in names if name.endswith((".log", ".txt"))]
    return [jvm.hang for jvm in digester.digest((), dumps).hangs]


def hang(runner: OtherVm, build: BuildRecord, folder: Path) -> list[str]:
    result = runner.run(build, TEST, folder, recorded=True, children=Children())
    assert result.ended is Ended.TIMEOUT
    assert result.status is Status.ERROR
    assert "HangsInDeadlock subject timed out after 4 s" in result.status_text
    return sorted(path.name for path in folder.iterdir() if path.is_file())


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
def test_a_deadlock_leaves_recording_and_dumps(
    runner: OtherVm, build_of: BuildOf, digester: Digester, tmp_path: Path, entry: str
) -> None:
    names = hang(runner, build_of(entry), tmp_path)
    (found,) = hangs(digester, tmp_path, names)
    assert [name.replace(str(found.pid), "PID") for name in names if name.startswith("hang-")] == [
        "hang-PID-threads-1.txt",
        "hang-PID-threads-2.txt",
        "hang-PID-threads-3.txt",
        "hang-PID.jfr",
    ]
    assert found.dumps == 3
    says_what_was_planted(found)
    recording = tmp_path / f"hang-{found.pid}.jfr"
    first_dump = tmp_path / f"hang-{found.pid}-threads-1.txt"
    assert recording.stat().st_mtime_ns <= first_dump.stat().st_mtime_ns
    (read,) = digester.digest([recording]).readable
    assert read.pid == found.pid


def test_without_a_recording_there_are_still_dumps(
    runner: OtherVm, build_of: BuildOf, digester: Digester, tmp_path: Path
) -> None:
    without = build_of("temurin-17.0.3+7").model_copy(update={"facts": {"has_jfr": False}})
    names = hang(runner, without, tmp_path)
    assert not [name for name in names if name.endswith(".jfr")]
    (found,) = hangs(digester, tmp_path, [name for name in names if name.startswith("hang-")])
    says_what_was_planted(found)


def test_a_jvm_that_does_not_answer_prints_its_own_dumps(
    runner: OtherVm, build_of: BuildOf, digester: Digester, tmp_path: Path
) -> None:
    deaf = OverlayRecord(
        name="deaf",
        option="",
        sha256="",
        java_options=("-XX:+DisableAttachMechanism",),
        note="its JVMs cannot be attached to",
    )
    build = build_of("temurin-11.0.13+8").model_copy(update={"overlay": deaf})
    names = hang(runner, build, tmp_path)
    (found,) = hangs(digester, tmp_path, names)
    assert found.pid is None
    assert found.dumps == 3
    says_what_was_planted(found)


@pytest.mark.parametrize(
    ("entry", "how"), [*((entry, "deadlock") for entry in BUILDS), (BUILDS[2], "asleep")]
)
def test_a_case_that_ends_at_its_own_deadline_says_whether_the_jdk_stood_still(
    runner: OtherVm, build_of: BuildOf, digester: Digester, tmp_path: Path, entry: str, how: str
) -> None:
    build = build_of(entry)
    ran = runner.run(build, how, tmp_path, recorded=False, children=Children())
    assert (ran.ended, ran.status) == (Ended.FINISHED, Status.FAILED)
    verdict = read_outcomes(tmp_path).verdict
    assert verdict and verdict.reason.startswith("The case was not over after ")
    digest_recordings([tmp_path], digester)
    left = CellRecord(
        build=build.id,
        test=how,
        ended=ran.ended,
        status=ran.status,
        status_text=ran.status_text,
        seconds=2,
        test_seconds=2,
        artifacts=(),
    )
    (found,) = read_hangs(tmp_path)
    assert was_starved(left, (found,)) is (how == "asleep")
    if how == "deadlock":
        says_what_was_planted(found)


def test_a_process_that_is_no_jvm_is_left_alone(
    runner: OtherVm, build_of: BuildOf, tmp_path: Path
) -> None:
    java = tmp_path / "jdk" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text("#!/bin/sh\ntrap 'echo asked' QUIT; sleep 60; exit 3\n")
    java.chmod(0o755)
    planted = build_of("temurin-17.0.3+7").model_copy(update={"home": str(tmp_path / "jdk")})
    names = hang(runner, planted, tmp_path / "cell")
    assert not [name for name in names if name.startswith("hang-")]
    assert (tmp_path / "cell" / "jvm-1-subject.log").read_text() == ""

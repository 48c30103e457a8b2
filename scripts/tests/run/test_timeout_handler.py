# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A real test that hangs under the real jtreg, on five trains: what is left of it?"""

import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.evidence.digest import Digester
from jdkmatrix.evidence.hang import Hang, read_hangs
from jdkmatrix.java_program import JavaProgram
from jdkmatrix.run.jtreg import Jtreg, run_test
from jdkmatrix.run.jtreg_result import JtregStatus
from jdkmatrix.run.process import Children, Ended
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.fetch import Supplier

pytestmark = [pytest.mark.jdk, pytest.mark.network]

SUITE = Path(__file__).resolve().parents[1] / "fixtures" / "hangs"
BUILDS = [
    "debian-8",
    "temurin-11.0.9.1+1",  # a runtime image without jcmd
    "temurin-11.0.13+8",
    "temurin-17.0.3+7",
    "temurin-21.0.8+9",
    "temurin-25.0.2+10",
]
Home = Callable[[str], Path]


@pytest.fixture(scope="module")
def supplier(root: Path, jdks: JdksFile) -> Supplier:
    return Supplier(jdks, root / "jdks.lock", cache_root())


@pytest.fixture(scope="module")
def home(supplier: Supplier, jdks: JdksFile) -> Home:
    def get(entry: str) -> Path:
        (build,) = supplier.supply([jdks.entry(entry)])
        assert isinstance(build, Build), build
        return build.home

    return get


@pytest.fixture(scope="module")
def jtreg(
    supplier: Supplier, tool_jdk: Path, root: Path, tmp_path_factory: pytest.TempPathFactory
) -> Jtreg:
    plain = Jtreg(supplier.jtreg(), tool_jdk, root / "jtreg" / "jfr" / "blocking.jfc")
    handler = JavaProgram(
        "timeout handler",
        root / "jtreg" / "timeout" / "src",
        tool_jdk,
        tmp_path_factory.mktemp("classes"),
        class_path=(plain.jar,),
    )
    return replace(plain, timeout_handler=handler.compiled())


@pytest.fixture(scope="module")
def digester(root: Path, tool_jdk: Path, tmp_path_factory: pytest.TempPathFactory) -> Digester:
    return Digester(root / "jtreg" / "digest" / "src", tool_jdk, tmp_path_factory.mktemp("digest"))


def hang(jtreg: Jtreg, java_home: Path, folder: Path, *, has_jfr: bool = True) -> list[str]:
    result = run_test(
        jtreg,
        java_home,
        SUITE / "HangsInDeadlock.java",
        folder,
        train=9 if (java_home / "lib" / "modules").exists() else 8,
        has_jfr=has_jfr,
        recorded=True,
        timeout_factor=1,
        children=Children(),
    )
    assert result.ended is Ended.FINISHED
    assert result.status is JtregStatus.ERROR
    assert "timed out" in result.status_text
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
    jtreg: Jtreg, home: Home, digester: Digester, tmp_path: Path, entry: str
) -> None:
    names = hang(jtreg, home(entry), tmp_path)
    (found,) = read_hangs(tmp_path, names)
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
    jtreg: Jtreg, home: Home, tmp_path: Path
) -> None:
    names = hang(jtreg, home("temurin-17.0.3+7"), tmp_path, has_jfr=False)
    assert not [name for name in names if name.endswith(".jfr")]
    assert "No flight recording of process" in (tmp_path / "HangsInDeadlock.jtr").read_text()
    (found,) = read_hangs(tmp_path, names)
    says_what_was_planted(found)


@dataclass(frozen=True)
class DeafJtreg(Jtreg):
    """Its test JVMs cannot be attached to."""

    def command(
        self,
        java_home: Path,
        test: Path,
        work: Path,
        recording: Sequence[str],
        timeout_factor: float,
        java_options: Sequence[str] = (),
    ) -> list[str]:
        command = super().command(java_home, test, work, recording, timeout_factor)
        return [*command[:-1], "-javaoption:-XX:+DisableAttachMechanism", command[-1]]


def test_a_jvm_that_does_not_answer_prints_its_own_dumps(
    jtreg: Jtreg, home: Home, tmp_path: Path
) -> None:
    deaf = DeafJtreg(**vars(jtreg))
    names = hang(deaf, home("temurin-11.0.13+8"), tmp_path)
    (found,) = read_hangs(tmp_path, names)
    assert found.pid is None
    assert found.dumps >= 3
    says_what_was_planted(found)


def test_a_process_that_is_no_jvm_is_left_alone(jtreg: Jtreg, home: Home, tmp_path: Path) -> None:
    java_home = home("temurin-17.0.3+7")
    planted = tmp_path / "jdk"
    (planted / "bin").mkdir(parents=True)
    for name in ("lib", "conf", "release"):
        (planted / name).symlink_to(java_home / name)
    java = planted / "bin" / "java"
    java.write_text(
        '#!/bin/sh\ncase "$*" in *MainWrapper*) exec sleep 60 ;; esac\n'
        f'exec {java_home}/bin/java "$@"\n'
    )
    java.chmod(0o755)
    assert subprocess.run([java, "-version"], capture_output=True, check=False).returncode == 0
    names = hang(jtreg, planted, tmp_path / "cell")
    assert not [name for name in names if name.startswith("hang-")]
    assert "No JVM is left of process" in (tmp_path / "cell" / "HangsInDeadlock.jtr").read_text()

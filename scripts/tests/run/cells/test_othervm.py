# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Each `@run` line has a JVM of its own, up to the first that does not pass.

The JVM is played by a shell script; at the end of the file by a real one.
"""

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from jdkmatrix.config.run_lines import Header, RunLine
from jdkmatrix.errors import MachineError
from jdkmatrix.machine.children import ChildEnd, Children
from jdkmatrix.machine.java_program import JavaProgram
from jdkmatrix.paths import Checkout
from jdkmatrix.records.record import BuildRecord, OverlayRecord
from jdkmatrix.run.cells.execution import Execution
from jdkmatrix.run.cells.othervm import RUN_MAIN, CompiledTest, OtherVm, deadline_words
from jdkmatrix.vocabulary import Status
from tests.run.cells.test_runner import BUILD, task_of

TEST = "keepalive/A.java"
TWO_RUNS = (RunLine("A", ("tls12",)), RunLine("A", ("subject",)))
PASS = 'printf "Passed. Execution successful" > status.txt'


def build_at(home: Path, **changes: object) -> BuildRecord:
    return BUILD.model_copy(
        update={"home": str(home), "facts": {"has_jfr": True}, **changes},
    )


def run(
    tmp_path: Path,
    script: str,
    build: Mapping[str, object] | None = None,
    lines: tuple[RunLine, ...] = TWO_RUNS,
    *,
    is_recorded: bool = True,
    rows: tuple[str, ...] = (),
) -> tuple[Execution, Path]:
    """Run a test whose JVM is a shell script, in its scratch folder, with `$case`."""
    java = tmp_path / "jdk" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f'#!/bin/sh\nfor case; do :; done\necho "$@"\n{script}\n')
    java.chmod(0o755)
    folder = tmp_path / "cell"
    runner = OtherVm(
        tmp_path / "suite",
        {TEST: CompiledTest(Header(lines, ()), tmp_path / "classes")},
        tmp_path / "tool",
        tmp_path / "x.jfc",
    )
    jdk = build_at(tmp_path / "jdk", **(build or {}))
    task = task_of(jdk, TEST, is_recorded=is_recorded, rows=rows)
    execution = runner.run(task, folder, Children())
    return execution, folder


def test_a_test_for_which_the_machine_lacks_something_is_left_out(tmp_path: Path) -> None:
    test = CompiledTest(Header(TWO_RUNS, ()), None, lacks="jars: no mvn")
    runner = OtherVm(tmp_path, {TEST: test}, tmp_path, tmp_path)
    execution = runner.run(task_of(BUILD, TEST), tmp_path, Children())
    assert execution.status is Status.SKIPPED
    assert execution.status_text == ("Not selected: this machine lacks what it needs: jars: no mvn")


def test_the_rows_to_run_are_named_whatever_is_in_their_ids(tmp_path: Path) -> None:
    rows = ("client/full/a.b/1", "server/x|y/2")
    execution, folder = run(tmp_path, PASS, rows=rows)
    assert execution.status is Status.PASSED
    (log,) = (path.read_text("utf-8") for path in folder.glob("jvm-2*.log"))
    assert rf"-Drows.only=^\Q{rows[0]}\E$|^\Q{rows[1]}\E$ " in log
    assert "javax.net.debug" not in log


def test_every_case_has_its_jvm_and_the_last_status_counts(tmp_path: Path) -> None:
    leave = "touch control-$case.json outcome.json left.class cell.json digest.json"
    execution, folder = run(tmp_path, f"{leave}; {PASS}")
    assert (execution.end, execution.status) == (ChildEnd.FINISHED, Status.PASSED)
    assert execution.status_text == "Passed. Execution successful"
    assert execution.resources is not None
    files = sorted(path.name for path in folder.iterdir() if path.is_file())
    controls = ["control-subject.json", "control-tls12.json"]
    assert files == [*controls, "jvm-1-tls12.log", "jvm-2-subject.log", "outcome.json"]
    assert not (folder / "scratch").exists()


def test_the_command_is_as_jtregs(tmp_path: Path) -> None:
    overlay = OverlayRecord(
        name="x", option="--overlay x", sha256="", java_options=("-XX:x",), note=""
    )
    line = RunLine("A", ("subject",), ("-Dmine=1",))
    _, folder = run(tmp_path, PASS, {"overlay": overlay}, (line,), is_recorded=False)
    arguments = (folder / "jvm-1-subject.log").read_text().split()
    classes = str(tmp_path / "classes")
    assert arguments[2] == "-XX:x"  # after the kit's own
    assert f"-Dtest.classes={classes}" in arguments
    assert f"-Dtest.src={tmp_path}/suite/keepalive" in arguments
    assert arguments.index("-Dmine=1") < arguments.index("-cp")
    assert arguments[-6:] == [
        "-cp",
        classes,
        RUN_MAIN,
        f"{folder}/scratch/status.txt",
        "A",
        "subject",
    ]


def test_options_of_the_user_s_come_before_those_of_the_test(tmp_path: Path) -> None:
    overlay = OverlayRecord(
        name="x", option="--overlay x", sha256="0", java_options=("-XX:overlay",), note=""
    )
    options = ("-Xint", "-Dtext=a b", "--add-exports", "java.base/a=ALL-UNNAMED")
    lines = (RunLine("A", ("subject",), ("-Xcomp",)),)
    build = {"overlay": overlay, "java_options": options}
    _, folder = run(tmp_path, PASS, build, lines, is_recorded=False)
    log = (folder / "jvm-1-subject.log").read_text()
    assert f" -XX:overlay {' '.join(options)} -Xcomp -Dtest.src=" in log


def test_only_the_subject_is_recorded(tmp_path: Path) -> None:
    _, folder = run(tmp_path, PASS)
    logs = [(folder / name).read_text() for name in ("jvm-1-tls12.log", "jvm-2-subject.log")]
    assert ["StartFlightRecording" in log for log in logs] == [False, True]
    assert f"filename={folder}/jfr/" in logs[1]


def test_the_first_that_does_not_pass_is_the_last(tmp_path: Path) -> None:
    execution, folder = run(tmp_path, 'printf "Failed. It showed" > status.txt; exit 1')
    assert (execution.status, execution.status_text) == (Status.FAILED, "Failed. It showed")
    assert [path.name for path in folder.glob("*.log")] == ["jvm-1-tls12.log"]


def test_of_a_jdk_that_was_removed_no_failure_counts(tmp_path: Path) -> None:
    shows = 'printf "Failed. It showed" > status.txt'
    with pytest.raises(MachineError, match="the JDK was removed while it was tested"):
        run(tmp_path, f"{shows}; rm -r {tmp_path}/jdk")


@pytest.mark.parametrize(
    ("script", "status", "text"),
    [
        ("exit 7", Status.FAILED, "Failed. Unexpected exit from test [exit code: 7]"),
        ("kill -SEGV $$", Status.FAILED, "Failed. Unexpected exit from test [exit code: -11]"),
        (
            "echo 'Error occurred during initialization of VM'; echo 'Could not reserve it'",
            Status.NOT_RUN,
            "Not run. Unexpected exit from test [exit code: 0]: "
            "Error occurred during initialization of VM: Could not reserve it",
        ),
        (
            "echo '# There is insufficient memory for the Java Runtime Environment to continue.'"
            " >hs_err_pid7.log; echo '# Native memory allocation (mmap) failed' >>hs_err_pid7.log;"
            " kill -ABRT $$",
            Status.NOT_RUN,
            "Not run. Unexpected exit from test [exit code: -6]: "
            "There is insufficient memory for the Java Runtime Environment to continue: "
            "Native memory allocation (mmap) failed",
        ),
        (
            "echo '#  SIGBUS (0x7) at pc=0x7, pid=7, tid=8' >hs_err_pid7.log; kill -ABRT $$",
            Status.NOT_RUN,
            "Not run. Unexpected exit from test [exit code: -6]: SIGBUS, as where a disk is full "
            "or a mapped file was cut",
        ),
        (
            "kill -KILL $$",
            Status.ERROR,
            "Error. Unexpected exit from test [exit code: -9]: ended from outside, by SIGKILL",
        ),
        (
            "exit 143",  # as a JVM that got SIGTERM
            Status.ERROR,
            "Error. Unexpected exit from test [exit code: 143]: ended from outside, by SIGTERM",
        ),
        (
            'printf "Passed. Skipped: no TLS 1.3" > status.txt',
            Status.SKIPPED,
            "Passed. Skipped: no TLS 1.3",
        ),
    ],
)
def test_without_a_status_it_did_not_pass(
    tmp_path: Path, script: str, status: Status, text: str
) -> None:
    execution, _ = run(tmp_path, script)
    assert (execution.status, execution.status_text) == (status, text)


def test_what_comes_to_no_end_is_killed(tmp_path: Path) -> None:
    line = RunLine("A", ("subject",), timeout_s=1)
    execution, folder = run(tmp_path, "touch core.1.dump; sleep 60", lines=(line,))
    assert (execution.end, execution.status) == (ChildEnd.TIMEOUT, Status.ERROR)
    assert execution.status_text.startswith("Error. A subject timed out after 1 s")
    assert (folder / "core.1.dump").exists()


def test_a_test_that_was_not_compiled_is_not_run(tmp_path: Path) -> None:
    tests = {TEST: CompiledTest(Header((RunLine("A"),), ()), None, "A.java:3: error: x")}
    runner = OtherVm(tmp_path, tests, tmp_path, tmp_path)
    build = build_at(tmp_path)
    execution = runner.run(task_of(build, TEST), tmp_path / "cell", Children())
    assert execution.status is Status.NOT_RUN
    assert execution.status_text == "Not run. Compilation failed: A.java:3: error: x"


def test_on_a_full_disk_no_result_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = shutil.disk_usage(tmp_path)._replace(free=1000)
    monkeypatch.setattr("jdkmatrix.machine.files.shutil.disk_usage", lambda path: full)
    with pytest.raises(OSError, match="No space left"):
        run(tmp_path, PASS)


def test_deadlines_are_told() -> None:
    words = "240 s per JVM, up to 960 s if the machine withholds CPU"
    assert deadline_words(2) == words


MAINS = {
    "Passes": "",
    "Throws": 'throw new IllegalStateException("it showed");',
    "Skips": 'throw new jtreg.SkippedException("not here");',
    "OtherThread": 'Thread t = new Thread(() -> { throw new IllegalStateException("there"); });'
    " t.start(); t.join();",
    "LeavesThread": "new Thread(() -> { while (true) Thread.yield(); }).start();",
    "Exits": "System.exit(3);",
}


@pytest.fixture(scope="module")
def classes(root: Path, tool_jdk: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    sources = tmp_path_factory.mktemp("sources")
    for name, body in MAINS.items():
        head = f"class {name} {{ public static void main(String[] args) throws Exception {{"
        (sources / f"{name}.java").write_text(f"{head} {body} }} }}\n")
    checkout = Checkout(root)
    return JavaProgram(
        "mains",
        sources,
        tool_jdk,
        tmp_path_factory.mktemp("classes"),
        main_files=[checkout.othervm_main, *sources.glob("*.java")],
        libraries=(checkout.othervm_sources, checkout.test_library),
    ).compile()


@pytest.mark.jdk
@pytest.mark.network
@pytest.mark.parametrize(
    ("name", "code", "status"),
    [
        ("Passes", 0, "Passed. Execution successful"),
        (
            "Throws",
            1,
            "Failed. Execution failed: main threw java.lang.IllegalStateException: it showed",
        ),
        ("Skips", 0, "Passed. Skipped: not here"),
        (
            "OtherThread",
            1,
            "Failed. Execution failed: main threw java.lang.IllegalStateException: there",
        ),
        ("LeavesThread", 0, "Passed. Execution successful"),
        ("Exits", 3, None),
    ],
)
def test_a_main_method_ends_as_under_jtreg(
    name: str, code: int, status: str | None, classes: Path, tool_jdk: Path, tmp_path: Path
) -> None:
    file = tmp_path / "status.txt"
    java = map(str, (tool_jdk / "bin" / "java", "-cp", classes, RUN_MAIN, file, name))
    process = subprocess.run(list(java), capture_output=True, text=True, timeout=60, check=False)
    assert process.returncode == code, process.stderr
    assert (file.read_text() if file.exists() else None) == status

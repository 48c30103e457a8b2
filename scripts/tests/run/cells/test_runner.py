# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Cells are recorded when they end, and only then; jtreg's result file is read as it is.

jtreg is played by a shell script here; `test_real_matrix.py` has the real one.
"""

import dataclasses
import json
import shutil
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue
from threading import Barrier
from typing import NoReturn

import pytest

from jdkmatrix.errors import UsageError
from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.records.record import BuildRecord, CellRecord, PlannedCell
from jdkmatrix.records.store import RunFolder
from jdkmatrix.run.cells.execution import CellTask, Execution
from jdkmatrix.run.cells.jtreg import Jtreg
from jdkmatrix.run.cells.runner import (
    CellLost,
    CellRunner,
    Event,
    RowShown,
    Runner,
)
from jdkmatrix.vocabulary import Status

BUILD = BuildRecord(
    id="temurin-17.0.3+7",
    entry="temurin-17.0.3+7",
    version="17.0.3+7",
    vendor="temurin",
    train=17,
    source="wheel",
    sha256="0" * 64,
    home="/nowhere",
    facts={"has_jfr": False},
)
CELL = PlannedCell(build=BUILD.id, test="keepalive/A.java")


def task_of(
    build: BuildRecord, test: str, *, is_recorded: bool = False, rows: tuple[str, ...] = ()
) -> CellTask:
    """An attempt at a test on a build."""
    return CellTask(PlannedCell(build=build.id, test=test), build, is_recorded, rows=rows)


@dataclasses.dataclass(frozen=True)
class ScriptedJtreg(Jtreg):
    """A jtreg whose command is a shell script that gets the work folder as `$0`."""

    script: str = "true"

    def command(self, build: BuildRecord, test: str, work: Path, stretch: float) -> list[str]:
        return ["sh", "-c", self.script, str(work)]


def events_of(
    jtreg: Runner,
    folder: RunFolder,
    tasks: Sequence[CellTask],
    jobs: int = 1,
    first_jobs: int | None = None,
) -> list[Event]:
    """What happens to all of them."""
    events: SimpleQueue[Event] = SimpleQueue()
    runner = CellRunner(jtreg, folder, jobs=jobs, emit=events.put, first_jobs=first_jobs)
    for task in tasks:
        runner.submit(task)
    runner.close()
    return [events.get() for _ in range(events.qsize())]


def run_script(tmp_path: Path, script: str) -> tuple[RunFolder, list[CellRecord], list[str]]:
    jtreg = ScriptedJtreg(tmp_path, tmp_path, tmp_path, script=script)
    folder = RunFolder.create(tmp_path / "reports", None)
    java = tmp_path / "jdk" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.touch()
    build = BUILD.model_copy(update={"home": str(tmp_path / "jdk")})
    events = events_of(jtreg, folder, [CellTask(CELL, build)])
    records = [event for event in events if isinstance(event, CellRecord)]
    losses = [
        f"{event.cell.test}: {event.reason}" for event in events if isinstance(event, CellLost)
    ]
    return folder, records, losses


def result_file(status: str) -> str:
    text = f"#Test Results (version 2)\nelapsed=2863 0\\:00\\:02.863\nexecStatus={status}\n"
    return f'mkdir -p "$0/a"; cat > "$0/a/A.jtr" <<\'EOF\'\n{text}EOF\n'


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("Passed. Execution successful", Status.PASSED),
        ("Passed. Skipped\\: TLSv1.2 was negotiated", Status.SKIPPED),
        ("Failed. Execution failed\\: `main' threw exception\\: X", Status.FAILED),
        ("Error. Program `java' timed out", Status.ERROR),
        ("Not run. Test running...", Status.NOT_RUN),
        ("Gibberish", Status.NOT_RUN),
    ],
)
def test_status(tmp_path: Path, status: str, expected: Status) -> None:
    folder, records, failures = run_script(tmp_path, result_file(status))
    assert not failures
    (record,) = records
    assert record.status is expected
    assert record.status_text == status.replace("\\", "")
    assert record.test_seconds == 2.863
    assert record.ended is ChildEnd.FINISHED
    assert folder.read_cell(CELL) == record


def test_what_the_machine_gave_is_stored(tmp_path: Path) -> None:
    script = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; " + result_file("Passed. x")
    folder, (record,), _ = run_script(tmp_path, script)
    assert record.cpu_s is not None
    assert 0.02 < record.cpu_s < record.seconds * 2
    text = (folder.cell_folder(CELL) / "cell.json").read_text()
    old = json.loads(text)
    del old["cpu_s"], old["waited_s"]
    assert CellRecord.model_validate(old).cpu_s is None  # stored before it was measured


def test_files_are_kept_and_the_work_folder_is_not(tmp_path: Path) -> None:
    script = result_file("Passed. x") + 'echo {} > "$0/a/outcome.json"; echo x > "$0/a/A.class"'
    folder, records, _ = run_script(tmp_path, script)
    assert records[0].artifacts == ("A.jtr", "jtreg.log", "outcome.json")
    assert not (folder.cell_folder(CELL) / "work").exists()


def test_a_file_whose_name_is_no_text_is_not_told(tmp_path: Path) -> None:
    script = result_file("Passed. x") + "printf x > \"$0/a/$(printf '\\377\\376.txt')\""
    folder, records, failures = run_script(tmp_path, script)
    assert not failures
    assert records[0].artifacts == ("A.jtr", "jtreg.log")
    assert len(list(folder.cell_folder(CELL).glob("*.txt"))) == 1


@pytest.mark.parametrize("text", ["", '{"build": "tem'])
def test_a_cell_that_a_power_cut_has_lost_was_not_run(tmp_path: Path, text: str) -> None:
    folder, _, _ = run_script(tmp_path, result_file("Passed. x"))
    (folder.cell_folder(CELL) / "cell.json").write_text(text)
    assert folder.read_cell(CELL) is None


def test_no_result_file_is_not_run(tmp_path: Path) -> None:
    _, records, _ = run_script(tmp_path, "echo no such option >&2; exit 5")
    assert records[0].status is Status.NOT_RUN
    assert records[0].status_text == "no result file; jtreg exit code 5: no such option"


# As jtreg 7.5.2 and JDK 17 print it: with an @requires that does not hold; jtreg's own JVM, and the
# JDK under test, without the memory to start; a test's JVM without it.
NOT_SELECTED = """
echo 'Directory "/w" not found: creating'; echo "Test results: no tests selected"
echo "Results written to /w"; exit 1
"""
NO_JVM = """
echo "Error occurred during initialization of VM"
echo "Could not allocate compressed class space: 1073741824 bytes"; exit 1
"""
NO_JDK = """
echo "Error getting java.specification.version for /jdk: exit code 1"
echo "Error occurred during initialization of VM"
echo "Could not reserve enough space for 294912KB object heap"
echo "Error: cannot determine version for JDK: /jdk"; exit 5
"""
LACKING_PARTS = (
    "for part in java/util sun/util java/text; do "
    'echo "/suite/TEST.groups: group jdk_util_other: file not found: $part"; done; '
    "echo 'Error: One or more groups are invalid'; exit 5"
)
NO_TEST_JVM = result_file(
    "Failed. Unexpected exit from test [exit code\\: 1]\n\n----------System.out:(2/98)----------\n"
    "Error occurred during initialization of VM\n"
    "Could not reserve enough space for 294912KB object heap"
)
LACKING_MODULE = result_file(
    "Failed. Compilation failed\\: Compilation failed\n\n----------System.err:(2/98)----------\n"
    "A.java:32: error: package com.sun.net.httpserver does not exist\n"
)
LACKING_LIBRARY = LACKING_MODULE.replace("com.sun.net.httpserver", "jdk.test.lib")
KILLED_JVM = result_file("Failed. Unexpected exit from test [exit code\\: 137]")


@pytest.mark.parametrize(
    ("script", "status", "text"),
    [
        (
            NOT_SELECTED,
            Status.SKIPPED,
            "Not selected: its @requires, @modules or keywords (@ignore, manual) leave it out here"
            " (Test results: no tests selected)",
        ),
        ("exit 1", Status.NOT_RUN, "no result file; jtreg exit code 1"),
        (
            NO_JVM,
            Status.NOT_RUN,
            "no result file; jtreg exit code 1: Error occurred during initialization of VM; "
            "Could not allocate compressed class space: 1073741824 bytes",
        ),
        (
            NO_JDK,
            Status.NOT_RUN,
            "no result file; jtreg exit code 5: Error getting java.specification.version for /jdk:"
            " exit code 1; Error occurred during initialization of VM; Could not reserve enough"
            " space for 294912KB object heap; Error: cannot determine version for JDK: /jdk",
        ),
        (
            LACKING_PARTS,
            Status.NOT_RUN,
            "no result file; jtreg exit code 5: Error: One or more groups are invalid",
        ),
        (
            NO_TEST_JVM,
            Status.NOT_RUN,
            "Failed. Unexpected exit from test [exit code: 1]: Error occurred during "
            "initialization of VM: Could not reserve enough space for 294912KB object heap",
        ),
        (
            LACKING_MODULE,
            Status.SKIPPED,
            "Not selected: this image lacks com.sun.net.httpserver",
        ),
        (
            LACKING_LIBRARY,
            Status.FAILED,
            "Failed. Compilation failed: A.java:32: error: package jdk.test.lib does not exist",
        ),
        (
            KILLED_JVM,
            Status.ERROR,
            "Failed. Unexpected exit from test [exit code: 137]: ended from outside, by SIGKILL",
        ),
    ],
    ids=[
        "not selected",
        "silent",
        "jtreg's JVM",
        "the JDK",
        "groups",
        "the test's JVM",
        "module",
        "library",
        "killed",
    ],
)
def test_only_jtregs_own_words_make_a_test_not_selected(
    tmp_path: Path, script: str, status: Status, text: str
) -> None:
    _, (record,), _ = run_script(tmp_path, script)
    assert (record.status, record.status_text) == (status, text)


def test_a_machine_failure_is_told_and_leaves_no_record(tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    folder, records, failures = run_script(tmp_path, 'rm -rf "$(dirname "$0")"')
    assert not records
    assert "No such file or directory" in failures[0]
    assert CELL.test in failures[0]
    assert folder.read_cell(CELL) is None


def test_of_a_jdk_that_was_removed_no_failure_counts(tmp_path: Path) -> None:
    script = f"rm -r {tmp_path}/jdk; {result_file('Failed. Execution failed')}"
    folder, records, failures = run_script(tmp_path, script)
    assert not records
    assert failures == [f"{CELL.test}: {tmp_path}/jdk: the JDK was removed while it was tested"]
    assert folder.read_cell(CELL) is None


def test_on_a_full_disk_no_result_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = shutil.disk_usage(tmp_path)._replace(free=1000)
    monkeypatch.setattr("jdkmatrix.machine.files.shutil.disk_usage", lambda path: full)
    folder, records, failures = run_script(tmp_path, result_file("Passed. x"))
    assert not records
    assert "No space left on device" in failures[0]
    assert folder.read_cell(CELL) is None


def test_stop_keeps_finished_cells_and_drops_the_running_one(tmp_path: Path) -> None:
    script = f"if [ -e {tmp_path}/second ]; then sleep 60; fi; touch {tmp_path}/second; " + (
        result_file("Passed. x")
    )
    folder = RunFolder.create(tmp_path / "reports", None)
    events: SimpleQueue[Event] = SimpleQueue()
    jtreg = ScriptedJtreg(tmp_path, tmp_path, tmp_path, script=script)
    runner = CellRunner(jtreg, folder, jobs=1, emit=events.put)
    cells = [PlannedCell(build=BUILD.id, test=f"keepalive/{name}.java") for name in "ABC"]
    for cell in cells:
        runner.submit(CellTask(cell, BUILD))
    deadline = time.monotonic() + 60
    while not (
        folder.read_cell(cells[0]) and (folder.cell_folder(cells[1]) / "jtreg.log").exists()
    ):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    runner.stop()
    assert [folder.read_cell(cell) is not None for cell in cells] == [True, False, False]


def test_until_the_first_cell_has_ended_fewer_run_at_a_time(tmp_path: Path) -> None:
    started_tests: list[str] = []
    counts: list[int] = []
    barrier = Barrier(4)  # as many as there are jobs

    class AtOnce(ScriptedJtreg):
        def run(self, task: CellTask, *_: object) -> Execution:
            started_tests.append(task.cell.test)
            if task.cell.test in tests[:2]:
                time.sleep(0.5)  # the others would begin now
                counts.append(len(started_tests))
            else:
                barrier.wait(timeout=60)
            return Execution(ChildEnd.FINISHED, Status.PASSED, "Passed.", 1.0)

    folder = RunFolder.create(tmp_path / "reports", None)
    tests = [f"keepalive/{name}.java" for name in "ABCDEF"]
    cells = [PlannedCell(build=BUILD.id, test=test) for test in tests]
    tasks = [CellTask(cell, BUILD) for cell in cells]
    jtreg = AtOnce(tmp_path, tmp_path, tmp_path)
    events = events_of(jtreg, folder, tasks, jobs=4, first_jobs=2)
    assert counts[0] == 2
    assert [event.status for event in events if isinstance(event, CellRecord)] == [
        Status.PASSED
    ] * len(tests)


def test_an_error_that_nobody_expected_is_the_cells_own(tmp_path: Path) -> None:
    class BrokenJtreg(ScriptedJtreg):
        def run(self, *_: object) -> NoReturn:
            raise ValueError("a defect")

    folder = RunFolder.create(tmp_path / "reports", None)
    _, record = events_of(
        BrokenJtreg(tmp_path, tmp_path, tmp_path), folder, [CellTask(CELL, BUILD)]
    )
    assert isinstance(record, CellRecord)
    assert record.status is Status.ERROR
    assert record.status_text == "Error. It could not be run or stored: ValueError: a defect"
    row = CellTask(CELL, BUILD, is_recorded=False, debugged_row="a row")  # it costs the lines alone
    assert events_of(BrokenJtreg(tmp_path, tmp_path, tmp_path), folder, [row]) == [
        RowShown("a row")
    ]


def test_the_shortest_test_is_run_on_all_builds_first(tmp_path: Path) -> None:
    log = tmp_path / "log"
    script = (
        f'echo "$(basename "$(dirname "$(dirname "$(dirname "$0")")")") '
        f'$(basename "$(dirname "$0")")" >> {log}; sleep 0.1; ' + result_file("Passed. x")
    )
    tasks = [
        CellTask(PlannedCell(build=build, test=f"keepalive/{name}.java"), BUILD, expected_s=each_s)
        for build in ("b1", "b2")
        for name, each_s in (("Long", 9.0), ("Middle", 4.0), ("Short", 1.0))
    ]
    jtreg = ScriptedJtreg(tmp_path, tmp_path, tmp_path, script=script)
    events_of(jtreg, RunFolder.create(tmp_path / "reports", None), tasks)
    first, *rest = log.read_text().splitlines()
    assert first == "b1 Long"  # there was no other yet
    assert rest == ["b1 Short", "b2 Short", "b1 Middle", "b2 Middle", "b2 Long"]


@pytest.mark.parametrize(
    "requirement, is_refused",
    [("8.2.1+1", True), ("7.5.3", True), ("7.5.2+1", False), ("7.3", False)],
)
def test_a_suite_for_a_later_jtreg_is_refused_at_once(
    tmp_path: Path, requirement: str, is_refused: bool
) -> None:
    (tmp_path / "lib").mkdir()
    with zipfile.ZipFile(tmp_path / "lib" / "jtreg.jar", "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", "jtreg-VersionString: 7.5.2-src+1\n")
    root = tmp_path / "TEST.ROOT"
    root.write_text(f"keys=x\nrequiredVersion={requirement}\n")
    jtreg = Jtreg(tmp_path, tmp_path, tmp_path)
    if not is_refused:
        jtreg.check_suite()
        return
    with pytest.raises(UsageError) as error:
        jtreg.check_suite()
    assert str(error.value).startswith(
        f"{root}: it requires jtreg {requirement}, and this is jtreg 7.5.2-src+1; accepted: "
    )

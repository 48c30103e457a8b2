# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do a recording and thread dumps add to a cell, beyond its outcome and grade?"""

import json
import shutil
from pathlib import Path

import pytest

from jdkmatrix.cli.run import exit_code
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.recording_rules import load_rules
from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.evidence.cause import CauseSource
from jdkmatrix.evidence.digest import Digest, digester_of, parse_digest
from jdkmatrix.grading.cases.kinds import with_cases
from jdkmatrix.grading.cell_recordings import digest_recordings
from jdkmatrix.grading.graded_cells import grade_cell
from jdkmatrix.grading.whole_run import Grader, assemble
from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.paths import Checkout
from jdkmatrix.records.record import (
    BuildRecord,
    CellRecord,
    KitRecord,
    MachineRecord,
    PlannedCell,
    RunRecord,
)
from jdkmatrix.records.request import Request
from jdkmatrix.records.store import RunFolder
from jdkmatrix.report.written_reports import render
from jdkmatrix.results.document import CellResult, Results
from jdkmatrix.vocabulary import Grade, Status
from tests.conftest import FIXTURES
from tests.verdict.test_promises import OFF, facts

TEST = "keepalive/RequestsQueueWhenCacheIsFull.java"
AFFECTED_RECORDING = "temurin-17.0.3+7.queue.json"
FIXED_RECORDING = "debian-8u504-ga.load.json"


def build(version: str) -> BuildRecord:
    return BuildRecord(
        id=f"temurin-{version}",
        entry=f"temurin-{version}",
        version=version,
        vendor="temurin",
        train=int(version.split(".")[0]),
        source="wheel",
        sha256="0" * 64,
        home="/nowhere",
        facts={},
    )


def cell_of(folder: RunFolder, version: str, status: Status) -> tuple[CellRecord, Path]:
    record = CellRecord(
        build=build(version).id,
        test=TEST,
        ended=ChildEnd.FINISHED,
        status=status,
        status_text=f"{status}. x",
        seconds=1,
        test_seconds=1,
        artifacts=(),
    )
    home = folder.cell_folder(PlannedCell(build=record.build, test=TEST))
    home.mkdir(parents=True)
    return record, home


def outcome_file(
    home: Path, case: str, outcome: str, version: str = "17", vendor: str = "x"
) -> None:
    name = "outcome.json" if case == "subject" else f"control-{case}.json"
    figure = {"name": "last_request_ms", "value": 5, "bound": 1925, "unit": "ms"}
    java = {"version": version, "vendor": vendor, "home": "/x", "pid": 1}
    document = {
        "schema": 1,
        "test": TEST,
        "bug": "JDK-8293562",
        "case": case,
        "outcome": outcome,
        "reason": "Because.",
        "figures": [figure],
        "facts": {},
        "java": java,
    }
    (home / name).write_text(json.dumps(document))


def grade_recorded(
    tmp_path: Path, root: Path, ledger: Ledger, version: str, outcome: str, recording: str
) -> CellResult:
    folder = RunFolder.create(tmp_path, tmp_path / "run")
    is_reproduced = outcome == "reproduced"
    record, home = cell_of(folder, version, Status.FAILED if is_reproduced else Status.PASSED)
    outcome_file(home, "subject", outcome)
    outcome_file(home, "tls12", "not-reproduced")
    shutil.copy(FIXTURES / "evidence" / recording, home / "digest.json")
    rules = load_rules(root / "jtreg" / "rules")
    return grade_cell(record, folder, build(version), Rulebook(ledger, rules))


def make_results(*cells: CellResult) -> Results:
    details = Results(
        schema=2,
        run="r",
        started="2026-11-21T08:00:00Z",
        finished="2026-11-21T08:03:00Z",
        complete=True,
        machine=MachineRecord(
            os="x", kernel="6", architecture="x", cores=2, memory_mib=1, load_1min=0
        ),
        kit=KitRecord(version="0", commit=None),
        builds=(),
        unavailable=(),
        cells=cells,
    )
    return with_cases(details)


def test_a_fixed_build_whose_threads_wait_in_the_cache_is_flagged(
    tmp_path: Path, root: Path, ledger: Ledger
) -> None:
    cell = grade_recorded(tmp_path, root, ledger, "17.0.9+9", "not-reproduced", AFFECTED_RECORDING)
    assert cell.grade is Grade.AS_EXPECTED  # the test's own word stands
    assert [finding.bug for finding in cell.evidence.findings] == ["JDK-8293562"]
    (flag,) = cell.flags
    assert flag.startswith("Its recording shows JDK-8293562, which this build must not have: ")
    assert flag.endswith("sat in SSLSocketImpl.close (holder inferred).")
    run = make_results(cell)
    assert exit_code(run, strict=False) == 1
    reports = render(run)
    assert "**flagged**" in reports["report.md"]
    assert "1 recording suspicious." in reports["report.md"]
    assert "Flagged." in reports["index.html"]


def test_a_reproduced_cell_without_a_recording_says_why_all_the_same(
    tmp_path: Path, ledger: Ledger
) -> None:
    folder = RunFolder.create(tmp_path, tmp_path / "run")
    record, home = cell_of(folder, "17.0.3+7", Status.FAILED)
    outcome_file(home, "subject", "reproduced")
    outcome_file(home, "tls12", "not-reproduced")
    evidence = grade_cell(record, folder, build("17.0.3+7"), Rulebook(ledger)).evidence
    assert (evidence.cause, evidence.cause_from) == ("Because", CauseSource.REASON)
    document = json.loads((home / "outcome.json").read_text())
    document["facts"] = {"waiter": "w", "waiter_frames": "KeepAliveCache.put"}
    document["facts"] |= {"holder": "h", "holder_frames": "SSLSocketImpl.close"}
    (home / "outcome.json").write_text(json.dumps(document))
    evidence = grade_cell(record, folder, build("17.0.3+7"), Rulebook(ledger)).evidence
    assert (evidence.cause or "").startswith(
        "w waited for the lock of KeepAliveCache, which h held"
    )
    assert evidence.cause_from is CauseSource.FACTS


@pytest.mark.parametrize(
    ("version", "outcome", "recording"),
    [
        ("17.0.9+9", "not-reproduced", FIXED_RECORDING),
        ("17.0.3+7", "reproduced", AFFECTED_RECORDING),
    ],
)
def test_others_are_not(
    tmp_path: Path, root: Path, ledger: Ledger, version: str, outcome: str, recording: str
) -> None:
    cell = grade_recorded(tmp_path, root, ledger, version, outcome, recording)
    assert (cell.flags, cell.evidence.findings) == ((), ())
    assert (cell.evidence.cause is not None) == (outcome == "reproduced")
    assert exit_code(make_results(cell), strict=False) == 0
    assert "lagged" not in render(make_results(cell))["report.md"]


def add_wait(recording: str) -> Digest:
    """The recording, as if 8 threads had waited for the session cache besides."""
    document = json.loads((FIXTURES / "evidence" / recording).read_text())
    (recording_document,) = document["recordings"]
    frame = "sun.security.util.MemoryCache.get"
    row = {**recording_document["blocked"][0], "frame": frame, "total_ms": 17_200.0, "threads": 8}
    row["lock_class"] = "sun.security.util.MemoryCache"
    row["thread_ids"] = list(range(8))
    recording_document["blocked"].append(row)
    return parse_digest(json.dumps(document))


@pytest.mark.parametrize(
    ("other_version", "in_all", "is_flagged"),
    [("17.0.9+9", False, True), ("17.0.9+9", True, False), ("11.0.24+8", False, False)],
    ids=["one build", "all builds", "alone in its train"],
)
def test_a_wait_that_no_other_fixed_build_has_is_flagged(
    tmp_path: Path, root: Path, ledger: Ledger, other_version: str, in_all: bool, is_flagged: bool
) -> None:
    folder = RunFolder.create(tmp_path, tmp_path / "run")
    versions = ("17.0.7+7", other_version, "17.0.3+7")  # the last one is affected: no measure
    for version in versions:
        record, home = cell_of(folder, version, Status.PASSED)
        outcome_file(home, "subject", "not-reproduced")
        outcome_file(home, "tls12", "not-reproduced")
        if version == "17.0.7+7" or in_all:
            read = add_wait("debian-8u504-ga.queue.json")
            (home / "digest.json").write_text(read.model_dump_json(by_alias=True))
        else:
            shutil.copy(FIXTURES / "evidence" / "debian-8u504-ga.queue.json", home / "digest.json")
        folder.write_cell(record)
    builds = tuple(build(version) for version in versions)
    run = RunRecord(
        run="r",
        started="2026-11-21T08:00:00Z",
        request=Request(timeout_factor=1),
        machine=make_results().machine,
        kit=make_results().kit,
        builds=builds,
        cells=tuple(PlannedCell(build=build_record.id, test=TEST) for build_record in builds),
    )
    cells = assemble(run, folder, Rulebook(ledger, load_rules(root / "jtreg" / "rules"))).cells
    flags_by_build = {cell.build: cell.flags for cell in cells if cell.flags}
    assert set(flags_by_build) == ({"temurin-17.0.7+7"} if is_flagged else set())
    for (flag,) in flags_by_build.values():
        assert flag.startswith(
            "Its recording shows what no other fixed build of its train does: New contention"
        )
        assert "8 threads waited 17.2 s in sun.security.util.MemoryCache.get for" in flag
        assert flag.endswith(
            "; the other fixed build has at most 0 ms there over the same length of time."
        )


def test_a_hung_cell_without_a_digest_is_graded_and_says_so(tmp_path: Path, ledger: Ledger) -> None:
    folder = RunFolder.create(tmp_path, tmp_path / "run")
    record, _ = cell_of(folder, "17.0.3+7", Status.ERROR)
    record = record.model_copy(update={"artifacts": ("hang-7-threads-1.txt",)})
    cell = grade_cell(record, folder, build("17.0.3+7"), Rulebook(ledger))
    assert cell.grade == "error"
    assert cell.reason.endswith("While it hung: its dumps have no digest.")
    assert cell.evidence.hangs == ()


def test_a_cell_that_cannot_be_graded_is_still_one_of_its_bug(
    tmp_path: Path, ledger: Ledger
) -> None:
    """Else nobody would miss it where all reproducers of the bug are asked."""
    folder = RunFolder.create(tmp_path, tmp_path / "run")
    odd = build("17.0.3+7").model_copy(update={"version": "17.odd"})
    record, _ = cell_of(folder, "17.0.3+7", Status.PASSED)
    run = RunRecord(
        run="r",
        started="2026-11-21T08:00:00Z",
        request=Request(),
        machine=make_results().machine,
        kit=make_results().kit,
        builds=(odd,),
        cells=(PlannedCell(build=odd.id, test=TEST),),
    )
    cell = Grader(run, folder, Rulebook(ledger)).grade([record]).cell
    assert (cell.grade, cell.bug) == ("error", "JDK-8293562")
    assert cell.reason.startswith("Its files cannot be read: ")


def test_a_verdict_of_another_jvm_than_the_builds_is_an_error(
    tmp_path: Path, root: Path, ledger: Ledger
) -> None:
    folder = RunFolder.create(tmp_path, tmp_path / "run")
    record, home = cell_of(folder, "17.0.9+9", Status.PASSED)
    outcome_file(home, "subject", "not-reproduced")
    outcome_file(home, "tls12", "not-reproduced")
    same = build("17.0.9+9").model_copy(update={"facts": {"version": "17", "vendor": "x"}})
    assert grade_cell(record, folder, same, Rulebook(ledger)).grade is Grade.AS_EXPECTED
    older = same.model_copy(update={"facts": {"version": "17.0.9+9", "vendor": "x"}})
    cell = grade_cell(record, folder, older, Rulebook(ledger))
    assert (cell.outcome, cell.grade) == ("error", "error")
    assert cell.reason == (
        "The JVM of subject is 17 (x), the build was 17.0.9+9 (x) when the run began."
    )


def test_a_cell_without_what_its_build_promises_is_silenced(tmp_path: Path, ledger: Ledger) -> None:
    folder = RunFolder.create(tmp_path, tmp_path / "run")
    record, home = cell_of(folder, "17.0.9+9", Status.SKIPPED)
    outcome_file(home, "subject", "not-applicable")
    build_record = build("17.0.9+9").model_copy(update={"runtime": facts(**OFF)})
    assert grade_cell(record, folder, build_record, Rulebook(ledger)).grade is Grade.SILENCED
    fine = build_record.model_copy(update={"runtime": facts()})
    assert grade_cell(record, folder, fine, Rulebook(ledger)).grade is Grade.SKIPPED


@pytest.mark.jdk
def test_a_hung_cell_is_an_error_that_says_what_stood_still(
    tmp_path: Path, root: Path, tool_jdk: Path, ledger: Ledger
) -> None:
    folder = RunFolder.create(tmp_path, tmp_path / "run")
    record, home = cell_of(folder, "17.0.3+7", Status.ERROR)
    names = tuple(f"hang-7-threads-{n}.txt" for n in (1, 2, 3))
    for name in names:
        shutil.copy(FIXTURES / "hangs" / "dumps" / "temurin-17.0.3+7.txt", home / name)
    record = record.model_copy(
        update={"artifacts": names, "status_text": "Error. Program `java' timed out."}
    )
    digest_recordings([home], digester_of(Checkout(root), tool_jdk))
    cell = grade_cell(record, folder, build("17.0.3+7"), Rulebook(ledger))
    assert (cell.outcome, cell.grade) == ("error", "broke")
    assert "timed out. While it hung: Deadlock: 'takes left, then right' waits in" in cell.reason
    (hang,) = cell.evidence.hangs
    assert (hang.pid, hang.dumps, len(hang.deadlocks)) == (7, 3, 2)

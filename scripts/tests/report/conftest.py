# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A made run: one affected and one fixed build, and whatever a test changes of it."""

from collections.abc import Iterator
from typing import Any

import pytest

from jdkmatrix.config.version import parse
from jdkmatrix.evidence.cause import CauseSource
from jdkmatrix.evidence.places import LongestWait
from jdkmatrix.grading.cases.kinds import with_cases
from jdkmatrix.records.record import BuildRecord, KitRecord, MachineRecord, UnavailableRecord
from jdkmatrix.results.document import CellResult, EvidenceResult, JvmResult, Results
from jdkmatrix.verdict.grade import grade
from jdkmatrix.vocabulary import Expectation, Outcome
from tests.report.page.chromium import Chromium, chromium, find_chromium

TEST = "keepalive/RequestsBlockedWhileConnectionCloses.java"
CAUSE = "12 threads waited 48 s to enter KeepAliveCache.get while one thread sat in <close>"


def make_build(build_id: str) -> BuildRecord:
    vendor, _, version = build_id.partition("-")
    return BuildRecord(
        id=build_id,
        entry=build_id,
        version=version,
        vendor=vendor,
        train=parse(version).train,
        source="wheel",
        sha256="ab" * 32,
        home="/cache/jdk",
        facts={"version": version, "vm_name": "OpenJDK 64-Bit Server VM", "has_jfr": True},
    )


def make_cell(build: str, outcome: str, expectation: str, **changes: Any) -> CellResult:
    evidence = EvidenceResult(
        cause=CAUSE if outcome == "reproduced" else None,
        cause_from=CauseSource.RECORDING if outcome == "reproduced" else None,
        cases=(
            JvmResult(
                case="subject",
                outcome=Outcome(outcome),
                reason="Because.",
                figures=(),
                facts={"protocol": "TLSv1.3"},
            ),
        ),
        blocked=(
            LongestWait(
                kind="monitor",
                lock_class="sun.net.www.http.KeepAliveCache",
                frame="sun.net.www.http.KeepAliveCache.get",
                threads=12,
                count=24,
                total_ms=48_000,
                max_ms=4_000,
            ),
        ),
    )
    cell = CellResult(
        build=build,
        test=TEST,
        bug="JDK-8293562",
        expectation=Expectation(expectation),
        outcome=Outcome(outcome),
        grade=grade(Outcome(outcome), Expectation(expectation)),
        seconds=20.5,
        test_seconds=19.1,
        reason="Requests waited (worst_request_ms 4012, bound 2000).",
        rerun=f"scripts/matrix run --build {build} --test {TEST}",
        evidence=evidence,
        artifacts=(f"cells/{build}/x/outcome.json",),
    )
    return cell.model_copy(update=changes)


def make_results(*cells: CellResult, **changes: Any) -> Results:
    results = Results(
        schema=2,
        run="2026-11-21T08-00-00Z",
        started="2026-11-21T08:00:00Z",
        finished="2026-11-21T08:03:00Z",
        complete=True,
        machine=MachineRecord(
            os="Debian", kernel="6", architecture="x86_64", cores=2, memory_mib=8000, load_1min=0
        ),
        kit=KitRecord(version="0.1.0", commit="abc", jtreg="jtreg 7.5.2", tool_jdk="debian-17"),
        builds=tuple(make_build(build) for build in dict.fromkeys(cell.build for cell in cells)),
        unavailable=(UnavailableRecord(entry="debian-8", reasons=(("debian", "no mirror"),)),),
        cells=cells,
    )
    return with_cases(results.model_copy(update=changes))


@pytest.fixture
def results() -> Results:
    """An affected build that reproduced, and a fixed one that did not."""
    return make_results(
        make_cell("temurin-17.0.3+7", "reproduced", "affected"),
        make_cell("temurin-17.0.9+9", "not-reproduced", "fixed"),
    )


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    """A tab of a headless Chromium; skips where the machine has none."""
    path = find_chromium()
    if path is None:
        pytest.skip("no Chromium on this machine (Debian: apt install chromium)")
    with chromium(path, tmp_path_factory.mktemp("profile")) as browser_process:
        yield browser_process

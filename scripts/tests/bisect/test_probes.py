# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What a run of one build says to a bisection, and what it does not."""

from pathlib import Path

import pytest

from jdkmatrix.bisect.probes import ReproducerProbe
from jdkmatrix.bisect.search import BugState, NoVerdict
from jdkmatrix.config.version import parse
from jdkmatrix.records.request import Request
from jdkmatrix.records.store import RunFolder
from jdkmatrix.results.document import Results
from tests.report.conftest import TEST, make_build, make_cell, make_results

ENTRY_ID = "debian-17"


def probe_build(
    tmp_path: Path, build: str = ENTRY_ID, outcome: str = "reproduced", version: str = "17.0.9+9"
) -> tuple[BugState | NoVerdict, list[str]]:
    """What the probe makes of that outcome on 17.0.9+9, and what it says."""
    lines: list[str] = []

    def run(_: Request, out: Path) -> Results:
        RunFolder.create(tmp_path, out)
        record = make_build("debian-17.0.9+9")
        if outcome == "replaced":
            record = record.model_copy(update={"replaced": "It was replaced during the run."})
        cell_outcome = "reproduced" if outcome == "replaced" else outcome
        return make_results(make_cell(record.id, cell_outcome, "affected"), builds=(record,))

    probe = ReproducerProbe(
        run, Request(tests=(TEST,)), {build: parse(version)}, tmp_path, lines.append
    )
    return probe(build), lines


@pytest.mark.parametrize("version", ["17.0.9+9", "17.0.9"])  # an entry need not have a build number
@pytest.mark.parametrize(
    ("outcome", "state"),
    [
        ("reproduced", BugState.BAD),
        ("not-reproduced", BugState.GOOD),
        ("inconclusive", NoVerdict.THIS_TIME),
        ("not-applicable", NoVerdict.FINAL),
    ],
)
def test_its_state_is_what_the_reproducer_found(
    tmp_path: Path, outcome: str, state: BugState | NoVerdict, version: str
) -> None:
    assert probe_build(tmp_path, outcome=outcome, version=version)[0] is state


@pytest.mark.parametrize(
    ("outcome", "version", "reason"),
    [
        ("reproduced", "17.0.8+7", "no verdict: it was 17.0.8+7 when the search began"),
        ("replaced", "17.0.9+9", "It was replaced during the run."),
    ],
)
def test_another_build_than_the_one_of_the_search_gives_no_verdict(
    tmp_path: Path, outcome: str, version: str, reason: str
) -> None:
    state, lines = probe_build(tmp_path, outcome=outcome, version=version)
    assert (state, lines[-1]) == (NoVerdict.FINAL, f"run 1: debian-17.0.9+9: {reason}")


@pytest.mark.parametrize("name", ["01-jdk 17.0.6", "jdk,17", "jdk:17"])
def test_a_jdk_at_hand_may_have_any_name(tmp_path: Path, name: str) -> None:
    assert probe_build(tmp_path, f"/opt/{name}")[0] is BugState.BAD

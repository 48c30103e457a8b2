# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What recordings of a slower build tell, and why they tell nothing."""

import json
import shutil
from pathlib import Path

import pytest

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.grading.recorded_samples import (
    RECORDING_FILE,
    keep_record,
    read_evidence,
    recorded_folder,
)
from jdkmatrix.records.sample_record import SampleRecord
from jdkmatrix.records.store import DIGEST_FILE, comparison_folder
from tests.conftest import FIXTURES
from tests.flow.test_resumed_throughput import compared

OLD, NEW = "temurin-17.0.9+9", "temurin-17.0.3+7"
(COMPARISON,) = compared(builds=(OLD, NEW), baseline=OLD).comparisons
SHOWS_IT = "temurin-17.0.3+7.queue.json"


def recorded(run: Path, arm: str, left: str) -> None:
    """The folder of an arm's recorded sample: with a digest, another text, or why it is void."""
    home = comparison_folder(run, COMPARISON) / recorded_folder(arm)
    home.mkdir(parents=True)
    if left == SHOWS_IT:
        shutil.copy(FIXTURES / "evidence" / left, home / DIGEST_FILE)
    elif left.startswith("{"):
        (home / DIGEST_FILE).write_text(left)
    elif left:
        keep_record(home, SampleRecord(arm=arm, build=arm, folder="x", seconds=1, void=left))


@pytest.mark.parametrize(
    ("left", "why"),
    [
        ("", "no recording was read"),
        ("the JVM died", "no recording was read: the JVM died"),
        ("{", "digest of recordings: no JSON: EOF while parsing an object at line 1 column 1"),
        ('{"schema": 1, "recordings": []}', "no recording was read"),
        (
            json.dumps({"schema": 1, "recordings": [{"file": "/x.jfr", "error": "cut off"}]}),
            "cut off",
        ),
    ],
    ids=["nothing", "void", "damaged", "empty", "unreadable"],
)
@pytest.mark.parametrize("arm", [OLD, NEW])
def test_a_recording_that_cannot_be_read_is_told(
    tmp_path: Path, ledger: Ledger, arm: str, left: str, why: str
) -> None:
    """Without the baseline's, the build's own tells its cause all the same, and no difference."""
    for one in (OLD, NEW):
        recorded(tmp_path, one, left if one == arm else SHOWS_IT)
    found = read_evidence(tmp_path, COMPARISON, NEW, ledger)
    assert found
    assert found.error == f"recorded-{arm}: {why}"
    assert found.difference == ()
    own = comparison_folder(tmp_path, COMPARISON) / recorded_folder(NEW) / RECORDING_FILE
    told = () if arm == NEW else (own.relative_to(tmp_path).as_posix(),)
    assert found.recordings == told
    assert (found.cause or "").startswith("JDK-8293562: ") == bool(told)


def test_what_was_not_recorded_has_no_evidence(tmp_path: Path, ledger: Ledger) -> None:
    recorded(tmp_path, OLD, SHOWS_IT)
    assert read_evidence(tmp_path, COMPARISON, NEW, ledger) is None

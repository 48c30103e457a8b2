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
from tests.flow.test_resumed_throughput import make_plan

OLD, NEW = "temurin-17.0.9+9", "temurin-17.0.3+7"
(COMPARISON,) = make_plan(builds=(OLD, NEW), baseline=OLD).comparisons
SHOWS_IT = "temurin-17.0.3+7.queue.json"


def store_recorded(run: Path, arm: str, content: str) -> None:
    """The folder of an arm's recorded sample: with a digest, another text, or why it is void."""
    home = comparison_folder(run, COMPARISON) / recorded_folder(arm)
    home.mkdir(parents=True)
    if content == SHOWS_IT:
        shutil.copy(FIXTURES / "evidence" / content, home / DIGEST_FILE)
    elif content.startswith("{"):
        (home / DIGEST_FILE).write_text(content)
    elif content:
        keep_record(home, SampleRecord(arm=arm, build=arm, folder="x", seconds=1, void=content))


@pytest.mark.parametrize(
    ("content", "reason"),
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
    tmp_path: Path, ledger: Ledger, arm: str, content: str, reason: str
) -> None:
    """Without the baseline's, the build's own tells its cause all the same, and no difference."""
    for build in (OLD, NEW):
        store_recorded(tmp_path, build, content if build == arm else SHOWS_IT)
    evidence = read_evidence(tmp_path, COMPARISON, NEW, ledger)
    assert evidence
    assert evidence.error == f"recorded-{arm}: {reason}"
    assert evidence.difference == ()
    recording = comparison_folder(tmp_path, COMPARISON) / recorded_folder(NEW) / RECORDING_FILE
    paths = () if arm == NEW else (recording.relative_to(tmp_path).as_posix(),)
    assert evidence.recordings == paths
    assert (evidence.cause or "").startswith("JDK-8293562: ") == bool(paths)


def test_what_was_not_recorded_has_no_evidence(tmp_path: Path, ledger: Ledger) -> None:
    store_recorded(tmp_path, OLD, SHOWS_IT)
    assert read_evidence(tmp_path, COMPARISON, NEW, ledger) is None

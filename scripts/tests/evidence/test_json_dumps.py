# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a dump in JSON say, of real JVMs? See fixtures/dumps/README.md."""

import gzip
from collections.abc import Mapping
from pathlib import Path

import pytest

from jdkmatrix.evidence.digest import Digester, Recording, Unreadable
from tests.conftest import FIXTURES

pytestmark = pytest.mark.jdk
WITH_LOCKS = ("25.0.2", "26.0.2.1", "27.0.1.0.3", "28-ea")
WITHOUT_LOCKS = "21.0.8"
CUT = "27.0.1.0.3"
CUT_SHARES = (0.1, 0.5, 0.99)

Recordings = Mapping[str, Recording | Unreadable]


def locks(build: str) -> Path:
    return FIXTURES / "dumps" / f"locks-{build}.json.gz"


@pytest.fixture(scope="module")
def recordings(digester: Digester, tmp_path_factory: pytest.TempPathFactory) -> Recordings:
    """What is read of each file by itself, by its name."""
    folder = tmp_path_factory.mktemp("json")
    files = [locks(build) for build in (WITHOUT_LOCKS, *WITH_LOCKS)]
    text = gzip.decompress(locks(CUT).read_bytes())
    for share in CUT_SHARES:
        files.append(folder / f"{share}.json")
        files[-1].write_bytes(text[: int(len(text) * share)])
    return {Path(recording.file).name: recording for recording in digester.digest(files).recordings}


@pytest.mark.parametrize("build", WITH_LOCKS)
def test_a_json_dump_says_who_waits_for_whom(recordings: Recordings, build: str) -> None:
    recording = recordings[locks(build).name]
    assert isinstance(recording, Recording)
    rows = {row.frame: row for row in recording.lock_waits}
    assert {frame: row.threads for frame, row in rows.items()} == {
        "Locks.wantM": 3,
        "Locks.wantL": 3,
    }  # a virtual thread is among each
    (monitors,) = rows["Locks.wantM"].holders
    assert (monitors.thread, monitors.frame, monitors.inferred) == (
        "holder-M",
        "Locks.holdM",
        False,
    )
    # 25.0.2 does not say who has it, and both holders are in frames of that class.
    names = ["holder-L"] if build != "25.0.2" else []
    assert [holder.thread for holder in rows["Locks.wantL"].holders] == names


def test_a_json_dump_without_locks_has_those_that_the_frames_show(recordings: Recordings) -> None:
    recording = recordings[locks(WITHOUT_LOCKS).name]
    assert isinstance(recording, Recording)
    (row,) = recording.lock_waits
    assert (row.frame, row.threads) == ("Locks.wantL", 3)
    (sentence,) = recording.unread
    assert sentence.startswith("This JSON names no locks and no states, as it does since 25: ")


@pytest.mark.parametrize("share", CUT_SHARES)
def test_a_cut_json_dump_is_one_line(recordings: Recordings, share: float) -> None:
    entry = recordings[f"{share}.json"]
    assert isinstance(entry, Unreadable)
    assert entry.error == "is JSON that is cut short"

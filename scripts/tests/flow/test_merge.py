# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Shards merge to what one run would have found, also where builds are compared."""

import errno
import json
import os
import shutil
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from jdkmatrix.cli.app import main
from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.flow.merge import merge
from jdkmatrix.paths import Checkout
from jdkmatrix.records.store import RunFolder
from jdkmatrix.results.document import Results
from tests.flow.shard_kit import (
    AFFECTED,
    FIXED,
    PLAN,
    SHARDS,
    WAITS_ALONE,
    build,
    change,
    store,
    store_shards,
)

VERSIONS = tuple(version for versions in SHARDS for version in versions)


def report(place: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    main(["report", str(place), "--json"])
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def test_shards_merge_to_the_results_of_the_whole_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store(tmp_path / "one", VERSIONS)
    whole = report(tmp_path / "one", capsys)
    places = store_shards(tmp_path)
    for n, order in enumerate(permutations(places)):
        code = main(["merge", *map(str, order), "--out", str(tmp_path / f"merged-{n}"), "--json"])
        document = json.loads(capsys.readouterr().out)
        assert document["cells"] == whole["cells"]
        assert document["builds"] == whole["builds"]
        assert document["complete"]
        assert code == 1  # the wait that no other build has
    assert (document["started"], document["finished"]) == (
        "2026-11-21T08:01:00Z",
        "2026-11-21T08:13:00Z",
    )


def test_builds_are_compared_after_the_merge_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = store_shards(tmp_path)
    assert all(not cell["flags"] for place in places for cell in report(place, capsys)["cells"])
    results = merge(Checkout.current(), places, tmp_path / "merged").finished_run.results
    (flagged_cell,) = results.flagged_cells
    assert flagged_cell.build == f"temurin-{FIXED[0]}"
    assert "2 other fixed builds have at most 0 ms" in flagged_cell.flags[0]


def test_a_shard_has_all_recordings_and_the_merged_run_those_that_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = store_shards(tmp_path)
    for place, cells in zip(places, PLAN, strict=True):
        folder = RunFolder(place)
        for cell in cells:
            record = folder.read_cell(cell)
            assert record
            (folder.cell_folder(cell) / "a.jfr").touch()
            artifacts = (*record.artifacts, "a.jfr")
            folder.write_cell(record.model_copy(update={"artifacts": artifacts}))
        report(place, capsys)
        assert len(list(place.rglob("a.jfr"))) == len(cells)
    finished_run = merge(Checkout.current(), places, tmp_path / "merged").finished_run
    builds = {
        path.relative_to(finished_run.folder).parts[1]
        for path in finished_run.folder.rglob("a.jfr")
    }
    assert builds == {f"temurin-{version}" for version in (AFFECTED, WAITS_ALONE, FIXED[1])}


def test_a_lost_shard_is_named_and_the_rest_is_merged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = store_shards(tmp_path)
    out = tmp_path / "merged"
    assert main(["merge", str(places[1]), str(places[2]), "--out", str(out)]) == 2
    output = capsys.readouterr()
    assert output.err.splitlines() == [
        "matrix: shard 1/3 is missing: 2 cells were not run",
        f"matrix: not every cell was run; resume it: scripts/matrix run --resume --out {out}",
    ]
    assert "Not complete." in output.out
    results = Results.model_validate_json((out / "results.json").read_text())
    assert (results.complete, len(results.cells)) == (False, 2)


def test_a_recording_without_a_digest_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What no other build waits for is not seen without."""
    places = store_shards(tmp_path)
    folder = RunFolder(places[0])
    homes = [folder.cell_folder(cell) for cell in PLAN[0]]
    for home in homes:
        (home / "jfr").mkdir()
        (home / "jfr" / "a-pid-1-b.jfr").touch()
        (home / "digest.json").unlink()
    out = tmp_path / "merged"
    main(["merge", *map(str, places), "--out", str(out)])
    assert capsys.readouterr().err.splitlines() == [
        f"matrix: {homes[0].relative_to(folder.path)} (and 1 more): its recording is not compared "
        "with others: digest.json was lost, or never made"
    ]


def test_shards_may_be_named_as_folders_of_reports(tmp_path: Path) -> None:
    """Then how to resume one is told with a path, which `--resume` takes."""
    places = store_shards(tmp_path / "reports")
    change(places[1], finished=None)
    names = [Path(place.name) for place in places]
    with pytest.raises(
        UsageError, match=f"accepted: after `scripts/matrix run --resume --out {places[1]}`$"
    ):
        merge(Checkout(tmp_path), names, None)


def test_a_build_that_was_unavailable_in_two_shards_is_told_once(tmp_path: Path) -> None:
    places = store_shards(tmp_path)
    missing = [{"entry": "debian-8", "reasons": (("debian", "no mirror"),)}]
    for place in places[:2]:
        record = json.loads((place / "run.json").read_text())
        (place / "run.json").write_text(json.dumps(record | {"unavailable": missing}))
    results = merge(Checkout.current(), places, tmp_path / "merged").finished_run.results
    assert [unavailable.entry for unavailable in results.unavailable] == ["debian-8"]


def test_an_entry_of_jdks_yaml_may_be_a_folder(tmp_path: Path) -> None:
    places = store_shards(tmp_path)
    change(places[1], builds=(build("17.0.9+9").model_copy(update={"source": "local"}),))
    assert merge(Checkout.current(), places, tmp_path / "merged").finished_run.results.complete


def test_each_shard_keeps_its_machine(tmp_path: Path) -> None:
    places = store_shards(tmp_path)
    machine = merge(Checkout.current(), places, tmp_path / "a").finished_run.results.machine
    change(places[1], machine=machine.model_copy(update={"cores": 64}))
    parts = merge(Checkout.current(), places, tmp_path / "b").finished_run.results.shards
    assert [(part.shard, part.machine.cores) for part in parts] == [
        ("1/3", 2),
        ("2/3", 64),
        ("3/3", 2),
    ]


class Room:
    """A disk with room for so many files more; an error of a full one names the file."""

    def __init__(self, files: int, patch: pytest.MonkeyPatch) -> None:
        self.files = files
        self._copy, self._sync = shutil.copyfile, os.fsync
        patch.setattr(shutil, "copyfile", self.copy)
        patch.setattr(os, "fsync", self.sync)  # of records, which are not copied

    def take(self, *place: str) -> None:
        if self.files == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), *place)
        self.files -= 1

    def copy(self, source: str, target: str, **options: Any) -> Any:
        self.take(target)
        return self._copy(source, target, **options)

    def sync(self, descriptor: int) -> None:
        self.take()
        self._sync(descriptor)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (0, "/merged: the cells cannot be copied: No space left on device"),
        (13, "/merged: the cells cannot be copied: No space left on device"),
        (18, "/merged/run.json: cannot be written: No space left on device"),
    ],
    ids=["the first file", "the third shard", "the record of the whole"],
)
def test_what_cannot_be_copied_whole_is_not_left_half_there(
    files: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Told in one line, however many of the 18 files have no room; tried again there is some."""
    places = store_shards(tmp_path)
    for n, place in enumerate(places[1:]):
        (place / "throughput").mkdir()
        (place / "throughput" / f"block-{n}.json").touch()
    with monkeypatch.context() as patch:
        room = Room(files, patch)
        with pytest.raises(MachineError) as error:
            merge(Checkout.current(), places, tmp_path / "merged")
        assert room.files == 0
    assert str(error.value).startswith(f"{tmp_path}{message}")
    assert str(error.value).count("No space left") == 1
    assert not list((tmp_path / "merged").iterdir())
    assert merge(Checkout.current(), places, tmp_path / "merged").finished_run.results.complete

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which runs are listed, and which are gone after `matrix reports prune`?"""

import json
import os
import re
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from jdkmatrix.cli.app import main
from jdkmatrix.cli.reports import print_runs, prune_runs
from jdkmatrix.machine.run_lock import going_on
from jdkmatrix.records.request import Request
from jdkmatrix.records.store import RunFolder
from jdkmatrix.records.stored_runs import runs_beyond, stored_runs
from jdkmatrix.results.document import Results
from tests.flow.run_kit import PLAIN, TESTS, run, store
from tests.report.conftest import make_cell


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    """Five runs, 1 the oldest, and 3 the latest; a sample, and what is no run."""
    reports = tmp_path / "reports"
    for n in range(1, 6):
        store_run(reports / f"run-{n}", f"2026-11-2{n}T08:00:00Z")
    RunFolder(reports.resolve() / "run-3").link_as_latest(reports)
    for sample in ("sample", "sample-bundle"):
        store_run(reports / sample, "2026-01-01T08:00:00Z")
    (reports / "notes").mkdir()
    (reports / "history.sqlite").touch()
    return reports


def store_run(place: Path, start: str) -> None:
    place.mkdir(parents=True)
    store(place, started=start)
    (place / "cells").mkdir()


def names_in(reports: Path) -> set[str]:
    return {path.name for path in reports.iterdir()}


OTHER_NAMES = {"sample", "sample-bundle", "notes", "history.sqlite", "latest"}


def test_the_latest_run_and_the_newest_others_stay(
    reports: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prune_runs(reports, 3, dry_run=True)
    assert "would remove run-1, " in capsys.readouterr().out
    assert len(names_in(reports)) == 10
    prune_runs(reports, 3)
    assert names_in(reports) == {*OTHER_NAMES, "run-3", "run-4", "run-5"}
    out = capsys.readouterr().out.splitlines()
    assert [line.partition(",")[0] for line in out[:-1]] == ["removed run-2", "removed run-1"]
    prune_runs(reports, 1)
    assert names_in(reports) == {*OTHER_NAMES, "run-3"}
    assert (reports / "latest" / "run.json").is_file()


def test_without_a_latest_run_the_newest_stays(reports: Path) -> None:
    (reports / "latest").unlink()
    prune_runs(reports, 1)
    assert names_in(reports) == {*OTHER_NAMES, "run-5"} - {"latest"}


def test_no_link_is_followed(reports: Path, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    store_run(target / "nested", "2026-11-01T08:00:00Z")
    store_run(target / "one", "2026-11-01T08:00:00Z")
    (reports / "linked").symlink_to(target / "one")
    (reports / "of-links").mkdir()
    (reports / "of-links" / "nested").symlink_to(target / "nested")
    (reports / "of-file").mkdir()
    (reports / "of-file" / "run.json").symlink_to(target / "one" / "run.json")
    (reports / "run-1" / "cells" / "out").symlink_to(target)
    (reports / ".pruned-x").symlink_to(target)
    prune_runs(reports, 1)
    assert names_in(reports) == {
        *OTHER_NAMES,
        "run-3",
        "linked",
        "of-links",
        "of-file",
        ".pruned-x",
    }
    assert (target / "nested" / "cells").is_dir()
    assert (target / "one" / "run.json").is_file()


@pytest.mark.parametrize("dry_run", [False, True])
def test_a_run_that_is_still_going_stays_and_so_does_one_of_several(
    reports: Path, capsys: pytest.CaptureFixture[str], dry_run: bool
) -> None:
    for part in ("01-a", "02-b"):
        store_run(reports / "bisected" / part, "2026-11-01T08:00:00Z")
    shutil.copytree(reports / "bisected", reports / "planted")
    names = names_in(reports)
    with going_on(reports / "run-1"), going_on(reports / "bisected"):
        with going_on(reports / "planted" / "02-b"):
            prune_runs(reports, 1, dry_run=dry_run)
        out, err = capsys.readouterr()
        assert re.findall("removed? (.*),", out) == ["run-5", "run-4", "run-2"]
        removed_names = set() if dry_run else {"run-5", "run-4", "run-2"}
        assert names_in(reports) == names - removed_names
        assert "matrix: run-1 stays: " in err
        assert f"this run is still going (pid {os.getpid()}); wait until it ends" in err
    prune_runs(reports, 1)
    assert names_in(reports) == {*OTHER_NAMES, "run-3"}


@pytest.mark.slow
def test_runs_lose_nothing_while_all_others_are_removed(tmp_path: Path) -> None:
    paths: list[Path] = []

    def several(name: str) -> list[Results]:
        paths.extend(places := [tmp_path / f"{name}-{n}" for n in range(4)])
        return [run(place, Request(builds=(PLAIN.id,), tests=TESTS)) for place in places]

    with ThreadPoolExecutor(2) as pool:
        going = [pool.submit(several, name) for name in ("a", "b")]
        while not all(future.done() for future in going):
            prune_runs(tmp_path, 1)
    documents = [results for future in going for results in future.result()]
    assert [(document.complete, len(document.cells)) for document in documents] == [
        (True, len(TESTS))
    ] * len(paths)
    prune_runs(tmp_path, 1)
    assert len(names_in(tmp_path)) == 1


def test_what_a_killed_removal_has_left_goes_and_what_cannot_be_read_stays(
    reports: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (reports / "run-1").rename(reports / ".pruned-run-1.77")
    (reports / "run-2" / "run.json").write_text("{")
    prune_runs(reports, 9)
    assert names_in(reports) == {*OTHER_NAMES, "run-2", "run-3", "run-4", "run-5"}
    assert "matrix: run-2 stays: " in capsys.readouterr().err
    print_runs(reports, as_json=True)
    listing = json.loads(capsys.readouterr().out)
    assert [damaged_run["run"] for damaged_run in listing["damaged"]] == ["run-2"]


def test_a_list_says_of_each_run_what_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reports = tmp_path / "reports"
    document = run_into(reports / "2026-11-21T08-00-00Z")
    store_run(reports / "broken-off", "2026-01-02T08:00:00Z")
    for part in ("01-a", "02-b"):
        store_run(reports / "bisected" / part, "2026-01-01T08:00:00Z")
    print_runs(reports, as_json=False)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[:3]] == [document.run, "broken-off", "bisected"]
    assert f"  run     {PLAIN.id}  as expected" in lines[0]
    assert "  run     temurin-17.0.9+9  unfinished " in lines[1]
    assert "  2 runs  temurin-17.0.9+9  - " in lines[2]
    assert lines[3].startswith("3 runs, ")
    bad = document.model_copy(update={"cells": (make_cell(PLAIN.id, "reproduced", "fixed"),)})
    (reports / document.run / "results.json").write_text(bad.to_json())
    (reports / "latest").symlink_to(document.run)
    print_runs(reports, as_json=True)
    row = json.loads(capsys.readouterr().out)["runs"][0]
    assert row["size_bytes"] > 10_000
    del row["size_bytes"]
    assert row == {
        "run": document.run,
        "started": document.started_at,
        "command": "run",
        "parts": 1,
        "builds": [PLAIN.id],
        "verdict": "surprise",
        "latest": True,
    }


def run_into(place: Path) -> Results:
    test = "tls13/CipherSuiteLookupCopiesTable.java"
    return run(place, Request(builds=(PLAIN.id,), tests=(test,)))


@pytest.mark.parametrize("options", [[], ["--keep", "0"], ["--keep", "two"]])
def test_how_many_stay_is_said_and_a_number(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reports", "prune", *options]) == 4
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert "--keep" in message


def test_of_ten_thousand_runs_half_are_chosen_at_once(reports: Path) -> None:
    (run, *_), _ = stored_runs(reports)
    runs = [replace(run, path=reports / f"many-{n}") for n in range(10_000)]
    began_s = time.thread_time()
    assert len(list(runs_beyond(runs, 5_000, reports))) == 5_000
    assert time.thread_time() - began_s < 5

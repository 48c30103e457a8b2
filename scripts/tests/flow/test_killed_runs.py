# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A run that is killed (SIGKILL) at any moment, however often, loses nothing when it is resumed,
and counts nothing twice. Without Java: `test_real_kills.py` kills runs of real JDKs.

Four are killed (160 with `--long`), each at a random moment from the reading of its options to the
last line that it prints, each second one once it has stored another cell.
"""

import json
import multiprocessing
import os
import random
import signal
import sqlite3
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

from jdkmatrix.cli import hand_over
from jdkmatrix.cli.app import main
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.run.cells.execution import Execution
from jdkmatrix.supply.build import Build
from tests.flow.run_kit import PLAIN, TESTS, PlayedTools, Stage, StandInSupplier, passes
from tests.fuzz import is_long

pytestmark = [pytest.mark.slow, pytest.mark.fuzz]

KILLS = 160 if is_long() else 4
# Entries of jdks.yaml; what stands for each of them is the same release.
ENTRIES = ("temurin-17.0.2+8", "temurin-17.0.7+7", "temurin-17.0.11+9", "temurin-17.0.12+7")
CELLS = {(entry, test) for entry in ENTRIES for test in TESTS}
CELL_S = 0.05
POLL_S = 0.01
LONGEST_S = 120.0


class AnySupplier(StandInSupplier):
    """Has each build under its own id."""

    def stream_outcomes(self, build_entries: Iterable[Any]) -> Iterator[Build]:
        for entry in build_entries:
            yield replace(PLAIN, id=entry.id, entry_id=entry.id)


def play(words: list[str], log: Path, starts: Path) -> None:
    """The command, in this process; each cell that begins has a line in `starts`."""
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(descriptor, stream)

    def lasts(build: BuildRecord, test: str, folder: Path, **options: Any) -> Execution:
        with starts.open("a") as file:
            file.write(f"{build.entry} {test}\n")
        time.sleep(CELL_S)
        return passes(build, test, folder, **options)

    stage = Stage(supplier=AnySupplier(), run=lasts)
    pytest.MonkeyPatch().setattr(
        hand_over, "Tools", lambda _: PlayedTools(stage)
    )  # of this process alone
    sys.exit(main(words))


def cells_stored(out: Path) -> dict[Path, bytes]:
    """The records of cells, each of them whole."""
    while True:
        try:
            records = {file: file.read_bytes() for file in out.rglob("cell.json")}
            break
        except FileNotFoundError:  # the folder of a cell that begins anew
            time.sleep(POLL_S)
    for content in records.values():
        json.loads(content)
    return records


def cells_of(records: Iterable[bytes]) -> set[tuple[str, str]]:
    return {(entry_of(cell), cell["test"]) for cell in map(json.loads, records)}


def entry_of(cell: dict[str, str]) -> str:
    return cell["build"].partition("@")[0]


def cells_started(starts: Path) -> list[tuple[str, str]]:
    lines = starts.read_text().splitlines() if starts.exists() else []
    return [(build, test) for build, _, test in (line.partition(" ") for line in lines)]


def cell_counts(history: Path, run: str) -> list[tuple[int, int]]:
    """For each entry of that run: the number of its cells, of its different cells."""
    query = (
        "SELECT count(*), count(DISTINCT build || test) FROM cells "
        "JOIN runs ON runs.id = cells.run_id WHERE runs.run = ? GROUP BY runs.id"
    )
    connection = sqlite3.connect(history)
    try:
        return connection.execute(query, (run,)).fetchall()
    finally:
        connection.close()


def test_nothing_is_lost_and_nothing_is_counted_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history, log = tmp_path / "history.sqlite", tmp_path / "log"
    monkeypatch.setenv("JDKMATRIX_HISTORY", str(history))
    # A process without threads, which has loaded all modules, forks each of them.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, "jdkmatrix.cli.run", "jdkmatrix.cli.report"])
    builds = [word for entry in ENTRIES for word in ("--build", entry)]
    tests = [word for test in TESTS for word in ("--test", test)]

    def start(words: list[str], starts: Path) -> BaseProcess:
        process = context.Process(target=play, args=(words, log, starts))
        process.start()
        return process

    def whole(out: Path) -> list[str]:
        has_run = (out / "run.json").exists()
        new = [*builds, *tests, "--jobs", "2", "--offline", "--no-confirm"]
        return ["run", "--out", str(out), *(["--resume"] if has_run else new)]

    def end_code(process: BaseProcess) -> int | None:
        process.join(LONGEST_S)
        return process.exitcode

    def check(out: Path, starts: Path) -> None:
        results = json.loads((out / "results.json").read_text())
        cells = [(entry_of(cell), cell["test"], cell["grade"]) for cell in results["cells"]]
        assert sorted(cells) == sorted((*cell, "as-expected") for cell in CELLS)
        assert cell_counts(history, out.name) == [(len(CELLS), len(CELLS))]
        assert {*cells_started(starts)} == CELLS

    for number in range(2):  # the first one loads what else is needed
        began_s = time.monotonic()
        out, starts = tmp_path / f"whole-{number}", tmp_path / f"starts-{number}"
        assert end_code(start(whole(out), starts)) == 0, log.read_text()
        whole_s = time.monotonic() - began_s
        check(out, starts)

    seed = random.randrange(1 << 30)
    moments, kills, number, in_cells = random.Random(seed), 0, 0, 0
    while kills < KILLS:
        out, starts = tmp_path / f"killed-{number}", tmp_path / f"starts-killed-{number}"
        number += 1
        records: dict[Path, bytes] = {}
        code: int | None = -signal.SIGKILL
        while code == -signal.SIGKILL:
            old_lines = len(cells_started(starts))
            process = start(whole(out), starts)
            moment_s = moments.uniform(0.0, whole_s)
            if kills % 2:  # cells are a small part of it
                while process.is_alive() and len(cells_stored(out)) <= len(records):
                    time.sleep(POLL_S)
                moment_s *= CELL_S / whole_s
            process.join(moment_s)
            process.kill()
            code = end_code(process)
            kills += code == -signal.SIGKILL
            new_records = cells_stored(out)
            assert records.items() <= new_records.items()
            assert not cells_of(records.values()) & {*cells_started(starts)[old_lines:]}
            in_cells += 0 < len(new_records) < len(CELLS)
            records = new_records
        # It was killed once all was stored, perhaps before the history had it.
        if code == 3:
            code = end_code(start(["report", str(out)], starts))
        assert code == 0, log.read_text()
        check(out, starts)
    print(f"{kills} killed within {whole_s:.2f} s, {in_cells} between cells, seed {seed}")
    assert in_cells
    assert "Traceback" not in log.read_text()

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A run of `test/behave` with whatever texts a test wants."""

import json
from collections.abc import Mapping
from pathlib import Path

from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.grading.whole_run import assemble
from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.paths import Checkout
from jdkmatrix.records.record import BuildRecord, CellRecord, PlannedCell, RunRecord
from jdkmatrix.records.store import OBSERVATIONS_FILE, RunFolder
from jdkmatrix.results.document import Results
from jdkmatrix.vocabulary import Status
from tests.grading.row_kit import build, store_run

TEST = "behave/GoldRows.java"
OLD, NEW = build("17.0.12+7"), build("17.0.19+10")
# Of each row its text, by its id; one that begins with `hangs` hangs.
Texts = Mapping[str, str]


def store(
    folder: Path, *of_builds: tuple[BuildRecord, tuple[Texts, ...]]
) -> tuple[RunRecord, RunFolder]:
    """A run of the test on these builds, each with the texts of its attempts."""
    run, run_folder = store_run(folder)
    for record, attempts in of_builds:
        for number, texts in enumerate(attempts, 1):
            cell = PlannedCell(build=record.id, test=TEST)
            home = run_folder.cell_folder(cell, number)
            home.mkdir(parents=True)
            lines: list[dict[str, object]] = [
                {
                    "row": row,
                    "does": "x",
                    "gold": not row.startswith("plain"),
                    "status": "hangs" if text.startswith("hangs") else "seen",
                    "text": text,
                    "notes": [],
                    "ms": 1,
                }
                for row, text in texts.items()
            ]
            content = [json.dumps(line) for line in (*lines, {"rows": len(lines)})]
            (home / OBSERVATIONS_FILE).write_text("\n".join(content))
            run_folder.write_cell(
                CellRecord(
                    build=record.id,
                    test=TEST,
                    attempt=number,
                    ended=ChildEnd.FINISHED,
                    status=Status.PASSED,
                    status_text="Passed. Execution successful",
                    seconds=1,
                    test_seconds=1,
                    artifacts=(OBSERVATIONS_FILE,),
                )
            )
    update = {
        "builds": tuple(record for record, _ in of_builds),
        "cells": tuple(PlannedCell(build=record.id, test=TEST) for record, _ in of_builds),
    }
    return run.model_copy(update=update), run_folder


def results_of(
    tmp_path: Path, root: Path, *of_builds: tuple[BuildRecord, tuple[Texts, ...]]
) -> Results:
    run, folder = store(tmp_path, *of_builds)
    return assemble(run, folder, Rulebook.load(Checkout(root)))

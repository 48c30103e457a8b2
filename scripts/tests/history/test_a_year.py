# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A night costs the history the same a year on, and what was found stays found."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from jdkmatrix.history import stored_runs
from jdkmatrix.history.changes import FigureStep, find_changes
from jdkmatrix.history.database import reading, writing
from jdkmatrix.history.stored_runs import WINDOW_RUNS, add
from jdkmatrix.history.table_rows import build_rows, cell_rows, run_row
from jdkmatrix.results.document import Results
from tests.history.kit import made_run, made_speed, night
from tests.report.conftest import make_results

CELLS = 100
STEP = 40


def whole_night(number: int) -> Results:
    """A night of a third of the cells that the default selection has."""
    run = made_run(number)
    (cell,) = run.cells
    noise = random.Random(number)
    cells = tuple(
        cell.model_copy(update={"test": f"tls13/T{n}.java", "test_seconds": noise.uniform(18, 22)})
        for n in range(CELLS)
    )
    return make_results(*cells, run=run.run, started_at=run.started_at, builds=run.builds)


def stored_unsearched(file: Path, nights: range) -> None:
    """Put nights into the file as `add` does, but for the search."""
    rows = [list(cell_rows(whole_night(n))) for n in range(3)]
    with writing(file) as connection:
        for number in nights:
            run = made_run(number)
            tables = {
                "runs": [run_row(run)],
                "builds": [{"run_id": number, **row} for row in build_rows(run)],
                "cells": [{"run_id": number, **row} for row in rows[number % 3]],
            }
            for table, table_rows in tables.items():
                marks = ", ".join("?" * len(table_rows[0]))
                connection.executemany(
                    f"INSERT INTO {table} ({', '.join(table_rows[0])}) VALUES ({marks})",
                    [tuple(row.values()) for row in table_rows],
                )


@pytest.mark.slow
def test_a_night_costs_the_same_a_year_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lengths: list[int] = []

    def count_points(points: Sequence[float], figure: str) -> tuple[FigureStep, ...]:
        lengths.append(len(points))
        return find_changes(points, figure)

    file = tmp_path / "history.sqlite"
    stored_unsearched(file, range(1, 365))
    monkeypatch.setattr(stored_runs, "find_changes", count_points)
    add(file, whole_night(365))
    assert lengths == [WINDOW_RUNS] * 2 * CELLS  # seconds, and blocked time
    assert file.stat().st_size / 365 < 300 * CELLS


@pytest.mark.slow
def test_what_was_found_stays_found(tmp_path: Path) -> None:
    file = tmp_path / "history.sqlite"
    nights = range(1, STEP + WINDOW_RUNS + 30)
    # In the end runs at both sides of the step are stored again, as by `matrix report`.
    for number in (*nights, STEP - 1, STEP):
        noise = random.Random(number).uniform(0.97, 1.03)
        add(file, made_speed(number, noise * (1.0 if number < STEP else 0.5)))
    with reading(file) as connection:
        steps = connection.execute(
            "SELECT started, round(after, 1) FROM change_points c JOIN runs r ON r.id = c.run_id"
        ).fetchall()
        row_count = connection.execute("SELECT count(*) FROM throughput").fetchone()[0]
    assert [tuple(row) for row in steps] == [(night(STEP), 0.5)]
    assert row_count == len(nights)

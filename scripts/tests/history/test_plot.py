# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Marks, dates, steps and other changes of a plot stand where their runs and values say."""

from pathlib import Path

import pytest

from jdkmatrix.history.answer import HistoryAnswer
from jdkmatrix.history.reader import HistoryQuery, answer
from jdkmatrix.history.trend_page import HistoryCurve, Line, plot_of
from tests.history.kit import made_run, other_kit, store_runs


@pytest.fixture
def four_runs(tmp_path: Path) -> HistoryAnswer:
    runs = [made_run(number) for number in (1, 2, 3)]
    runs.append(made_run(4, kit=other_kit("def")))
    return answer(store_runs(tmp_path / "history.sqlite", *runs), HistoryQuery())


def test_ratios_stand_around_one_by_their_factor(four_runs: HistoryAnswer) -> None:
    lines = [Line("a", [1.0, 2.0, 4.0, None]), Line("b", [None, 1e-9, None, 1.0])]
    plot = plot_of(HistoryCurve("s", "base", "p-ratio", lines, [(2, "a")]), four_runs)
    first, two, four = plot.lines[0].marks
    assert [x for x, _ in (first, two, four)] == [12.5, 37.5, 62.5]
    assert first[1] - two[1] == pytest.approx(two[1] - four[1], abs=0.02)
    assert (1.0, first[1]) in plot.ticks
    assert plot.lines[1].marks == ((37.5, 100.0), (87.5, first[1]))  # beyond the axis: at its end
    assert (plot.steps, plot.environment) == ((50.0,), (75.0,))
    assert plot.dates[0] == ("2026-01-02", 12.5)


def test_seconds_stand_from_nought(four_runs: HistoryAnswer) -> None:
    plot = plot_of(
        HistoryCurve("s", "", "seconds", [Line("a", [0.0, 10.0, 20.0, 20.0])]), four_runs
    )
    (_, nought), (_, ten), (_, twenty), _ = plot.lines[0].marks
    assert nought == 100
    assert nought - ten == pytest.approx(ten - twenty, abs=0.02)
    assert plot.ticks[0] == (0, 100)
    assert (20.0, twenty) in plot.ticks


def test_nothing_but_noughts_has_an_axis(four_runs: HistoryAnswer) -> None:
    plot = plot_of(HistoryCurve("s", "", "blocked-ms", [Line("a", [0.0] * 4)]), four_runs)
    assert {y for _, y in plot.lines[0].marks} == {100}


def test_a_season_has_eight_dates_at_most(four_runs: HistoryAnswer) -> None:
    season = four_runs.model_copy(update={"runs": four_runs.runs * 23})
    plot = plot_of(HistoryCurve("s", "", "seconds", [Line("a", [1.0] * 92)]), season)
    assert len(plot.dates) == 8

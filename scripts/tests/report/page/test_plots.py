# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Dots, bands, outlines and the law's lines stand where their numbers say."""

import re
from pathlib import Path

import pytest

from jdkmatrix.evidence.outcomes import Figure
from jdkmatrix.report.page import page as page_module
from jdkmatrix.report.page.case_pages import case_table, place_of
from jdkmatrix.report.page.forest import forest_of
from jdkmatrix.report.page.grid import grid_of
from jdkmatrix.report.page.law_plot import law_plots
from jdkmatrix.report.page.scale import LogScale, linear_ticks
from jdkmatrix.report.page.waiting import waiting_plots
from jdkmatrix.results.document import CellResult
from tests.report.big_run import big_results
from tests.report.conftest import make_cell, make_results

# WCAG 2.2, 1.4.3: text of any size has at least this contrast.
LEAST_CONTRAST = 4.5
# Of what is not text (WCAG 2.2, 1.4.11).
LEAST_CONTRAST_OF_MARKS = 3.0
TEXT = ("ink", "soft", "link", "good", "bad", "open")


def test_a_logarithmic_axis_puts_equal_factors_at_equal_distances() -> None:
    scale = LogScale(0.01, 100)
    assert [scale.percent(number) for number in (0.01, 0.1, 1, 10, 100)] == [0, 25, 50, 75, 100]
    assert (scale.percent(0.001), scale.percent(1e9)) == (0, 100)
    assert (scale.shows(0.001), scale.shows(1)) == (False, True)


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.8, 1.3, (0.8, 0.9, 1.0, 1.1, 1.2, 1.3)),
        (0.3, 4, (0.5, 1, 2)),
        (0.005, 20, (0.01, 0.1, 1, 10)),
    ],
)
def test_ticks_are_round_and_few(low: float, high: float, ticks: tuple[float, ...]) -> None:
    assert LogScale(low, high).ticks == ticks


def test_linear_ticks_begin_at_nought() -> None:
    assert linear_ticks(54, 6) == (0, 10, 20, 30, 40, 50)
    assert linear_ticks(0, 6) == (0,)


def test_an_axis_always_shows_one() -> None:
    scale = LogScale.around_one([0.01, 0.02], least_factor=1.25, most_factor=1000)
    assert scale.shows(1.0)
    endless = LogScale.around_one([1e-9, 1e9], least_factor=1.25, most_factor=1000)
    assert endless.low > 1e-4
    assert endless.high < 1e4


def test_a_dot_lies_in_its_interval_and_the_band_around_one() -> None:
    forest = forest_of(big_results().throughput)
    assert forest
    for row in forest.rows:
        assert row.interval and row.control and row.dot is not None
        assert row.interval.low < row.dot < row.interval.high
        assert row.control.low < forest.unity < row.control.high
        assert not row.interval.clipped_low
    assert len(forest.rows[0].blocks) == forest.rows[0].comparison.blocks
    places = [place for _, place in forest.ticks]
    assert places == sorted(places)


def test_an_endless_interval_is_clipped_and_says_so() -> None:
    comparison = big_results().throughput[0]
    figure = comparison.figures[0].model_copy(update={"ci95": (1e-9, 1.1)})
    forest = forest_of([comparison.model_copy(update={"figures": (figure,)})])
    assert forest
    (row,) = forest.rows
    assert row.interval and row.interval.clipped_low and not row.interval.clipped_high


def test_all_comparisons_share_an_axis_on_which_better_is_right() -> None:
    comparison = big_results().throughput[0]
    rate, cost = (
        figure.model_copy(update={"ratio": 0.8, "ci95": (0.7, 0.9)})
        for figure in comparison.figures
    )
    costly_comparison = comparison.model_copy(update={"scenario": "reuse", "figures": (cost,)})
    forest = forest_of([comparison.model_copy(update={"figures": (rate,)}), costly_comparison])
    assert forest
    slow, cheap = forest.rows
    assert slow.dot is not None and cheap.dot is not None
    assert slow.dot < forest.unity < cheap.dot
    assert round(forest.unity - slow.dot, 1) == round(cheap.dot - forest.unity, 1)
    assert cheap.interval and cheap.interval.low < cheap.dot < cheap.interval.high
    assert forest.baseline == comparison.baseline
    assert forest_of([]) is None


def test_a_ratio_beyond_the_axis_is_put_at_its_edge_and_squeezes_no_other() -> None:
    comparison = big_results().throughput[0]
    rate, cost = comparison.figures
    tiny_rate = rate.model_copy(update={"ratio": 0.001, "ci95": (1e-6, 0.1)})
    forest = forest_of([comparison.model_copy(update={"figures": (tiny_rate, cost)})])
    assert forest
    assert [row.is_clipped for row in forest.rows] == [True, False]
    assert forest.rows[0].dot == 0
    assert all(0.2 < tick < 2 for tick, _ in forest.ticks)


def test_without_two_blocks_there_is_a_dot_and_no_interval() -> None:
    comparison = big_results().throughput[0]
    figure = comparison.figures[0].model_copy(update={"ci95": None, "control": None})
    forest = forest_of([comparison.model_copy(update={"figures": (figure,), "samples": ()})])
    assert forest
    (row,) = forest.rows
    assert (row.interval, row.control, row.blocks) == (None, None, ())
    assert row.dot is not None


def test_the_law_has_a_panel_a_round_trip_and_the_builds_beside_each_other() -> None:
    (plot,) = law_plots(big_results().law)
    assert [panel.title for panel in plot.panels] == ["rtt-ms 2", "rtt-ms 20", "rtt-ms 200"]
    assert plot.axis == "threads"
    bad_curve, good_curve = plot.panels[0].curves
    assert (bad_curve.is_affected, good_curve.is_affected) == (True, False)
    assert len({mark.prediction for mark in bad_curve.marks}) == 1  # whatever the threads
    heights = [mark.prediction for mark in good_curve.marks if mark.prediction is not None]
    assert heights == sorted(heights, reverse=True)  # from the top: more is less
    assert len(bad_curve.lines) == 3
    predictions = [mark.prediction for mark in bad_curve.marks if mark.prediction is not None]
    assert all(y > predictions[0] for mark in bad_curve.marks for y in mark.dots)


def test_a_law_without_measurements_has_no_plot() -> None:
    points = [
        point.model_copy(update={"measured_requests_per_s": (), "predicted_requests_per_s": None})
        for point in big_results().law
    ]
    assert law_plots(points) == ()
    assert "No point was measured." in page_module.render_page(make_results(law=tuple(points)))


def test_waiting_is_of_tests_whose_cause_was_seen_on_one_axis() -> None:
    bad_cell = _with_waiting(make_cell("temurin-17.0.3+7", "reproduced", "affected"), 48_000)
    good_cell = _with_waiting(make_cell("temurin-17.0.9+9", "not-reproduced", "fixed"), 0)
    unread_cell = make_cell("temurin-17.0.10+7", "not-reproduced", "fixed")
    (plot,) = waiting_plots(grid_of(make_results(bad_cell, good_cell, unread_cell)))
    assert [(bar.cell.build, bar.waiting_s, bar.percent) for bar in plot.bars] == [
        ("temurin-17.0.3+7", 48, 100),
        ("temurin-17.0.9+9", 0, 0),
    ]
    assert [seconds for seconds, _ in plot.ticks] == [0, 10, 20, 30, 40]
    assert list(waiting_plots(grid_of(make_results(good_cell)))) == []
    older_cell = make_cell("temurin-17.0.3+7", "reproduced", "affected")  # of an earlier kit
    assert list(waiting_plots(grid_of(make_results(older_cell)))) == []


def _with_waiting(cell: CellResult, rule_ms: float) -> CellResult:
    evidence = cell.evidence.model_copy(update={"rule_ms": rule_ms})
    return cell.model_copy(update={"evidence": evidence})


def test_a_figure_stands_by_its_bound() -> None:
    def figure(number: float, bound: float) -> Figure:
        return Figure(name="x", value=number, bound=bound, unit="ms")

    assert [place_of(figure(v, 100)) for v in (0, 1, 10, 100, 1000, 1e9)] == [0, 0, 25, 50, 75, 100]
    assert place_of(figure(5, 0)) is None


def test_cases_stand_side_by_side_with_bounds_that_differ_told_each() -> None:
    cell = make_cell("temurin-17.0.3+7", "reproduced", "affected")
    subject = cell.evidence.cases[0]
    figures = [(Figure(name="wait", value=9, bound=b, unit="ms"),) for b in (5, 6)]
    cases = [
        subject.model_copy(update={"figures": figures[0], "facts": {"a": True, "b": None}}),
        subject.model_copy(update={"figures": figures[1], "facts": {"a": True, "c": ["x", "y"]}}),
    ]
    table = case_table(cases)
    assert table.figures[0].texts == ("9 ms (bound 5 ms)", "9 ms (bound 6 ms)")
    assert [(row.name, row.texts) for row in table.facts] == [
        ("a", ("true", "true")),
        ("b", ("none", "")),
        ("c", ("", "x\ny")),
    ]


@pytest.mark.parametrize("dark", [False, True])
def test_text_has_the_contrast_that_is_asked_for(dark: bool) -> None:
    css = Path(page_module.__file__).parents[1] / "templates" / "page" / "base.css"
    pairs = re.findall(r"--(\w+): light-dark\((#\w{6}), (#\w{6})\)", css.read_text())
    colors = {name: (light, night)[dark] for name, light, night in pairs}
    for name in TEXT:
        for ground in ("page", "panel"):
            assert contrast(colors[name], colors[ground]) >= LEAST_CONTRAST, (name, ground)
    assert contrast(colors["mark"], colors["page"]) >= LEAST_CONTRAST_OF_MARKS
    for ground in ("bad", "open", "good", "soft"):
        assert contrast(colors["on"], colors[ground]) >= LEAST_CONTRAST, ground


def contrast(first: str, second: str) -> float:
    """WCAG 2.2's contrast ratio of two colours `#rrggbb`."""
    dark, light = sorted(map(_luminance, (first, second)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    channels = [int(color[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

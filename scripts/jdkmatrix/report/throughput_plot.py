# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do ratios look beside the baseline against itself, and the law beside what was measured?

Drawn as SVG that goes into the page: one file, no network, the same bytes for the same results.
"""

import io
from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from jdkmatrix.plan.expectation import Expectation
from jdkmatrix.report.throughput_results import LawPoint, ThroughputResult
from jdkmatrix.report.throughput_words import METRIC_NAMES
from jdkmatrix.verdict.ratio import SpeedGrade

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Legible on a white and on a dark page alike.
_INK = "#7a8490"
_COLORS = {
    SpeedGrade.SLOWER: "#d6453d",
    SpeedGrade.FASTER: "#2f7fd1",
    SpeedGrade.NO_CHANGE: "#2d9a4b",
    SpeedGrade.INCONCLUSIVE: "#b98a1d",
}
_LAW = {Expectation.AFFECTED: ("#d6453d", "o"), Expectation.FIXED: ("#2d9a4b", "s")}
_ROW_INCH = 0.32
_WIDTH_INCH = 9.0
# One row's interval may be endless; the plot shows what lies within a factor of that.
_MOST_FACTOR = 1000.0
_STYLE: Any = {  # keys are a Literal of all settings there are
    "svg.fonttype": "none",
    "svg.hashsalt": "jdkmatrix",
    "font.size": 9,
    "text.color": _INK,
    "axes.edgecolor": _INK,
    "axes.labelcolor": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
}


def ratio_plot(results: Sequence[ThroughputResult]) -> str | None:
    """A dot with its 95 % interval for each figure, the A/A band behind it; None without any."""
    rows = [(one, figure) for one in results for figure in one.figures if figure.ratio is not None]
    if not rows:
        return None
    import matplotlib as mpl  # 0.5 s that commands without a plot need not pay
    from matplotlib.figure import Figure

    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(_WIDTH_INCH, 1.0 + _ROW_INCH * len(rows)))
        axes = figure.subplots()
        labels = []
        for place, (one, row) in enumerate(rows):
            assert row.ratio is not None
            if row.control:
                low, high = row.control
                axes.barh(place, high - low, left=low, height=0.7, color=_INK, alpha=0.3)
            if row.ci95:
                axes.plot(row.ci95, (place, place), color=_COLORS[row.grade], linewidth=2)
            axes.plot(row.ratio, place, "o", color=_COLORS[row.grade])
            labels.append(f"{one.scenario}, {one.client}, {one.build}, {METRIC_NAMES[row.metric]}")
        axes.axvline(1.0, color=_INK, linewidth=0.8)
        axes.set_xscale("log")
        low, high = axes.get_xlim()
        axes.set_xlim(max(low, 1 / _MOST_FACTOR), min(high, _MOST_FACTOR))
        axes.set_yticks(range(len(rows)), labels)
        axes.invert_yaxis()
        axes.set_xlabel("ratio to the baseline, 95 % interval; grey: the baseline against itself")
        return _svg(figure)


def law_plot(points: Sequence[LawPoint]) -> str | None:
    """Measured against predicted requests/s, both logarithmic; None without a prediction."""
    drawn = [
        (point, point.predicted_requests_per_s, median(point.measured_requests_per_s))
        for point in points
        if point.predicted_requests_per_s and point.measured_requests_per_s
    ]
    if not drawn:
        return None
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(6.5, 5.0))
        axes = figure.subplots()
        for build in dict.fromkeys(point.build for point, _, _ in drawn):
            mine = [one for one in drawn if one[0].build == build]
            expectation = mine[0][0].expectation
            color, marker = _LAW.get(expectation, (_INK, "o"))
            axes.plot(
                [predicted for _, predicted, _ in mine],
                [measured for _, _, measured in mine],
                marker,
                color=color,
                fillstyle="none",
                label=f"{build} ({expectation})",
            )
        values = [value for _, predicted, measured in drawn for value in (predicted, measured)]
        ends = (min(values), max(values))
        axes.plot(ends, ends, color=_INK, linewidth=0.8, label="as predicted")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("predicted requests/s at most")
        axes.set_ylabel("measured requests/s")
        axes.legend(frameon=False)
        return _svg(figure)


def _svg(figure: "Figure") -> str:
    text = io.StringIO()
    figure.savefig(
        text, format="svg", bbox_inches="tight", transparent=True, metadata={"Date": None}
    )
    return text.getvalue().partition("?>")[2].partition(">")[2].strip()

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a figure look run by run, with its steps and what else changed?

Drawn as SVG that goes into the page: one file, no network, the same bytes for the same history.
"""

import io
from collections.abc import Sequence
from typing import Any

from jdkmatrix.history.answer import HistoryAnswer
from jdkmatrix.history.curves import Curve
from jdkmatrix.history.words import figure_name

# Legible on a white and on a dark page alike.
_INK = "#7a8490"
_STEP = "#d6453d"
_LINES = ("#2f7fd1", "#2d9a4b", "#b98a1d", "#9b5fd0", "#1f9e9e", "#c2578b", "#8a6d4b", "#7a8490")
_MARKERS = "os^Dv<>p"  # lines can be told apart without their colour
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
_MOST_DATES = 8


def plots(drawn: Sequence[Curve], answer: HistoryAnswer) -> list[str]:
    """Each curve as SVG. Dashed: another kit or machine from there on; red: a step."""
    if not drawn:
        return []
    import matplotlib as mpl  # 0.5 s that a history without a curve need not pay

    with mpl.rc_context(_STYLE):
        return [_plot(curve, answer) for curve in drawn]


def _plot(curve: Curve, answer: HistoryAnswer) -> str:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 2.6))
    axes = figure.subplots()
    for number, line in enumerate(curve.lines):
        known = [(place, value) for place, value in enumerate(line.values) if value is not None]
        axes.plot(
            [place for place, _ in known],
            [value for _, value in known],
            color=_LINES[number % len(_LINES)],
            marker=_MARKERS[number % len(_MARKERS)],
            markersize=3,
            linewidth=1,
            label=line.name,
        )
    for place, run in enumerate(answer.runs):
        if run.environment:
            axes.axvline(place - 0.5, color=_INK, linewidth=0.7, linestyle="dashed")
    for place, _ in curve.steps:
        axes.axvline(place - 0.5, color=_STEP, linewidth=1.5)
    dates = [run.started[:10] for run in answer.runs]
    shown = range(0, len(dates), max(1, -(-len(dates) // _MOST_DATES)))
    axes.set_xticks(list(shown), [dates[place] for place in shown])
    axes.set_xlim(-0.7, len(dates) - 0.3)
    axes.set_ylabel(figure_name(curve.figure))
    if curve.figure.endswith("-ratio"):
        axes.axhline(1.0, color=_INK, linewidth=0.8)
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    text = io.StringIO()
    figure.savefig(
        text, format="svg", bbox_inches="tight", transparent=True, metadata={"Date": None}
    )
    return text.getvalue().partition("?>")[2].partition(">")[2].strip()

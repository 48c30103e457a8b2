# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a throughput result put into words? The same sentences in console, Markdown and HTML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from jdkmatrix.texts import count_of
from jdkmatrix.verdict.ratio import MINIMUM_COUNT_EFFECT
from jdkmatrix.vocabulary import Metric, SpeedGrade

if TYPE_CHECKING:  # the history uses these words without the models
    from jdkmatrix.results.speed import FigureResult, Interval, LawPoint, ThroughputResult

METRIC_NAMES = {
    Metric.REQUESTS_PER_S: "requests/s",
    Metric.ANSWERED_PER_S: "answers/s",
    Metric.CPU_US_PER_REQUEST: "CPU µs/request",
    Metric.P99_LATENCY_US: "99th percentile µs",
    Metric.WORST_LATENCY_US: "longest request µs",
    Metric.BYTES_PER_CONNECTION: "bytes/connection",
    Metric.ALLOCATED_BYTES_PER_REQUEST: "allocated B/request",
    Metric.RECORDS_PER_REQUEST: "records/request",
    Metric.WIRE_BYTES_PER_REQUEST: "sent B/request",
    Metric.ROUND_TRIPS_PER_REQUEST: "round trips/request",
}


def reason_of(comparison: ThroughputResult) -> str:
    """Why the cell has its grade, in one sentence with figures and bounds."""
    if not comparison.blocks:
        lacks = f": {comparison.lacks[0]}" if comparison.lacks else ""
        return f"No block has counted samples of both builds{lacks}."
    figures = "; ".join(figure_words(figure) for figure in comparison.figures)
    bound = f"minimum effect {100 * comparison.minimum_effect:.3g}%"
    if any(figure.metric.is_count for figure in comparison.figures):
        bound += f", of counts {100 * MINIMUM_COUNT_EFFECT:.3g}%"
    return f"{figures} ({count_of(comparison.blocks, 'block')}, {bound}).{_explain(comparison)}"


def figure_words(figure: FigureResult) -> str:
    """`requests/s 412 against 12,300, ratio 0.033 (0.028 to 0.041), A/A 0.94 to 1.08: slower`."""
    name = METRIC_NAMES[figure.metric]
    if figure.ratio is None or figure.median is None or figure.baseline_median is None:
        return f"{name} not measured"
    absolute = f"{number(figure.median)} against {number(figure.baseline_median)}"
    spread = f" {interval(figure.ci95)}, A/A {interval(figure.control)}" if figure.ci95 else ""
    limit = f" (limit {loss_limit(figure)})" if figure.most_loss is not None else ""
    reason = f", as {figure.change} explains" if figure.change else ""
    return f"{name} {absolute}, ratio {ratio(figure.ratio)}{spread}: {figure.grade}{limit}{reason}"


def has_limits(comparisons: Sequence[ThroughputResult]) -> bool:
    """Whether a validation set limits to what may have been lost."""
    return any(
        figure.most_loss is not None for comparison in comparisons for figure in comparison.figures
    )


def has_smallest_losses(comparisons: Sequence[ThroughputResult]) -> bool:
    """Whether it is known from which loss on one is seen; in earlier results it is not."""
    return any(
        figure.smallest_loss is not None
        for comparison in comparisons
        for figure in comparison.figures
    )


def loss_limit(figure: FigureResult) -> str:
    """`25 %`: the loss that a validation wants excluded; `none` if it sets no limit."""
    return "none" if figure.most_loss is None else f"{100 * figure.most_loss:.0f} %"


def smallest_loss(figure: FigureResult) -> str:
    """`2.9 %`: the smallest loss that would have been seen; empty without an interval."""
    if figure.smallest_loss is None:
        return ""
    percent = 100 * figure.smallest_loss
    return f"{percent:.0f} %" if percent >= 9.95 else f"{percent:.1f} %"


def speed_headline(comparisons: Sequence[ThroughputResult]) -> str:
    """One sentence on all comparisons; grades that do not occur are left out."""
    counts = Counter(comparison.grade for comparison in comparisons)
    grade_counts = ", ".join(f"{counts[grade]} {grade}" for grade in SpeedGrade if counts[grade])
    surprises = sum(comparison.is_surprise for comparison in comparisons)
    total = count_of(len(comparisons), "comparison")
    open_count = sum(comparison.stop_reason is not None for comparison in comparisons)
    open_ones = f" {open_count} not measured to the end." if open_count else ""
    if surprises:
        return f"{surprises} of {total} slower, of unknown cause: {grade_counts}.{open_ones}"
    if not any(comparison.ci95 for comparison in comparisons):
        return f"No verdict on {total}: {grade_counts}.{open_ones}"
    if counts[SpeedGrade.INCONCLUSIVE] == len(comparisons):
        quantifier = "all " if len(comparisons) > 1 else ""
        return f"{total}, {quantifier}too noisy to tell.{open_ones}"
    return f"No slowdown of unknown cause in {total}: {grade_counts}.{open_ones}"


def law_headline(points: Sequence[LawPoint]) -> str:
    """One sentence on the points of a sweep."""
    count = sum(bool(point.measured_requests_per_s) for point in points)
    return f"{count} of {len(points)} points of the law measured."


def parameters_of(point: LawPoint) -> str:
    """`threads 32, rtt-ms 20`."""
    return ", ".join(f"{path.rpartition('.')[2]} {v}" for path, v in point.parameters.items())


def sentences_of(comparison: ThroughputResult) -> list[str]:
    """What the reports say of a cell besides its figures."""
    sentences = [lack for lack in comparison.lacks if lack not in comparison.reason]
    if comparison.grade is SpeedGrade.SLOWER:
        reason = (
            f"explained by {', '.join(comparison.bugs)}"
            if not comparison.is_surprise
            else "not known before"
        )
        sentences.append(f"slower, {reason}")
    if comparison.attribution:
        sentences.append(f"attribution: {comparison.attribution}")
    if comparison.evidence:
        texts = (comparison.evidence.cause, comparison.evidence.grew, comparison.evidence.error)
        sentences += [text for text in texts if text]
        sentences += comparison.evidence.difference if not comparison.evidence.cause else ()
    return sentences


def interval(bounds: Interval | None) -> str:
    """`(0.94 to 1.08)`."""
    return f"({ratio(bounds[0])} to {ratio(bounds[1])})" if bounds else "(no interval)"


def ratio(figure: float) -> str:
    """Two decimals from 0.1 to 100, none up to a million, otherwise three significant figures."""
    if 0.1 <= figure < 100:
        return f"{figure:.2f}"
    return f"{figure:,.0f}" if 100 <= figure < 1e6 else f"{figure:.3g}"


def number(figure: float) -> str:
    """A figure in readable form: `12,300`, `48.2`."""
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}"


def _explain(comparison: ThroughputResult) -> str:
    if comparison.may_be_slower and comparison.grade is SpeedGrade.SLOWER:
        bugs = " or ".join(comparison.bugs)
        return f" The build has {bugs} and the baseline does not, so this was expected."
    return ""

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does the user read on standard output when throughput was measured?"""

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table

from jdkmatrix.report.console.lines import print_line
from jdkmatrix.results.document import Results
from jdkmatrix.results.speed import LawPoint, ThroughputResult
from jdkmatrix.vocabulary import SpeedGrade
from jdkmatrix.words import speed

_STYLES = {
    SpeedGrade.SLOWER: "bold red",
    SpeedGrade.FASTER: "cyan",
    SpeedGrade.NO_CHANGE: "green",
    SpeedGrade.WITHIN_LIMIT: "green",
    SpeedGrade.INCONCLUSIVE: "yellow",
}


def print_figures(console: Console, results: Results) -> None:
    """Print the tables of figures, then the sentences about their rows."""
    for place, cells in _by_comparison(results.throughput).items():
        scenario, client, baseline = place
        print_line(console, f"{scenario}, {client}, against {baseline}")
        console.print(_table(cells))
    if results.law:
        console.print(_law_table(results.law))
    for comparison in results.throughput:
        for sentence in () if comparison.is_surprise else speed.sentences_of(comparison):
            print_line(
                console, f"{comparison.scenario} {comparison.client} {comparison.build}: {sentence}"
            )
    for point in results.law:
        for sentence in point.lacks:
            print_line(
                console, f"{point.scenario} {speed.parameters_of(point)} {point.build}: {sentence}"
            )


def print_comparisons(
    console: Console, plan: Sequence[Mapping[str, object]], minutes: int | None, least_s: float
) -> None:
    """Print the comparisons of a dry run. The run is limited to `minutes`, if that is given, and
    takes `least_s` with two blocks of each.
    """
    whole_s = 0.0
    for row in plan:
        builds = row["builds"]
        assert isinstance(builds, list)
        print_line(
            console,
            f"{row['scenario']:<28} {row['client']:<22} {', '.join(builds)} "
            f"against {row['baseline']}, {row['seconds_at_most']} s",
        )
        whole_s += float(str(row["seconds_at_most"]))
    most_s = whole_s if minutes is None else min(whole_s, max(60 * minutes, least_s))
    bounds = f"at most {most_s / 60:.0f} min, {least_s / 60:.0f} for two blocks of each"
    print_line(console, f"{len(plan)} comparisons, {bounds}, without repeats")


def _by_comparison(
    comparisons: Sequence[ThroughputResult],
) -> dict[tuple[str, str, str], list[ThroughputResult]]:
    groups: dict[tuple[str, str, str], list[ThroughputResult]] = {}
    for comparison in comparisons:
        groups.setdefault((comparison.scenario, comparison.client, comparison.baseline), []).append(
            comparison
        )
    return groups


def _table(comparisons: Sequence[ThroughputResult]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("  build", "figure"):
        table.add_column(column, no_wrap=True)
    for column in ("baseline", "build", "ratio"):
        table.add_column(column, justify="right", no_wrap=True)
    is_limited = speed.has_limits(comparisons)
    has_smallest = speed.has_smallest_losses(comparisons)
    seen_from = ["seen from"] if has_smallest else []
    for column in ("95 %", "A/A", "n", *seen_from, *(["limit"] if is_limited else []), "grade"):
        table.add_column(column, no_wrap=True)
    for comparison in comparisons:
        name, blocks = f"  {comparison.build}", str(comparison.blocks)
        for figure in comparison.figures:
            table.add_row(
                name,
                speed.METRIC_NAMES[figure.metric],
                "" if figure.baseline_median is None else speed.number(figure.baseline_median),
                "" if figure.median is None else speed.number(figure.median),
                "" if figure.ratio is None else speed.ratio(figure.ratio),
                speed.interval(figure.ci95),
                speed.interval(figure.control),
                blocks,
                *([speed.smallest_loss(figure)] if has_smallest else []),
                *([speed.loss_limit(figure)] if is_limited else []),
                f"[{_STYLES[figure.grade]}]{figure.grade}[/]",
            )
            name = blocks = ""
    return table


def _law_table(points: Sequence[LawPoint]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("scenario", "build", "expectation", "parameters"):
        table.add_column(column, no_wrap=True)
    for column in ("closed connections", "requests/s", "predicted at most"):
        table.add_column(column, justify="right", no_wrap=True)
    for point in points:
        rates = ", ".join(speed.number(rate) for rate in point.measured_requests_per_s)
        prediction = point.predicted_requests_per_s
        table.add_row(
            point.scenario,
            point.build,
            point.expectation,
            speed.parameters_of(point),
            "" if point.closed_share is None else f"{point.closed_share:.0%}",
            rates or "not measured",
            "" if prediction is None else speed.number(prediction),
        )
    return table

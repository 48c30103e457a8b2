# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is the trend page, `reports/history.html`, made from the history?"""

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from jinja2 import Environment

from jdkmatrix.history import history_words
from jdkmatrix.history.answer import ChangePoint, HistoryAnswer
from jdkmatrix.history.database import reading
from jdkmatrix.machine.files import write_atomically
from jdkmatrix.report.page.page_words import tick
from jdkmatrix.report.page.scale import LogScale, linear_ticks
from jdkmatrix.templating import templates

# Each plot takes up to 40 kB of the page.
MOST_PLOTS = 24
_MOST_LINES = 8
_MOST_DATES = 8
_MOST_TICKS = 5
# For ratios: how far from 1 the axis reaches, at least and at most.
_LEAST_FACTOR = 1.25
_MOST_FACTOR = 1000.0


def write_page(history: Path, answer: HistoryAnswer, page: Path) -> None:
    """Write the answer as one self-contained HTML file.

    Raises UsageError if the history can't be read, MachineError if the page can't be written.
    """
    shown_curves, left_out = curves(history, answer)
    text = (
        _environment()
        .get_template("history.html.j2")
        .render(
            answer=answer,
            headline=history_words.headline(answer),
            changes=history_words.changes_in_words(answer),
            legend=history_words.LEGEND,
            plots=[plot_of(curve, answer) for curve in shown_curves],
            left_out=left_out,
        )
    )
    write_atomically(page, text)


@cache
def _environment() -> Environment:
    environment = templates(Path(__file__).with_name("templates"), is_html=True)
    environment.filters |= {
        "grade_counts": history_words.format_counts,
        "track_name": history_words.format_track,
        "letter": lambda grade: history_words.letters((grade,)),
        "loud": lambda grade, track: grade is not None and history_words.is_loud(grade, track),
        "change_point": history_words.change_point_words,
        "figure": history_words.figure_name,
        "tick": tick,
        "subject": history_words.subject_name,
    }
    return environment


@dataclass
class Line:
    """One build's values, run by run; None where it was not run or has no verdict."""

    name: str
    points: list[float | None]


@dataclass
class HistoryCurve:
    """One figure of one subject on several builds; a step is the index of a run, and an entry."""

    subject: str
    baseline: str
    figure: str
    lines: list[Line] = field(default_factory=list)
    steps: list[tuple[int, str]] = field(default_factory=list)


def curves(path: Path, answer: HistoryAnswer) -> tuple[list[HistoryCurve], int]:
    """The curves to draw, those that stepped first, and how many more there are.

    Throughput is always drawn, a test's figures only where they stepped: the rest, a few thousand
    lines, shows nothing.
    """
    with reading(path) as connection:
        candidates = list(_curves(connection, answer))
    candidates.sort(
        key=lambda curve: (not curve.steps, curve.figure, curve.subject, curve.baseline)
    )
    return candidates[:MOST_PLOTS], max(0, len(candidates) - MOST_PLOTS)


def _curves(connection: sqlite3.Connection, answer: HistoryAnswer) -> Iterator[HistoryCurve]:
    places = _places(answer)
    steps: dict[tuple[str, ...], list[ChangePoint]] = defaultdict(list)
    for step in answer.change_points:
        steps[step.subject, step.baseline, step.figure].append(step)
    subjects = dict.fromkeys([*steps, *_throughput(connection, answer)])
    for subject, baseline, figure in subjects:
        lines = _lines(connection, answer, (subject, baseline, figure))
        subject_steps = steps[subject, baseline, figure]
        first = {(step.entry, step.variant) for step in subject_steps}
        order = sorted(lines, key=lambda key: (key not in first, key))[:_MOST_LINES]
        marks = [(places[step.run, step.started_at], step.entry) for step in subject_steps]
        if any(sum(v is not None for v in lines[key].points) > 1 for key in order):
            yield HistoryCurve(subject, baseline, figure, [lines[key] for key in order], marks)


def _places(answer: HistoryAnswer) -> dict[tuple[str, str], int]:
    """The place of each run, by its name and when it started."""
    return {(run.run, run.started_at): place for place, run in enumerate(answer.runs)}


def _lines(
    connection: sqlite3.Connection, answer: HistoryAnswer, curve: tuple[str, str, str]
) -> dict[tuple[str, str], Line]:
    """The line of each entry and variant, for a curve's subject, baseline and figure."""
    places = _places(answer)
    series = {(track.entry, track.variant) for track in answer.tracks}
    lines: dict[tuple[str, str], Line] = {}
    query = """
        SELECT r.run, r.started, p.entry, p.variant, p.value
        FROM points p JOIN runs r ON r.id = p.run_id
        WHERE p.subject = ? AND p.baseline = ? AND p.figure = ? AND r.started >= ?
    """
    arguments = (*curve, answer.runs[0].started_at)
    for run, start, entry, variant, point in connection.execute(query, arguments):
        place = places.get((run, start))
        if place is None or (entry, variant) not in series:
            continue
        name = f"{entry} ({variant})" if variant else entry
        line = lines.setdefault((entry, variant), Line(name, [None] * len(places)))
        line.points[place] = point
    return lines


def _throughput(
    connection: sqlite3.Connection, answer: HistoryAnswer
) -> Sequence[tuple[str, str, str]]:
    pairs = {(track.subject.rpartition(" ")[0], track.baseline) for track in answer.tracks}
    query = "SELECT DISTINCT scenario, client, baseline_entry, metric FROM throughput"
    return [
        (f"{scenario} {client}", baseline, f"{metric}-ratio")
        for scenario, client, baseline, metric in connection.execute(query)
        if (f"{scenario} {client}", baseline) in pairs
    ]


@dataclass(frozen=True)
class DrawnLine:
    """One build: a mark for each run that has a value."""

    name: str
    marks: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Plot:
    """A curve on its axes. `steps` and `environment` are the places between runs that differ."""

    curve: HistoryCurve
    ticks: tuple[tuple[float, float], ...]
    dates: tuple[tuple[str, float], ...]
    steps: tuple[float, ...]
    environment: tuple[float, ...]
    lines: tuple[DrawnLine, ...]


def plot_of(curve: HistoryCurve, answer: HistoryAnswer) -> Plot:
    """The curve over the runs of the answer, evenly spaced."""
    down, ticks = _axis(curve)
    runs = answer.runs

    def x_of(place: float) -> float:
        return round(100 * place / len(runs), 2)

    return Plot(
        curve=curve,
        ticks=tuple((tick, down(tick)) for tick in ticks),
        dates=tuple(
            (runs[place].started_at[:10], x_of(place + 0.5))
            for place in range(0, len(runs), -(-len(runs) // _MOST_DATES))
        ),
        steps=tuple(x_of(place) for place, _ in curve.steps),
        environment=tuple(x_of(place) for place, run in enumerate(runs) if run.environment),
        lines=tuple(
            DrawnLine(
                line.name,
                tuple(
                    (x_of(place + 0.5), down(point))
                    for place, point in enumerate(line.points)
                    if point is not None
                ),
            )
            for line in curve.lines
        ),
    )


def _axis(curve: HistoryCurve) -> tuple[Callable[[float], float], Sequence[float]]:
    """The place of a value, and the tick values: ratios around 1, everything else from 0."""
    numbers = [number for line in curve.lines for number in line.points if number is not None]
    if curve.figure.endswith("-ratio"):
        scale = LogScale.around_one(numbers, least_factor=_LEAST_FACTOR, most_factor=_MOST_FACTOR)
        return lambda number: round(100 - scale.percent(number), 2), scale.ticks
    high = 1.05 * max(numbers) or 1.0
    return lambda number: round(100 - 100 * number / high, 2), linear_ticks(high, _MOST_TICKS)

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which figures does the trend page draw, and what are their values run by run?"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jdkmatrix.history.answer import ChangePoint, HistoryAnswer
from jdkmatrix.history.database import reading

# Each plot takes up to 40 kB of the page.
MOST_PLOTS = 24
_MOST_LINES = 8


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

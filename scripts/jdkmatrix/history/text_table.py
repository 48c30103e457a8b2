# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does the user of `matrix history` read on standard output?"""

from collections.abc import Iterable

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from jdkmatrix.history.answer import HistoryAnswer, RunAnswer
from jdkmatrix.history.history_words import (
    LEGEND,
    change_point_words,
    changes_in_words,
    format_counts,
    format_track,
    headline,
    is_loud,
    letters,
)
from jdkmatrix.report.console.lines import print_line

# The table shows this many of the latest runs; the letters go back further.
_RUNS_SHOWN = 10


def print_history(console: Console, answer: HistoryAnswer) -> None:
    """Print runs, grades run by run, and what changed: the headline comes last."""
    runs = answer.runs[-_RUNS_SHOWN:]
    console.print(_runs(runs))
    if answer.runs_stored > len(runs):
        print_line(console, f"{len(runs)} of {answer.runs_stored} runs are shown")
    console.print()
    console.print(_tracks(answer))
    print_line(console, f"one letter a run: {LEGEND}")
    _section(console, "changed since the last time", changes_in_words(answer))
    _section(console, "figures that stepped", map(change_point_words, answer.change_points))
    lines = [f"{run.run}: {difference}" for run in answer.runs for difference in run.environment]
    lines += [f"{identity.run}: {identity.difference}" for identity in answer.identities]
    _section(console, "environment", lines)
    console.print()
    print_line(console, headline(answer), "bold")


def _runs(runs: Iterable[RunAnswer]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("run", "started", "kit", "cells", "throughput"):
        table.add_column(column, no_wrap=True)
    for run in runs:
        grades = format_counts(run.grades)
        if run.verdict:
            grades = f"{run.verdict}: {grades}" if grades else run.verdict
        if run.finished_at is None:
            grades = f"{grades} (interrupted)".strip()
        table.add_row(
            *map(escape, (run.run, run.started_at, run.kit, grades, format_counts(run.speed)))
        )
    return table


def _tracks(answer: HistoryAnswer) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("build", "of", "grades, oldest first", "latest"):
        table.add_column(column, no_wrap=True)
    for track in answer.tracks:
        entry, _, subject = format_track(track).partition(", ")
        latest = next((grade for grade in reversed(track.grades) if grade), "")
        style = "bold red" if is_loud(latest, track) else "green"
        # Trailing blanks would be cut off, and the letters would no longer line up.
        row = letters(track.grades).ljust(len(answer.runs))
        table.add_row(*map(escape, (entry, subject, row)), f"[{style}]{latest}[/]")
    return table


def _section(console: Console, title: str, lines: Iterable[str]) -> None:
    for number, line in enumerate(lines):
        if number == 0:
            console.print(f"\n[bold]{title}[/]")
        print_line(console, f"  {line}")

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is the trend page, `reports/history.html`, made from the history?"""

from functools import cache
from pathlib import Path

from jinja2 import Environment

from jdkmatrix.history import history_words
from jdkmatrix.history.answer import HistoryAnswer
from jdkmatrix.history.curves import curves
from jdkmatrix.history.plot import plot_of
from jdkmatrix.machine.files import write_atomically
from jdkmatrix.report.page.page_words import tick
from jdkmatrix.templating import templates


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

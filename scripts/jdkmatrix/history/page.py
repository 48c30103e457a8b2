# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is the trend page, `reports/history.html`, made of the history?"""

from pathlib import Path

from jdkmatrix.history import words
from jdkmatrix.history.answer import HistoryAnswer
from jdkmatrix.history.curves import curves
from jdkmatrix.history.plot import plots
from jdkmatrix.report.templating import templates
from jdkmatrix.run.store import write_atomically


def write_page(history: Path, answer: HistoryAnswer, page: Path) -> None:
    """Write the answer as one self-contained HTML file. Raises OSError."""
    drawn, left_out = curves(history, answer)
    environment = templates(Path(__file__).with_name("templates"), is_html=True)
    environment.filters |= {
        "counted": words.counted,
        "named": words.named,
        "letter": lambda grade: words.letters((grade,)),
        "loud": lambda grade, track: grade is not None and words.is_loud(grade, track),
        "change_point": words.change_point_words,
        "figure": words.figure_name,
        "subject": words.subject_name,
    }
    text = environment.get_template("history.html.j2").render(
        answer=answer,
        headline=words.headline(answer),
        changes=words.changes_told(answer),
        legend=words.LEGEND,
        curves=list(zip(drawn, plots(drawn, answer), strict=True)),
        left_out=left_out,
    )
    write_atomically(page, text)

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does the user read on standard output when a run has ended?"""

from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from jdkmatrix.paths import shown_path, test_name
from jdkmatrix.report.console.cases import print_cases, print_faults
from jdkmatrix.report.console.display import GRADE_STYLES
from jdkmatrix.report.console.lines import print_line
from jdkmatrix.report.console.throughput_summary import print_figures
from jdkmatrix.report.console.tried import tried_lines
from jdkmatrix.results.document import Results
from jdkmatrix.results.speed import ValidationResult
from jdkmatrix.words.programs import program_headline
from jdkmatrix.words.runs import causes, changes, cost, headline, run_again
from jdkmatrix.words.verdicts import cell_verdict

# Mostly two lines each: more causes would push the table off the screen.
_MOST_CAUSES = 8


def print_summary(console: Console, results: Results, folder: Path) -> None:
    """Print the answer, the table or the groups of builds, the causes, what needs a look, where to
    look, and the answer again, where the eye is.
    """
    print_line(console, headline(results), "bold")
    print_faults(console, results)
    if results.programs:
        for line in tried_lines(results):
            print_line(console, line)
    else:
        _print_details(console, results)
    if cost_text := cost(results):
        print_line(console, f"cost: {cost_text}")
    print_line(console, f"results: {shown_path(folder / 'results.json')}")
    print_line(console, f"report: {shown_path(folder / 'index.html')}")
    answer = program_headline(results) if results.programs else headline(results)
    print_line(console, answer, "bold")


def _print_details(console: Console, results: Results) -> None:
    print_figures(console, results)
    if results.cells:
        console.print(_table(results))
    _print_causes(console, results)
    console.print()
    print_cases(console, results)
    for sentence in (*changes(results), *run_again(results)):
        print_line(console, sentence)
    if results.validation:
        _print_topics(console, results.validation)


def _print_topics(console: Console, validation: ValidationResult) -> None:
    for topic in validation.topics:
        print_line(console, f"{topic.verdict:<9}  {topic.topic}: {topic.sentence}")
    if validation.baseline_reason:
        print_line(console, f"baseline: {validation.baseline_reason}")
    for left_out in validation.not_looked_at:
        print_line(console, f"not looked at: {left_out}")
    if validation.rerun:
        print_line(console, f"again: {validation.rerun}")


def _print_causes(console: Console, results: Results) -> None:
    """Print the causes of cells that are no surprise; surprises have theirs beside them."""
    sentences = causes(cell for cell in results.cells if not cell.grade.is_surprise)
    for cause in sentences[:_MOST_CAUSES]:
        print_line(console, f"{cause.subject}:\n    {cause.sentence}")
    if len(sentences) > _MOST_CAUSES:
        print_line(console, f"{len(sentences) - _MOST_CAUSES} more causes are in the report.")


def _table(results: Results) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("build", "test", "result"):
        table.add_column(column, no_wrap=True)
    table.add_column("time", justify="right")
    previous = ""
    for cell in results.cells:
        verdict = cell_verdict(
            cell.outcome, cell.grade, has_rows=cell.has_rows, is_suite=bool(results.suite)
        )
        table.add_row(
            escape(cell.build) if cell.build != previous else "",
            escape(test_name(cell.test)),
            f"[{GRADE_STYLES[cell.grade]}]{verdict}[/]",
            f"{cell.seconds:.1f} s",
        )
        previous = cell.build
    return table

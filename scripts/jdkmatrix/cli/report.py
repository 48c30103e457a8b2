# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix report RUN`: grade and render a stored run again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jdkmatrix.cli import complete
from jdkmatrix.cli.options import ResultsAsJson
from jdkmatrix.cli.printed import give, say
from jdkmatrix.errors import ExitCode, UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.texts import count_of

if TYPE_CHECKING:
    from jdkmatrix.results.document import Results


def report(
    run: Annotated[
        Path,
        typer.Argument(
            metavar="RUN",
            help="A run's folder, or its name under reports/.",
            autocompletion=complete.runs,
        ),
    ] = Path("latest"),
    older_run: Annotated[
        Path | None,
        typer.Option(
            "--since",
            metavar="RUN",
            help="Say what changed since then: a run, or a results.json.",
            autocompletion=complete.runs,
        ),
    ] = None,
    as_json: ResultsAsJson = False,
    bug_table: Annotated[
        bool,
        typer.Option("--bug-table", help="Print test/GRID.md: all bugs on all builds of the run."),
    ] = False,
    common_changes: Annotated[
        bool,
        typer.Option(
            "--across",
            help="Print what updates changed in rows of test/behave in several release lines.",
        ),
    ] = False,
) -> int:
    """Grade a stored run again, and write its reports again.

    It is graded by the ledger of this checkout, and replaces its earlier entry in the history (see
    `matrix history`). With --since, exit code 1 means that a finding changed, and 0 that nothing
    did: a surprise that was there before does not count; 2 that only verdicts are lacking that were
    there. Compared are the builds and tests that both runs have; the rest is counted, its surprises
    are named.

    Example: scripts/matrix report latest --since 2026-11-20T02-00-00Z
    """
    from rich.console import Console

    from jdkmatrix.cli.hand_over import hand_over, say_what_is_left
    from jdkmatrix.cli.run import exit_code
    from jdkmatrix.config.ledger import load_ledger
    from jdkmatrix.config.rulebook import Rulebook
    from jdkmatrix.flow.flow import grade_run
    from jdkmatrix.grading.stored_results import results_of
    from jdkmatrix.records.store import RunFolder
    from jdkmatrix.report.behaviour_changes import lines_across
    from jdkmatrix.report.bug_table import bug_table as table_of_bugs
    from jdkmatrix.report.console.summary import print_summary
    from jdkmatrix.report.since import changes_since, not_compared

    if sum(map(bool, (older_run, as_json, bug_table, common_changes))) > 1:
        raise UsageError("--since, --json, --bug-table, --across: accepted: one of them")
    checkout = Checkout.current()
    older_results = results_of(checkout.reports, older_run) if older_run else None
    folder = RunFolder.find(checkout.reports, run)
    graded_run = grade_run(checkout, folder, folder.read_run())
    results = graded_run.results
    bugs = [bug.id for bug in load_ledger(checkout.ledger).bugs]

    def print_table(_: Console, results: Results, __: Path) -> None:
        give(table_of_bugs(results, bugs))

    def print_common_changes(_: Console, results: Results, __: Path) -> None:
        say("\n".join(lines_across(results, Rulebook.load(checkout))))

    printer = (
        print_table if bug_table else print_common_changes if common_changes else print_summary
    )
    hand_over(checkout, graded_run, printer, as_json=as_json)
    if graded_run.damaged_files:
        say_what_is_left(graded_run, folder.path)
    if older_results is None:
        return exit_code(results, strict=False)
    changes = changes_since(older_results, results)
    for change in changes:
        say(f"changed: {change.sentence}")
    omission = not_compared(older_results, results)
    rest = f"; {omission}" if omission else ""
    older = f"{older_results.run}, started {older_results.started_at}"
    say(f"{count_of(len(changes), 'change')} since {older}{rest}")
    if not results.complete:
        return ExitCode.MACHINE
    codes = {change.code for change in changes}
    gravest_first = (ExitCode.SURPRISE, ExitCode.MACHINE)
    return next((code for code in gravest_first if code in codes), ExitCode.OK)

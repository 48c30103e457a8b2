# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix report RUN`: grade and render a stored run again."""

from pathlib import Path
from typing import Annotated

import typer

from jdkmatrix.assemble import assemble
from jdkmatrix.cli.console import result_console
from jdkmatrix.cli.options import ResultsAsJson
from jdkmatrix.cli.run import exit_code
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.config.rules import load_rules
from jdkmatrix.errors import UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.report.bug_table import bug_table as table_of_bugs
from jdkmatrix.report.files import write_reports
from jdkmatrix.report.summary import print_summary
from jdkmatrix.run.store import RunFolder


def report(
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help="A run's folder, or its name under reports/.")
    ] = Path("latest"),
    as_json: ResultsAsJson = False,
    bug_table: Annotated[
        bool,
        typer.Option("--bug-table", help="Print Markdown: all bugs on all builds of the run."),
    ] = False,
) -> int:
    """Grade a stored run by the ledger of this checkout and write its reports again.

    Example: scripts/matrix report latest
    """
    if as_json and bug_table:
        raise UsageError("--json, --bug-table: both print; accepted: one of them")
    checkout = Checkout.here()
    named = checkout.reports / run
    folder = RunFolder.open(named if not run.is_dir() and named.is_dir() else run)
    ledger = load_ledger(checkout.ledger)
    results = assemble(folder.read_run(), folder, ledger, load_rules(checkout.rules))
    write_reports(results, folder.path)
    if bug_table:
        print(table_of_bugs(results, [bug.id for bug in ledger.bugs]), end="")
    elif as_json:
        print(results.to_json(), end="")
    else:
        print_summary(result_console(), results, folder.path)
    return exit_code(results, strict=False)

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix report RUN`: grade and render a stored run again."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from jdkmatrix.assemble import assemble
from jdkmatrix.cli.console import result_console
from jdkmatrix.cli.options import ResultsAsJson
from jdkmatrix.cli.run import exit_code
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.config.rules import load_rules
from jdkmatrix.history.remember import remember
from jdkmatrix.paths import Checkout
from jdkmatrix.report.bug_table import bug_table as table_of_bugs
from jdkmatrix.report.files import write_reports
from jdkmatrix.report.github import tell_github
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

    In the history (see `matrix history`) it replaces itself.

    Example: scripts/matrix report latest
    """
    checkout = Checkout.here()
    folder = RunFolder.named(checkout.reports, run)
    ledger = load_ledger(checkout.ledger)
    results = assemble(folder.read_run(), folder, ledger, load_rules(checkout.rules))
    write_reports(results, folder.path)
    if bug_table:
        print(table_of_bugs(results, [bug.id for bug in ledger.bugs]), end="")
    elif as_json:
        print(results.to_json(), end="")
    else:
        print_summary(result_console(), results, folder.path)
    tell_github(results, folder.path, os.environ, sys.stderr)
    remember(checkout, results)
    return exit_code(results, strict=False)

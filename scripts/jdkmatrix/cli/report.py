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
from jdkmatrix.history.remember import remember
from jdkmatrix.paths import Checkout
from jdkmatrix.report.files import write_reports
from jdkmatrix.report.summary import print_summary
from jdkmatrix.run.store import RunFolder


def report(
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help="A run's folder, or its name under reports/.")
    ] = Path("latest"),
    as_json: ResultsAsJson = False,
) -> int:
    """Grade a stored run by the ledger of this checkout and write its reports again.

    In the history (see `matrix history`) it replaces itself.

    Example: scripts/matrix report latest
    """
    checkout = Checkout.here()
    named = checkout.reports / run
    folder = RunFolder.open(named if not run.is_dir() and named.is_dir() else run)
    results = assemble(
        folder.read_run(), folder, load_ledger(checkout.ledger), load_rules(checkout.rules)
    )
    write_reports(results, folder.path)
    if as_json:
        print(results.to_json(), end="")
    else:
        print_summary(result_console(), results, folder.path)
    remember(checkout, results)
    return exit_code(results, strict=False)

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix history`: what did earlier runs find, and since when is it different?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jdkmatrix.cli import complete
from jdkmatrix.cli.printed import complain, give
from jdkmatrix.errors import ExitCode, KitError, MachineError, UsageError
from jdkmatrix.paths import Checkout

if TYPE_CHECKING:
    from jdkmatrix.history.answer import HistoryAnswer

SHOWN_RUNS = 30


def history(
    bug: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="Only that bug, test by test: JDK-8293562.",
            autocompletion=complete.bugs,
        ),
    ] = None,
    scenario: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Only that scenario, figure by figure.",
            autocompletion=complete.scenarios,
        ),
    ] = None,
    build: Annotated[
        str | None,
        typer.Option(
            metavar="GLOB",
            help="Only these builds or entries of jdks.yaml.",
            autocompletion=complete.builds,
        ),
    ] = None,
    last: Annotated[
        int, typer.Option(metavar="N", min=1, help="How many of the latest runs.")
    ] = SHOWN_RUNS,
    file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Default: reports/history.sqlite, or $JDKMATRIX_HISTORY."
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a page with plots, like history.html."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the answer as JSON on standard output.")
    ] = False,
) -> int:
    """Show runs, grades over time, and what changed.

    Every run, throughput, validate, merge and report adds its run, wherever --out put it. A
    step in a figure is shown with its run, and with what else changed there: kit, machine, JDK.

    Example: scripts/matrix history --bug JDK-8293562 --build 'debian-*'
    """
    from jdkmatrix.cli.console import result_console
    from jdkmatrix.history.database import history_file
    from jdkmatrix.history.reader import HistoryQuery, answer
    from jdkmatrix.history.text_table import print_history

    query = HistoryQuery(
        bug=f"JDK-{bug}" if bug and bug.isdigit() else bug,
        scenario=scenario,
        build=build,
        runs=last,
    )
    path = file or history_file(Checkout.current())
    if not file:
        _add_waiting(path)
    reply = answer(path, query)
    if html:
        _write(path, reply, html)
    if as_json:
        give(reply.to_json())
    else:
        print_history(result_console(), reply)
    return ExitCode.OK


def _add_waiting(path: Path) -> None:
    """Add runs that the history could not take when they ended; it is shown without them if it
    still cannot.
    """
    from jdkmatrix.history.database import READER_WAIT_S
    from jdkmatrix.history.stored_runs import add_waiting

    try:
        add_waiting(path, READER_WAIT_S)
    except KitError as error:
        complain(f"matrix: a run waits to be added to the history: {error}")


def _write(path: Path, reply: HistoryAnswer, page: Path) -> None:
    from jdkmatrix.history.trend_page import write_page

    try:
        write_page(path, reply, page)
    except MachineError as error:
        raise UsageError(f"--html {error}") from None

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix site`: the known bugs as static pages. Nothing is run or fetched."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jdkmatrix.cli import complete
from jdkmatrix.cli.printed import say
from jdkmatrix.errors import ExitCode
from jdkmatrix.paths import Checkout


def site(
    out: Annotated[Path, typer.Option(metavar="DIR", help="A new folder, or one of a site.")],
    run: Annotated[
        Path | None,
        typer.Option(
            metavar="RUN",
            help="Show what that run measured, build by build.",
            autocompletion=complete.runs,
        ),
    ] = None,
) -> ExitCode:
    """Write static pages: which JDK has which HTTPS bug.

    A page for each bug, release and change, with a search, a feed, bugs.json and changes.json and
    their schemas. Pages load nothing from outside and work from a disk.

    Example: scripts/matrix site --out public
    """
    from jdkmatrix.config.known_changes import load_known_changes
    from jdkmatrix.config.ledger import load_ledger
    from jdkmatrix.grading.stored_results import results_of
    from jdkmatrix.report.site.site import SiteSource, write_site

    checkout = Checkout.current()
    source = SiteSource(
        load_ledger(checkout.ledger),
        load_known_changes(checkout.known_changes),
        checkout.suite,
        results_of(checkout.reports, run) if run else None,
    )
    pages = write_site(source, out)
    say(f"{pages} pages: {out / 'index.html'}")
    return ExitCode.OK

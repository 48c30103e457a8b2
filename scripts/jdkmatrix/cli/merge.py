# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix merge RUN...`: make one run from the shards that several machines ran."""

from pathlib import Path
from typing import Annotated

import typer

from jdkmatrix.cli import complete
from jdkmatrix.cli.options import ResultsAsJson, RunFolderOut
from jdkmatrix.cli.printed import complain
from jdkmatrix.errors import ExitCode
from jdkmatrix.paths import Checkout


def merge(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN...",
            help="The shards' folders, or names under reports/.",
            autocompletion=complete.runs,
        ),
    ],
    out: RunFolderOut = None,
    as_json: ResultsAsJson = False,
) -> ExitCode:
    """Merge shards into one run, graded as if it was never divided.

    Cells are compared across builds only now. Every shard must be finished, of the same plan,
    kit and jdks.lock. A shard that is missing is named, and the merged run is not complete: exit
    code 2; `--resume` runs its cells. The shards' folders are only read.

    Example: scripts/matrix merge shard-1 shard-2 shard-3 --out reports/nightly
    """
    from jdkmatrix.cli.hand_over import hand_over, say_what_is_left
    from jdkmatrix.cli.run import exit_code
    from jdkmatrix.flow.merge import merge as merge_runs
    from jdkmatrix.report.console.summary import print_summary

    checkout = Checkout.here()
    merged = merge_runs(checkout, runs, out)
    finished = merged.finished
    hand_over(checkout, finished, print_summary, as_json=as_json)
    what = "comparison" if finished.request.speed else "cell"
    for shard, number in merged.lost:
        were = f"{what} was" if number == 1 else f"{what}s were"
        complain(f"matrix: shard {shard} is missing: {number} {were} not run")
    for home in merged.unread[:1]:
        others = f" (and {more} more)" if (more := len(merged.unread) - 1) else ""
        complain(
            f"matrix: {home}{others}: its recording is not compared with others: "
            "digest.json was lost, or never made"
        )
    if merged.lost or finished.damaged:
        say_what_is_left(finished, finished.folder)
    return exit_code(finished.results, strict=False)

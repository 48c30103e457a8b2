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

    checkout = Checkout.current()
    merged_run = merge_runs(checkout, runs, out)
    graded_run = merged_run.finished_run
    hand_over(checkout, graded_run, print_summary, as_json=as_json)
    unit = "comparison" if graded_run.request.speed else "cell"
    for shard, number in merged_run.lost_shards:
        verb = f"{unit} was" if number == 1 else f"{unit}s were"
        complain(f"matrix: shard {shard} is missing: {number} {verb} not run")
    for home in merged_run.unread[:1]:
        rest = f" (and {rest_count} more)" if (rest_count := len(merged_run.unread) - 1) else ""
        complain(
            f"matrix: {home}{rest}: its recording is not compared with others: "
            "digest.json was lost, or never made"
        )
    if merged_run.lost_shards or graded_run.damaged_files:
        say_what_is_left(graded_run, graded_run.folder)
    return exit_code(graded_run.results, strict=False)

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix merge RUN...`: make one run of the shards that several machines ran."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from jdkmatrix.cli import complete
from jdkmatrix.cli.console import result_console
from jdkmatrix.cli.hand_over import hand_over
from jdkmatrix.cli.options import ResultsAsJson, RunFolderOut
from jdkmatrix.cli.run import exit_code
from jdkmatrix.errors import ExitCode
from jdkmatrix.merge_pipeline import merge as merge_runs
from jdkmatrix.paths import Checkout
from jdkmatrix.report.summary import print_summary


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
    """Make one run of its shards: the same grades as if one machine had run it all.

    What compares builds of a run is compared now. Every shard must be finished, of the same plan,
    kit and jdks.lock. A shard that is missing is named, and the merged run is not complete: exit
    code 2; `run --resume` runs its cells. The shards' folders are only read.

    Example: scripts/matrix merge shard-1 shard-2 shard-3 --out reports/nightly
    """
    checkout = Checkout.here()
    merged = merge_runs(checkout, runs, out)
    hand_over(checkout, merged.results, merged.folder)
    if as_json:
        print(merged.results.to_json(), end="")
    else:
        print_summary(result_console(), merged.results, merged.folder)
    for shard, cells in merged.lost:
        print(f"matrix: shard {shard} is missing: {cells} cells were not run", file=sys.stderr)
    if merged.lost:
        again = f"scripts/matrix run --resume --out {merged.folder}"
        print(f"matrix: not every cell was run; go on with: {again}", file=sys.stderr)
    return exit_code(merged.results, strict=False)

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix throughput`: which build is slower than another, by how much, and why?"""

import json
import random
import sys
from pathlib import Path
from typing import Annotated

import typer

from jdkmatrix.cli.console import progress_console, result_console
from jdkmatrix.cli.hand_over import hand_over
from jdkmatrix.cli.options import Offline, ResultsAsJson, RunFolderOut
from jdkmatrix.cli.run import exit_code
from jdkmatrix.errors import ExitCode, UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.report.display import Display
from jdkmatrix.report.results import Results
from jdkmatrix.report.throughput_display import ThroughputDisplay
from jdkmatrix.report.throughput_summary import print_comparisons, print_throughput
from jdkmatrix.run.throughput_store import read_plan
from jdkmatrix.throughput.pipeline import run_throughput
from jdkmatrix.throughput.plan import passed_over, planned_comparisons
from jdkmatrix.throughput.resume import resume_throughput
from jdkmatrix.throughput.run import ThroughputOptions
from jdkmatrix.throughput.selection import ThroughputRequest, ThroughputSelection
from jdkmatrix.verdict.ratio import MINIMUM_EFFECT

# Enough to see 10 % more CPU time a request at 5 % noise in nine of ten runs
# (tests/verdict/test_ratio_simulated.py).
DEFAULT_BLOCKS = 20


def throughput(
    scenario: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A scenario, or its control: gap, gap/tls12, 'gap*'. Default: those of validate.",
        ),
    ] = None,
    client: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="An HTTP client. Default: those of the scenario."),
    ] = None,
    build: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="A build of jdks.yaml. Default: its selection."),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            metavar="ID", help="Compare with it. Default: in each train its last but one."
        ),
    ] = None,
    overlay: Annotated[
        str | None,
        typer.Option(metavar="DIR|JAR", help="Compare each build with itself and these classes."),
    ] = None,
    overlay_patch: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The same with what this diff makes of its sources."),
    ] = None,
    copies: Annotated[
        int, typer.Option(metavar="N", min=0, help="Compare the baseline with itself N times.")
    ] = 0,
    blocks: Annotated[
        int | None,
        typer.Option(
            metavar="N", help=f"The most blocks: one sample of each. Default: {DEFAULT_BLOCKS}."
        ),
    ] = None,
    minimum_effect: Annotated[
        float,
        typer.Option(
            metavar="SHARE",
            min=0.01,
            max=1.0,
            help="How much slower or faster is worth a grade; 0.05 is 5 %.",
        ),
    ] = MINIMUM_EFFECT,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Of the random order. Default: a new one.")
    ] = None,
    sweep: Annotated[
        bool, typer.Option("--sweep", help="Vary what the scenario says, to plot the law.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the latest run, or the one of --out.")
    ] = False,
    offline: Offline = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the comparisons; run and fetch nothing.")
    ] = False,
    out: RunFolderOut = None,
    as_json: ResultsAsJson = False,
) -> int:
    """Measure builds against a baseline, and the baseline against itself.

    Exit code 0: no unknown slow-down. 1: one. 2: the machine failed, or not all was measured. 3:
    nothing was. 4: bad arguments.

    Example: scripts/matrix throughput --scenario neighbour --build 'temurin-17*'
    """
    if blocks is not None and blocks < 1:
        raise UsageError(f"--blocks {blocks}: too few; accepted: 1 or more (2 for an interval)")
    request = ThroughputRequest(
        scenarios=tuple(scenario or ()),
        clients=tuple(client or ()),
        builds=tuple(build or ()),
        baseline=baseline,
        overlay=overlay,
        overlay_patch=overlay_patch,
        copies=copies,
        sweep=sweep,
    )
    usual = (ThroughputRequest(), None, None, MINIMUM_EFFECT, False)
    if resume and (request, blocks, seed, minimum_effect, dry_run) != usual:
        raise UsageError("--resume takes all but --out, --offline and --json from the run itself")
    blocks = DEFAULT_BLOCKS if blocks is None else blocks
    checkout = Checkout.here()
    if resume:
        results, folder = resume_throughput(
            checkout,
            offline=offline,
            out=out,
            supply_display=Display(progress_console()),
            display=ThroughputDisplay(progress_console()),
        )
        return _told(checkout, results, folder, out=out, as_json=as_json)
    selection = ThroughputSelection.of(checkout, request)
    seed = random.SystemRandom().randrange(2**31) if seed is None else seed
    if dry_run:
        planned = planned_comparisons(selection, blocks)
        if as_json:
            print(json.dumps({"schema": 1, "seed": seed, "plan": planned}, indent=1))
        else:
            print_comparisons(result_console(), planned)
        for told in passed_over(selection, selection.last_known()):
            print(f"matrix: {told}", file=sys.stderr)
        return ExitCode.OK
    results, folder = run_throughput(
        checkout,
        selection,
        ThroughputOptions(blocks=blocks, seed=seed, minimum_effect=minimum_effect),
        offline=offline,
        out=out,
        supply_display=Display(progress_console()),
        display=ThroughputDisplay(progress_console()),
    )
    return _told(checkout, results, folder, out=out, as_json=as_json)


def _told(
    checkout: Checkout, results: Results, folder: Path, *, out: Path | None, as_json: bool
) -> int:
    """Print what was measured; the exit code."""
    hand_over(checkout, results, folder)
    if as_json:
        print(results.to_json(), end="")
    else:
        print_throughput(result_console(), results, folder)
    plan = read_plan(folder)
    if not results.complete or (plan and any(one.lacks for one in plan.comparisons)):
        again = f"scripts/matrix throughput --resume{f' --out {folder}' if out else ''}"
        print(f"matrix: not every block was run; go on with: {again}", file=sys.stderr)
    return exit_code(results, strict=False)

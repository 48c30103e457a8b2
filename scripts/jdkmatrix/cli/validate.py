# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix validate`: is one new build good, by its reproducers and its throughput?"""

import random
import shlex
import sys
from typing import Annotated

import typer

from jdkmatrix.cli import complete
from jdkmatrix.cli.console import progress_console, result_console
from jdkmatrix.cli.hand_over import hand_over
from jdkmatrix.cli.options import NoConfirm, Offline, ResultsAsJson, RunFolderOut
from jdkmatrix.cli.run import exit_code
from jdkmatrix.paths import Checkout
from jdkmatrix.report.display import Display
from jdkmatrix.report.summary import print_summary
from jdkmatrix.report.throughput_display import ThroughputDisplay
from jdkmatrix.throughput.validate import DEFAULT_MINUTES, validate_build


def validate(
    jdk: Annotated[
        str,
        typer.Argument(
            metavar="JDK-OR-PATH",
            help="A build of jdks.yaml, or a JDK's folder.",
            autocompletion=complete.builds,
        ),
    ],
    baseline: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="Compare with it. Default: the release before.",
            autocompletion=complete.builds,
        ),
    ] = None,
    no_confirm: NoConfirm = False,
    minutes: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            help="How long it may take. Two blocks of each comparison are run whatever it is.",
        ),
    ] = DEFAULT_MINUTES,
    offline: Offline = False,
    out: RunFolderOut = None,
    as_json: ResultsAsJson = False,
) -> int:
    """Judge one new build in some ten minutes: every reproducer, then throughput.

    Throughput is compared with the newest older release of the build's train that can be had.
    Exit code 0: good; 1: bad; 2: undecided, or the machine failed.

    Example: scripts/matrix validate ~/jdk-17.0.20-rc
    """
    checkout = Checkout.here()
    results, folder = validate_build(
        checkout,
        jdk,
        baseline,
        minutes=minutes,
        seed=random.SystemRandom().randrange(2**31),
        confirm=not no_confirm,
        offline=offline,
        out=out,
        supply_display=Display(progress_console()),
        display=Display(progress_console()),
        speed_display=ThroughputDisplay(progress_console()),
    )
    hand_over(checkout, results, folder)
    if as_json:
        print(results.to_json(), end="")
    else:
        print_summary(result_console(), results, folder)
    if not results.complete:
        again = f"scripts/matrix validate {shlex.quote(jdk)}"
        print(f"matrix: not complete, so there is no verdict; anew: {again}", file=sys.stderr)
    return exit_code(results, strict=False)

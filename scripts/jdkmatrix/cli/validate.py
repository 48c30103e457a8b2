# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix validate`: is a new build good, by its reproducers and its throughput?"""

import random
from pathlib import Path
from typing import Annotated

import typer

from jdkmatrix.cli import complete, options
from jdkmatrix.errors import UsageError
from jdkmatrix.paths import Checkout

# How long everything may take. On two quiet cores reproducers, connections and rows take four of
# them, two blocks of each comparison six to seven: in ten, two of five had none (November 2026).
DEFAULT_MINUTES = 12


def validate(
    jdk: Annotated[
        str | None,
        typer.Argument(
            metavar="JDK-OR-PATH",
            help="A build of jdks.yaml, or a JDK's folder.",
            autocompletion=complete.builds,
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            metavar="ID|PATH",
            help="Compare with it. Default: the newest release of an earlier update.",
            autocompletion=complete.builds,
        ),
    ] = None,
    changes: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Changes of behaviour that somebody has accepted: the page names both.",
        ),
    ] = None,
    no_confirm: options.NoConfirm = False,
    no_archive: options.NoArchive = False,
    minutes: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Time limit in minutes once all is fetched."
            f" Default: {DEFAULT_MINUTES}. {options.MINUTES_RULE}",
        ),
    ] = None,
    wait: options.Wait = False,
    resume: options.Resume = False,
    offline: options.Offline = False,
    out: options.RunFolderOut = None,
    as_json: options.ResultsAsJson = False,
) -> int:
    """Give one verdict on a new build, in about twelve minutes.

    It is on bugs, interoperability, behaviour, defaults and speed. All but the first are compared
    with a release before it (--baseline); where none is known, the verdict says what could not be
    looked at.
    Exit code 0: good; 1: bad; 2: undecided, or the machine failed.

    Example: scripts/matrix validate ~/jdk-17.0.20-rc
    """
    from jdkmatrix.cli.hand_over import carry_out
    from jdkmatrix.flow import flow
    from jdkmatrix.plan.candidate import accepted_for, candidate_of
    from jdkmatrix.plan.selection import path_of
    from jdkmatrix.records.request import Request, SpeedRequest
    from jdkmatrix.report.console.summary import print_summary
    from jdkmatrix.supply.catalog import Catalog
    from jdkmatrix.verdict.ratio import MINIMUM_EFFECT
    from jdkmatrix.verdict.validation import MOST_BLOCKS

    checkout = Checkout.current()
    baseline_path = path_of(baseline, "--baseline") if baseline else None
    speed = SpeedRequest(
        baseline=str(baseline_path) if baseline_path else baseline,
        blocks=MOST_BLOCKS,
        minimum_effect=MINIMUM_EFFECT,
        seed=random.SystemRandom().randrange(2**31),
        minutes=minutes or DEFAULT_MINUTES,
    )
    candidate = Request() if jdk is None else candidate_of(Catalog.of_checkout(checkout), jdk)
    request = candidate.model_copy(
        update={
            "confirm": not no_confirm,
            "archive": not no_archive,
            "speed": speed,
            "accepted_changes": accepted_for(checkout, changes, candidate) if changes else (),
        }
    )
    is_stored = any(
        (no_confirm, no_archive, changes, candidate.builds, baseline and not baseline_path)
    )
    if is_stored if resume else jdk is None:
        raise UsageError(
            "validate: accepted: a JDK, as in scripts/matrix validate ~/jdk-17.0.20 (a folder or "
            "an id of `jdks list`); or --resume, with --minutes and the folders of the run"
        )
    return carry_out(
        request,
        flow.RunOptions(
            offline=offline, out=out, minutes=minutes, places=request.places, waits=wait
        ),
        print_summary,
        resumes="validate" if resume else None,
        as_json=as_json,
    )

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix throughput`: which build is slower than another, by how much, and why?"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Annotated

import typer

from jdkmatrix.cli import complete, options
from jdkmatrix.cli.printed import complain, give
from jdkmatrix.errors import ExitCode, UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.texts import document_text
from jdkmatrix.verdict.ratio import MINIMUM_EFFECT

if TYPE_CHECKING:
    from jdkmatrix.flow.tools import Tools
    from jdkmatrix.records.request import Request, SpeedRequest
    from jdkmatrix.supply.build import NamedBuild

# Enough to see 10 % more CPU time per request at 5 % noise in nine of ten runs
# (tests/verdict/test_ratio_simulated.py).
DEFAULT_BLOCKS = 20


def throughput(
    scenario: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A scenario, or its control: gap, gap/tls12, 'server-*', 'gap/*'."
            " Default: those of validate.",
            autocompletion=complete.scenarios,
        ),
    ] = None,
    client: Annotated[
        list[str] | None,
        typer.Option(
            "--client",
            "--service",
            metavar="NAME",
            help="An HTTP client or service. Default: the scenario's own.",
            autocompletion=complete.clients,
        ),
    ] = None,
    build: options.Builds = None,
    jdk: options.Jdks = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            metavar="ID|PATH",
            help="Compare with it. Default: in each train its last but one.",
            autocompletion=complete.builds,
        ),
    ] = None,
    overlay: Annotated[
        str | None,
        typer.Option(metavar="DIR|JAR", help="Compare each build with itself plus these classes."),
    ] = None,
    overlay_patch: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The same with the classes that this diff changes."),
    ] = None,
    sources: options.SourcesFolder = None,
    copies: Annotated[
        int, typer.Option(metavar="N", min=0, help="Compare the baseline with itself N times.")
    ] = 0,
    blocks: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help=f"At most so many blocks of one sample of each arm. Default: {DEFAULT_BLOCKS}.",
        ),
    ] = None,
    minutes: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help=f"Time limit in minutes once all is fetched. {options.MINUTES_RULE}",
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
        int | None, typer.Option(metavar="N", help="Seed of the random order. Default: a new one.")
    ] = None,
    sweep: Annotated[
        bool,
        typer.Option("--sweep", help="Vary the parameters that the scenario names; plot its law."),
    ] = False,
    shard: Annotated[
        str | None,
        typer.Option(
            metavar="I/N",
            help="Only that part of the comparisons, all by one --seed; `merge` joins them.",
        ),
    ] = None,
    wait: options.Wait = False,
    resume: options.Resume = False,
    offline: options.Offline = False,
    paranoid: options.Paranoid = False,
    strict: options.Strict = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the comparisons; run and fetch nothing.")
    ] = False,
    out: options.RunFolderOut = None,
    as_json: options.ResultsAsJson = False,
) -> int:
    """Measure the speed of builds against that of a baseline.

    The baseline is measured against itself, too, as the control.

    Exit code 0: no unexplained slow-down. 1: at least one. 2: the machine failed, or not everything
    was measured. 3: nothing was measured. 4: bad arguments.

    Example: scripts/matrix throughput --scenario neighbour --build 'temurin-17*'
    """
    from jdkmatrix.cli.hand_over import carry_out
    from jdkmatrix.flow import flow
    from jdkmatrix.flow.tools import Tools
    from jdkmatrix.plan.selection import path_of
    from jdkmatrix.records.request import SpeedRequest
    from jdkmatrix.report.console.summary import print_summary

    if blocks is not None and blocks < 1:
        raise UsageError(f"--blocks {blocks}: too few; accepted: 1 or more (2 for an interval)")
    if shard and seed is None:
        raise UsageError("--shard: accepted with --seed N, the same for all shards")
    if baseline and "/" in baseline:
        baseline = str(path_of(baseline, "--baseline"))
    usual = SpeedRequest(
        blocks=DEFAULT_BLOCKS,
        minimum_effect=MINIMUM_EFFECT,
        seed=random.SystemRandom().randrange(2**31) if seed is None else seed,
    )
    speed = usual.model_copy(
        update={
            "scenarios": tuple(scenario or ()),
            "clients": tuple(client or ()),
            "baseline": baseline,
            "copies": copies,
            "sweep": sweep,
            "blocks": DEFAULT_BLOCKS if blocks is None else blocks,
            "minimum_effect": minimum_effect,
            "minutes": None if resume else minutes,
        }
    )
    request = options.request_of(
        build, jdk, overlay=overlay, overlay_patch=overlay_patch, sources=sources
    ).model_copy(update={"cells": False, "tests": (), "shard": shard, "speed": speed})
    default_request = request.model_copy(update={"builds": (), "shard": None, "speed": usual})
    if resume and (request, blocks, seed, dry_run) != (default_request, None, None, False):
        resume_options = "--minutes, --wait, --offline, --paranoid, --strict, --out, --json, paths"
        raise UsageError(f"--resume takes all but {resume_options} from the run itself")
    if dry_run:
        return _dry_run(Tools(Checkout.current()), request, speed, as_json=as_json)
    return carry_out(
        request,
        flow.RunOptions(
            offline=offline,
            paranoid=paranoid,
            out=out,
            minutes=minutes,
            places=request.places,
            waits=wait,
        ),
        print_summary,
        resumes="throughput" if resume else None,
        as_json=as_json,
        strict=strict,
    )


def _dry_run(tools: Tools, request: Request, speed: SpeedRequest, *, as_json: bool) -> int:
    """Print the comparisons; only the JDKs of --jdk are asked what they are."""
    from jdkmatrix.cli.console import result_console
    from jdkmatrix.flow.arrivals import Arrivals
    from jdkmatrix.plan.planned_comparisons import as_planned, least_s, rounds_of
    from jdkmatrix.plan.selection import Selection
    from jdkmatrix.plan.sharding import shard_of
    from jdkmatrix.report.console.throughput_summary import print_comparisons
    from jdkmatrix.supply.net.progress import NullProgress

    whole = Selection.resolve(tools.checkout, request)
    local: list[NamedBuild] = []
    if whole.local:
        supplier = tools.supplier(whole.catalog.jdks, NullProgress(), offline=True, paranoid=False)
        local = Arrivals(tools.checkout, whole, supplier, needs_compiler=False).local_builds
    _, selection = shard_of(tools.checkout, whole, request, local)
    pairs = zip(whole.local, local, strict=True)
    last_builds = selection.last_known([build for path, build in pairs if path in selection.local])
    comparisons = selection.comparisons(last_builds)
    plan_rows = as_planned(comparisons, speed.blocks)
    if as_json:
        give(document_text(2, seed=speed.seed, throughput=plan_rows))
    else:
        minimum_s = sum(
            least_s(comparisons[index] for index in places) for places in rounds_of(comparisons)
        )
        print_comparisons(result_console(), plan_rows, speed.minutes, minimum_s)
    for notice in selection.passed_over(last_builds):
        complain(f"matrix: {notice}")
    return ExitCode.OK

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix plan`: which cells would run, and how are they divided among machines?"""

from enum import StrEnum
from typing import Annotated

import typer

from jdkmatrix.cli import options
from jdkmatrix.cli.printed import complain, give, say
from jdkmatrix.errors import ExitCode, UsageError
from jdkmatrix.paths import Checkout

# jobs.<job_id>.strategy.matrix: "A matrix will generate a maximum of 256 jobs per workflow run."
_MOST_GITHUB_JOBS = 256


class PlanFormat(StrEnum):
    """How a plan is printed."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"


def plan(
    build: options.Builds = None,
    jdk: options.Jdks = None,
    bug: options.Bugs = None,
    test: options.Tests = None,
    suite: options.Suite = None,
    overlay: options.Overlays = None,
    overlay_patch: options.OverlayPatch = None,
    sources: options.SourcesFolder = None,
    expect: options.Expect = None,
    shards: Annotated[
        int, typer.Option(metavar="N", min=1, help="Divide the cells among N machines.")
    ] = 1,
    format_: Annotated[
        PlanFormat,
        typer.Option("--format", help="github: one line, for strategy.matrix of GitHub Actions."),
    ] = PlanFormat.TEXT,
    as_json: Annotated[bool, typer.Option("--json", help="As --format json.")] = False,
) -> ExitCode:
    """Print the cells that `run` would run; fetch and run nothing.

    The options are those of `run`. Shards are alike in expected seconds, and the same on every
    machine with the same checkout.

    Example: scripts/matrix plan --shards 3 --build 'temurin-17*' --format json
    """
    from jdkmatrix.plan.selection import Selection
    from jdkmatrix.report.console.plan_table import github_matrix, plan_json, plan_lines

    if as_json and format_ is PlanFormat.GITHUB:
        raise UsageError("--json and --format github: accepted: one of them")
    format_ = PlanFormat.JSON if as_json else format_
    if format_ is PlanFormat.GITHUB and shards > _MOST_GITHUB_JOBS:
        raise UsageError(f"--shards {shards}: accepted for github: 1 to {_MOST_GITHUB_JOBS} jobs")
    request = options.request_of(
        build, jdk, bug, test, suite, overlay, overlay_patch, sources, expect
    )
    selection = Selection.resolve(Checkout.current(), request)
    for notice in selection.list_omissions():
        complain(f"note: {notice}")
    parts = selection.shards(shards) if shards > 1 else (tuple(selection.plan()),)
    if format_ is PlanFormat.TEXT:
        for line in plan_lines(parts):
            say(line)
    else:
        give(plan_json(parts) if format_ is PlanFormat.JSON else github_matrix(parts))
    return ExitCode.OK

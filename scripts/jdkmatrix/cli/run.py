# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix run`: turn options into a request, run it, and return an exit code."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Annotated

import typer

from jdkmatrix.cli import options
from jdkmatrix.cli.printed import complain, give, say
from jdkmatrix.errors import ExitCode, UsageError
from jdkmatrix.paths import Checkout

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from jdkmatrix.records.request import Request
    from jdkmatrix.results.document import Results

_WHOLE_LEDGER = "scripts/matrix run --test :full"


def run(
    build: options.Builds = None,
    jdk: options.Jdks = None,
    bug: options.Bugs = None,
    test: options.Tests = None,
    suite: options.Suite = None,
    overlay: options.Overlays = None,
    overlay_patch: options.OverlayPatch = None,
    sources: options.SourcesFolder = None,
    expect: options.Expect = None,
    jobs: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Cells at a time. Default: three a core."),
    ] = None,
    java_option: options.JavaOptions = None,
    timeout_factor: Annotated[
        float, typer.Option(metavar="F", min=0.1, help="Multiplies the time-outs of tests.")
    ] = 1.0,
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="Only that part of the cells; `merge` joins them."),
    ] = None,
    resume: options.Resume = False,
    record: Annotated[
        bool,
        typer.Option("--record", help="Record every test, not only where a rule reads it."),
    ] = False,
    no_confirm: options.NoConfirm = False,
    no_archive: options.NoArchive = False,
    offline: options.Offline = False,
    paranoid: options.Paranoid = False,
    strict: options.Strict = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the cells; run and fetch nothing.")
    ] = False,
    out: options.RunFolderOut = None,
    as_json: options.ResultsAsJson = False,
) -> int:
    """Run the reproducers of bugs on each build; grade every cell.

    Without --build, --jdk, --bug, --test and --suite, the tests of tier1 on the default selection.

    A cell that is not as expected is run again, alone, up to two times more: it is a regression if
    all attempts show it, and flaky if they differ.

    --build, --jdk, --bug and --test may be given several times. A suite of your own has no
    expectations: what counts are tests whose results differ between builds.

    Exit code 0: as expected. 1: a regression or another surprise, with --suite a difference. 2: the
    kit or the machine failed, or not every cell was run. 3: nothing ran. 4: bad arguments.

    Example: scripts/matrix run --build temurin-11.0.13+8 --jdk ~/jdk-8u512 --bug JDK-8293562
    """
    if not isfinite(timeout_factor):  # a record can't hold such a number
        raise UsageError(f"--timeout-factor {timeout_factor}: accepted: a number of 0.1 or more")
    request = options.request_of(
        build,
        jdk,
        bug,
        test,
        suite,
        overlay,
        overlay_patch,
        sources,
        expect,
        java_options=tuple(java_option or ()),
        timeout_factor=timeout_factor,
        shard=shard,
        record=record,
        confirm=not no_confirm,
        archive=not no_archive,
    )
    if resume:
        default_request = options.request_of(
            None, [*request.jdks], None, None, suite, overlay, overlay_patch, sources
        )
        if (request, dry_run) != (default_request, False):
            resume_options = "--jobs, --offline, --paranoid, --strict, --out, --json and paths"
            raise UsageError(f"--resume takes all but {resume_options} from the run itself")
    if dry_run:
        _print_cells(request, as_json=as_json)
        return ExitCode.OK
    from jdkmatrix.cli.hand_over import carry_out
    from jdkmatrix.flow import flow

    code = carry_out(
        request,
        flow.RunOptions(jobs or flow.usual_jobs(), offline, paranoid, out, places=request.places),
        _show,
        resumes="run" if resume else None,
        as_json=as_json,
        strict=strict,
    )
    if not resume and request == options.request_of() and not as_json:
        say(f"That was the quick set. All known bugs: {_WHOLE_LEDGER}")
    return code


def _print_cells(request: Request, *, as_json: bool) -> None:
    """Print what would be run. Raises as `Selection.resolve` and `shard_of` do."""
    from jdkmatrix.plan.selection import Selection
    from jdkmatrix.plan.sharding import shard_of
    from jdkmatrix.report.console.plan_table import plan_json, plan_lines

    checkout = Checkout.current()
    _, selection = shard_of(checkout, Selection.resolve(checkout, request), request)
    for notice in selection.list_omissions():
        complain(f"note: {notice}")
    if as_json:
        give(plan_json([selection.plan()]))
        return
    for line in plan_lines([selection.plan()]):
        say(line)


def _show(console: Console, results: Results, folder: Path) -> None:
    from jdkmatrix.report.console.summary import print_summary  # no JVM need wait for it

    print_summary(console, results, folder)


def exit_code(results: Results, *, strict: bool) -> ExitCode:
    """The exit code of a run, by its cases: 1 for a finding about a JDK, and for nothing else.

    What should have a verdict and has none is MACHINE. `strict`: an unavailable build is, too.
    """
    from jdkmatrix.grading.cases.kinds import deciding
    from jdkmatrix.results.case import CaseStatus

    cases = deciding(results)
    if not results.complete:
        return ExitCode.MACHINE
    if any(case.is_surprise for case in cases):
        return ExitCode.SURPRISE
    if strict and results.unavailable and results.validation is None:
        return ExitCode.MACHINE
    if any(case.status is CaseStatus.ERROR and case.was_tried for case in cases):
        return ExitCode.MACHINE
    if not any(case.was_tried for case in cases):
        return ExitCode.NOTHING_RAN
    has_errors = any(case.status is CaseStatus.ERROR for case in cases)
    return ExitCode.MACHINE if has_errors else ExitCode.OK

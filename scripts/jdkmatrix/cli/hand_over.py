# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a request run, and who gets the finished run? CI and the history come first: the reader of
the output may go away.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from rich.console import Console

from jdkmatrix.cli.console import progress_display, result_console
from jdkmatrix.cli.printed import complain, give, say
from jdkmatrix.cli.run import exit_code
from jdkmatrix.errors import ExitCode, UnfinishedError
from jdkmatrix.flow import flow
from jdkmatrix.flow.flow import FinishedRun, RunInterrupted, RunOptions
from jdkmatrix.flow.resumable import is_left
from jdkmatrix.flow.tools import Tools
from jdkmatrix.paths import Checkout
from jdkmatrix.records.store import RunFolder
from jdkmatrix.texts import count_of

if TYPE_CHECKING:
    from jdkmatrix.records.request import Request
    from jdkmatrix.results.document import Results

_MOST_NAMED = 5
Show: TypeAlias = "Callable[[Console, Results, Path], None]"
_IS_LEFT = {
    "run": "not every cell was run",
    "throughput": "not every block was run",
    "try": "not every build was asked",
    "validate": "not everything was looked at",
}


def carry_out(
    request: Request,
    options: RunOptions,
    show: Show,
    *,
    resumes: str | None,
    as_json: bool,
    strict: bool = False,
) -> ExitCode:
    """Run a request, or what is left of a run of the command that it `resumes`; hand it over, and
    say how to resume it with the same options if not all was run. Returns the exit code. Raises as
    `flow.run` and `flow.resume` do.
    """
    tools = Tools(Checkout.current())
    repeated_options = tuple(repeat_options(options, strict=strict, as_json=as_json))
    try:
        with progress_display() as display:
            if resumes:
                graded_run = flow.resume(tools, resumes, options, display)
            else:
                graded_run = flow.run(tools, request, options, display)
    except RunInterrupted as stop:
        out = stop.folder if options.out else None
        line = stop.request.resumed_by(out, *repeated_options)
        raise UnfinishedError("interrupted", f"resume it: {line}") from None
    hand_over(tools.checkout, graded_run, show, as_json=as_json)
    if is_worth_resuming(graded_run):
        out = graded_run.folder if options.out else None
        say_what_is_left(graded_run, out, *repeated_options)
    return exit_code(graded_run.results, strict=strict)


def is_worth_resuming(graded_run: FinishedRun) -> bool:
    """Whether something was not run, and would be if the run was resumed."""
    results, run = graded_run.results, RunFolder(graded_run.folder)
    is_unmeasured = results.has_unmeasured and results.validation is None
    return not results.complete or (is_unmeasured and is_left(run, run.read_run()))


def repeat_options(options: RunOptions, *, strict: bool, as_json: bool) -> Iterator[str]:
    """The options that a run does not store, as they were given."""
    if options.jobs != flow.usual_jobs():
        yield f"--jobs {options.jobs}"
    flags = {
        "--offline": options.offline,
        "--paranoid": options.paranoid,
        "--strict": strict,
        "--json": as_json,
    }
    yield from (option for option, is_given in flags.items() if is_given)


def say_what_is_left(graded_run: FinishedRun, out: Path | None, *options: str) -> None:
    """Tell the user how to resume a run; `out` is its folder, if it is not the latest."""
    request = graded_run.request
    command = request.resumed_by(out, *options)
    complain(f"matrix: {_IS_LEFT[request.command]}; resume it: {command}")


def hand_over(
    checkout: Checkout,
    graded_run: FinishedRun,
    show: Show,
    *,
    as_json: bool,
) -> None:
    """Give a run to GitHub Actions or AQAvit, if this is one of their jobs, to the history of the
    checkout, and to the user; `show` prints it unless it is wanted as JSON.
    """
    from jdkmatrix.history.remember import remember  # no JVM need wait for these
    from jdkmatrix.report.ci.aqavit import tell_aqavit
    from jdkmatrix.report.ci.github import tell_github

    results, folder, _, damaged_records = graded_run
    for name in damaged_records[:_MOST_NAMED]:
        complain(f"matrix: {name}: damaged or lost; counted as not run")
    if rest := damaged_records[_MOST_NAMED:]:
        complain(f"matrix: also damaged or lost: {count_of(len(rest), 'record')}")
    tell_github(results, folder, os.environ, sys.stderr)
    remember(checkout, results, [(shard.run, shard.started) for shard in results.shards])
    if as_json:
        give(results.to_json())
    else:
        show(result_console(), results, folder)
        for line in tell_aqavit(results, folder, os.environ):
            say(line)

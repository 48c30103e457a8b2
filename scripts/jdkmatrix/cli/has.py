# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix has`: is the fix of a bug in this build? Its reproducers are run to find out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from jdkmatrix.cli import complete, options
from jdkmatrix.cli.printed import give, say
from jdkmatrix.errors import ExitCode, MachineError, NothingRanError, UsageError
from jdkmatrix.paths import Checkout, shown_path
from jdkmatrix.vocabulary import Presence

if TYPE_CHECKING:
    from jdkmatrix.flow.flow import FinishedRun, RunOptions
    from jdkmatrix.flow.tools import Tools
    from jdkmatrix.records.request import Request
    from jdkmatrix.report.console.display import Display
    from jdkmatrix.results.presence import PresenceAnswer

_CODES = {
    Presence.FIXED: ExitCode.OK,
    Presence.AFFECTED: ExitCode.SURPRISE,
    Presence.CANNOT_SAY: ExitCode.MACHINE,
}


def has(
    bug_id: Annotated[
        str,
        typer.Argument(
            metavar="BUG",
            help="A bug of the ledger, or a known change: 8293562.",
            autocompletion=complete.bugs,
        ),
    ],
    jdk: options.OneJdk = None,
    build: options.OneBuild = None,
    offline: options.Offline = False,
    out: options.RunFolderOut = None,
    as_json: options.AsJson = False,
) -> int:
    """Say whether a build has a bug or its fix, by running tests.

    Of a change of test/changes.yaml, whether it is there, by what the build does by default and in
    the rows of behave.

    A reproducer that comes out otherwise than the ledger says is run again, alone, up to two times
    more.

    Exit code 0: fixed, or without the change. 1: affected, or with it. 2: cannot say. 4: bad
    arguments.

    Example: scripts/matrix has 8293562 --jdk ~/jdk-8u512
    """
    from jdkmatrix.cli.console import progress_display
    from jdkmatrix.config.ledger import load_ledger
    from jdkmatrix.flow import flow
    from jdkmatrix.flow.tools import Tools
    from jdkmatrix.results.presence import presence_of
    from jdkmatrix.supply.catalog import Catalog

    if (jdk is None) == (build is None):
        raise UsageError(f"has {bug_id}: accepted: one of --jdk PATH and --build ID")
    checkout = Checkout.current()
    if changes := options.changes_of(bug_id):
        from jdkmatrix.cli.has_change import answer_changes

        return answer_changes(
            checkout, changes, jdk=jdk, build=build, offline=offline, out=out, as_json=as_json
        )
    bug = load_ledger(checkout.ledger).bug(bug_id, "has")
    if build:
        Catalog.of_checkout(checkout).entry(build, "--build")  # one; others take globs
    request = options.request_of([build] if build else None, [jdk] if jdk else None, [bug.id])
    if len(request.jdks) > 1:
        raise UsageError(f"has {bug_id}: --jdk {jdk}: {len(request.jdks)} JDKs; accepted: one")
    run_options = flow.RunOptions(offline=offline, out=out)
    with progress_display() as display:
        graded_run = measure(Tools(checkout), request, run_options, display)
    answer = presence_of(graded_run.results, bug.id)
    if as_json:
        give(answer.to_json())
    else:
        _print(answer)
        say(f"report: {shown_path(graded_run.folder / 'index.html')}")
    return _CODES[answer.presence]


def measure(
    tools: Tools, request: Request, run_options: RunOptions, display: Display
) -> FinishedRun:
    """Run the reproducers of one bug. Raises MachineError if the run gives no answer."""
    from jdkmatrix.flow import flow

    cannot_say = f"has {request.bugs[0]}: cannot say"
    try:
        graded_run = flow.run(tools, request, run_options, display)
    except NothingRanError as error:
        raise MachineError(f"{cannot_say}: {error}") from None
    if not graded_run.results.complete:  # after Ctrl-C, or where the machine failed
        raise MachineError(f"{cannot_say}: not every reproducer was run")
    return graded_run


def _print(answer: PresenceAnswer) -> None:
    say(f"{answer.bug} in {answer.build}: {answer.presence}: {answer.reason}")
    say(f"  {answer.title}")
    for finding in answer.cells:
        say(f"  {finding.test}: {finding.outcome}: {finding.reason}")
    agrees = {True: " It is.", False: " It is not.", None: ""}[answer.agrees]
    say(f"  Expected from the version: {answer.by_ledger}.{agrees}")

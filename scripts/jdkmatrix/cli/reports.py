# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix reports`: list the runs in reports/, and remove old ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jdkmatrix.cli.options import AsJson
from jdkmatrix.cli.printed import complain, give, say
from jdkmatrix.errors import ExitCode, MachineError, UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.texts import count_of, document_text

if TYPE_CHECKING:
    from jdkmatrix.records.stored_runs import StoredRun

app = typer.Typer(help="List and prune the runs in reports/.", no_args_is_help=True)


@app.command("list")
def list_runs(as_json: AsJson = False) -> int:
    """List the runs in reports/, newest first, with their verdicts.

    Example: scripts/matrix reports list --json
    """
    print_runs(Checkout.current().reports, as_json=as_json)
    return ExitCode.OK


@app.command("prune")
def prune(
    keep: Annotated[
        int,
        typer.Option(metavar="N", min=1, help="How many runs stay: the latest, and the newest."),
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be removed; remove nothing.")
    ] = False,
) -> int:
    """Remove old runs from reports/.

    The samples, runs still going and the history stay.

    Example: scripts/matrix reports prune --keep 14
    """
    prune_runs(Checkout.current().reports, keep, dry_run=dry_run)
    return ExitCode.OK


def print_runs(reports: Path, *, as_json: bool) -> None:
    """Print the runs under `reports`. Raises MachineError if it can't be read."""
    from jdkmatrix.records.stored_runs import LATEST
    from jdkmatrix.records.stored_runs import stored_runs as runs_in
    from jdkmatrix.report.console.holdings_list import mb

    runs, damaged_runs = runs_in(reports)
    latest = (reports / LATEST).resolve()
    rows = [_row(run, is_latest=run.path.resolve() == latest) for run in runs]
    if as_json:
        unread = [
            {"run": damaged_run.path.name, "reason": damaged_run.reason}
            for damaged_run in damaged_runs
        ]
        give(document_text(1, runs=rows, damaged=unread))
        return
    lines = [_columns(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (text.ljust(width) for text, width in zip(line, widths, strict=True))
        say("  ".join(cells).rstrip())
    for damaged_run in damaged_runs:
        say(f"{damaged_run.path.name}: {damaged_run.reason}")
    total = mb(sum(run.size_bytes for run in runs))
    say(f"{count_of(len(runs), 'run')}, {total}")


def prune_runs(reports: Path, keep: int, *, dry_run: bool = False) -> None:
    """Remove all but `keep` runs under `reports`, and print which.

    Raises MachineError if `reports` can't be read, or what an earlier call left can't be removed.
    """
    from jdkmatrix.records.stored_runs import remove, remove_left_over, runs_beyond
    from jdkmatrix.records.stored_runs import stored_runs as runs_in
    from jdkmatrix.report.console.holdings_list import mb

    runs, damaged_runs = runs_in(reports)
    if not dry_run:
        remove_left_over(reports)
    freed_bytes = 0
    for run in runs_beyond(runs, keep, reports):
        size_bytes = run.size_bytes
        try:
            remove(run, dry_run=dry_run)
        except MachineError as error:
            complain(f"matrix: {run.path.name} stays: {error}")
            continue
        freed_bytes += size_bytes
        say(f"{'would remove' if dry_run else 'removed'} {run.path.name}, {mb(size_bytes)}")
    for damaged_run in damaged_runs:
        complain(f"matrix: {damaged_run.path.name} stays: {damaged_run.reason}")
    say(f"{mb(freed_bytes)} {'would be freed' if dry_run else 'freed'}")


def _row(run: StoredRun, *, is_latest: bool) -> dict[str, Any]:
    return {
        "run": run.path.name,
        "started": run.started,
        "command": run.records[0].request.command,
        "parts": len(run.records),
        "builds": run.builds,
        "verdict": _verdict(run),
        "size_bytes": run.size_bytes,
        "latest": is_latest,
    }


def _columns(row: dict[str, Any]) -> tuple[str, ...]:
    from jdkmatrix.report.console.holdings_list import mb

    number, ids, size_bytes = row["parts"], row["builds"], row["size_bytes"]
    return (
        str(row["run"]),
        str(row["started"])[:16].replace("T", " "),
        str(row["command"] if number == 1 else f"{number} runs"),
        ids[0] if len(ids) == 1 else f"{len(ids)} builds",
        str(row["verdict"]),
        f"{mb(size_bytes):>9}",
        "(latest)" if row["latest"] else "",
    )


def _verdict(run: StoredRun) -> str:
    """The run's exit code in words, such as `as expected`; of a validation its verdict."""
    from jdkmatrix.cli.run import exit_code
    from jdkmatrix.grading.stored_results import read_results

    if not run.is_one:  # each of several runs has its own
        return "-"
    if run.records[0].finished is None:
        return "unfinished"
    try:
        results = read_results(run.path / "results.json")
    except UsageError:  # perhaps of another schema: `report` writes it again
        return "unread"
    if results.validation:
        return str(results.validation.verdict)
    return _WORDS[exit_code(results, strict=False)]


_WORDS = {
    ExitCode.OK: "as expected",
    ExitCode.SURPRISE: "surprise",
    ExitCode.MACHINE: "incomplete",
    ExitCode.NOTHING_RAN: "nothing ran",
}

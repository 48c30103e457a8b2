# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does the user read about the recordings that were diagnosed?"""

from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.markup import escape

from jdkmatrix.evidence.diagnosis import BugDiagnosis, Diagnosis
from jdkmatrix.evidence.digest import Unreadable
from jdkmatrix.texts import count_of
from jdkmatrix.vocabulary import Expectation

_MS_PER_S = 1000
_KNOWN = {
    Expectation.AFFECTED: "this build has it",
    Expectation.FIXED: "fixed in this build",
    Expectation.NOT_APPLICABLE: "cannot show on this build by default",
    Expectation.UNKNOWN: "not known whether this build has it",
}


def print_diagnosis(console: Console, results: Iterable[Diagnosis | Unreadable]) -> None:
    """Print each recording that could be read."""
    for one in results:
        if isinstance(one, Diagnosis):
            for markup in _lines(one):
                console.print(markup, soft_wrap=True, highlight=False)


def _lines(one: Diagnosis) -> Iterator[str]:
    seconds = f"{one.duration_ms / _MS_PER_S:.1f} s"
    if one.dumps:
        count = count_of(one.dumps, "thread dump")
        seconds = f"{count} over {seconds}" if one.duration_ms else count
    yield f"[bold]{escape(one.file)}[/]"
    threads = count_of(one.threads, "thread")
    yield escape(f"  JDK {one.java_version or 'of unknown version'}, {seconds}, {threads}")
    shown = [bug for bug in one.bugs if bug.finding]
    for bug in shown:
        yield from _shown(bug)
    for sentence in one.deadlocks:
        yield f"  [bold red]{escape(sentence)}[/]"
    if not shown:
        yield f"  [green]{_none_of(one)} shows[/] ({_looked_for(one.bugs)})."
    for finding in one.others:
        style = "bold red" if finding.baseline_ms is not None else "yellow"
        yield f"  [{style}]{finding.rule}[/]: {escape(finding.sentence)}"
    if one.longest:
        yield "  Longest waits for locks:"
    for wait in one.longest:
        total = f"{wait.total_ms / _MS_PER_S:8.2f} s"
        counts = f"{wait.count:6} waits  {wait.threads:4} threads"
        yield escape(f"    {total}  {counts}  {wait.frame} ({wait.kind})")
    if one.queues:
        yield "  Waited from the first dump to the last:" if one.dumps > 1 else "  Waited:"
    for sentence in one.queues:
        yield escape(f"    {sentence}")
    if one.still_waiting:
        yield "  Still waiting when the recording ended:"
    for still in one.still_waiting:
        total = f"{still.waited_ms_at_least / _MS_PER_S:8.2f} s"
        yield escape(
            f"    {total} at least  {still.threads:4} threads  {still.frame} ({still.kind})"
        )
    if one.changes:
        yield "  Against the baseline, per second of recording:"
    for sentence in one.changes:
        yield escape(f"    {sentence}")
    for sentence in one.hidden:
        yield f"  [yellow]hidden:[/] {escape(sentence)}"


def _shown(bug: BugDiagnosis) -> Iterator[str]:
    assert bug.finding
    yield f"  [bold red]{bug.bug} shows:[/] {escape(bug.finding.sentence)}"
    fixed = f", fixed from {bug.fixed_from} on" if bug.fixed_from else ""
    yield escape(f"    {bug.title}{fixed}; {_KNOWN[bug.expectation]}.")
    yield escape(f"    Bound: {bug.bound_ms} ms. {bug.bound_source}")


def _none_of(one: Diagnosis) -> str:
    """Other bugs need their reproducers: no recording has what is on the wire, for example."""
    looked_for = f"None of the {len(one.bugs)} bugs that a recording can show"
    return f"{looked_for} (of {one.bugs_of_ledger} in the ledger)"


def _looked_for(bugs: Iterable[BugDiagnosis]) -> str:
    return "; ".join(f"{bug.bug}: {_KNOWN[bug.expectation]}" for bug in bugs) or "it has no rule"

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does the user read about the recordings that were diagnosed?"""

from collections.abc import Iterable, Iterator, Sequence

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


def print_diagnosis(console: Console, diagnoses: Iterable[Diagnosis | Unreadable]) -> None:
    """Print each recording that could be read."""
    for diagnosis in diagnoses:
        if isinstance(diagnosis, Diagnosis):
            for markup in _lines(diagnosis):
                console.print(markup, soft_wrap=True, highlight=False)


def _lines(diagnosis: Diagnosis) -> Iterator[str]:
    yield from _head(diagnosis)
    yield from _answer(diagnosis)
    for heading, sentences in _sections(diagnosis):
        if sentences:
            yield f"  {heading}:"
            yield from (escape(f"    {sentence}") for sentence in sentences)
    for sentence in diagnosis.hidden:
        yield f"  [yellow]hidden:[/] {escape(sentence)}"


def _head(diagnosis: Diagnosis) -> Iterator[str]:
    """The file, and what it is of."""
    extent = f"{diagnosis.duration_ms / _MS_PER_S:.1f} s"
    if diagnosis.dumps:
        count = count_of(diagnosis.dumps, "thread dump")
        extent = f"{count} over {extent}" if diagnosis.duration_ms else count
    yield f"[bold]{escape(diagnosis.file)}[/]"
    threads = count_of(diagnosis.threads, "thread")
    yield escape(f"  JDK {diagnosis.java_version or 'of unknown version'}, {extent}, {threads}")
    if diagnosis.shapes:
        yield escape(f"  Normalised: {', '.join(diagnosis.shapes)}.")


def _answer(diagnosis: Diagnosis) -> Iterator[str]:
    """The bugs and deadlocks that it shows, or that it shows none; and other findings."""
    bugs = [bug for bug in diagnosis.bugs if bug.finding]
    for bug in bugs:
        yield from _bug_lines(bug)
    for sentence in diagnosis.deadlocks:
        yield f"  [bold red]{escape(sentence)}[/]"
    if not bugs:
        yield f"  [green]{_none_of(diagnosis)} shows[/] ({_looked_for(diagnosis.bugs)})."
    for finding in diagnosis.others:
        style = "bold red" if finding.baseline_ms is not None else "yellow"
        yield f"  [{style}]{finding.rule}[/]: {escape(finding.sentence)}"


def _sections(diagnosis: Diagnosis) -> Iterator[tuple[str, Sequence[str]]]:
    """What else the threads did, each under its heading."""
    yield (
        "Longest waits for locks",
        [
            f"{wait.total_ms / _MS_PER_S:8.2f} s  {wait.count:6} waits  "
            f"{wait.threads:4} threads  {wait.frame} ({wait.kind})"
            for wait in diagnosis.longest
        ],
    )
    yield "What the threads do, longest and largest first", diagnosis.activities
    yield (
        "Still waiting when the recording ended",
        [
            f"{wait.waited_ms_at_least / _MS_PER_S:8.2f} s at least  "
            f"{wait.threads:4} threads  {wait.frame} ({wait.kind})"
            for wait in diagnosis.still_waiting
        ],
    )
    yield "Against the baseline, per second of recording", diagnosis.changes


def _bug_lines(bug: BugDiagnosis) -> Iterator[str]:
    assert bug.finding
    yield f"  [bold red]{bug.bug} shows:[/] {escape(bug.finding.sentence)}"
    fix_text = f", fixed from {bug.fixed_from} on" if bug.fixed_from else ""
    yield escape(f"    {bug.title}{fix_text}; {_KNOWN[bug.expectation]}.")
    yield escape(f"    Bound: {bug.bound_ms} ms. {bug.bound_source}")


def _none_of(diagnosis: Diagnosis) -> str:
    """Other bugs need their reproducers: no recording has what is on the wire, for example."""
    looked_for = f"None of the {len(diagnosis.bugs)} bugs that a recording can show"
    return f"{looked_for} (of {diagnosis.bugs_of_ledger} in the ledger)"


def _looked_for(bugs: Iterable[BugDiagnosis]) -> str:
    return "; ".join(f"{bug.bug}: {_KNOWN[bug.expectation]}" for bug in bugs) or "it has no rule"

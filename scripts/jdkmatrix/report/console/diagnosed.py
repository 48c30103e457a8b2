# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does the user read about the recordings that were diagnosed?"""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.markup import escape

from jdkmatrix.evidence.digest import Unreadable
from jdkmatrix.evidence.places import LongestWait
from jdkmatrix.grading.diagnosis import BugDiagnosis, Diagnosis
from jdkmatrix.texts import count_of
from jdkmatrix.vocabulary import Expectation

_MS_PER_S = 1000
_NONE_SHOWS = "[green]No known bug shows.[/]"
_NONE_SOUGHT = "[yellow]No bug was looked for: the ledger begins with JDK 8.[/]"
_THIS_BUILD = {
    Expectation.AFFECTED: "This build has it",
    Expectation.UNKNOWN: "It is not known whether this build has it ({way})",
    Expectation.NOT_APPLICABLE: (
        "By its version this build lacks what it takes ({lacking}), but the threads are there"
    ),
}


def print_diagnosis(console: Console, diagnoses: Iterable[Diagnosis | Unreadable]) -> None:
    """Print each recording that could be read."""
    for diagnosis in diagnoses:
        if isinstance(diagnosis, Diagnosis):
            for markup in _lines(diagnosis):
                console.print(markup, soft_wrap=True, highlight=False)


def _lines(diagnosis: Diagnosis) -> Iterator[str]:
    """The answer first; then what was read, what proves it, and what cannot be seen."""
    yield f"[bold]{escape(diagnosis.file)}[/]"
    yield from _answer(diagnosis)
    yield escape(f"  Read: {_extent(diagnosis)}.")
    if diagnosis.shapes:
        yield escape(f"  Normalised: {', '.join(diagnosis.shapes)}.")
    for bug in diagnosis.bugs:
        yield from _proof_lines(bug)
    for heading, sentences in _sections(diagnosis):
        if sentences:
            yield f"  {heading}:"
            yield from (escape(f"    {sentence}") for sentence in sentences)
    for sentence in (*diagnosis.hidden, *_traceless(diagnosis)):
        yield f"  [yellow]Not visible:[/] {escape(sentence)}"


def _extent(diagnosis: Diagnosis) -> str:
    """Of which JDK, for how long, and how many threads."""
    extent = f"{diagnosis.duration_ms / _MS_PER_S:.1f} s"
    if diagnosis.dumps:
        count = count_of(diagnosis.dumps, "thread dump")
        extent = f"{count} over {extent}" if diagnosis.duration_ms else count
    threads = count_of(diagnosis.threads, "thread")
    return f"JDK {diagnosis.version or 'of unknown version'}, {extent}, {threads}"


def _answer(diagnosis: Diagnosis) -> Iterator[str]:
    """Which bugs and deadlocks it shows or makes probable, and what to do; or what threads do."""
    answers = [bug for bug in diagnosis.bugs if bug.finding or bug.suspicion]
    for bug in sorted(answers, key=lambda bug: bug.finding is None):
        style = "bold red" if bug.finding else "bold yellow"
        word = "shows" if bug.finding else "is probable"
        yield f"  [{style}]{bug.bug} {word}:[/] {escape(_advice(bug, diagnosis.version))}"
    for sentence in diagnosis.deadlocks:
        yield f"  [bold red]{escape(sentence)}[/]"
    for finding in diagnosis.others:
        style = "bold red" if finding.baseline_ms is not None else "yellow"
        yield f"  [{style}]{finding.rule}[/]: {escape(finding.sentence)}"
    if not answers and not diagnosis.deadlocks:
        activity = f" {diagnosis.activities[0]}" if diagnosis.activities else ""
        begin = _NONE_SHOWS if diagnosis.bugs else _NONE_SOUGHT
        yield f"  {begin}{escape(activity)}"


def _advice(bug: BugDiagnosis, version: str | None) -> str:
    """What a user sees of the bug, which releases have it and its fix, and what to do."""
    return f"{bug.symptom or bug.title}. {_releases(bug, version)} {_remedy(bug)}".rstrip()


def _releases(bug: BugDiagnosis, version: str | None) -> str:
    """Whether a build of that version has it, since when it is there, and where it is fixed."""
    if bug.expectation is Expectation.FIXED:
        return f"The ledger calls this build fixed, by {bug.first_fix or bug.first_fixes[-1]}."
    trial = f"scripts/matrix has {bug.bug.removeprefix('JDK-')} --jdk PATH tells"
    way = trial if version else "jcmd PID VM.version says which it is"
    text = _THIS_BUILD[bug.expectation].format(lacking=bug.lacking, way=way)
    return f"{text}; {_range(bug)}."


def _range(bug: BugDiagnosis) -> str:
    begin = f"it is there since {bug.introduced_in}, " if bug.introduced_in else ""
    if bug.first_fix:
        return f"{begin}fixed in {_last(bug.first_fix)}"
    if bug.first_fixes:
        return f"{begin}fixed in {', '.join(map(_last, bug.first_fixes))}"
    return f"{begin}fixed nowhere"


def _last(tag: str) -> str:
    """Of a range of builds, the one that has the change for sure."""
    absent, dots, present = tag.partition("..")
    return f"{present} (after {absent})" if dots else tag


def _remedy(bug: BugDiagnosis) -> str:
    if bug.expectation is Expectation.FIXED:
        return "Report it, with this file."
    update = "Update" if bug.first_fixes else ""
    if not bug.workaround:
        return f"{update}." if update else ""
    workaround = _sentence_part(" ".join(bug.workaround.split()))
    return f"{update}; until then: {workaround}." if update else f"What helps: {workaround}."


def _sentence_part(text: str) -> str:
    """A sentence as it goes on after a colon; a property or a class keeps its letters."""
    return (
        text[0].lower() + text[1:] if text[1:2].islower() and "." not in text.split()[0] else text
    )


def _proof_lines(bug: BugDiagnosis) -> Iterator[str]:
    if bug.finding:
        yield escape(f"  Proof: {bug.finding.sentence}")
        is_sum = bug.finding.threads > 1 and bug.finding.lock_classes
        begin = "Summed over the threads; from" if is_sum else "From"
        yield escape(f"    {begin} {bug.bound_ms} ms on it counts. {bug.bound_source}")
    elif bug.suspicion:
        yield escape(f"  Seen: {bug.suspicion.sentence}")
        yield escape(f"    What proves it: {bug.suspicion.proof}")
        if bug.suspicion.alike:
            yield escape(f"    What else looks so: {bug.suspicion.alike}.")


def _sections(diagnosis: Diagnosis) -> Iterator[tuple[str, Sequence[str]]]:
    """What else the threads did, each under its heading."""
    is_answered = any(bug.finding or bug.suspicion for bug in diagnosis.bugs)
    is_first = is_answered or bool(diagnosis.deadlocks)
    yield (
        "What the threads do, longest and largest first" if is_first else "And then",
        diagnosis.activities if is_first else diagnosis.activities[1:],
    )
    if not diagnosis.dumps:
        yield "Longest waits for locks", [_wait_line(wait) for wait in diagnosis.longest]
    yield (
        "Still waiting when the recording ended",
        [
            f"{wait.waited_ms_at_least / _MS_PER_S:8.2f} s at least  "
            f"{count_of(wait.threads, 'thread'):>12}  {wait.frame} ({wait.kind})"
            for wait in diagnosis.still_waiting
        ],
    )
    yield "Against the baseline, per second of recording", diagnosis.changes


def _wait_line(wait: LongestWait) -> str:
    return (
        f"{wait.total_ms / _MS_PER_S:8.2f} s  {wait.count:6} waits  "
        f"{count_of(wait.threads, 'thread'):>12}  {wait.frame} ({wait.kind})"
    )


def _traceless(diagnosis: Diagnosis) -> Iterator[str]:
    """Other bugs need their reproducers: no recording has what is on the wire, for example."""
    if not diagnosis.bugs:
        return  # of a release that the ledger does not know
    version = f" --on {diagnosis.version}" if diagnosis.version else ""
    yield (
        f"Most of the {diagnosis.bugs_of_ledger} known bugs, which leave no trace here:"
        f" scripts/matrix bugs{version} lists them."
    )

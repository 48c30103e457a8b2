# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a cell say beside its outcome: while it hung, of its JVM, its recording, its build?"""

from collections.abc import Sequence

from jdkmatrix.evidence.hang import Hang
from jdkmatrix.evidence.outcomes import CaseOutcome
from jdkmatrix.results.finding import Finding
from jdkmatrix.texts import count_of
from jdkmatrix.vocabulary import Outcome
from jdkmatrix.words.threads import hang_sentence

NO_CONTROL = "No control was run beside the subject."


def while_it_hung(reason: str, hangs: Sequence[Hang]) -> str:
    """The reason of a cell that hung, and what the threads of its JVMs did."""
    sentences = " ".join(map(hang_sentence, hangs)) or "its dumps have no digest."
    return f"{reason} While it hung: {sentences}"


def about_build(reason: str, lack: str) -> str:
    """The reason of a cell that is silenced as its build lacks what it promises."""
    return f"{reason} About the build: {lack}"


def other_jdk(case: str, jvm: tuple[str | None, str | None], build: tuple[object, object]) -> str:
    """A JVM is not the build's; both by version and vendor."""
    start = f"the build was {build[0]} ({build[1]}) when the run began"
    return f"The JVM of {case} is {jvm[0]} ({jvm[1]}), {start}."


def recording_shows(bug: str, finding: Finding) -> str:
    """A recording contradicts the ledger."""
    return f"Its recording shows {bug}, which this build must not have: {finding.sentence}"


def no_other_does(finding: Finding) -> str:
    """A recording shows waiting that no other fixed build's does."""
    return f"Its recording shows what no other fixed build of its train does: {finding.sentence}"


def with_silenced(sentence: str, count: int) -> str:
    """The sentence on a broken promise, and how many cells it silences."""
    say = "says" if count == 1 else "say"
    effect = f"{count_of(count, 'cell')} of bugs that need it {say} nothing."
    return f"{sentence} {effect}" if count else sentence


def file_against_status(outcome: Outcome, status: str) -> str:
    """The outcome file and the status contradict each other."""
    return f"The outcome file says {outcome}, its status: {status}"


def no_file(status: str) -> str:
    """A reproducer wrote no outcome file."""
    return f"No outcome file; its status: {status}"


def crash(log: str, status: str) -> str:
    """HotSpot wrote a log of its crash."""
    return f"The test JVM crashed: {log}. Its status: {status}"


def kill(seconds: float, status: str) -> str:
    """It did not end in time."""
    return f"It was killed after {seconds:.0f} s: {status}"


def cpu_time(cpu_s: float, seconds: float, waited_s: float | None) -> str:
    """How much of its time the machine gave it: that may be why a deadline passed."""
    text = f"(It used {cpu_s:.1f} s of CPU in {seconds:.0f} s"
    if waited_s is not None:
        text += f" and its threads waited {waited_s:.0f} s for a core in total"
    return f"{text}.)"


def wider_fault(verdict: CaseOutcome, controls: Sequence[CaseOutcome]) -> str:
    """These controls show the symptom, too."""
    names = [control.case for control in controls]
    subject = (
        f"control {names[0]} shows" if len(names) == 1 else f"controls {' and '.join(names)} show"
    )
    if verdict.outcome is Outcome.REPRODUCED:
        return f"The {subject} the symptom too: a fault wider than {verdict.bug}. {verdict.reason}"
    return (
        f"The {subject} the symptom: a fault wider than {verdict.bug}. The subject is"
        f" {verdict.outcome}: {verdict.reason} {_control_name(names[0])}: {controls[0].reason}"
    )


def control_fault(control: CaseOutcome) -> str:
    """A control does not hold."""
    return f"{_control_name(control.case)} is {control.outcome}: {control.reason}"


def _control_name(case: str) -> str:
    """`The control tls12`; a control that has only that name is not named twice."""
    return "The control" if case == "control" else f"The control {case}"

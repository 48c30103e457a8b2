# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a cell say beside its outcome: while it hung, of its JVM, its recording, its build?"""

from collections.abc import Sequence

from jdkmatrix.evidence.hang import Hang
from jdkmatrix.results.finding import Finding
from jdkmatrix.texts import count_of
from jdkmatrix.words.threads import hang_sentence


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

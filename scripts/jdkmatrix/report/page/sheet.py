# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does the page answer first: what came out, how sure is that, and what to do now? Pure.

Of a validation this is the sheet that a release engineer prints and signs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jdkmatrix.config.ledger import is_bug_id
from jdkmatrix.grading.cases.kinds import deciding, odd_cases
from jdkmatrix.report.page.overall import Overall, Tone
from jdkmatrix.report.page.topics import Topic, candidate_cells, hidden_loss, percent
from jdkmatrix.results.case import Case
from jdkmatrix.results.document import CellResult, Results
from jdkmatrix.texts import count_of
from jdkmatrix.vocabulary import Grade
from jdkmatrix.words import runs

# A figure that may have lost this share of the baseline's says nothing.
_NOTHING_EXCLUDED = 0.95


@dataclass(frozen=True)
class Step:
    """One thing to do now; `command` does it, `section` is the id of the place to look at."""

    sentence: str
    command: str = ""
    section: str = ""


@dataclass(frozen=True)
class Sheet:
    """`title` answers in about six words, `subject` says of what."""

    subject: str
    title: str
    lead: str
    certainty: str
    steps: tuple[Step, ...]


def sheet_of(results: Results, overall: Overall, topics: Sequence[Topic]) -> Sheet:
    """The answer of a run whose `overall` word and `topics` are these."""
    validation = results.validation
    builds = count_of(len(results.builds), "build")
    return Sheet(
        subject=f"{validation.build} {validation.comparison_text}"
        if validation
        else f"run on {builds}",
        title=_validation_title(overall, topics) if validation else _run_title(results, overall),
        lead=_validation_lead(results, topics) if validation else runs.headline(results),
        certainty=" ".join(_certainty(results, overall)),
        steps=tuple(_steps(results, overall, topics)),
    )


def _validation_title(overall: Overall, topics: Sequence[Topic]) -> str:
    if overall.tone is Tone.GOOD:
        return "No regression found"
    decisive = [topic for topic in topics if topic.tone is overall.tone]
    if not decisive:
        return "Do not ship" if overall.tone is Tone.BAD else "Not decided"
    if overall.tone is Tone.BAD:
        return f"Do not ship: {decisive[0].phrase}"
    phrase = decisive[0].phrase if len(decisive) == 1 else _join(decisive)
    return f"Not decided: {phrase}"


def _run_title(results: Results, overall: Overall) -> str:
    if overall.tone is Tone.GOOD:
        builds = count_of(len({cell.build for cell in results.cells}), "build")
        return "No test differs" if results.suite else f"No surprise on {builds}"
    failures = [case for case in deciding(results) if case.is_surprise and not case.is_open]
    if failures and results.slowdowns and len(failures) == len(results.slowdowns):
        number = len(failures)
        return f"{count_of(number, 'comparison')} slower, cause unknown"
    if results.differences:
        number = len(results.differences)
        return f"{count_of(number, 'test')} {'differs' if number == 1 else 'differ'} between builds"
    if failures:
        groups = {case.group for case in failures}
        if len(groups) == 1 and len(failures) > 1 and is_bug_id(failures[0].group):
            return f"{failures[0].group} is not as expected"
        be = "is" if len(failures) == 1 else "are"
        return f"{count_of(len(failures), 'result')} {be} not as expected"
    if not results.complete:
        return "Not complete: no surprise so far"
    return f"{overall.word[0].upper()}{overall.word[1:]}"


def _validation_lead(results: Results, topics: Sequence[Topic]) -> str:
    sentences = []
    regressions = [cell for cell in candidate_cells(results) if cell.grade is Grade.REGRESSION]
    if regressions:
        sentences.append(_on_bug(results, regressions))
    worse = [topic for topic in topics if topic.tone is Tone.BAD]
    if len(worse) > 1 or (worse and not regressions):
        sentences.append(f"Worse: {_join(worse)}.")
    open_topics = [topic for topic in topics if topic.tone is Tone.OPEN]
    if open_topics and (worse or len(open_topics) > 1):
        sentences.append(f"Not decided: {_join(open_topics)}.")
    if good_topics := [topic for topic in topics if topic.tone is Tone.GOOD]:
        sentences.append(f"No worse in {_join(good_topics)}.")
    return " ".join(sentences)


def _on_bug(results: Results, regressions: Sequence[CellResult]) -> str:
    """What the first bug that is back is, and how many of its tests show it."""
    bug = regressions[0].bug
    tests = [cell for cell in candidate_cells(results) if cell.bug == bug]
    test_count = sum(cell.bug == bug for cell in regressions)
    title = next((known_bug.title for known_bug in results.bugs if known_bug.id == bug), "")
    name = f"{bug} ({title})" if title else (bug or "a test of no bug")
    return f"{name} shows in {test_count} of {count_of(len(tests), 'test')}."


def _certainty(results: Results, overall: Overall) -> Iterator[str]:
    cells = candidate_cells(results)
    odd = [cell for cell in cells if cell.grade.is_surprise or cell.flags]
    if odd:
        alike = sum(
            bool(cell.attempts) and {a.outcome for a in cell.attempts} == {cell.outcome}
            for cell in odd
        )
        number = count_of(len(odd), "surprise")
        yield f"{alike} of {number} had the same outcome each time {_pronoun(odd)} ran again."
    elif cells:
        tried_cells = [cell for cell in cells if cell.grade not in (Grade.SKIPPED, Grade.SILENCED)]
        control_count = sum(len(cell.evidence.cases) > 1 for cell in tried_cells)
        yield f"{control_count} of {count_of(len(tried_cells), 'result')} had controls beside them."
    loss = hidden_loss(results.throughput)
    if loss is not None and loss < _NOTHING_EXCLUDED:
        yield f"A slowdown of up to {percent(loss)} could still hide (95 %)."
    elif loss is not None:
        yield "Some comparisons exclude no slowdown."
    if not cells and results.throughput:
        blocks = [comparison.blocks for comparison in results.throughput]
        yield f"{min(blocks)} to {max(blocks)} rounds of each comparison, 95 % intervals."
    if overall.tone is Tone.OPEN and not results.complete:
        yield "The run is not complete."


def _pronoun(cells: Sequence[CellResult]) -> str:
    return "it" if len(cells) == 1 else "they"


def _steps(results: Results, overall: Overall, topics: Sequence[Topic]) -> Iterator[Step]:
    validation = results.validation
    odd = odd_cases(results)
    if overall.tone is Tone.BAD:
        if validation:
            yield Step("Hold the update.")
        yield Step("Read what is not as expected.", section="looks")
        yield from _on_worst(results, odd)
    for topic in topics:
        if topic.tone is Tone.OPEN:
            yield from _on_open(topic)
    if not results.complete:
        yield Step("Go on where it stopped: repeat its command with --resume.")
    if validation and overall.tone is Tone.GOOD:
        yield Step("Ship it, if you can live with what was not checked.", section="not-checked")
    if validation and validation.rerun:
        sentence = (
            "Judge the next update alike." if overall.tone is Tone.GOOD else "Judge it again."
        )
        yield Step(sentence, validation.rerun)
    if not validation and overall.tone is Tone.GOOD:
        yield Step("Nothing to do.")


def _on_worst(results: Results, odd: Sequence[Case]) -> Iterator[Step]:
    """How to repeat the worst surprise, and to report it."""
    failures = [case for case in odd if case.is_surprise and case.rerun]
    if not failures:
        return
    worst = next((case for case in failures if case.grade == Grade.REGRESSION), failures[0])
    yield Step(f"Repeat {worst.subject}.", worst.rerun or "")
    if worst.group in {bug.id for bug in results.bugs}:
        number = worst.group.removeprefix("JDK-")
        yield Step("Make what is to be attached to its report.", f"scripts/matrix bundle {number}")


def _on_open(topic: Topic) -> Iterator[Step]:
    """What decides a topic that is open."""
    sentence = {
        "speed": "Give the open comparisons more time, or a quieter machine.",
        "machine": "Install what this machine lacks.",
    }.get(topic.key, f"See what is open: {topic.name}.")
    yield Step(sentence, section=topic.section)


def _join(topics: Sequence[Topic]) -> str:
    names = [topic.key for topic in topics]
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))

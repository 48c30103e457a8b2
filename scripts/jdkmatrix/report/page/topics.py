# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does each topic of a run come to, in a word and a number, and where is the rest? Pure.

A validation says which topics there are, and the verdict on each; the numbers are counted from its
cells, rows and comparisons. Other runs have a topic for each sort of result.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from jdkmatrix.report.page.overall import Tone
from jdkmatrix.results.document import CellResult, Results, RowResult
from jdkmatrix.results.speed import ThroughputResult, TopicResult
from jdkmatrix.texts import count_of
from jdkmatrix.vocabulary import MACHINE_LACKS, Grade, SpeedGrade, Verdict

_TONES = {Verdict.GOOD: Tone.GOOD, Verdict.BAD: Tone.BAD, Verdict.UNDECIDED: Tone.OPEN}
_OPEN_GRADES = (Grade.FLAKY, Grade.INCONCLUSIVE, Grade.ERROR)


@dataclass(frozen=True)
class Topic:
    """One card. `phrase` ends a sentence on the run, `section` is the id of the place that has all.

    `key` is the topic's name in a validation. As counted, its `tone` is how it looks by itself.
    """

    word: str
    phrase: str
    tally: str
    section: str
    tone: Tone = Tone.GOOD
    key: str = ""
    name: str = ""


def topics_of(results: Results) -> tuple[Topic, ...]:
    """The topics in the order of the validation, or of the page."""
    if results.validation:
        return tuple(_of_validation(topic, results) for topic in results.validation.topics)
    return tuple(_of_run(results))


def bugs_with(cells: Sequence[CellResult], *grades: Grade) -> list[str]:
    """The bugs of the cells that have one of these grades, each once."""
    return list(dict.fromkeys(cell.bug for cell in cells if cell.bug and cell.grade in grades))


def candidate_cells(results: Results) -> list[CellResult]:
    """The cells that the answer is about: of a validation, those of its build."""
    validation = results.validation
    return [cell for cell in results.cells if validation is None or cell.build == validation.build]


def hidden_loss(comparisons: Sequence[ThroughputResult]) -> float | None:
    """The largest loss that the limited figures could still hide, as a share of the baseline's.

    None where no limit was set, or nothing compared.
    """
    losses = [
        figure.loss[1]
        for comparison in comparisons
        for figure in comparison.figures
        if figure.most_loss is not None and figure.loss and figure.grade is not SpeedGrade.SLOWER
    ]
    return max(losses) if losses else None


def percent(share: float) -> str:
    """`40 %`."""
    return f"{100 * max(0.0, share):.0f} %"


def _of_validation(topic: TopicResult, results: Results) -> Topic:
    tone = _TONES[topic.verdict]
    name, count_topic = _COUNTS.get(topic.topic, (topic.topic.capitalize(), _count_nothing))
    count = count_topic(results)
    agrees = count.tone is tone or not count.word
    return Topic(
        word=count.word if agrees and count.word else topic.verdict,
        phrase=count.phrase if agrees and count.phrase else topic.topic,
        tally=count.tally,
        section=count.section or topic_section(topic),
        tone=tone,
        key=topic.topic,
        name=name,
    )


def topic_section(topic: TopicResult) -> str:
    """The id of a topic's row in the table of topics."""
    return f"topic-{'-'.join(topic.topic.split())}"


def _of_run(results: Results) -> Iterator[Topic]:
    has_rows = any(cell.rows for cell in results.cells)
    keys = [
        *(["build"] if results.build_faults else []),
        *(
            ["bugs"]
            if any(not (cell.rows or cell.is_of_behaviour) for cell in results.cells)
            else []
        ),
        *(["interoperability"] if has_rows else []),
        *(["speed"] if results.throughput else []),
    ]
    for key in keys:
        name, count_topic = _COUNTS[key]
        if key == "bugs" and results.suite:
            name, count_topic = "Tests", _count_tests
        yield replace(count_topic(results), key=key, name=name)


def _count_bugs(results: Results) -> Topic:
    cells = [
        cell
        for cell in candidate_cells(results)
        if not (cell.rows or cell.is_of_behaviour or cell.reason.startswith(MACHINE_LACKS))
    ]
    bugs = bugs_with(cells, Grade.REGRESSION)
    odd = [cell for cell in cells if cell.grade.is_surprise or cell.flags]
    open_count = sum(cell.grade in _OPEN_GRADES and not cell.flags for cell in odd)
    tally = f"{count_of(len({cell.test for cell in cells}), 'test')}: {_grades(cells)}"
    if bugs:
        phrase = f"{bugs[0]} is back" if len(bugs) == 1 else f"{len(bugs)} bugs are back"
        return Topic(f"{count_of(len(bugs), 'bug')} back", phrase, tally, "looks", tone=Tone.BAD)
    if len(odd) > open_count:
        text = f"{len(odd) - open_count} not as expected"
        return Topic(text, text, tally, "looks", tone=Tone.BAD)
    if open_count:
        return Topic(f"{open_count} not decided", "known bugs", tally, "looks", tone=Tone.OPEN)
    is_tried = any(cell.grade is Grade.AS_EXPECTED for cell in cells)
    word = "as expected" if is_tried else "nothing graded"
    return Topic(word, "known bugs", tally, "bugs", tone=_open_if(not is_tried))


def _count_tests(results: Results) -> Topic:
    tally = count_of(len({cell.test for cell in results.cells}), "test")
    builds = count_of(len({cell.build for cell in results.cells}), "build")
    if number := len(results.differences):
        phrase = f"{count_of(number, 'test')} differ"
        return Topic(phrase, phrase, f"{tally} on {builds}", "differences", tone=Tone.BAD)
    return Topic("none differs", "no test differs", f"{tally} on {builds}", "bugs")


def _count_rows(results: Results) -> Topic:
    rows = [row for cell in candidate_cells(results) for row in cell.rows]
    worse = sum(row.grade.is_surprise for row in rows)
    word = f"{count_of(worse, 'row')} worse" if worse else "none worse"
    is_open = not rows or bool(results.not_asked)
    if is_open and not worse:
        word = "not all asked"
    tally = f"{count_of(len(rows), 'row')}{_statuses(rows)}"
    tone = Tone.BAD if worse else _open_if(is_open)
    return Topic(word, word if worse else "", tally, "rows", tone)


def _count_behaviour(results: Results) -> Topic:
    delta = results.validation and results.validation.behaviour
    if not (results.validation and delta):
        return Topic("not compared", "what it does", "", "", tone=Tone.OPEN)
    tally = f"{count_of(delta.compared_count, 'row')}, {len(delta.changed_rows)} changed"
    breaches = sum(len(breach.rows) for breach in results.validation.new_breaches)
    strange = sum(cluster.is_bad for cluster in delta.clusters)
    if number := breaches + strange:
        phrase = f"{count_of(number, 'change')} of what it does"
        word = f"{strange} unexplained" if strange else f"{breaches} against a rule"
        return Topic(word, phrase, tally, "", tone=Tone.BAD)
    return Topic("explained" if delta.clusters else "unchanged", "what it does", tally, "")


def _count_defaults(results: Results) -> Topic:
    difference = results.validation and results.validation.defaults
    if not difference:
        return Topic("not compared", "defaults", "", "", tone=Tone.OPEN)
    reasons = sum(len(explanation.changes) for explanation in difference.explained)
    number = reasons + len(difference.unexplained)
    tally = f"{count_of(number, 'change')}, {reasons} explained" if number else "0 changes"
    if surprises := len(difference.surprises):
        phrase = f"{surprises} unexplained default{'' if surprises == 1 else 's'}"
        return Topic(f"{surprises} unexplained", phrase, tally, "", tone=Tone.BAD)
    return Topic("none that breaks" if number else "unchanged", "", tally, "")


def _count_speed(results: Results) -> Topic:
    comparisons = results.throughput
    slower = len(results.slowdowns)
    tally = count_of(len(comparisons), "comparison")
    grades = Counter(comparison.grade for comparison in comparisons)
    open_count = grades[SpeedGrade.INCONCLUSIVE]
    if slower:
        phrase = f"{count_of(slower, 'comparison')} {'is' if slower == 1 else 'are'} slower"
        tally += f", {open_count} undecided" if open_count else ""
        return Topic(f"{slower} slower", phrase, tally, "throughput", tone=Tone.BAD)
    is_limited = any(f.most_loss is not None for c in comparisons for f in c.figures)
    loss = hidden_loss(comparisons)
    if open_count:
        word = f"{open_count} of {len(comparisons)} not decided"
        return Topic(word, "speed is not decided", tally, "throughput", tone=Tone.OPEN)
    word = "not slower"
    if is_limited and loss is not None:
        word, tally = f"no loss > {percent(loss)}", f"{tally}; smaller losses could hide"
    return Topic(word, "speed", tally, "throughput", tone=_open_if(not comparisons))


def _count_faults(results: Results) -> Topic:
    faults = results.build_faults
    if not faults:
        return Topic("interrupted", "the run was interrupted", "", "", tone=Tone.OPEN)
    word = f"{count_of(len(faults), 'fault')}"
    cell_count = sum(fault.silenced_cells for fault in faults)
    tally = f"{count_of(cell_count, 'result')} cannot be believed" if cell_count else ""
    return Topic(word, f"a {str(faults[0].kind).replace('-', ' ')}", tally, "builds", tone=Tone.BAD)


def _count_lacking(_: Results) -> Topic:
    return Topic("lacks programs", "this machine lacks programs", "", "", tone=Tone.OPEN)


def _count_nothing(_: Results) -> Topic:
    return Topic("", "", "", "")


def _open_if(is_open: bool) -> Tone:
    return Tone.OPEN if is_open else Tone.GOOD


def _grades(cells: Sequence[CellResult]) -> str:
    counts = Counter(cell.grade for cell in cells)
    words = ((counts[grade], grade.replace("-", " ")) for grade in Grade)
    return ", ".join(f"{number} {word}" for number, word in words if number)


def _statuses(rows: Sequence[RowResult]) -> str:
    counts = Counter(row.status for row in rows)
    text = ", ".join(f"{number} {status}" for status, number in counts.most_common())
    return f": {text}" if text else ""


_COUNTS: dict[str, tuple[str, Callable[[Results], Topic]]] = {
    "build": ("The build itself", _count_faults),
    "machine": ("This machine", _count_lacking),
    "bugs": ("Known bugs", _count_bugs),
    "interoperability": ("Interoperability", _count_rows),
    "behaviour": ("Behaviour", _count_behaviour),
    "defaults": ("Defaults", _count_defaults),
    "speed": ("Speed", _count_speed),
}

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do the reports put a run into words? The same sentences in console, Markdown and HTML."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from jdkmatrix.paths import test_name
from jdkmatrix.results.document import BuildFaultKind, CellResult, Results
from jdkmatrix.texts import command_line, count_of
from jdkmatrix.verdict.suite_differences import SuiteDifference
from jdkmatrix.vocabulary import Grade
from jdkmatrix.words.programs import program_headline
from jdkmatrix.words.speed import law_headline, speed_headline
from jdkmatrix.words.verdicts import SUITE_WORDS

# The parts in which sentences about one cause differ from build to build.
_QUANTITY = re.compile(r"\d[\d.,]*(?: (?:ms|s|threads?)\b)?")
# The most builds that a line names; there are 29.
_MOST_NAMED = 3
# A machine whose cores were busy for this share of the time could hardly have done more.
_BUSY = 0.75
# For start-up, recordings, further attempts and reports.
_MOST_BESIDE_CELLS_S = 120
_GRADE_WORDS = {
    Grade.AS_EXPECTED: "as expected",
    Grade.SILENCED: "not testable",
    Grade.RECORDED: "without an expectation",
}
_COUNTABLE = (Grade.REGRESSION, Grade.ERROR)


@dataclass(frozen=True)
class CommonCause:
    """Cells of one test whose causes differ only in their figures; never empty."""

    cells: tuple[CellResult, ...]

    @property
    def sentence(self) -> str:
        """The first cell's cause."""
        return self.cells[0].evidence.cause or ""

    @property
    def bug(self) -> str | None:
        """The bug whose cause it is."""
        return self.cells[0].bug

    @property
    def subject(self) -> str:
        """`CloseWaitsForSilentPeer on debian-8u504-ga, temurin-11.0.13+8 and 9 more`."""
        names = [cell.build for cell in self.cells]
        if len(names) > _MOST_NAMED:
            names[_MOST_NAMED - 1 :] = [f"{len(names) - _MOST_NAMED + 1} more"]
        builds = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
        return f"{test_name(self.cells[0].test)} on {builds}"


def counts(cells: Sequence[CellResult]) -> str:
    """`30 as expected, 2 regressions`: in the order in which grades are declared."""
    by_grade = Counter(cell.grade for cell in cells)
    return ", ".join(_count(by_grade[grade], grade) for grade in Grade if by_grade[grade])


def _count(number: int, grade: Grade) -> str:
    word = _GRADE_WORDS.get(grade, grade)
    return count_of(number, word) if grade in _COUNTABLE else f"{number} {word}"


def headline(results: Results) -> str:
    """One sentence on the whole run."""
    if results.validation:
        validation = results.validation
        verdict = f"{validation.verdict} {validation.comparison_text}"
        return f"{validation.build} is {verdict}: {validation.reason}"
    builds_by_fault: dict[str, dict[str, None]] = {}
    for fault in results.build_faults:
        is_silent = fault.kind is BuildFaultKind.BROKEN_JVM
        words = "No JVM starts" if is_silent else "Not as promised"
        builds_by_fault.setdefault(words, {})[fault.build] = None
    faults = (f"{words}: {', '.join(builds)}. " for words, builds in builds_by_fault.items())
    return f"{''.join(faults)}{_cells_headline(results)}"


def _cells_headline(results: Results) -> str:
    """The headline without the faults of builds."""
    rest = "" if results.complete else " Not complete."
    if not results.cells and (results.throughput or results.law):
        parts = [speed_headline(results.throughput)] if results.throughput else []
        parts += [law_headline(results.law)] if results.law else []
        return f"{' '.join(parts)}{rest}"
    if not results.cells:
        return "Nothing was run."
    if results.programs:
        return f"{program_headline(results)}{rest}"
    if results.suite:
        return suite_headline(results)
    return f"{_graded_headline(results)}{rest}"


def _graded_headline(results: Results) -> str:
    """The headline of cells that have an expectation."""
    builds = list(dict.fromkeys(cell.build for cell in results.cells))
    idle_grades = (Grade.SKIPPED, Grade.SILENCED)
    active_builds = {cell.build for cell in results.cells if cell.grade not in idle_grades}
    idle = [build for build in builds if build not in active_builds]
    cells = count_of(len(results.cells), "result")
    if results.surprises or results.build_faults:
        text = f"{len(results.surprises)} of {cells} not as expected"
    else:  # a build on which all was skipped has not shown itself good
        verdict = "No surprise" if active_builds else "Nothing was tried"
        text = f"{verdict} in {cells} on {count_of(len(builds), 'build')}"
    flag_count = len(results.flagged_cells)
    flag_text = f" {count_of(flag_count, 'recording')} suspicious." if flag_count else ""
    idle_text = f" Nothing was tried on {', '.join(idle)}." if active_builds and idle else ""
    return f"{text}: {counts(results.cells)}.{flag_text}{idle_text}"


def suite_headline(results: Results) -> str:
    """One sentence on a run of the user's own suite, for which there are no expectations."""
    alone = len(results.on_one_build)
    count = len(results.verdicts) - alone
    builds = count_of(len({cell.build for cell in results.cells}), "build")
    words = Counter(SUITE_WORDS.get(cell.outcome, cell.outcome) for cell in results.cells)
    counts = ", ".join(f"{number} {word}" for word, number in words.items())
    different = len(results.differences)
    if not count:
        text = "Nothing was compared"
    elif not different:
        text = f"Same on all {builds}"
    else:
        verb = "differs" if different == 1 else "differ"
        text = f"{different} of {count_of(count, 'test')} {verb} between {builds}"
    alone_text = f" Not compared: {count_of(alone, 'test')} on one build alone." if alone else ""
    rest = "" if results.complete else " Not complete."
    return f"{text} ({counts}).{alone_text}{rest}"


def outcomes_of(difference: SuiteDifference) -> str:
    """`passed on debian-8u504-ga, failed on debian-17.0.21+9`."""
    outcomes = difference.outcomes.items()
    return ", ".join(
        f"{SUITE_WORDS.get(outcome, outcome)} on {build}" for build, outcome in outcomes
    )


def causes(cells: Iterable[CellResult]) -> tuple[CommonCause, ...]:
    """The causes of these cells, merged where they are of one test and differ only in figures."""
    common: dict[tuple[str, str], list[CellResult]] = {}
    for cell in cells:
        if cell.evidence.cause:
            shape = _QUANTITY.sub("0", cell.evidence.cause)
            common.setdefault((cell.test, shape), []).append(cell)
    return tuple(CommonCause(tuple(same)) for same in common.values())


def changes(results: Results) -> Iterator[str]:
    """A sentence on each overlay, what it was made from and what was not taken word for word, and
    on options of java.
    """
    for build in results.builds:
        if overlay := build.overlay:
            yield f"{build.id}: {overlay.name} is laid over it: {overlay.note}."
        if build.java_options:
            yield f"{build.id}: each of its JVMs had {command_line(*build.java_options)}."


def run_again(results: Results) -> Iterator[str]:
    """Sentences on what running cells again settled, and on what was not run again."""
    for cell in results.cells:
        if cell.attempts and not (cell.grade.is_surprise or cell.flags):
            yield f"{cell.grade}: {cell.build} {test_name(cell.test)}: {cell.confirmation}"
    rerun_counts = Counter(cell.build for cell in results.cells if cell.attempts)
    single_counts = Counter(cell.build for cell in results.cells if cell.is_unconfirmed)
    for build, number in single_counts.items():
        if reruns := rerun_counts[build]:  # otherwise each says so itself
            rest = f"{count_of(reruns, 'other')} of it {'was' if reruns == 1 else 'were'}"
            yield f"not confirmed: {count_of(number, 'result')} of {build}, as {rest} run again"


def cost(results: Results) -> str | None:
    """`774 s of CPU time in 406 s, 95% of 2 cores.`

    None if unknown: for a run on several machines or with comparisons, or one of an earlier kit
    that was paused.
    """
    spent_s = sum(cell.cpu_s or 0.0 for cell in results.cells)
    wall_s = results.took_s
    if not wall_s or not spent_s or results.shards or results.throughput:
        return None
    if wall_s > sum(cell.seconds for cell in results.cells) + _MOST_BESIDE_CELLS_S:
        return None
    share = spent_s / (wall_s * results.machine.cores)
    waited_s = sum(cell.waited_s or 0.0 for cell in results.cells)
    cores = count_of(results.machine.cores, "core")
    cpu_text = f"{spent_s:.0f} s of CPU time in {wall_s:.0f} s, {share:.0%} of {cores}"
    if share >= _BUSY:
        return f"{cpu_text}."
    # Threads that wait for a core longer than they run: other programs had it.
    rest = "other programs had the rest" if waited_s > spent_s else "the rest was waiting"
    return f"{cpu_text}; {rest}."

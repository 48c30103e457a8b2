# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a validation say of its topics, and of what it left out?"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from jdkmatrix.config.known_changes import DefaultChange
from jdkmatrix.paths import test_name
from jdkmatrix.results.document import BuildFault, CellResult
from jdkmatrix.results.speed import TopicResult
from jdkmatrix.texts import count_of
from jdkmatrix.verdict.behaviour import BehaviourDifference
from jdkmatrix.verdict.defaults_difference import DefaultsDifference
from jdkmatrix.verdict.flakiness import FlakyRow
from jdkmatrix.vocabulary import Grade, Verdict
from jdkmatrix.words.behaviour import headline, name_rows
from jdkmatrix.words.defaults import change_line, difference_headline
from jdkmatrix.words.runs import counts

ROWS = "interoperability"
NO_ROW_WORKS = "no row works"
NO_DEFAULT_COMPARED = "nothing of them could be compared"
_REFUSED = "rows that must be refused"
REFUSED_ALONE = f"{_REFUSED} alone"
_FLAGGED = "flagged"
_MOST_FLAKY_NAMED = 3
_VERDICTS = {
    Grade.REGRESSION: "is back",
    Grade.UNEXPECTED_FIX: "does not show, though expected",
    Grade.ERROR: "was not tested to the end",
    _FLAGGED: "shows in a recording",
}
EXPLANATIONS = "explanations"
_MOST_NAMED = 5


def verdict_reason(topics: Sequence[TopicResult], verdict: Verdict, baseline: str | None) -> str:
    """What the topics with the verdict say; of a good build, which they are."""
    if verdict is not Verdict.GOOD:
        decisive = [topic for topic in topics if topic.verdict is verdict]
        return f"{'; '.join(f'{topic.topic}: {topic.sentence}' for topic in decisive)}."
    *firsts, last = (topic.topic for topic in topics)
    names = f"{', '.join(firsts)} or {last}" if firsts else last
    if baseline is None:
        names = names.replace(ROWS, f"{ROWS} ({_REFUSED})")
    return f"no regression found in {names}."


def defaults_left_out(delta: DefaultsDifference | None) -> Iterator[str]:
    """The defaults that could not be compared, and why."""
    if delta is None:
        yield "defaults: one of the two builds could not be asked"
    else:
        for aspect, reason in delta.not_compared.items():
            yield f"defaults, {aspect}: {reason}"


def another_vendor(baseline: str, old: str | None, new: str | None) -> str:
    """Why the update alone was not looked at: the baseline is of the vendor `old`."""
    return (
        f"the update alone: {baseline} is another vendor's ({old}, not {new}), so differences may "
        "be the vendor's"
    )


def on_builds(faults: Iterable[BuildFault], baseline: str | None, *, is_complete: bool) -> str:
    """What is wrong with the build itself, its baseline or the run."""
    sentences = [
        f"{f'{baseline}: ' if fault.build == baseline else ''}{fault.sentence.rstrip('.')}"
        for fault in faults
    ]
    if not is_complete:
        sentences.append("the run was interrupted")
    return "; ".join(sentences)


def on_lacking(cells: Iterable[CellResult]) -> str:
    """Which tests were not run, and what the machine lacks."""
    return "; ".join(f"{test_name(cell.test)}: {cell.reason}" for cell in cells)


def on_bugs(
    cells: Sequence[CellResult], titles: Mapping[str, str], unknown_fixes: Mapping[str, str | None]
) -> str:
    """What is bad, bug by bug, then the counts, then the bugs of which the version does not tell
    whether the build has them. `titles` are those of the bugs; `unknown_fixes` are the tags between
    which a fix lies, `A..B`.
    """
    bad = [cell for cell in cells if cell.grade.is_surprise or cell.flags]
    tests = Counter(cell.bug for cell in cells)
    sentences = [*_by_bug(bad, titles, tests), counts(cells) or "no reproducer was run"]
    if flagged_count := sum(bool(cell.flags) for cell in cells):
        sentences.append(f"{flagged_count} suspicious by their recordings")
    if unknown_fixes:
        bugs = ", ".join(_fixed_between(*fix) for fix in unknown_fixes.items())
        number = count_of(len(unknown_fixes), "bug")
        sentences.append(f"the version does not tell of {number} whether it is fixed: {bugs}")
    return "; ".join(sentences)


def _fixed_between(bug: str, tags: str | None) -> str:
    """`JDK-8293562 (fixed after 17.0.3+7, by 17.0.7+7)`."""
    if tags is None:
        return bug
    absent_in, _, present_in = tags.rpartition("..")
    start = f"after {absent_in}, " if absent_in else ""
    return f"{bug} (fixed {start}by {present_in})"


def _by_bug(
    bad: Iterable[CellResult], titles: Mapping[str, str], tests: Mapping[str | None, int]
) -> Iterator[str]:
    """A sentence for each grade and bug, with how many of its `tests` say so, the bug's title and
    the reason of the first test.

    What makes the build bad comes first. A cell that only its recording speaks against is
    `flagged`.
    """
    cells_by_bug: dict[tuple[str, str | None], list[CellResult]] = {}
    for cell in bad:
        grade = cell.grade if cell.grade.is_surprise else _FLAGGED
        cells_by_bug.setdefault((grade, cell.bug), []).append(cell)
    for (grade, bug), cells in sorted(cells_by_bug.items(), key=lambda row: _weight(row[0][0])):
        first = cells[0]
        reason = first.reason if first.grade.is_surprise else first.flags[0]
        example = f"{test_name(first.test)}: {reason.rstrip('.')}"
        if bug is None:
            yield f"{grade}: {example}"
            continue
        verdict = _VERDICTS.get(grade, f"is {grade}")
        share = f"{len(cells)} of {count_of(tests[bug], 'test')}"
        title = f": {titles[bug]}" if titles.get(bug) else ""
        yield f"{bug} {verdict} ({share}){title}; {example}"


def _weight(grade: str) -> int:
    """The place of a grade among the reasons; 0 is the gravest."""
    gravest_first: tuple[str, ...] = (Grade.REGRESSION, Grade.BROKE, _FLAGGED, Grade.FLAKY)
    return gravest_first.index(grade) if grade in gravest_first else len(gravest_first)


def flaky_rows(rows: Mapping[str, FlakyRow], baseline: str) -> Iterator[str]:
    """At which rate rows fail on the build and on the baseline, the worst first."""
    worst_first = sorted(rows.items(), key=lambda pair: -pair[1].failures)
    for name, row in worst_first[:_MOST_FLAKY_NAMED]:
        yield (
            f"{name} failed in {row.failures} of {row.attempts} attempts, on {baseline} in "
            f"{row.baseline_failures} of {row.baseline_attempts}"
        )
    if len(rows) > _MOST_FLAKY_NAMED:
        yield f"{len(rows) - _MOST_FLAKY_NAMED} more flaky rows"


def no_rows(baseline: str, cell: CellResult | None) -> str:
    """Why there is nothing to compare rows with; `cell` is the baseline's, if it was run."""
    return f"{baseline} has no rows: {cell.reason if cell else 'not run'}"


def behaviour_headline(delta: BehaviourDifference) -> str:
    """How many rows differ between the two."""
    return f"behaviour: {headline(delta).replace(' changed', ' differ')}"


def defaults_headline(delta: DefaultsDifference) -> str:
    """How many defaults differ between the two."""
    return f"defaults: {difference_headline(delta).replace(' changed', ' differ')}"


def contradicted_rows(bug: str, rows: Sequence[str]) -> str:
    """Rows that a bug does not explain, as the counterpart shows what the baseline does."""
    return f"{bug} does not explain {name_rows(rows)}"


def contradicted_default(bug: str, change: DefaultChange) -> str:
    """The same of a default."""
    return f"{bug} does not explain {change_line(change)}"


def topic_sentence(counterpart: str, contradictions: Sequence[str], changes: Sequence[str]) -> str:
    """What speaks against the build, then what differs between the two at all."""
    parts = list(contradictions[:_MOST_NAMED])
    if len(contradictions) > _MOST_NAMED:
        parts.append(f"{len(contradictions) - _MOST_NAMED} more")
    if parts:
        parts.append(f"{counterpart}, of the same version, is there as the baseline")
    return "; ".join([*parts, f"against {counterpart}, {'; '.join(changes)}"])


class ComparedBuild(NamedTuple):
    """A build that the judged one is, or might have been, compared with, and what differs by what
    the kit knows: up to so many fixes of the ledger, and changes of `test/changes.yaml`.
    """

    id: str
    release_date: str | None
    fix_count: int
    change_count: int


def baseline_sentences(
    baseline: ComparedBuild,
    twins: Sequence[ComparedBuild],
    *,
    is_named: bool,
    is_twin: bool,
    is_of_vendor: bool,
) -> str:
    """Why this baseline, and what it cannot show. `twins` were passed over for it; `is_twin` says
    that it is itself of the candidate's update.
    """
    if is_named:
        choice = "was named"
    elif is_twin:
        choice = "is the newest older release, as none of an earlier update is known"
    else:
        vendor = "the same vendor" if is_of_vendor else "another vendor, as this one has none"
        choice = f"is the newest release of an earlier update, of {vendor}"
    sentences = [f"{_name(baseline)} {choice}; between the two lie {_distance(baseline)}."]
    if is_twin:
        sentences.append("Being of the same update, it hides what came with that update.")
    sentences.append("What both do wrong does not show.")
    if twins:
        names = "; ".join(f"{_name(twin)}, {_distance(twin)} between" for twin in twins)
        sentences.append(f"Passed over, as of the same update: {names}.")
    return " ".join(sentences)


def _name(build: ComparedBuild) -> str:
    return f"{build.id} of {build.release_date}" if build.release_date else build.id


def _distance(build: ComparedBuild) -> str:
    fixes = count_of(build.fix_count, "fixed bug")
    return f"{fixes} and {count_of(build.change_count, 'known change')}"

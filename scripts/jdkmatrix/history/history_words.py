# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is the history put into words? The same in the table and on the trend page."""

from collections.abc import Mapping, Sequence

from jdkmatrix.history.answer import (
    SLOWER_AS_EXPECTED,
    ChangePoint,
    GradeChange,
    HistoryAnswer,
    TrackAnswer,
)
from jdkmatrix.paths import test_name
from jdkmatrix.results.speed_words import METRIC_NAMES, number, ratio
from jdkmatrix.vocabulary import Grade, SpeedGrade

# One letter per run; somebody should look at the loud ones.
LETTERS: Mapping[str | None, str] = {
    None: " ",
    Grade.AS_EXPECTED: ".",
    SpeedGrade.NO_CHANGE: ".",
    SpeedGrade.WITHIN_LIMIT: ".",
    SLOWER_AS_EXPECTED: "x",
    Grade.RECORDED: "r",
    Grade.SKIPPED: "s",
    Grade.SILENCED: "m",
    Grade.INCONCLUSIVE: "?",
    Grade.REGRESSION: "R",
    Grade.UNEXPECTED_FIX: "U",
    Grade.FLAKY: "~",
    Grade.ERROR: "E",
    SpeedGrade.SLOWER: "S",
    SpeedGrade.FASTER: "F",
}
LEGEND = (
    ". as-expected, no-change or within-limit, R regression, U unexpected-fix, ~ flaky, E error, "
    "S slower, F faster, x slower-as-expected, ? inconclusive, s skipped, m silenced, r recorded, "
    "blank: not run"
)
_UNKNOWN = "!"  # a grade of a newer kit
# A step is found after four runs; somebody who looks once a week should still read of it.
_LATELY_RUNS = 10
_FIGURES = {
    "seconds": ("seconds", "s"),
    "blocked-ms": ("blocked time", "ms"),
    "requests-per-s-ratio": ("requests/s ratio", ""),
    "cpu-us-per-request-ratio": ("CPU time/request ratio", ""),
    **{str(metric): (name, "") for metric, name in METRIC_NAMES.items()},
}


def letters(grades: Sequence[str | None]) -> str:
    """`..R..`: one letter per run, oldest first."""
    return "".join(LETTERS.get(grade, _UNKNOWN) for grade in grades)


def counted(grades: Mapping[str, int]) -> str:
    """`30 as-expected, 2 regression`, in the order in which grades are declared."""
    order = [*Grade, *SpeedGrade]
    known = [grade for grade in dict.fromkeys(map(str, order)) if grades.get(grade)]
    rest = [grade for grade in grades if grade not in known]
    return ", ".join(f"{grades[grade]} {grade}" for grade in (*known, *rest))


def named(one: TrackAnswer | GradeChange | ChangePoint) -> str:
    """`debian-17, RequestsBlockedWhileConnectionCloses`."""
    entry = f"{one.entry} ({one.variant})" if one.variant else one.entry
    against = f" against {one.baseline}" if one.baseline else ""
    return f"{entry}, {subject_name(one.subject)}{against}"


def subject_name(subject: str) -> str:
    """A test without its folder; a scenario, its client and a metric in readable form."""
    if subject.endswith(".java"):
        return test_name(subject)
    names = {str(metric): name for metric, name in METRIC_NAMES.items()}
    return " ".join(names.get(word, word) for word in subject.split()) or "all tests"


def figure_name(figure: str) -> str:
    """A figure of the view `points` in readable form."""
    return _FIGURES.get(figure, (figure.replace("-", " "), ""))[0]


def changes_in_words(answer: HistoryAnswer) -> list[str]:
    """A line for each grade that changed, and for each new one that somebody should look at."""
    changed = [one for one in answer.changes if one.before is not None]
    fresh = [one for one in answer.changes if one.before is None and _is_loud_change(one)]
    return [change_words(one) for one in (*changed, *fresh)]


def change_words(one: GradeChange) -> str:
    """`debian-17, X: as-expected in A, now regression`."""
    if one.before is None:
        return f"{named(one)}: {one.after}, for the first time here"
    return f"{named(one)}: {one.before} in {one.last_run}, now {one.after}{_also(one.environment)}"


def change_point_words(one: ChangePoint) -> str:
    """`debian-17, X: seconds 31 s until A, 52 s since B (12 runs before, 8 since)`."""
    unit = _FIGURES.get(one.figure, ("", ""))[1]
    text_of = ratio if one.figure.endswith("-ratio") else number
    before, after = (f"{text_of(value)} {unit}".strip() for value in (one.before, one.after))
    runs = f"{one.runs_before} runs before, {one.runs_after} since"
    return (
        f"{named(one)}: {figure_name(one.figure)} {before} until {one.last_run}, {after} since "
        f"{one.run} ({runs}){_also(one.environment)}"
    )


def headline(answer: HistoryAnswer) -> str:
    """What changed in the latest run, in one sentence."""
    latest = answer.runs[-1].run
    changed = [one for one in answer.changes if one.before is not None]
    fresh = [change for change in answer.changes if change.before is None]
    steps = [one for one in answer.change_points if one.runs_after <= _LATELY_RUNS]
    parts = [f"{_count(len(changed), 'grade')} changed in {latest}"]
    if fresh:
        surprises = sum(map(_is_loud_change, fresh))
        loud = f", {surprises} of them not as expected" if surprises else ""
        parts.append(f"{len(fresh)} for the first time{loud}")
    if steps:
        parts.append(f"{_count(len(steps), 'figure')} stepped lately")
    return f"{'; '.join(parts)}."


def _count(number: int, noun: str) -> str:
    """`No grade`, `1 grade`, `2 grades`."""
    return f"{number or 'No'} {noun}{'' if number < 2 else 's'}"


def is_loud(grade: str, one: TrackAnswer | GradeChange) -> bool:
    """Whether a cell's grade makes a run exit with 1, a figure is slower, or the grade unknown."""
    return LETTERS.get(grade, _UNKNOWN) in ("S!" if one.baseline else "RU~E?!")


def _is_loud_change(one: GradeChange) -> bool:
    return is_loud(one.after, one)


def _also(environment: Sequence[str]) -> str:
    return f"; also different: {', '.join(environment)}" if environment else ""

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
from jdkmatrix.results.case import CaseStatus
from jdkmatrix.vocabulary import Grade, SpeedGrade
from jdkmatrix.words.speed import METRIC_NAMES, number, ratio

# One letter per run; somebody should look at the loud ones.
LETTERS: Mapping[str | None, str] = {
    None: " ",
    Grade.AS_EXPECTED: ".",
    CaseStatus.PASSED: ".",
    CaseStatus.FAILED: "R",
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
    Grade.BROKE: "B",
    SpeedGrade.SLOWER: "S",
    SpeedGrade.FASTER: "F",
}
LEGEND = (
    ". as-expected, no-change or within-limit, R regression, U unexpected-fix, ~ flaky, B broke, "
    "E error, S slower, F faster, x slower-as-expected, ? inconclusive, s skipped, m silenced, "
    "r recorded, blank: not run"
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


def format_counts(grades: Mapping[str, int]) -> str:
    """`30 as-expected, 2 regression`, in the order in which grades are declared."""
    order = [*Grade, *SpeedGrade]
    names = [grade for grade in dict.fromkeys(map(str, order)) if grades.get(grade)]
    rest = [grade for grade in grades if grade not in names]
    return ", ".join(f"{grades[grade]} {grade}" for grade in (*names, *rest))


def format_track(track: TrackAnswer | GradeChange | ChangePoint) -> str:
    """`debian-17, RequestsBlockedWhileConnectionCloses`."""
    entry = f"{track.entry} ({track.variant})" if track.variant else track.entry
    baseline = f" against {track.baseline}" if track.baseline else ""
    return f"{entry}, {subject_name(track.subject)}{baseline}"


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
    changes = [change for change in answer.changes if change.old_grade is not None]
    fresh = [
        change for change in answer.changes if change.old_grade is None and _is_loud_change(change)
    ]
    return [change_words(change) for change in (*changes, *fresh)]


def change_words(change: GradeChange) -> str:
    """`debian-17, X: as-expected in A, now regression`."""
    if change.old_grade is None:
        return f"{format_track(change)}: {change.new_grade}, for the first time here"
    grades = f"{change.old_grade} in {change.last_run}, now {change.new_grade}"
    return f"{format_track(change)}: {grades}{_suffix(change.environment)}"


def change_point_words(point: ChangePoint) -> str:
    """`debian-17, X: seconds 31 s until A, 52 s since B (12 runs before, 8 since)`."""
    unit = _FIGURES.get(point.figure, ("", ""))[1]
    text_of = ratio if point.figure.endswith("-ratio") else number
    old, new = (
        f"{text_of(figure)} {unit}".strip() for figure in (point.old_median, point.new_median)
    )
    runs = f"{point.runs_before} runs before, {point.runs_after} since"
    return (
        f"{format_track(point)}: {figure_name(point.figure)} {old} until {point.last_run}, "
        f"{new} since {point.run} ({runs}){_suffix(point.environment)}"
    )


def headline(answer: HistoryAnswer) -> str:
    """What changed in the latest run, in one sentence."""
    latest = answer.runs[-1].run
    changes = [change for change in answer.changes if change.old_grade is not None]
    fresh = [change for change in answer.changes if change.old_grade is None]
    steps = [point for point in answer.change_points if point.runs_after <= _LATELY_RUNS]
    parts = [f"{_count(len(changes), 'grade')} changed in {latest}"]
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


def is_loud(grade: str, track: TrackAnswer | GradeChange) -> bool:
    """Whether a cell's grade makes a run exit with 1, a figure is slower, or the grade unknown."""
    return LETTERS.get(grade, _UNKNOWN) in ("S!" if track.baseline else "RU~E?!")


def _is_loud_change(change: GradeChange) -> bool:
    return is_loud(change.new_grade, change)


def _suffix(environment: Sequence[str]) -> str:
    return f"; also different: {', '.join(environment)}" if environment else ""

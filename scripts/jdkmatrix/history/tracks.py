# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How did the grades of a build develop, run by run? Pure: graded rows in, tracks out."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

from jdkmatrix.history.answer import SLOWER_AS_EXPECTED, TrackAnswer
from jdkmatrix.results.case import CaseStatus
from jdkmatrix.vocabulary import Grade, SpeedGrade

# The gravest first: a line that stands for several rows shows the gravest of them.
GRAVEST: tuple[str, ...] = (
    Grade.REGRESSION,
    CaseStatus.FAILED,
    Grade.FLAKY,
    Grade.BROKE,
    SpeedGrade.SLOWER,
    Grade.ERROR,
    Grade.UNEXPECTED_FIX,
    SpeedGrade.FASTER,
    Grade.INCONCLUSIVE,
    Grade.SILENCED,
    Grade.AS_EXPECTED,
    CaseStatus.PASSED,
    SLOWER_AS_EXPECTED,
    SpeedGrade.WITHIN_LIMIT,
    SpeedGrade.NO_CHANGE,
    Grade.RECORDED,
    Grade.SKIPPED,
)


@dataclass(frozen=True)
class Track:
    """What is followed through the runs; see TrackAnswer."""

    entry: str
    variant: str
    subject: str
    baseline: str

    @property
    def fields(self) -> dict[str, str]:
        """The fields by name."""
        return asdict(self)


@dataclass(frozen=True)
class GradedRow:
    """One grade of one run: of a cell, or of a throughput figure (`speed`)."""

    run_id: int
    entry: str
    variant: str
    subject: str
    baseline: str
    build: str
    grade: str
    speed: bool

    @property
    def track(self) -> Track:
        """The track that it belongs to."""
        return Track(self.entry, self.variant, self.subject, self.baseline)


def tracks_of(
    rows: Iterable[GradedRow], runs: Sequence[int], *, narrow: bool
) -> tuple[TrackAnswer, ...]:
    """A track for each test or figure; unless `narrow`, one for all tests of an entry."""
    grades: dict[Track, dict[int, str]] = defaultdict(dict)
    builds: dict[Track, dict[int, str]] = defaultdict(dict)
    for row in rows:
        track = row.track
        if not narrow and not row.speed:
            track = replace(track, subject="")
        have = grades[track].get(row.run_id)
        grades[track][row.run_id] = row.grade if have is None else graver(have, row.grade)
        builds[track][row.run_id] = row.build
    return tuple(
        TrackAnswer(
            **track.fields,
            builds=tuple(dict.fromkeys(builds[track][run] for run in runs if run in by_run)),
            grades=tuple(by_run.get(run) for run in runs),
        )
        for track, by_run in grades.items()
    )


def graver(first: str, second: str) -> str:
    """The graver of two grades."""
    return min(first, second, key=_rank)


def _rank(grade: str) -> int:
    return GRAVEST.index(grade) if grade in GRAVEST else -1  # a grade of a newer kit

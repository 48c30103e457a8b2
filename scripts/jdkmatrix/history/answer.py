# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does `matrix history --json` print? The table and the trend page are made from it too.

Its JSON Schema is published beside this file as `history.schema.json`.
"""

from typing import Literal

from pydantic import Field

from jdkmatrix.results.published import PublishedDocument, PublishedPart

# The grade shown for a figure that is slower because of a known bug that the baseline lacks.
SLOWER_AS_EXPECTED = "slower-as-expected"


class RunAnswer(PublishedPart):
    """One run. `grades` counts its cells, `speed` its throughput figures, by grade.

    `finished` is None if it was interrupted; `verdict` is that of `matrix validate`. `environment`
    says what is different from the run before: kit or machine.
    """

    run: str
    started_at: str = Field(alias="started")
    finished_at: str | None = Field(alias="finished")
    verdict: str | None
    kit: str
    machine: str
    grades: dict[str, int]
    speed: dict[str, int]
    environment: tuple[str, ...] = ()


class TrackAnswer(PublishedPart):
    """What one entry of `jdks.yaml` was graded in each run, oldest first; None: not run there.

    `variant` is '' for the build as it was supplied, 'local', or an overlay's name. `subject` is a
    test, or a scenario, its client and a metric against `baseline`; '' stands for all tests of an
    entry, and then the grade is the gravest. `builds` are the ids that the entry stood for, newest
    last.
    """

    entry: str
    variant: str
    subject: str
    baseline: str
    builds: tuple[str, ...]
    grades: tuple[str | None, ...]


class GradeChange(PublishedPart):
    """A grade of the latest run that differs from the last one before; `before` is None if new.

    `environment` says what else is different between the two runs.
    """

    entry: str
    variant: str
    subject: str
    baseline: str
    build: str
    old_grade: str | None = Field(alias="before")
    last_run: str | None
    new_grade: str = Field(alias="after")
    run: str
    environment: tuple[str, ...]


class ChangePoint(PublishedPart):
    """Since `run` a figure's median is `after` instead of `before`; `last_run` is the one before.

    `figure` is a name of the view `points`, `environment` what else is different there.
    """

    entry: str
    variant: str
    subject: str
    baseline: str
    figure: str
    run: str
    started_at: str = Field(alias="started")
    last_run: str
    old_median: float = Field(alias="before")
    new_median: float = Field(alias="after")
    runs_before: int
    runs_after: int
    environment: tuple[str, ...]


class IdentityChange(PublishedPart):
    """An entry of `jdks.yaml` whose JDK differs from that of the last run that had it."""

    entry: str
    variant: str
    run: str
    difference: str


class HistoryAnswer(PublishedDocument):
    """What the history says of the latest runs, oldest first; `runs_stored` is how many there are.

    `changes` compares the latest run with what came before, `change_points` are those of the
    figures of these runs.
    """

    schema_: Literal[2] = Field(alias="schema")
    runs_stored: int
    runs: tuple[RunAnswer, ...]
    tracks: tuple[TrackAnswer, ...]
    changes: tuple[GradeChange, ...]
    change_points: tuple[ChangePoint, ...]
    identities: tuple[IdentityChange, ...]

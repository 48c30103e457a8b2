# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What the rows of `test/behave` showed on many builds, each text once: few rows differ."""

from collections.abc import Iterable

from pydantic import Field

from jdkmatrix.results.document import Results
from jdkmatrix.results.published import PublishedPart
from jdkmatrix.vocabulary import ObservationStatus


class ObservedRow(PublishedPart):
    """One row: its `attempts` are lists of (status, text), and `builds` has for each build the
    number of its list there.
    """

    is_gold: bool = Field(alias="gold")
    attempts: list[tuple[tuple[ObservationStatus, str], ...]] = Field(default_factory=list)
    builds: dict[str, int] = Field(default_factory=dict)


class ObservedBuilds(PublishedPart):
    """Builds by id, each with its version and `java.vendor`; `day` is that of the newest run."""

    day: str
    builds: dict[str, tuple[str, str]]
    rows: dict[str, ObservedRow]


def collect_observations(runs: Iterable[Results]) -> ObservedBuilds:
    """The rows of these runs. Of a build in several runs, the first counts for each row."""
    runs = sorted(runs, key=lambda results: results.started_at)
    builds: dict[str, tuple[str, str]] = {}
    rows: dict[str, ObservedRow] = {}
    for results in runs:
        for build in results.builds:
            builds.setdefault(build.id, (build.version, build.java_vendor))
        for cell in results.cells:
            for observation in cell.observations:
                row = rows.setdefault(observation.row, ObservedRow(gold=observation.is_gold))
                texts = (observation.text, *observation.further_texts)
                attempts = tuple((observation.status, text) for text in texts)
                if attempts not in row.attempts:
                    row.attempts.append(attempts)
                row.builds.setdefault(cell.build, row.attempts.index(attempts))
    builds_seen = {build for row in rows.values() for build in row.builds}
    return ObservedBuilds(
        day=max((results.started_at for results in runs), default="")[:10],
        builds={build: about for build, about in builds.items() if build in builds_seen},
        rows=dict(sorted(rows.items())),
    )

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do the cells of `test/behave` say of a build, and of two builds compared?"""

from collections.abc import Sequence

from jdkmatrix.config.behaviour import Behaviour
from jdkmatrix.results.document import ObservationResult, Results
from jdkmatrix.verdict.behaviour import (
    BehaviourDifference,
    Breach,
    ChangeRules,
    RowAttempts,
    Rows,
    Sight,
    breaches,
    difference,
)


def observations_of(results: Results, build: str) -> tuple[ObservationResult, ...]:
    """The rows of a build, those of each test in order."""
    return tuple(row for cell in results.cells if cell.build == build for row in cell.observations)


def rows_of_build(observations: Sequence[ObservationResult]) -> Rows:
    """Rows as they are compared, each with its attempts."""
    return {
        row.row: RowAttempts(
            tuple(Sight(row.status, text) for text in (row.text, *row.further_texts)), row.is_gold
        )
        for row in observations
    }


def compare_builds(
    results: Results, builds: tuple[str, str], rules: ChangeRules
) -> BehaviourDifference:
    """What changed from the one build to the other."""
    older, newer = (rows_of_build(observations_of(results, build)) for build in builds)
    by_id = {build.id: build for build in results.builds}
    pair = by_id[builds[0]].vendor_version, by_id[builds[1]].vendor_version
    return difference(older, newer, pair, rules)


def breaches_of(
    results: Results, build: str, behaviour: Behaviour, baseline: str | None = None
) -> tuple[Breach, ...]:
    """The absolute rules that a build breaks; with a baseline, those that it does not break."""
    rows = rows_of_build(observations_of(results, build))
    baseline_rows = rows_of_build(observations_of(results, baseline)) if baseline else None
    record = next(record for record in results.builds if record.id == build)
    return breaches(rows, record.jdk_version, behaviour, baseline_rows)

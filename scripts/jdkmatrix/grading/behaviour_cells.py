# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a cell of `test/behave` become a result? By its rows, each compared with the last
earlier build of the train.

All attempts together are one result: a row that differs from there is asked again on both builds,
and one that then differs from itself flickers.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.evidence.outcomes import OutcomeFileError
from jdkmatrix.evidence.rows import Observation, read_observations
from jdkmatrix.grading.cell_outcome import CellOutcome, find_breakage, has_broken
from jdkmatrix.grading.cell_results import cell_result
from jdkmatrix.records.record import BuildRecord, CellRecord
from jdkmatrix.records.store import OBSERVATIONS_FILE, RunFolder
from jdkmatrix.results.document import CellResult, ObservationResult
from jdkmatrix.verdict.behaviour import (
    BehaviourDifference,
    Breach,
    ChangeRules,
    RowAttempts,
    Rows,
    Sight,
    breaches,
    changed_rows,
    difference,
    flickers,
)
from jdkmatrix.vocabulary import Grade, Outcome
from jdkmatrix.words.behaviour import cell_sentence, change_text

# Their ids are one argument of a JVM, which Linux limits to 128 KiB.
_MOST_ASKED_AGAIN = 1_500


@dataclass(frozen=True)
class BuildBehaviour:
    """What the rows of a test showed on one build, in each of its attempts."""

    build: BuildRecord
    observations: Mapping[str, tuple[Observation, ...]]

    @cached_property
    def rows(self) -> Rows:
        """As they are compared."""
        return {
            row: RowAttempts(
                tuple(Sight(attempt.status, attempt.text) for attempt in attempts),
                attempts[0].gold,
            )
            for row, attempts in self.observations.items()
        }


def has_observations(attempts: Iterable[CellRecord]) -> bool:
    """Whether it is a cell of `test/behave`, and an attempt reached its first row."""
    return any(OBSERVATIONS_FILE in attempt.artifacts for attempt in attempts)


def behaviour_of(
    attempts: Sequence[CellRecord], folder: RunFolder, build: BuildRecord
) -> BuildBehaviour:
    """What the complete attempts at a cell showed; no row if none is complete."""
    observations: dict[str, tuple[Observation, ...]] = {}
    for attempt in attempts:
        with suppress(OutcomeFileError):
            for row in read_observations(folder.home_of(attempt)):
                observations[row.row] = (*observations.get(row.row, ()), row)
    return BuildBehaviour(build, observations)


def rows_to_ask_again(
    older: BuildBehaviour, newer: BuildBehaviour, rulebook: Rulebook
) -> tuple[str, ...]:
    """The rows that differ, and so are asked again on both builds."""
    return changed_rows(older.rows, newer.rows, rulebook.behaviour.masks)[:_MOST_ASKED_AGAIN]


@dataclass(frozen=True)
class BehaviourGrader:
    """Grades a cell on `build` by all of its attempts; `earlier` is what it is compared with."""

    folder: RunFolder
    build: BuildRecord
    earlier: BuildBehaviour | None
    rulebook: Rulebook

    def grade(self, attempts: Sequence[CellRecord]) -> CellResult:
        """The result of the cell."""
        first, folder, build, earlier = attempts[0], self.folder, self.build, self.earlier
        try:
            read_observations(folder.home_of(first))
            error = find_breakage(first)
        except OutcomeFileError as unreadable:
            error = find_breakage(first) or f"{unreadable}; its status: {first.status_text}"
        if error is not None:
            grade = Grade.BROKE if has_broken(first, ()) else Grade.ERROR
            return cell_result(first, folder, build, CellOutcome(Outcome.ERROR, error), grade)
        behaviour = behaviour_of(attempts, folder, build)
        delta = self._difference_to(behaviour)
        broken_rules = breaches(behaviour.rows, build.jdk_version, self.rulebook.behaviour)
        rows = tuple(self._rows(behaviour, delta, broken_rules))
        surprises = [row for row in rows if row.grade.is_surprise]
        if surprises:
            outcome, grade = Outcome.REPRODUCED, Grade.REGRESSION
        elif rows:
            outcome, grade = Outcome.NOT_REPRODUCED, Grade.AS_EXPECTED
        else:
            outcome, grade = Outcome.NOT_APPLICABLE, Grade.SKIPPED
        earlier_id = earlier.build.id if earlier else None
        sentence = cell_sentence(len(rows), delta, broken_rules, earlier_id)
        extra_builds = [earlier.build] if earlier and surprises else []
        cell_outcome = CellOutcome(outcome, sentence)
        graded_cell = cell_result(
            first, folder, build, cell_outcome, grade, extra_builds=extra_builds
        )
        return graded_cell.model_copy(update={"observations": rows})

    def _difference_to(self, newer: BuildBehaviour) -> BehaviourDifference | None:
        if self.earlier is None:
            return None
        builds = self.earlier.build.vendor_version, newer.build.vendor_version
        rules = ChangeRules(self.rulebook.behaviour, self.rulebook.known_changes)
        return difference(self.earlier.rows, newer.rows, builds, rules)

    def _rows(
        self,
        behaviour: BuildBehaviour,
        delta: BehaviourDifference | None,
        broken_rules: Sequence[Breach],
    ) -> Iterable[ObservationResult]:
        cluster_of = {
            row: cluster for cluster in (delta.clusters if delta else ()) for row in cluster.rows
        }
        breach_of = {row: breach for breach in reversed(broken_rules) for row in breach.rows}
        for row, attempts in behaviour.observations.items():
            first, cluster, breach = attempts[0], cluster_of.get(row), breach_of.get(row)
            is_odd = bool(cluster and first.gold and not cluster.name) or bool(
                breach and not breach.name
            )
            earlier = self.earlier if cluster else None
            yield ObservationResult(
                row=row,
                does=first.does,
                gold=first.gold,
                status=first.status,
                text=first.text,
                further_texts=self._further_texts(row, behaviour.rows[row]),
                notes=tuple(dict.fromkeys(note for attempt in attempts for note in attempt.notes)),
                ms=first.ms,
                grade=_grade(is_odd=is_odd, is_changed=cluster is not None),
                change=change_text(earlier.observations[row][0].text, first.text)
                if earlier
                else None,
                known=cluster.name if cluster else None,
                before=earlier.build.id if earlier else None,
                rule=breach.rule if breach else None,
                rule_known=breach.name if breach else None,
            )

    def _further_texts(self, row: str, attempts: RowAttempts) -> tuple[str, ...]:
        """The other texts of a row that flickers."""
        if not flickers(row, attempts, self.rulebook.behaviour.masks):
            return ()
        return tuple(sight.text for sight in attempts.attempts[1:])


def _grade(*, is_odd: bool, is_changed: bool) -> Grade:
    if is_odd:
        return Grade.REGRESSION
    return Grade.RECORDED if is_changed else Grade.AS_EXPECTED

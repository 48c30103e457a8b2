# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a validation say of what its build does, against its baseline?

Bad: a change of a gold row that nothing explains and nobody has accepted, and an absolute rule that
the build breaks and its baseline does not, known or not.
"""

from collections.abc import Sequence
from dataclasses import replace

from jdkmatrix.config.accepted_changes import AcceptedChange
from jdkmatrix.grading.compared_behaviour import breaches_of, compare_builds
from jdkmatrix.results.document import Results
from jdkmatrix.results.speed import TopicResult
from jdkmatrix.verdict.behaviour import BehaviourDifference, Breach, ChangeRules
from jdkmatrix.vocabulary import Grade, Verdict
from jdkmatrix.words.behaviour import NO_ROW_COMPARED, TOPIC, topic_sentence

BehaviourJudgement = tuple[BehaviourDifference, tuple[Breach, ...]]


def behaviour_delta(
    results: Results, builds: tuple[str, str | None], rules: ChangeRules
) -> BehaviourJudgement | None:
    """What changed from the baseline to the build, and which rules the build alone breaks; None
    without a baseline or rows of both.
    """
    candidate, baseline = builds
    rows_there = {cell.build for cell in results.cells if cell.observations}
    if baseline is None or not {candidate, baseline} <= rows_there:
        return None
    delta = compare_builds(results, (baseline, candidate), rules)
    new_breaches = (
        _without_accepted(breach, rules.accepted_changes)
        for breach in breaches_of(results, candidate, rules.behaviour, baseline)
    )
    return delta, tuple(breach for breach in new_breaches if breach.rows)


def on_behaviour(
    results: Results, candidate: str, judgement: BehaviourJudgement | None
) -> TopicResult:
    """The topic, of a run with cells of `test/behave`."""
    broken_cells = [
        cell
        for cell in results.cells
        if cell.is_of_behaviour and cell.grade in (Grade.ERROR, Grade.BROKE)
    ]
    reasons = [f"{cell.test} on {cell.build}: {cell.reason.rstrip('.')}" for cell in broken_cells]
    is_undecided = bool(broken_cells) or judgement is None or not judgement[0].compared_count
    verdict = Verdict.UNDECIDED if is_undecided else Verdict.GOOD
    if any(cell.grade is Grade.BROKE and cell.build == candidate for cell in broken_cells):
        verdict = Verdict.BAD
    if judgement is None:
        reasons = reasons or [NO_ROW_COMPARED]
    else:
        delta, new_breaches = judgement
        if new_breaches or any(cluster.is_bad for cluster in delta.clusters):
            verdict = Verdict.BAD
        reasons.append(topic_sentence(delta, new_breaches))
    return TopicResult(topic=TOPIC, verdict=verdict, sentence="; ".join(reasons))


def _without_accepted(breach: Breach, accepted_changes: Sequence[AcceptedChange]) -> Breach:
    rows = tuple(
        row
        for row in breach.rows
        if not any(acceptance.has_row(row) for acceptance in accepted_changes)
    )
    return replace(breach, rows=rows)

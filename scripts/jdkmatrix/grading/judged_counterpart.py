# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Do the explanations of a build's changes hold against another vendor's build of its version?

What a bug changed between the baseline and the build came with the version, so a counterpart has
it, too. Where the counterpart still is as the baseline, the bug does not explain the change. Roots
are not asked: each vendor chooses its own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from jdkmatrix.config.known_changes import DefaultChange
from jdkmatrix.grading.compared_behaviour import compare_builds, observations_of
from jdkmatrix.results.document import Results
from jdkmatrix.results.speed import TopicResult
from jdkmatrix.verdict.behaviour import BehaviourDifference, ChangeRules, Cluster
from jdkmatrix.verdict.defaults_difference import DefaultsDifference, difference
from jdkmatrix.vocabulary import Verdict
from jdkmatrix.words import validation as words

_CHOSEN_BY_VENDORS = "root"


def on_counterpart(
    results: Results,
    builds: tuple[str, str | None, str | None],
    deltas: tuple[BehaviourDifference | None, DefaultsDifference | None],
    rules: ChangeRules,
) -> Iterator[TopicResult]:
    """The topic; nothing without a counterpart that answered. `builds` are the candidate, its
    baseline and its counterpart; `deltas` are against the baseline.
    """
    candidate, baseline, counterpart = builds
    if baseline is None or counterpart is None:
        return
    older_builds = baseline, counterpart
    unaccepted_rules = replace(rules, accepted_changes=())
    changes, contradictions = [], []
    observed_builds = {cell.build for cell in results.cells if cell.observations}
    if {candidate, counterpart} <= observed_builds:
        rows = compare_builds(results, (counterpart, candidate), unaccepted_rules)
        changes.append(words.behaviour_headline(rows))
        contradictions += [
            words.contradicted_rows(cluster.name, missing_rows)
            for cluster in (deltas[0].clusters if deltas[0] else ())
            if cluster.name
            and (missing_rows := _contradicted_rows(cluster, rows, results, older_builds))
        ]
    defaults = {build.id: build.defaults for build in results.builds}
    older, newer = defaults.get(counterpart), defaults.get(candidate)
    if older and newer:
        delta = difference(older, newer, rules.known_changes)
        changes.append(words.defaults_headline(delta))
        contradictions += [
            words.contradicted_default(explanation.bug, change)
            for explanation in (deltas[1].explained if deltas[1] else ())
            if explanation.bug
            for change in _contradicted_defaults(explanation.changes, delta)
        ]
    if changes:
        yield TopicResult(
            topic=words.EXPLANATIONS,
            verdict=Verdict.BAD if contradictions else Verdict.GOOD,
            sentence=words.topic_sentence(counterpart, contradictions, changes),
        )


def _contradicted_rows(
    cluster: Cluster, delta: BehaviourDifference, results: Results, older_builds: Sequence[str]
) -> tuple[str, ...]:
    """The rows of a change by a bug in which the counterpart shows what the baseline does."""
    if not (cluster.is_of_bug and cluster.has_gold):
        return ()
    texts = [
        {row.row: row.text for row in observations_of(results, build)} for build in older_builds
    ]
    return tuple(
        row
        for row in cluster.rows
        if row in delta.changed_rows and len({of_build.get(row) for of_build in texts}) == 1
    )


def _contradicted_defaults(
    changes: Sequence[DefaultChange], delta: DefaultsDifference
) -> Iterator[DefaultChange]:
    """The changes that the build shows against its counterpart, too, with the same values."""
    against_counterpart = {
        *delta.unexplained,
        *(change for explanation in delta.explained for change in explanation.changes),
    }
    for change in changes:
        if change.aspect != _CHOSEN_BY_VENDORS and change in against_counterpart:
            yield change

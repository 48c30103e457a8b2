# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is the verdict of `matrix validate` on its build?"""

from collections.abc import Iterator, Sequence

from jdkmatrix.config import version
from jdkmatrix.grading.judged_behaviour import BehaviourJudgement, behaviour_delta, on_behaviour
from jdkmatrix.grading.judged_counterpart import on_counterpart
from jdkmatrix.grading.judged_speed import on_speed
from jdkmatrix.grading.row_cells import flaky_rows, was_tried
from jdkmatrix.records.comparison_record import ThroughputRecord
from jdkmatrix.results.document import BuildFaultKind, CellResult, Results
from jdkmatrix.results.speed import (
    TopicResult,
    ValidationResult,
)
from jdkmatrix.supply.runtime_facts import Defaults
from jdkmatrix.verdict.behaviour import ChangeRules
from jdkmatrix.verdict.defaults_difference import DefaultsDifference, difference
from jdkmatrix.verdict.flakiness import FlakyRow, is_of_build
from jdkmatrix.verdict.validation import (
    gravest,
    of_cells,
)
from jdkmatrix.vocabulary import MACHINE_LACKS, Expectation, Grade, Verdict
from jdkmatrix.words import validation as words
from jdkmatrix.words.defaults import difference_sentence

_NO_CHANGES = ChangeRules()


def validation_of(
    results: Results,
    plan: ThroughputRecord,
    rules: ChangeRules = _NO_CHANGES,
    minutes: int | None = None,
    counterpart: str | None = None,
) -> ValidationResult:
    """Judge a run's results. `plan` is a validation's, `minutes` how long it was to take.

    `counterpart` is another vendor's build of the same version.
    """
    assert plan.validates
    candidate, baseline = plan.validates
    of_build = [cell for cell in results.cells if cell.build == candidate]
    lacking = [cell for cell in of_build if cell.reason.startswith(MACHINE_LACKS)]
    run_cells = [cell for cell in of_build if cell not in lacking]
    defaults = _defaults_of(results, candidate, baseline)
    delta = difference(*defaults, rules.known_changes) if defaults else None
    of_rows = [cell for cell in run_cells if cell.rows]
    of_bugs = [cell for cell in run_cells if not (cell.rows or cell.is_of_behaviour)]
    judgement = behaviour_delta(results, (candidate, baseline), rules)
    topics = [
        *_on_builds(results, candidate, baseline),
        *_on_lacking(lacking),
        _on_bugs(of_bugs, results),
        *_on_rows(of_rows, results, baseline),
        *_on_behaviour(run_cells, results, baseline, judgement),
        *_on_defaults(delta, defaults),
        *on_counterpart(
            results,
            (candidate, baseline, counterpart),
            (judgement[0] if judgement else None, delta),
            rules,
        ),
        *on_speed(results, plan, baseline),
    ]
    verdict = gravest(topic.verdict for topic in topics)
    left_out = [*plan.left_out, *_on_vendors(results, candidate, baseline)]
    if baseline:  # without one the plan says so
        left_out += words.defaults_left_out(delta)
    return ValidationResult(
        build=candidate,
        baseline=baseline,
        counterpart=counterpart,
        verdict=verdict,
        reason=words.verdict_reason(topics, verdict, baseline),
        topics=tuple(topics),
        defaults=delta,
        behaviour=judgement[0] if judgement else None,
        new_breaches=judgement[1] if judgement else (),
        not_looked_at=tuple(left_out),
        rerun=_rerun(results, candidate, baseline, minutes),
    )


def _on_builds(results: Results, candidate: str, baseline: str | None) -> Iterator[TopicResult]:
    """What is wrong with the build itself, its baseline or the run.

    Yields nothing if all are sound.
    """
    faults = [fault for fault in results.build_faults if fault.build in (candidate, baseline)]
    broken_builds = {fault.build for fault in faults if fault.kind is BuildFaultKind.BROKEN_PROMISE}
    if candidate in broken_builds:
        verdict = Verdict.BAD
    elif faults or not results.complete:
        verdict = Verdict.UNDECIDED
    else:
        return
    sentence = words.on_builds(faults, baseline, is_complete=results.complete)
    yield TopicResult(topic="build", verdict=verdict, sentence=sentence)


def _on_lacking(cells: Sequence[CellResult]) -> Iterator[TopicResult]:
    """Tests not run as the machine lacks what they need: no build is good without them."""
    if cells:
        sentence = words.on_lacking(cells)
        yield TopicResult(topic="machine", verdict=Verdict.UNDECIDED, sentence=sentence)


def _on_bugs(cells: Sequence[CellResult], results: Results) -> TopicResult:
    flagged_cells = [cell for cell in cells if cell.flags]
    # A build where a symptom came and went is not good; if the bug is expected, it is no worse.
    wavering = [
        cell
        for cell in cells
        if cell.grade is Grade.FLAKY and cell.expectation is not Expectation.AFFECTED
    ]
    return TopicResult(
        topic="bugs",
        verdict=of_cells([cell.grade for cell in cells], len(flagged_cells) + len(wavering)),
        sentence=words.on_bugs(
            cells,
            {bug.id: bug.title for bug in results.bugs},
            _list_unknown_fixes(cells, results),
        ),
    )


def _list_unknown_fixes(cells: Sequence[CellResult], results: Results) -> dict[str, str | None]:
    """The bugs of which the version of a build does not tell whether it has them, with the tags of
    its train between which the fix lies.
    """
    versions = {build.id: build.jdk_version for build in results.builds}
    fixes = {
        (bug.id, version.parse(tag.rpartition("..")[2]).train): tag
        for bug in results.bugs
        for tag in bug.fixed_tags
    }
    return {
        cell.bug: fixes.get((cell.bug, versions[cell.build].train))
        for cell in cells
        if cell.bug and cell.expectation is Expectation.UNKNOWN and cell.build in versions
    }


def _on_rows(
    cells: Sequence[CellResult], results: Results, baseline: str | None
) -> Iterator[TopicResult]:
    """Which peers the build still talks to. Rows are judgement against the baseline's, which must
    exist; without a baseline, only rows that must be refused are judgement.
    """
    grades = [cell.grade for cell in cells]
    reasons = [cell.reason.rstrip(".") for cell in cells]
    objections = 0
    for cell in cells:
        baseline_cell = results.cell(baseline, cell.test) if baseline else None
        if baseline_cell:
            flaws = _compare_flaky_rows(cell, baseline_cell)
            objections += is_of_build(list(flaws.values()))
            reasons += words.flaky_rows(flaws, baseline_cell.build)
        tried_rows = _list_tried(cell)
        if not tried_rows or any(
            of_build in results.not_asked for of_build in (cell, baseline_cell)
        ):
            grades.append(Grade.ERROR)
        elif baseline and tried_rows.isdisjoint(_list_tried(baseline_cell)):
            grades.append(Grade.ERROR)
            reasons.append(words.no_rows(baseline, baseline_cell))
        elif all(row.grade in (Grade.RECORDED, Grade.SKIPPED) for row in cell.rows):
            grades.append(Grade.INCONCLUSIVE)
            reasons.append(words.NO_ROW_WORKS)
    if baseline is None:
        reasons.append(words.REFUSED_ALONE)
    if cells:
        verdict = of_cells(grades, objections)
        yield TopicResult(topic=words.ROWS, verdict=verdict, sentence="; ".join(reasons))


def _compare_flaky_rows(cell: CellResult, baseline_cell: CellResult) -> dict[str, FlakyRow]:
    """The flaky rows, with how often they fail on the build and on the baseline."""
    baseline_rows = {row.row: row for row in baseline_cell.rows}
    return {
        row.row: FlakyRow(
            row.failed_count,
            len(row.statuses),
            baseline_rows[row.row].failed_count,
            len(baseline_rows[row.row].statuses),
        )
        for row in flaky_rows(cell)
        if row.row in baseline_rows
    }


def _list_tried(cell: CellResult | None) -> set[str]:
    return {row.row for row in cell.rows if was_tried(row)} if cell else set()


def _on_behaviour(
    cells: Sequence[CellResult],
    results: Results,
    baseline: str | None,
    judgement: BehaviourJudgement | None,
) -> Iterator[TopicResult]:
    """What the build does, against its baseline; nothing is judgement without one."""
    if baseline and (of_behaviour := [cell for cell in cells if cell.is_of_behaviour]):
        yield on_behaviour(results, of_behaviour[0].build, judgement)


def _on_defaults(
    delta: DefaultsDifference | None, defaults: tuple[Defaults, Defaults] | None
) -> Iterator[TopicResult]:
    if delta is not None and defaults is not None:
        aspects = {aspect for jdk_defaults in defaults for aspect in jdk_defaults.aspects}
        verdict = Verdict.BAD if delta.surprises else Verdict.GOOD
        sentence = difference_sentence(delta)
        if aspects <= delta.not_compared.keys():
            verdict, sentence = Verdict.UNDECIDED, words.NO_DEFAULT_COMPARED
        yield TopicResult(topic="defaults", verdict=verdict, sentence=sentence)


def _defaults_of(
    results: Results, candidate: str, baseline: str | None
) -> tuple[Defaults, Defaults] | None:
    """Those of the baseline and of the build; None if one of the two could not be asked."""
    defaults: dict[str | None, Defaults | None] = {
        build.id: build.defaults for build in results.builds
    }
    older, newer = defaults.get(baseline), defaults.get(candidate)
    return (older, newer) if older and newer else None


def _on_vendors(results: Results, candidate: str, baseline: str | None) -> Iterator[str]:
    vendors = {build.id: build.vendor for build in results.builds}
    new, old = vendors.get(candidate), vendors.get(baseline) if baseline else None
    if baseline and new != old:
        yield words.another_vendor(baseline, old, new)


def _rerun(results: Results, candidate: str, baseline: str | None, minutes: int | None) -> str:
    builds = {build.id: build for build in results.builds}
    names = [candidate, *([baseline] if baseline else [])]
    if not all(name in builds for name in names):
        return ""
    arguments = [builds[name].spec for name in names]
    lasts = f" --minutes {minutes}" if minutes else ""
    return f"scripts/matrix validate {' --baseline '.join(arguments)}{lasts}"

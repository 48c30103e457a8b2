# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is the verdict on the build of a `matrix validate`, and how many blocks does it take?"""

import math
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from jdkmatrix.config.known_changes import KnownChange
from jdkmatrix.grading.graded_comparisons import figure_of, triples_of
from jdkmatrix.paths import test_name
from jdkmatrix.plan.planned_comparisons import block_s
from jdkmatrix.records.comparison_record import ComparisonRecord, ThroughputRecord
from jdkmatrix.records.sample_record import BlockRecord
from jdkmatrix.results.defaults_words import difference_sentence
from jdkmatrix.results.document import BuildFaultKind, CellResult, Results
from jdkmatrix.results.run_words import counts
from jdkmatrix.results.speed import (
    FigureResult,
    ThroughputResult,
    TopicResult,
    ValidationResult,
)
from jdkmatrix.results.speed_words import METRIC_NAMES
from jdkmatrix.run.samples.blocks_in_turn import is_hopeless
from jdkmatrix.supply.defaults import Defaults
from jdkmatrix.verdict.defaults_difference import Difference, difference
from jdkmatrix.verdict.ratio import LEAST_BLOCKS, MINIMUM_EFFECT
from jdkmatrix.verdict.validation import (
    MOST_BLOCKS,
    MOST_LOSS,
    Speed,
    blocks_to_confirm,
    blocks_to_decide,
    gravest,
    is_decided,
    loss_of,
    of_cells,
    of_speeds,
)
from jdkmatrix.vocabulary import Expectation, Grade, Metric, SpeedGrade, Verdict

# Of the figures; the page has all.
_MOST_NAMED = 3


def validation_of(
    results: Results,
    plan: ThroughputRecord,
    known: Sequence[KnownChange] = (),
    minutes: int | None = None,
) -> ValidationResult:
    """Judge a run's results. `plan` is that of a validation, `minutes` how long it was to take."""
    assert plan.validates
    judged, baseline = plan.validates
    own = [cell for cell in results.cells if cell.build == judged]
    asked = list(_asked(results, plan))
    changed = _defaults_changed(results, judged, baseline, known)
    topics = [
        *_on_build(results, judged),
        _on_bugs([cell for cell in own if not cell.rows]),
        *_on_rows([cell for cell in own if cell.rows], results, baseline),
        *_on_defaults(changed),
        *_on_speed(results, asked, baseline),
    ]
    verdict = gravest(one.verdict for one in topics)
    decisive = [f"{one.topic}: {one.sentence}" for one in topics if one.verdict is verdict]
    if verdict is Verdict.GOOD:
        decisive = [f"nothing speaks against it in {', '.join(one.topic for one in topics)}"]
    left_out = [*plan.left_out, *_on_vendors(results, judged, baseline)]
    if baseline is None:
        pass  # the plan has said so
    elif changed is None:
        left_out.append("defaults: one of the two builds could not be asked")
    else:
        left_out += [f"defaults, {aspect}: {why}" for aspect, why in changed.not_compared.items()]
    return ValidationResult(
        build=judged,
        baseline=baseline,
        verdict=verdict,
        reason=f"{'; '.join(decisive)}.",
        topics=tuple(topics),
        defaults=changed,
        not_looked_at=tuple(left_out),
        rerun=_rerun(results, judged, baseline, minutes),
    )


def _on_build(results: Results, judged: str) -> Iterator[TopicResult]:
    """What is wrong with the build itself, or with the run; nothing where nothing is."""
    faults = [one for one in results.build_faults if one.build == judged]
    if any(one.kind is BuildFaultKind.BROKEN_PROMISE for one in faults):
        verdict = Verdict.BAD
    elif faults or not results.complete:
        verdict = Verdict.UNDECIDED
    else:
        return
    said = [one.sentence.rstrip(".") for one in faults]
    if not results.complete:
        said.append("the run was interrupted")
    yield TopicResult(topic="build", verdict=verdict, sentence="; ".join(said))


def _on_bugs(cells: Sequence[CellResult]) -> TopicResult:
    flagged = [cell for cell in cells if cell.flags]
    # A symptom that came and went is no good build; where the bug is expected, it is no worse one.
    wavering = [
        cell
        for cell in cells
        if cell.grade is Grade.FLAKY and cell.expectation is not Expectation.AFFECTED
    ]
    bad = [cell for cell in cells if cell.grade.is_surprise]
    said = [f"{cell.grade}: {test_name(cell.test)}: {cell.reason.rstrip('.')}" for cell in bad]
    said.append(counts(cells) or "no reproducer was run")
    if flagged:
        said.append(f"{len(flagged)} flagged by their recordings")
    return TopicResult(
        topic="bugs",
        verdict=of_cells([cell.grade for cell in cells], len(flagged) + len(wavering)),
        sentence="; ".join(said),
    )


def _on_rows(
    cells: Sequence[CellResult], results: Results, baseline: str | None
) -> Iterator[TopicResult]:
    """Whom it still talks to. Rows are judged by the baseline's, so those must be there."""
    grades = [cell.grade for cell in cells]
    said = [cell.reason.rstrip(".") for cell in cells]
    for cell in cells:
        beside = results.cell(baseline, cell.test) if baseline else None
        if baseline and (beside is None or not beside.rows):
            grades.append(Grade.ERROR)
            said.append(f"{baseline} has no rows: {beside.reason if beside else 'not run'}")
    if cells:
        yield TopicResult(
            topic="interoperability", verdict=of_cells(grades, 0), sentence="; ".join(said)
        )


def _on_defaults(changed: Difference | None) -> Iterator[TopicResult]:
    if changed is not None:
        verdict = Verdict.BAD if changed.surprises else Verdict.GOOD
        yield TopicResult(topic="defaults", verdict=verdict, sentence=difference_sentence(changed))


def _defaults_changed(
    results: Results, judged: str, baseline: str | None, known: Sequence[KnownChange]
) -> Difference | None:
    defaults: dict[str | None, Defaults | None] = {one.id: one.defaults for one in results.builds}
    older, newer = defaults.get(baseline), defaults.get(judged)
    return difference(older, newer, known) if older and newer else None


def _on_vendors(results: Results, judged: str, baseline: str | None) -> Iterator[str]:
    vendors = {build.id: build.vendor for build in results.builds}
    new, old = vendors.get(judged), vendors.get(baseline) if baseline else None
    if baseline and new != old:
        yield f"the update alone: {baseline} is of another vendor ({old}, not {new})"


def _rerun(results: Results, judged: str, baseline: str | None, minutes: int | None) -> str:
    builds = {build.id: build for build in results.builds}
    wanted = [judged, *([baseline] if baseline else [])]
    if not all(name in builds for name in wanted):
        return ""
    named = [
        shlex.quote(one.home) if one.source == "local" else one.entry
        for one in (builds[name] for name in wanted)
    ]
    lasts = f" --minutes {minutes}" if minutes else ""
    return f"scripts/matrix validate {' --baseline '.join(named)}{lasts}"


def most_loss(comparison: ComparisonRecord, metric: Metric) -> float | None:
    """What a validation asks of a figure to exclude; None if nothing."""
    if comparison.most_loss is None:
        return MOST_LOSS
    return comparison.most_loss if metric is comparison.scenario.headline else None


def blocks_of_figure(figure: FigureResult, blocks: int, asked: float | None) -> int | None:
    """How many blocks in all decide a figure: these `blocks`, or more; None if no number would."""
    better = figure.higher_is_better
    return blocks_to_decide(
        figure.grade, figure.ci95, blocks, higher_is_better=better, most_loss=asked
    )


def blocks_wanted(
    comparison: ComparisonRecord, blocks: Sequence[BlockRecord], minimum_effect: float
) -> tuple[int, int | None]:
    """How many blocks do its slow-downs need to be believed, and all that is asked, to be decided?

    Both as many as there are, if nothing is open; None if no number would do. A build that was left
    out is not waited for.
    """
    believed = len(blocks)
    decided: list[int | None] = [believed]
    for build in comparison.builds:
        if build == comparison.baseline or is_hopeless(blocks, build):
            continue
        for metric in comparison.scenario.metrics:
            counted = len(triples_of(blocks, build, metric))
            figure = figure_of(metric, blocks, build, minimum_effect)
            loss = loss_of(figure.ci95, higher_is_better=figure.higher_is_better)
            void = len(blocks) - counted
            believed = max(believed, void + blocks_to_confirm(figure.grade, loss, counted))
            wanted = blocks_of_figure(figure, counted, most_loss(comparison, metric))
            decided.append(None if wanted is None else void + wanted)
    known = [number for number in decided if number is not None]
    return believed, max(believed, *known) if len(known) == len(decided) else None


@dataclass(frozen=True)
class _Asked:
    """A figure, and what is asked of it."""

    comparison: ComparisonRecord
    result: ThroughputResult
    figure: FigureResult
    speed: Speed

    @property
    def name(self) -> str:
        """`requests/s in reuse with java-net-http`."""
        place = f"{self.result.scenario} with {self.result.client}"
        return f"{METRIC_NAMES[self.figure.metric]} in {place}"

    @property
    def worst(self) -> float:
        """The most that is lost by its interval; above any other if it has none."""
        return max(0.0, self.speed.loss[1]) if self.speed.loss else math.inf


def _asked(results: Results, plan: ThroughputRecord) -> Iterator[_Asked]:
    planned = {(one.scenario_name, one.client): one for one in plan.comparisons}
    for one in results.throughput:
        comparison = planned[one.scenario, one.client]
        for figure in one.figures:
            loss = loss_of(figure.ci95, higher_is_better=figure.higher_is_better)
            speed = Speed(
                figure.grade, one.may_be_slower, loss, most_loss(comparison, figure.metric)
            )
            yield _Asked(comparison, one, figure, speed)


def _on_speed(results: Results, asked: list[_Asked], baseline: str | None) -> Iterator[TopicResult]:
    if baseline:
        said = [*_speed_words(results, asked, baseline), *_on_time(results, asked)]
        verdict = of_speeds([one.speed for one in asked])
        yield TopicResult(topic="speed", verdict=verdict, sentence="; ".join(said))


def _speed_words(results: Results, asked: list[_Asked], baseline: str) -> Iterator[str]:
    slower = [f"{one.scenario} with {one.client} ({one.reason})" for one in results.slowdowns]
    if slower:
        yield f"slower than {baseline}: {' '.join(slower)}"
    for cell in results.throughput:
        if cell.grade is SpeedGrade.SLOWER and not cell.is_surprise:
            why = " or ".join(cell.bugs)
            yield f"{cell.scenario} with {cell.client} is slower, as {why} explains"
    said = [
        one
        for one in asked
        if one.speed.most_loss is not None and one.speed.grade is not SpeedGrade.SLOWER
    ]
    known = sorted((one for one in said if one.speed.loss), key=lambda one: -one.worst)
    if known:
        bounds = [f"{one.worst:.0%} {one.name}{_own_bound(one)}" for one in known[:_MOST_NAMED]]
        if others := known[_MOST_NAMED:]:
            bounds.append(f"{others[0].worst:.0%} or less {len(others)} others")
        text = ", ".join(bounds)
        yield f"at 95 % no figure is worse than {baseline}'s by more than, worst first: {text}"
    for one in known:
        assert one.speed.loss
        least = one.speed.loss[0]
        if least > MINIMUM_EFFECT:
            yield f"{one.name} is worse by {least:.0%} or more, and the A/A interval as wide"
    missing = len(said) - len(known)
    if missing or not asked:
        yield f"{missing} of {len(asked)} figures could not be compared"


def _own_bound(one: _Asked) -> str:
    bound = one.speed.most_loss
    return "" if bound == MOST_LOSS else f" (where {bound:.0%} must be excluded)"


def _on_time(results: Results, asked: list[_Asked]) -> Iterator[str]:
    """What is open, and how long it would take to decide it."""
    wanted: dict[str, list[int | None]] = {}
    for one in asked:
        speed = one.speed
        if not (speed.expected or is_decided(speed.grade, speed.loss, speed.most_loss)):
            blocks = blocks_of_figure(one.figure, one.result.blocks, speed.most_loss)
            wanted.setdefault(one.comparison.name, []).append(blocks)
    more_s = 0.0
    for one in {one.comparison.name: one for one in asked}.values():
        known = [number for number in wanted.get(one.comparison.name, ()) if number is not None]
        place, done = f"{one.result.scenario} with {one.result.client}", one.result.blocks
        if None in wanted.get(one.comparison.name, ()):
            yield f"{place} is open, and {MOST_BLOCKS} blocks would not decide it"
        elif known and done >= LEAST_BLOCKS:
            yield f"{place} is open: {max(known)} blocks would decide it, where {done} were run"
            more_s += (max(known) - done) * block_s(one.comparison)
    if more_s and results.finished:
        took = datetime.fromisoformat(results.finished) - datetime.fromisoformat(results.started)
        minutes = math.ceil((took.total_seconds() + more_s) / 60) + 1
        yield (
            f"with the noise seen, that takes {math.ceil(more_s / 60)} min more: "
            f"--minutes {minutes}"
        )

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is the build of `matrix validate` as fast, how sure is that, and how many blocks are wanted?"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jdkmatrix.grading.graded_comparisons import figure_of, triples_of
from jdkmatrix.plan.planned_comparisons import block_s
from jdkmatrix.records.comparison_record import ComparisonRecord, ThroughputRecord
from jdkmatrix.records.sample_record import BlockRecord
from jdkmatrix.results.document import Results
from jdkmatrix.results.speed import (
    FigureResult,
    ThroughputResult,
    TopicResult,
)
from jdkmatrix.results.speed_words import METRIC_NAMES
from jdkmatrix.run.samples.blocks_in_turn import is_hopeless
from jdkmatrix.verdict.ratio import LEAST_BLOCKS, MINIMUM_EFFECT
from jdkmatrix.verdict.validation import (
    MOST_BLOCKS,
    MOST_LOSS,
    Speed,
    blocks_to_confirm,
    blocks_to_decide,
    is_decided,
    loss_of,
    of_speeds,
)
from jdkmatrix.vocabulary import Metric, SpeedGrade

# How many figures a sentence names; the page has all.
_MOST_NAMED = 3


def most_loss(comparison: ComparisonRecord, metric: Metric) -> float | None:
    """The loss that a validation wants a figure to exclude; None if it does not ask."""
    if comparison.most_loss is None:
        return MOST_LOSS
    return comparison.most_loss if metric is comparison.scenario.headline else None


def blocks_of_figure(figure: FigureResult, blocks: int, asked: float | None) -> int | None:
    """How many blocks in total decide a figure, at least `blocks`; None if no number would."""
    better = figure.higher_is_better
    return blocks_to_decide(
        figure.grade, figure.ci95, blocks, higher_is_better=better, most_loss=asked
    )


def blocks_wanted(
    comparison: ComparisonRecord, blocks: Sequence[BlockRecord], minimum_effect: float
) -> tuple[int, int | None]:
    """How many blocks it takes to believe its slow-downs, and to decide all that is asked.

    Both are the current number if nothing is open; the second is None if no number would do. A
    build that was left out is not waited for.
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
    """A figure, and what the validation asks of it."""

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
        """The largest loss that its interval allows, at least 0; infinite if it has none."""
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


def on_speed(
    results: Results, plan: ThroughputRecord, baseline: str | None
) -> Iterator[TopicResult]:
    """Whether the build is as fast as the baseline; yields nothing without one."""
    asked = list(_asked(results, plan))
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
        yield (
            f"at 95 % confidence, no figure is worse than {baseline}'s by more than the following,"
            f" worst first: {text}"
        )
    for one in known:
        assert one.speed.loss
        least = one.speed.loss[0]
        if least > MINIMUM_EFFECT:
            yield f"{one.name} is worse by at least {least:.0%}, but the A/A interval is as wide"
    missing = len(said) - len(known)
    if missing:
        yield f"{missing} of {len(asked)} figures could not be compared"
    elif not asked:
        yield "no figure was compared"


def _own_bound(one: _Asked) -> str:
    bound = one.speed.most_loss
    return "" if bound == MOST_LOSS else f" (where {bound:.0%} must be excluded)"


def _on_time(results: Results, asked: list[_Asked]) -> Iterator[str]:
    """Which comparisons are open, and how long it would take to decide them."""
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
            yield f"{place} is open: {max(known)} blocks would decide it, but only {done} were run"
            more_s += (max(known) - done) * block_s(one.comparison)
    if more_s and results.took_s is not None:
        minutes = math.ceil((results.took_s + more_s) / 60) + 1
        yield (
            f"with the noise seen, that takes {math.ceil(more_s / 60)} min more: "
            f"--resume --minutes {minutes}"
        )

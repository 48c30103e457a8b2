# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is the build of `matrix validate` as fast, how sure is that, and how many blocks are wanted?"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jdkmatrix.grading.graded_comparisons import figure_of, limit_of, triples_of
from jdkmatrix.plan.planned_comparisons import block_s
from jdkmatrix.records.comparison_record import ComparisonRecord, ThroughputRecord
from jdkmatrix.records.sample_record import BlockRecord
from jdkmatrix.results.document import Results
from jdkmatrix.results.speed import FigureResult, ThroughputResult, TopicResult
from jdkmatrix.run.samples.blocks_in_turn import is_hopeless
from jdkmatrix.texts import count_of
from jdkmatrix.verdict.ratio import MINIMUM_EFFECT
from jdkmatrix.verdict.validation import (
    MOST_BLOCKS,
    MOST_LOSS,
    Loss,
    Speed,
    blocks_to_confirm,
    blocks_to_decide,
    is_open,
    of_speeds,
)
from jdkmatrix.vocabulary import SpeedGrade, Verdict
from jdkmatrix.words.speed import METRIC_NAMES

# How many figures a sentence names; the page has all.
_MOST_NAMED = 2


def blocks_of_figure(figure: FigureResult, blocks: int) -> int | None:
    """How many blocks in total decide a figure, at least `blocks`; None if no number would."""
    better = figure.higher_is_better
    return blocks_to_decide(
        figure.grade, figure.ci95, blocks, higher_is_better=better, most_loss=figure.most_loss
    )


def blocks_wanted(
    comparison: ComparisonRecord, blocks: Sequence[BlockRecord], minimum_effect: float
) -> tuple[int, int | None]:
    """How many blocks it takes to believe its slow-downs, and to decide all that is asked.

    Both are the current number if nothing is open; the second is None if no number would do. A
    build that was left out is not waited for.
    """
    confirming_blocks = len(blocks)
    deciding_blocks: list[int | None] = [confirming_blocks]
    for build in comparison.builds:
        if build == comparison.baseline or is_hopeless(blocks, build):
            continue
        for metric in comparison.scenario.metrics:
            count = len(triples_of(blocks, build, metric))
            limit = limit_of(comparison, metric)
            figure = figure_of(metric, blocks, build, minimum_effect, limit)
            void = len(blocks) - count
            confirming_blocks = max(
                confirming_blocks, void + blocks_to_confirm(figure.grade, figure.loss, count)
            )
            need = blocks_of_figure(figure, count)
            deciding_blocks.append(None if need is None else void + need)
    numbers = [number for number in deciding_blocks if number is not None]
    return confirming_blocks, max(confirming_blocks, *numbers) if len(numbers) == len(
        deciding_blocks
    ) else None


@dataclass(frozen=True)
class _LimitedFigure:
    """A figure that a validation sets a limit to, and the comparison that it is of."""

    cell: ThroughputResult
    figure: FigureResult

    @property
    def name(self) -> str:
        """`requests/s of reuse with java-net-http`."""
        return f"{METRIC_NAMES[self.figure.metric]} of {_name(self.cell)}"

    @property
    def is_noisy(self) -> bool:
        """Whether it was compared, and has no answer."""
        return self.figure.loss is not None and is_open(_speed(self.cell, self.figure))

    @property
    def loss(self) -> Loss:
        """The bounds of its loss; anything is possible without an interval."""
        return self.figure.loss or (-math.inf, math.inf)


def on_speed(
    results: Results, plan: ThroughputRecord, baseline: str | None
) -> Iterator[TopicResult]:
    """Whether the build is as fast as the baseline; yields nothing if that is not compared."""
    if baseline and plan.comparisons:
        speeds = [[_speed(cell, figure) for figure in cell.figures] for cell in results.throughput]
        verdict = of_speeds(speeds)
        sentences = _sentences(results, plan, baseline, verdict)
        yield TopicResult(topic="speed", verdict=verdict, sentence=". ".join(sentences))


def _speed(cell: ThroughputResult, figure: FigureResult) -> Speed:
    return Speed(figure.grade, cell.may_be_slower, figure.loss, figure.most_loss)


def _sentences(
    results: Results, plan: ThroughputRecord, baseline: str, verdict: Verdict
) -> Iterator[str]:
    figures = [
        _LimitedFigure(cell, figure)
        for cell in results.throughput
        for figure in cell.figures
        if figure.most_loss is not None
    ]
    slower = [cell for cell in results.throughput if cell.grade is SpeedGrade.SLOWER]
    noisy = {_name(target.cell): target.cell for target in figures if target.is_noisy}
    yield from _on_slower(slower, baseline)
    yield from _on_comparability(figures)
    if noisy:
        yield _on_noise(list(noisy.values()), len(results.throughput))
    for target in figures:
        if target.is_noisy and target.loss[0] > MINIMUM_EFFECT:
            line = f"{target.name} looks at least {_percent(target.loss[0])} worse"
            yield f"{line}, but the baseline differs from itself by as much"
    if bounds := _bounds(figures):
        if verdict is Verdict.GOOD:
            yield f"No {'other ' if slower else ''}slowdown found"
        subject = "It could still" if verdict is Verdict.GOOD else "The figures could"
        yield f"{subject} hide up to {bounds} (95 %)"
    yield from _on_time(results, plan, list(noisy.values()))


def _on_slower(slower: Sequence[ThroughputResult], baseline: str) -> Iterator[str]:
    """What is slower, first for no known reason."""
    surprises = [
        f"{_name(cell)} ({cell.reason.rstrip('.')})" for cell in slower if cell.is_surprise
    ]
    if surprises:
        yield f"Slower than {baseline}: {', '.join(surprises)}"
    for cell in slower:
        if not cell.is_surprise:
            yield f"{_name(cell)} is slower, as {' or '.join(cell.bugs)} explains"


def _on_comparability(figures: Sequence[_LimitedFigure]) -> Iterator[str]:
    """How many figures have no interval."""
    if not figures:
        yield "No figure was compared"
    elif missing := sum(target.figure.loss is None for target in figures):
        yield f"{missing} of {count_of(len(figures), 'figure')} could not be compared"


def _name(cell: ThroughputResult) -> str:
    return f"{cell.scenario} with {cell.client}"


def _percent(loss: float) -> str:
    return f"{100 * max(0.0, loss):.0f} %"


def _bounds(figures: Sequence[_LimitedFigure]) -> str:
    """The largest losses that the intervals allow, and the largest of all other figures."""
    open_ended = [
        target
        for target in figures
        if target.figure.loss and target.figure.grade is not SpeedGrade.SLOWER
    ]
    ranking = sorted(open_ended, key=lambda target: -target.loss[1])
    phrases = [
        f"{_percent(target.loss[1])}{_limit(target)} in {target.name}"
        for target in ranking[:_MOST_NAMED]
    ]
    rest = [f"{_percent(target.loss[1])} elsewhere" for target in ranking[_MOST_NAMED:]]
    return ", ".join([*phrases, *rest[:1]])


def _limit(target: _LimitedFigure) -> str:
    limit = target.figure.most_loss
    return "" if limit is None or limit == MOST_LOSS else f" (limit {_percent(limit)})"


def _on_noise(noisy: Sequence[ThroughputResult], comparisons: int) -> str:
    """Which comparisons have no answer, and what would give one."""
    names = ", ".join(f"{_name(cell)} ({_remedy(cell)})" for cell in noisy)
    of_all = count_of(comparisons, "comparison")
    if len(noisy) == comparisons:
        return f"{of_all}, {'all ' if comparisons > 1 else ''}too noisy to tell: {names}"
    return f"{len(noisy)} of {of_all} too noisy to tell: {names}"


def _remedy(cell: ThroughputResult) -> str:
    if cell.may_be_slower:
        return f"{' or '.join(cell.bugs)} may make it slower"
    blocks = _blocks_of(cell)
    if blocks is None:
        return f"not even {MOST_BLOCKS} blocks would decide it"
    return f"{blocks} blocks would decide it, {cell.blocks} were run"


def _blocks_of(cell: ThroughputResult) -> int | None:
    """How many blocks in total decide all its figures; None if no number would."""
    needs = [blocks_of_figure(figure, cell.blocks) for figure in cell.figures]
    numbers = [number for number in needs if number is not None]
    return max(numbers) if len(numbers) == len(needs) else None


def _on_time(
    results: Results, plan: ThroughputRecord, noisy: Sequence[ThroughputResult]
) -> Iterator[str]:
    """How long it would take to decide the comparisons that more blocks decide."""
    comparisons = {(record.scenario_name, record.client): record for record in plan.comparisons}
    more_s = 0.0
    for cell in noisy:
        blocks = None if cell.may_be_slower else _blocks_of(cell)
        if blocks is not None:
            comparison = comparisons[cell.scenario, cell.client]
            more_s += (blocks - cell.blocks) * block_s(comparison)
    if more_s and results.took_s is not None:
        minutes = math.ceil((results.took_s + more_s) / 60) + 1
        yield (
            f"With the noise seen, that takes {math.ceil(more_s / 60)} min more: "
            f"--resume --minutes {minutes}"
        )

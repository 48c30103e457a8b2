# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is the build of `matrix validate` as fast, how sure is that, and how many blocks are wanted?"""

from collections.abc import Iterator, Sequence

from jdkmatrix.grading.graded_comparisons import figure_of, limit_of, metrics_of, triples_of
from jdkmatrix.plan.planned_comparisons import block_s, least_s
from jdkmatrix.records.comparison_record import ComparisonRecord, ThroughputRecord
from jdkmatrix.records.sample_record import BlockRecord
from jdkmatrix.results.document import Results
from jdkmatrix.results.speed import FigureResult, ThroughputResult, TopicResult
from jdkmatrix.run.samples.blocks_in_turn import is_hopeless
from jdkmatrix.verdict.validation import (
    Speed,
    blocks_to_confirm,
    blocks_to_decide,
    is_open,
    of_speeds,
)
from jdkmatrix.words.speed_topic import JudgedComparison, more_time, speed_sentences


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
        for metric in metrics_of(comparison, blocks):
            count = len(triples_of(blocks, build, metric))
            limit = limit_of(comparison, metric)
            figure = figure_of(metric, blocks, build, minimum_effect, limit)
            void = len(blocks) - count
            if not metric.is_count:  # two blocks show their scatter
                confirming_blocks = max(
                    confirming_blocks, void + blocks_to_confirm(figure.grade, figure.loss, count)
                )
            need = blocks_of_figure(figure, count)
            deciding_blocks.append(None if need is None else void + need)
    return confirming_blocks, _largest_need([confirming_blocks, *deciding_blocks])


def _largest_need(needs: Sequence[int | None]) -> int | None:
    """The most of these needs; None if one of them is beyond any number."""
    numbers = [need for need in needs if need is not None]
    return max(numbers) if len(numbers) == len(needs) else None


def on_speed(
    results: Results, plan: ThroughputRecord, baseline: str | None
) -> Iterator[TopicResult]:
    """Whether the build is as fast as the baseline; yields nothing if that is not compared."""
    if baseline and plan.comparisons:
        cells = [_judge(cell) for cell in results.throughput]
        verdict = of_speeds(
            [[_speed(cell, figure) for figure in cell.figures] for cell in results.throughput]
        )
        more_s = sum(_more_s(cell, plan) for cell in cells)
        sentences = speed_sentences(cells, baseline, verdict)
        time = more_time(more_s, results.took_s) if more_s and results.took_s is not None else None
        sentence = ". ".join((*sentences, *([time] if time else [])))
        yield TopicResult(topic="speed", verdict=verdict, sentence=sentence)


def _judge(cell: ThroughputResult) -> JudgedComparison:
    open_metrics = frozenset(
        figure.metric
        for figure in cell.figures
        if figure.most_loss is not None
        and figure.loss is not None
        and is_open(_speed(cell, figure))
    )
    needs = [blocks_of_figure(figure, cell.blocks) for figure in cell.figures]
    return JudgedComparison(cell, open_metrics, _largest_need(needs))


def _speed(cell: ThroughputResult, figure: FigureResult) -> Speed:
    return Speed(figure.grade, cell.may_be_slower, figure.loss, figure.most_loss)


def _more_s(comparison: JudgedComparison, plan: ThroughputRecord) -> float:
    """How long it takes to decide a comparison, if more blocks do; 0 if it has an answer."""
    cell, blocks = comparison.cell, comparison.blocks_to_decide
    comparisons = {(record.scenario_name, record.client): record for record in plan.comparisons}
    if comparison.is_late:
        return least_s([comparisons[cell.scenario, cell.client]])
    if not comparison.is_noisy or cell.may_be_slower or blocks is None:
        return 0.0
    return (blocks - cell.blocks) * block_s(comparisons[cell.scenario, cell.client])

# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a validation say of speed: what is slower, and what the figures could still hide?"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jdkmatrix.results.speed import FigureResult, ThroughputResult
from jdkmatrix.texts import count_of
from jdkmatrix.verdict.ratio import MINIMUM_EFFECT
from jdkmatrix.verdict.validation import MOST_BLOCKS, MOST_LOSS, Loss
from jdkmatrix.vocabulary import Metric, SpeedGrade, Verdict
from jdkmatrix.words.speed import METRIC_NAMES, figure_words, smallest_loss

# What a comparison lacks for which there was no time.
TIME_WAS_UP = "it had no time left (--minutes)"
# How many figures a sentence names; the page has all.
_MOST_NAMED = 2


@dataclass(frozen=True)
class JudgedComparison:
    """A comparison, which of its figures were compared and have no answer, and how many blocks in
    total would decide all of them; None if no number would.
    """

    cell: ThroughputResult
    open_metrics: frozenset[Metric]
    blocks_to_decide: int | None

    @property
    def name(self) -> str:
        """`reuse with java-net-http`."""
        return f"{self.cell.scenario} with {self.cell.client}"

    @property
    def is_noisy(self) -> bool:
        """Whether a figure was compared, and has no answer."""
        return bool(self.open_metrics)

    @property
    def is_late(self) -> bool:
        """Whether it was not measured, as the time was up."""
        return any(TIME_WAS_UP in lack for lack in self.cell.lacks)


@dataclass(frozen=True)
class _LimitedFigure:
    """A figure that a validation sets a limit to, and the comparison that it is of."""

    comparison: JudgedComparison
    figure: FigureResult

    @property
    def name(self) -> str:
        """`requests/s of reuse with java-net-http`."""
        return f"{METRIC_NAMES[self.figure.metric]} of {self.comparison.name}"

    @property
    def is_noisy(self) -> bool:
        """Whether it was compared, and has no answer."""
        return self.figure.metric in self.comparison.open_metrics

    @property
    def loss(self) -> Loss:
        """The bounds of its loss; anything is possible without an interval."""
        return self.figure.loss or (-math.inf, math.inf)


def speed_sentences(
    comparisons: Sequence[JudgedComparison], baseline: str, verdict: Verdict
) -> Iterator[str]:
    """What the topic says, without full stops: slow-downs first, then what has no answer."""
    figures = [
        _LimitedFigure(comparison, figure)
        for comparison in comparisons
        for figure in comparison.cell.figures
        if figure.most_loss is not None
    ]
    slower = [comparison for comparison in comparisons if _is_slower(comparison.cell)]
    noisy = [comparison for comparison in comparisons if comparison.is_noisy]
    yield from _on_slower(slower, baseline)
    yield from _on_comparability(figures)
    if noisy:
        yield _on_noise(noisy, len(comparisons))
    for target in figures:
        if target.is_noisy and target.loss[0] > MINIMUM_EFFECT:
            line = f"{target.name} looks at least {_percent(target.loss[0])} worse"
            yield f"{line}, but the baseline differs from itself by as much"
    times = [target for target in figures if not target.figure.metric.is_count]
    if bounds := _bounds(times):
        if verdict is Verdict.GOOD:
            kind = "other slowdown" if slower else "slowdown"
            yield f"No {kind} above {bounds} (95 %; smaller ones not measured)"
        else:
            yield f"The figures could hide up to {bounds} (95 %)"
    yield from _on_counts([target for target in figures if target.figure.metric.is_count])


def more_time(more_s: float, took_s: float) -> str:
    """How long it would take to decide what more blocks decide, and with which options."""
    minutes = math.ceil((took_s + more_s) / 60) + 1
    return (
        f"With the noise seen, that takes {math.ceil(more_s / 60)} min more: "
        f"--resume --minutes {minutes}"
    )


def _is_slower(cell: ThroughputResult) -> bool:
    return cell.grade is SpeedGrade.SLOWER


def _on_slower(slower: Sequence[JudgedComparison], baseline: str) -> Iterator[str]:
    """What is slower, first for no known reason."""
    surprises = [
        f"{comparison.name} ({_slower_figures(comparison.cell)})"
        for comparison in slower
        if comparison.cell.is_surprise
    ]
    if surprises:
        yield f"Slower than {baseline}: {', '.join(surprises)}"
    for comparison in slower:
        if not comparison.cell.is_surprise:
            yield f"{comparison.name} is slower, as {' or '.join(comparison.cell.bugs)} explains"


def _slower_figures(cell: ThroughputResult) -> str:
    """The figures that are slower; what the comparison says of all where an older kit graded it."""
    figures = [figure for figure in cell.figures if figure.grade is SpeedGrade.SLOWER]
    return "; ".join(map(figure_words, figures)) or cell.reason.rstrip(".")


def _on_comparability(figures: Sequence[_LimitedFigure]) -> Iterator[str]:
    """How many figures have no interval."""
    if not figures:
        yield "No figure was compared"
    elif missing := sum(target.figure.loss is None for target in figures):
        yield f"{missing} of {count_of(len(figures), 'figure')} could not be compared"
    late = {target.comparison.name for target in figures if target.comparison.is_late}
    if late:
        yield f"The time was up before {', '.join(sorted(late))}"


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


def _on_counts(counts: Sequence[_LimitedFigure]) -> Iterator[str]:
    """From which loss on a count would have been graded, where that is the largest."""
    losses = {
        target.figure.smallest_loss: smallest_loss(target.figure)
        for target in counts
        if target.figure.smallest_loss is not None
    }
    if losses:
        yield (
            f"Of what a request allocates and sends, {losses[max(losses)]} more would have been "
            f"seen in each of {count_of(len(counts), 'count')}"
        )


def _limit(target: _LimitedFigure) -> str:
    limit = target.figure.most_loss
    return "" if limit is None or limit == MOST_LOSS else f" (limit {_percent(limit)})"


def _on_noise(noisy: Sequence[JudgedComparison], comparisons: int) -> str:
    """Which comparisons have no answer, and what would give one."""
    names = ", ".join(f"{comparison.name} ({_remedy(comparison)})" for comparison in noisy)
    of_all = count_of(comparisons, "comparison")
    if len(noisy) == comparisons:
        return f"{of_all}, {'all ' if comparisons > 1 else ''}too noisy to tell: {names}"
    return f"{len(noisy)} of {of_all} too noisy to tell: {names}"


def _remedy(comparison: JudgedComparison) -> str:
    cell = comparison.cell
    if cell.may_be_slower:
        return f"{' or '.join(cell.bugs)} may make it slower"
    if comparison.blocks_to_decide is None:
        return f"not even {MOST_BLOCKS} blocks would decide it"
    return f"{comparison.blocks_to_decide} blocks would decide it, {cell.blocks} were run"
